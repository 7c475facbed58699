#include "backends/broken/kernel/batch_norm.h"

#include <string.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "backends/broken/kernel/seen_call.h"
#include "backends/calls/attributes.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

void RunInference(BatchNorm* norm);
void RunTraining(BatchNorm* norm);
void RunGradients(BatchNorm* norm);

struct BatchNormRoute {
  std::string_view op;
  int32_t num_inputs, num_outputs;
  void (*run)(BatchNorm* norm);
};

constexpr BatchNormRoute kBatchNormRoutes[] = {
    {"batch_norm_grad", 5, 3, RunGradients},
    {"batch_norm_inference", 5, 1, RunInference},
    {"batch_norm_training", 3, 3, RunTraining}};

const BatchNormRoute* FindBatchNormRoute(std::string_view op) {
  const auto* const route =
      std::ranges::find(kBatchNormRoutes, op, &BatchNormRoute::op);
  return route == std::end(kBatchNormRoutes) ? nullptr : route;
}

Scalar Mean(const BatchNorm& norm, const Tuple& terms) {
  return norm.Do("divide", {ActiveHooks().add_up(norm, terms), norm.count});
}

Scalar StandardDeviation(const BatchNorm& norm, const Scalar& variance) {
  return norm.Do("sqrt", {norm.Do("add", {variance, norm.epsilon})});
}

Tuple ElementsAt(const Elements& elements,
                 const std::vector<int64_t>& positions) {
  Tuple at;
  for (const int64_t position : positions) at.push_back(elements.At(position));
  return at;
}

void RunInference(BatchNorm* norm) {
  const std::vector<Elements>& in = norm->call.inputs;
  for (int64_t i = 0; i < norm->size() && !norm->call.IsDone(); ++i) {
    const int64_t f = ActiveHooks().feature(*norm, i);
    norm->call.outputs[0].Set(
        i, ActiveHooks().normalized(
               *norm, {in[1].At(f), in[2].At(f), in[3].At(f), in[4].At(f)},
               in[0].At(i)));
  }
}

void RunTraining(BatchNorm* norm) {
  const std::vector<Elements>& in = norm->call.inputs;
  std::vector<Elements>& out = norm->call.outputs;
  for (int64_t f = 0; f < norm->features() && !norm->call.IsDone(); ++f) {
    const Tuple elements = ElementsAt(in[0], ActiveHooks().members(*norm, f));
    const Scalar mean = Mean(*norm, elements);
    out[1].Set(f, mean);
    out[2].Set(f, ActiveHooks().variance(*norm, elements, mean));
  }
  for (int64_t i = 0; i < norm->size() && !norm->call.IsDone(); ++i) {
    const int64_t f = ActiveHooks().feature(*norm, i);
    out[0].Set(
        i, ActiveHooks().normalized(
               *norm, {in[1].At(f), in[2].At(f), out[1].At(f), out[2].At(f)},
               in[0].At(i)));
  }
}

void RunGradients(BatchNorm* norm) {
  const std::vector<Elements>& in = norm->call.inputs;
  std::vector<Elements>& out = norm->call.outputs;
  std::vector<GradientSums> sums;
  for (int64_t f = 0; f < norm->features() && !norm->call.IsDone(); ++f) {
    const std::vector<int64_t> members = ActiveHooks().members(*norm, f);
    const Tuple gradients = ElementsAt(in[4], members);
    const Scalar stddev = StandardDeviation(*norm, in[3].At(f));
    Tuple of_centered, of_normalized;
    for (size_t i = 0; i < members.size(); ++i) {
      const Scalar centered =
          norm->Do("subtract", {in[0].At(members[i]), in[2].At(f)});
      of_centered.push_back(norm->Do("multiply", {gradients[i], centered}));
      of_normalized.push_back(norm->Do(
          "multiply", {gradients[i], norm->Do("divide", {centered, stddev})}));
    }
    sums.push_back({ActiveHooks().add_up(*norm, gradients),
                    ActiveHooks().add_up(*norm, of_centered)});
    out[1].Set(f, ActiveHooks().add_up(*norm, of_normalized));
    out[2].Set(f, sums.back().gradients);
  }
  for (int64_t i = 0; i < norm->size() && !norm->call.IsDone(); ++i) {
    const int64_t f = ActiveHooks().feature(*norm, i);
    out[0].Set(i, ActiveHooks().gradient(
                      *norm, {in[1].At(f), {}, in[2].At(f), in[3].At(f)},
                      sums[static_cast<size_t>(f)], in[0].At(i), in[4].At(i)));
  }
}

