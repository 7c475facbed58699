// The batch_norm ops, step by step as their formulas are: each step is a call
// on whole tensors, or on one element for each feature where the formula has it
// broadcast. Sums combine neighbours, as reductions do (reduce.cc).
#include "backends/calls/batch_norm.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/calls/attributes.h"
#include "backends/calls/columns.h"
#include "backends/calls/limits.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

using Shape = Columns::Shape;

// Sums have a dimension for the terms beside those of the operand.
constexpr int kMostOperandDims = kMaxDims - 1;

class Steps {
 public:
  // The first input is the operand.
  Steps(const AssayCall& call, Machine* machine) : columns_(call, machine) {
    for (int32_t k = 0; k < call.num_inputs; ++k)
      inputs_.push_back(Read(call.inputs[k]));
    for (int32_t k = 0; k < call.num_outputs; ++k)
      outputs_.push_back(Read(call.outputs[k]));
    if (columns_.failure() != nullptr) return;
    shape_ = inputs_[0].view.shape;
    const auto index = DimensionOf(call, "feature_index", shape_.size());
    const AssayAttribute* const epsilon = FindAttribute(call, "epsilon");
    if (!index || epsilon == nullptr || epsilon->value == nullptr ||
        call.num_attributes != 2) {
      columns_.Fail("attribute value");
      return;
    }
    feature_index_ = *index;
    features_ = {shape_[feature_index_]};
    for (const std::vector<Column>* tensors : {&inputs_, &outputs_}) {
      for (const Column& tensor : *tensors) {
        if (strcmp(tensor.type, inputs_[0].type) != 0)
          columns_.Fail("mix of element types");
        if (tensor.view.shape != shape_ && tensor.view.shape != features_)
          columns_.Fail("mix of operand shapes");
      }
    }
    epsilon_ = Constant(*epsilon->value, "tensor<f32>");
    const int64_t count =
        features_[0] == 0 ? 0 : CountOf(shape_) / features_[0];
    count_ = Number(count);
    zero_ = Number(0);
  }

  const char* failure() const { return columns_.failure(); }
  const Column& input(size_t k) const { return inputs_[k]; }
  const Column& epsilon() const { return epsilon_; }
  // The number of elements of a feature.
  const Column& count() const { return count_; }

  // Each of two operands has the shape of the result, is one element for each
  // feature, or a scalar. The result is of one of them.
  Column Do(const char* op, const Column& lhs, const Column& rhs) {
    const bool is_whole = lhs.view.shape == shape_ || rhs.view.shape == shape_;
    const Shape& shape = is_whole ? shape_ : features_;
    Column result = columns_.New(lhs.type, shape);
    columns_.Run(op, {Over(lhs, shape), Over(rhs, shape)}, result);
    return result;
  }
  Column Sqrt(const Column& operand) {
    Column result = columns_.New(operand.type, operand.view.shape);
    columns_.Run("sqrt", {operand}, result);
    return result;
  }
  // Returns the sum of the elements of each feature.
  Column Sum(const Column& operand) {
    Column from = {operand.type, {{}, {}, operand.view.first}};
    for (size_t d = 0; d < shape_.size(); ++d) {
      if (d == feature_index_) continue;
      from.view.shape.push_back(shape_[d]);
      from.view.strides.push_back(operand.view.strides[d]);
    }
    int64_t length = CountOf(from.view.shape);
    from.view.shape.push_back(features_[0]);
    from.view.strides.push_back(operand.view.strides[feature_index_]);
    Column terms = columns_.New(operand.type, from.view.shape);
    if (CountOf(shape_) > 0) columns_.Convert(from, terms);
    Column others =
        columns_.New(operand.type, {(length + 1) / 2, features_[0]});
    const auto rows = [this](const Column& column, int64_t first, int64_t step,
                             int64_t count) {
      Column part = {
          column.type,
          {{count, features_[0]}, {features_[0] * step, 1}, column.view.first}};
      part.view.Advance(first * features_[0], BytesOfScalar(column.type));
      return part;
    };
    for (; length > 1; length = length / 2 + length % 2) {
      const int64_t pairs = length / 2;
      columns_.Run("add", {rows(terms, 0, 2, pairs), rows(terms, 1, 2, pairs)},
                   rows(others, 0, 1, pairs));
      if (length % 2 != 0)
        columns_.Convert(rows(terms, length - 1, 1, 1),
                         rows(others, pairs, 1, 1));
      std::swap(terms, others);
    }
    const Column zeros = Columns::Broadcast(zero_, features_);
    if (length == 0) return zeros;
    terms.view.shape = features_;
    terms.view.strides = {1};
    return Do("add", zeros, terms);
  }
  Column Mean(const Column& operand) {
    return Do("divide", Sum(operand), count_);
  }

