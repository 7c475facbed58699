#include "oracle/reduction/batch_norm.h"
#include "oracle/reduction/normalized.h"

namespace assay {
namespace {

template <class T>
FloatInterval<T> ComputeMean(auto& clause, const FloatArithmetic<T>& arithmetic,
                             const std::vector<FloatInterval<T>>& operand) {
  auto sum = Decided<T>(clause, "S1", arithmetic.Sum(operand));
  if (!sum.IsOneValue()) sum = Decided<T>(clause, "S2", sum);
  const auto divisor_bcast = Decided<T>(
      clause, "S3", arithmetic.Constant(static_cast<double>(operand.size())));
  return Decided<T>(clause, "S5", arithmetic.Divide(sum, divisor_bcast));
}

template <class T>
FloatInterval<T> ComputeVariance(auto& clause,
                                 const FloatArithmetic<T>& arithmetic,
                                 const std::vector<FloatInterval<T>>& operand,
                                 const std::vector<FloatInterval<T>>& means,
                                 int64_t feature) {
  const int64_t last = std::ssize(means) - 1;
  const FloatInterval<T>& mean_bcast = means[static_cast<size_t>(
      std::clamp<int64_t>(clause("S6", feature), 0, last))];
  std::vector<FloatInterval<T>> squares;
  for (const FloatInterval<T>& element : operand) {
    const auto centered_operand =
        Decided<T>(clause, "S7", arithmetic.Subtract(element, mean_bcast));
    auto square = arithmetic.Multiply(centered_operand, centered_operand);
    // Both factors are one value, so that their signs agree.
    if (square.has_numbers && square.lo.SignBit() && T::kFormat.has_zero)
      square.lo = T::Zero(false);
    squares.push_back(square);
  }
  return Decided<T>(clause, "S8", ComputeMean(clause, arithmetic, squares));
}

}  // namespace

Evaluation BatchNormTraining(const OpCall& op) {
  const batch_norm::Features features(op.op);
  Evaluation evaluation;
  for (const Op::Result& result : op.op.outputs)
    evaluation.outputs.emplace_back(result.type.tensor());
  VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    using Interval = FloatInterval<T>;
    using Arithmetic = FloatArithmetic<T>;
    const Arithmetic arithmetic(op.policy);
    const batch_norm::OtherWays ways(T::kElementType, op.policy);
    const batch_norm::Values<T> operand(op.Input("operand")),
        scale(op.Input("scale")), offset(op.Input("offset"));
    const double epsilon = batch_norm::EpsilonOf(op);
    batch_norm::Result<T> output(&evaluation.outputs[0]),
        batch_mean(&evaluation.outputs[1]), batch_var(&evaluation.outputs[2]);
    WithMarks(op, &evaluation, [&](auto& clause) {
      NoMarks of_inference;
      const auto elements_of = [&](int64_t feature) {
        std::vector<Interval> elements;
        for (int64_t i = 0; i < features.size(); ++i)
          elements.push_back(operand[features.At(feature, i)]);
        return elements;
      };
      std::vector<Interval> means;
      for (int64_t feature = 0; feature < features.count(); ++feature)
        means.push_back(ComputeMean(clause, arithmetic, elements_of(feature)));
      for (const int64_t feature : features.Wanted(op)) {
        const std::vector<Interval> elements = elements_of(feature);
        const auto mean =
            Decided<T>(clause, "S9", means[static_cast<size_t>(feature)]);
        const auto variance = Decided<T>(
            clause, "S10",
            ComputeVariance(clause, arithmetic, elements, means, feature));
        Interval any_mean = mean, any_variance = variance;
        batch_norm::OtherWays::Moments moments;
        if (ways.Any()) {
          std::vector<RealInterval> reals;
          for (const Interval& element : elements)
            reals.push_back(Arithmetic::AsReal(element));
          moments = ways.MomentsOf(reals);
          any_mean.Add(Arithmetic::ValuesIn(moments.mean));
          any_variance.Add(Arithmetic::ValuesIn(moments.variance));
        }
        batch_mean.Set(feature, any_mean);
        batch_var.Set(feature, any_variance);
        for (int64_t i = 0; i < features.size(); ++i) {
          const Interval& element = elements[static_cast<size_t>(i)];
          Interval result = batch_norm::Normalized<T>(
              of_inference, arithmetic,
              {element, scale[feature], offset[feature], mean, variance,
               arithmetic.Constant(epsilon)});
          if (ways.Any()) {
            result.Add(Arithmetic::ValuesIn(
                ways.Normalized({Arithmetic::AsReal(element),
                                 Arithmetic::AsReal(scale[feature]),
                                 Arithmetic::AsReal(offset[feature]),
                                 moments.mean, moments.variance},
                                epsilon)));
          }
          output.Set(features.At(feature, i),
                     Decided<T>(clause, "S11", result));
        }
      }
    });
    output.Finish();
    batch_mean.Finish();
    batch_var.Finish();
  });
  return evaluation;
}

Sources BatchNormTrainingSources(const OpCall& op, size_t output,
                                 int64_t index) {
  const batch_norm::Features features(op.op);
  const int64_t feature = output == 0 ? features.Of(index) : index;
  Sources sources;
  for (int64_t i = 0; i < features.size(); ++i)
    sources.push_back({0, features.At(feature, i)});
  if (output == 0) {
    sources.push_back({1, feature});
    sources.push_back({2, feature});
  }
  return sources;
}

}  // namespace assay