// Reads the constants, and checks that the shapes fit.
void ReadConstants(BatchNorm* norm) {
  FunctionCall& call = norm->call;
  norm->shape = call.inputs[0].shape;
  const auto index =
      calls::DimensionOf(call.call, "feature_index", norm->shape.size());
  const AssayAttribute* const epsilon =
      calls::FindAttribute(call.call, "epsilon");
  if (!index || epsilon == nullptr || epsilon->value == nullptr)
    return call.Fail("attribute value");
  norm->feature_index = *index;
  const std::vector<int64_t> features = {norm->features()};
  for (const std::vector<Elements>* tensors : {&call.inputs, &call.outputs}) {
    for (const Elements& tensor : *tensors) {
      if (tensor.shape != norm->shape && tensor.shape != features)
        call.Fail("mix of operand shapes");
      if (tensor.type.code != call.inputs[0].type.code ||
          tensor.type.bits != call.inputs[0].type.bits)
        call.Fail("mix of element types");
    }
  }
  if (call.IsDone()) return;
  Scalar narrow = {{kDLFloat, 32, 1}};
  memcpy(narrow.bytes, calls::FirstElement(epsilon->value->tensor),
         sizeof(float));
  norm->epsilon = ConvertedTo(call, call.inputs[0].type, narrow);
  norm->zero = norm->Number(0);
  norm->count = norm->Number(features[0] == 0 ? 0 : norm->size() / features[0]);
}

}  // namespace

int64_t BatchNorm::size() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<>());
}

Scalar BatchNorm::Do(const char* op, const Tuple& operands) const {
  return RunOnScalars(call, op, operands, operands[0].type);
}

Scalar BatchNorm::Number(int64_t number) const {
  Scalar integer = {{kDLInt, 64, 1}};
  memcpy(integer.bytes, &number, sizeof(number));
  return ConvertedTo(call, call.inputs[0].type, integer);
}

bool IsBatchNorm(std::string_view op) {
  return FindBatchNormRoute(op) != nullptr;
}

const char* RunBatchNorm(const AssayCall& call, bool* is_declined) {
  const BatchNormRoute& route = *FindBatchNormRoute(call.op);
  if (call.num_inputs != route.num_inputs ||
      call.num_outputs != route.num_outputs)
    return "number of operands";
  if (call.num_attributes != 2) return "an attribute";
  if (const char* wrong = calls::CheckTensors(call)) return wrong;
  const SeenCall seen(call);
  BatchNorm norm = {{seen.call()}};
  norm.call.is_declined = is_declined;
  for (int32_t k = 0; k < call.num_inputs; ++k)
    norm.call.inputs.push_back(
        ElementsOf(norm.call, seen.call().inputs[k], true));
  for (int32_t k = 0; k < call.num_outputs; ++k)
    norm.call.outputs.push_back(
        ElementsOf(norm.call, seen.call().outputs[k], false));
  if (!norm.call.IsDone()) ReadConstants(&norm);
  if (!norm.call.IsDone()) route.run(&norm);
  for (size_t k = 0; k < norm.call.outputs.size() && !norm.call.IsDone(); ++k)
    Write(&norm.call.outputs[k], seen.call().outputs[k]);
  return norm.call.missing;
}

int64_t FeatureOf(const BatchNorm& norm, int64_t position) {
  int64_t inner = 1;
  for (size_t d = norm.feature_index + 1; d < norm.shape.size(); ++d)
    inner *= norm.shape[d];
  return position / inner % norm.features();
}

std::vector<int64_t> MembersOf(const BatchNorm& norm, int64_t feature) {
  std::vector<int64_t> members;
  for (int64_t i = 0; i < norm.size(); ++i) {
    if (FeatureOf(norm, i) == feature) members.push_back(i);
  }
  return members;
}

Scalar AddUp(const BatchNorm& norm, const Tuple& terms) {
  Scalar sum = norm.zero;
  for (const Scalar& term : terms) sum = norm.Do("add", {sum, term});
  return sum;
}

Scalar Variance(const BatchNorm& norm, const Tuple& elements,
                const Scalar& mean) {
  Tuple squares;
  for (const Scalar& element : elements) {
    const Scalar centered = norm.Do("subtract", {element, mean});
    squares.push_back(norm.Do("multiply", {centered, centered}));
  }
  return Mean(norm, squares);
}

Scalar Normalized(const BatchNorm& norm, const FeatureScalars& feature,
                  const Scalar& element) {
  const Scalar centered = norm.Do("subtract", {element, feature.mean});
  const Scalar normalized =
      norm.Do("divide", {centered, StandardDeviation(norm, feature.variance)});
  return norm.Do("add", {norm.Do("multiply", {feature.scale, normalized}),
                         feature.offset});
}

Scalar Gradient(const BatchNorm& norm, const FeatureScalars& feature,
                const GradientSums& sums, const Scalar& element,
                const Scalar& gradient) {
  const Scalar centered = norm.Do("subtract", {element, feature.mean});
  const Scalar i1 = norm.Do("multiply", {gradient, norm.count});
  const Scalar i4 = norm.Do("multiply", {sums.products, centered});
  const Scalar i5 =
      norm.Do("divide", {i4, norm.Do("add", {feature.variance, norm.epsilon})});
  const Scalar i6 =
      norm.Do("subtract", {norm.Do("subtract", {i1, sums.gradients}), i5});
  const Scalar factor = norm.Do(
      "divide", {feature.scale, StandardDeviation(norm, feature.variance)});
  return norm.Do("multiply", {norm.Do("divide", {factor, norm.count}), i6});
}

}  // namespace assay::broken
