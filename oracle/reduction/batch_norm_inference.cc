#include "oracle/reduction/batch_norm.h"
#include "oracle/reduction/normalized.h"

namespace assay {

Evaluation BatchNormInference(const OpCall& op) {
  const batch_norm::Features features(op.op);
  Evaluation evaluation;
  Expectation& expectation =
      evaluation.outputs.emplace_back(op.op.outputs[0].type.tensor());
  VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const FloatArithmetic<T> arithmetic(op.policy);
    const batch_norm::OtherWays ways(T::kElementType, op.policy);
    const batch_norm::Values<T> operand(op.Input("operand")),
        scale(op.Input("scale")), offset(op.Input("offset")),
        mean(op.Input("mean")), variance(op.Input("variance"));
    const double epsilon = batch_norm::EpsilonOf(op);
    const auto real = [](const FloatInterval<T>& interval) {
      return FloatArithmetic<T>::AsReal(interval);
    };
    batch_norm::Result<T> result(&expectation);
    WithMarks(op, &evaluation, [&](auto& clause) {
      const int64_t end = op.End(expectation.lo.size());
      for (int64_t i = op.Begin(); i < end; ++i) {
        const int64_t feature = features.Of(i);
        const batch_norm::NormalizedOperands<T> x = {
            operand[i],
            scale[clause("S1", feature)],
            offset[clause("S2", feature)],
            mean[clause("S3", feature)],
            variance[clause("S4", feature)],
            arithmetic.Constant(epsilon)};
        FloatInterval<T> any = batch_norm::Normalized<T>(clause, arithmetic, x);
        if (ways.Any()) {
          any.Add(FloatArithmetic<T>::ValuesIn(ways.Normalized(
              {real(x.operand), real(x.scale_bcast), real(x.offset_bcast),
               real(x.mean_bcast), real(x.variance_bcast)},
              epsilon)));
        }
        result.Set(i, any);
      }
    });
    result.Finish();
  });
  return evaluation;
}

Sources BatchNormInferenceSources(const OpCall& op, size_t, int64_t index) {
  const int64_t feature = batch_norm::Features(op.op).Of(index);
  return {{0, index}, {1, feature}, {2, feature}, {3, feature}, {4, feature}};
}

}  // namespace assay