  // Writes the results, when all of them are there: operands may lie where they
  // do.
  const char* Finish(const std::vector<Column>& results) {
    for (size_t k = 0; k < results.size(); ++k) {
      if (columns_.failure() == nullptr &&
          results[k].view.shape != outputs_[k].view.shape)
        columns_.Fail("mix of operand shapes");
    }
    for (size_t k = 0; k < results.size(); ++k)
      columns_.Convert(results[k], outputs_[k]);
    return columns_.failure();
  }

 private:
  Column Read(const AssayTensor& tensor) {
    if (tensor.tensor.ndim > kMostOperandDims) columns_.Fail("rank");
    return columns_.Of(tensor);
  }
  Column Over(const Column& column, const Shape& shape) const {
    if (column.view.shape == shape) return column;
    Column over = Columns::Broadcast(column, shape);
    if (!column.view.shape.empty())
      over.view.strides[feature_index_] = column.view.strides[0];
    return over;
  }
  // Returns a scalar of the operand's type.
  Column Constant(const AssayTensor& value, const char* type) {
    AssayAttribute attribute = {};
    attribute.name = "value";
    attribute.text = "";
    attribute.value = &value;
    const Column constant = columns_.New(type, {});
    columns_.Run("constant", {}, constant, {attribute});
    const Column converted = columns_.New(inputs_[0].type, {});
    columns_.Convert(constant, converted);
    return converted;
  }
  Column Number(int64_t number) {
    AssayTensor value = {};
    value.tensor.data = &number;
    value.tensor.device = {kDLCPU, 0};
    value.tensor.dtype = {kDLInt, 64, 1};
    value.type = "tensor<i64>";
    return Constant(value, value.type);
  }

  Columns columns_;
  std::vector<Column> inputs_, outputs_;
  Shape shape_, features_;
  size_t feature_index_ = 0;
  Column epsilon_, count_, zero_;
};

bool HasCounts(const AssayCall& call, int32_t inputs, int32_t outputs) {
  return call.num_inputs == inputs && call.num_outputs == outputs;
}

Column Normalized(Steps* steps, const Column& scale, const Column& offset,
                  const Column& mean, const Column& variance) {
  const Column centered = steps->Do("subtract", steps->input(0), mean);
  const Column stddev =
      steps->Sqrt(steps->Do("add", variance, steps->epsilon()));
  const Column normalized = steps->Do("divide", centered, stddev);
  return steps->Do("add", steps->Do("multiply", scale, normalized), offset);
}

}  // namespace

const char* RunBatchNormInference(const AssayCall& call, Machine* machine) {
  if (!HasCounts(call, 5, 1)) return "number of operands";
  Steps steps(call, machine);
  if (steps.failure() != nullptr) return steps.failure();
  return steps.Finish({Normalized(&steps, steps.input(1), steps.input(2),
                                  steps.input(3), steps.input(4))});
}

const char* RunBatchNormTraining(const AssayCall& call, Machine* machine) {
  if (!HasCounts(call, 3, 3)) return "number of operands";
  Steps steps(call, machine);
  if (steps.failure() != nullptr) return steps.failure();
  const Column mean = steps.Mean(steps.input(0));
  const Column centered = steps.Do("subtract", steps.input(0), mean);
  const Column variance = steps.Mean(steps.Do("multiply", centered, centered));
  return steps.Finish(
      {Normalized(&steps, steps.input(1), steps.input(2), mean, variance), mean,
       variance});
}

const char* RunBatchNormGrad(const AssayCall& call, Machine* machine) {
  if (!HasCounts(call, 5, 3)) return "number of operands";
  Steps steps(call, machine);
  if (steps.failure() != nullptr) return steps.failure();
  const Column &scale = steps.input(1), &mean = steps.input(2),
               &variance = steps.input(3), &grad_output = steps.input(4);
  const Column centered = steps.Do("subtract", steps.input(0), mean);
  const Column shifted = steps.Do("add", variance, steps.epsilon());
  const Column stddev = steps.Sqrt(shifted);
  const Column normalized = steps.Do("divide", centered, stddev);
  const Column i1 = steps.Do("multiply", grad_output, steps.count());
  const Column i2 = steps.Sum(grad_output);
  const Column i3 = steps.Sum(steps.Do("multiply", grad_output, centered));
  const Column i4 = steps.Do("multiply", i3, centered);
  const Column i5 = steps.Do("divide", i4, shifted);
  const Column i6 = steps.Do("subtract", steps.Do("subtract", i1, i2), i5);
  const Column factor =
      steps.Do("divide", steps.Do("divide", scale, stddev), steps.count());
  return steps.Finish({steps.Do("multiply", factor, i6),
                       steps.Sum(steps.Do("multiply", grad_output, normalized)),
                       i2});
}

}  // namespace assay::calls
