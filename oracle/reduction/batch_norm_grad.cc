#include "oracle/reduction/batch_norm.h"

namespace assay {
namespace {

template <class T>
using Intervals = std::vector<FloatInterval<T>>;

template <class T>
FloatInterval<T> ComputeSum(auto& clause, const FloatArithmetic<T>& arithmetic,
                            const Intervals<T>& operand) {
  const auto sum = Decided<T>(clause, "S1", arithmetic.Sum(operand));
  return sum.IsOneValue() ? sum : Decided<T>(clause, "S2", sum);
}

// What is the same for all elements of a feature.
template <class T>
struct GradientOperands {
  FloatInterval<T> scale_bcast, mean_bcast, variance_bcast, epsilon_bcast;
  Intervals<T> operand, grad_output;
};

template <class T>
struct GradientsOfFeature {
  Intervals<T> grad_operand;
  FloatInterval<T> grad_scale, grad_offset;
};

template <class T>
GradientsOfFeature<T> GradientsByFormula(auto& clause,
                                         const FloatArithmetic<T>& a,
                                         const GradientOperands<T>& x) {
  const size_t size = x.operand.size();
  const auto shifted = a.Add(x.variance_bcast, x.epsilon_bcast);
  const auto stddev = Decided<T>(clause, "S8", a.Sqrt(shifted));
  const auto elements_per_feature =
      Decided<T>(clause, "S10", a.Constant(static_cast<double>(size)));
  Intervals<T> centered_operand, of_centered, of_normalized;
  for (size_t i = 0; i < size; ++i) {
    centered_operand.push_back(
        Decided<T>(clause, "S7", a.Subtract(x.operand[i], x.mean_bcast)));
    const auto normalized_operand =
        Decided<T>(clause, "S9", a.Divide(centered_operand[i], stddev));
    of_centered.push_back(a.Multiply(x.grad_output[i], centered_operand[i]));
    of_normalized.push_back(a.Multiply(x.grad_output[i], normalized_operand));
  }
  const auto i2 =
      Decided<T>(clause, "S13", ComputeSum(clause, a, x.grad_output));
  const auto i3 = Decided<T>(clause, "S14", ComputeSum(clause, a, of_centered));
  const auto factor =
      a.Divide(a.Divide(x.scale_bcast, stddev), elements_per_feature);
  GradientsOfFeature<T> gradients;
  for (size_t i = 0; i < size; ++i) {
    const auto i1 = Decided<T>(
        clause, "S12", a.Multiply(x.grad_output[i], elements_per_feature));
    const auto i4 =
        Decided<T>(clause, "S15", a.Multiply(i3, centered_operand[i]));
    const auto i5 = Decided<T>(clause, "S16", a.Divide(i4, shifted));
    const auto i6 =
        Decided<T>(clause, "S17", a.Subtract(a.Subtract(i1, i2), i5));
    gradients.grad_operand.push_back(
        Decided<T>(clause, "S18", a.Multiply(factor, i6)));
  }
  gradients.grad_scale =
      Decided<T>(clause, "S19", ComputeSum(clause, a, of_normalized));
  gradients.grad_offset =
      Decided<T>(clause, "S20", ComputeSum(clause, a, x.grad_output));
  return gradients;
}

template <class T>
void AddOtherWays(const batch_norm::OtherWays& ways,
                  const GradientOperands<T>& x, double epsilon,
                  GradientsOfFeature<T>* gradients) {
  using Arithmetic = FloatArithmetic<T>;
  batch_norm::OtherWays::Feature feature;
  feature.scale = Arithmetic::AsReal(x.scale_bcast);
  feature.mean = Arithmetic::AsReal(x.mean_bcast);
  feature.variance = Arithmetic::AsReal(x.variance_bcast);
  for (const auto& element : x.operand)
    feature.operand.push_back(Arithmetic::AsReal(element));
  for (const auto& element : x.grad_output)
    feature.grad_output.push_back(Arithmetic::AsReal(element));
  const auto others = ways.GradientsOf(feature, epsilon);
  for (size_t i = 0; i < gradients->grad_operand.size(); ++i) {
    gradients->grad_operand[i].Add(
        Arithmetic::ValuesIn(others.grad_operand[i]));
  }
  gradients->grad_scale.Add(Arithmetic::ValuesIn(others.grad_scale));
  gradients->grad_offset.Add(Arithmetic::ValuesIn(others.grad_offset));
}

}  // namespace

Evaluation BatchNormGrad(const OpCall& op) {
  const batch_norm::Features features(op.op);
  Evaluation evaluation;
  for (const Op::Result& result : op.op.outputs)
    evaluation.outputs.emplace_back(result.type.tensor());
  VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const FloatArithmetic<T> arithmetic(op.policy);
    const batch_norm::OtherWays ways(T::kElementType, op.policy);
    const batch_norm::Values<T> operand(op.Input("operand")),
        scale(op.Input("scale")), mean(op.Input("mean")),
        variance(op.Input("variance")), grad_output(op.Input("grad_output"));
    const double epsilon = batch_norm::EpsilonOf(op);
    batch_norm::Result<T> grad_operand(&evaluation.outputs[0]),
        grad_scale(&evaluation.outputs[1]), grad_offset(&evaluation.outputs[2]);
    WithMarks(op, &evaluation, [&](auto& clause) {
      for (const int64_t feature : features.Wanted(op)) {
        GradientOperands<T> x = {
            scale[clause("S3", feature)],
            mean[clause("S4", feature)],
            variance[clause("S5", feature)],
            Decided<T>(clause, "S6", arithmetic.Constant(epsilon)),
            {},
            {}};
        for (int64_t i = 0; i < features.size(); ++i) {
          x.operand.push_back(operand[features.At(feature, i)]);
          x.grad_output.push_back(grad_output[features.At(feature, i)]);
        }
        auto gradients = GradientsByFormula<T>(clause, arithmetic, x);
        if (ways.Any()) AddOtherWays(ways, x, epsilon, &gradients);
        for (int64_t i = 0; i < features.size(); ++i) {
          grad_operand.Set(features.At(feature, i),
                           gradients.grad_operand[static_cast<size_t>(i)]);
        }
        grad_scale.Set(feature, gradients.grad_scale);
        grad_offset.Set(feature, gradients.grad_offset);
      }
    });
    grad_operand.Finish();
    grad_scale.Finish();
    grad_offset.Finish();
  });
  return evaluation;
}

Sources BatchNormGradSources(const OpCall& op, size_t output, int64_t index) {
  const batch_norm::Features features(op.op);
  const int64_t feature = output == 0 ? features.Of(index) : index;
  Sources sources;
  // grad_offset rests on the gradients alone.
  for (const size_t operand : {size_t{0}, size_t{4}}) {
    if (output == 2 && operand == 0) continue;
    for (int64_t i = 0; i < features.size(); ++i)
      sources.push_back({operand, features.At(feature, i)});
  }
  if (output == 2) return sources;
  // grad_scale does not rest on the scale.
  for (size_t operand = output == 0 ? 1 : 2; operand < 4; ++operand)
    sources.push_back({operand, feature});
  std::ranges::sort(sources, {}, &Source::operand);
  return sources;
}

}  // namespace assay
