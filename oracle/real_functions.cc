// Real functions of IEEE 754 (9.2.1): atan2, cbrt, cosine, exponential,
// exponential_minus_one, log, log_plus_one, logistic, rsqrt, sine, tan, tanh.
#include "oracle/complex_op.h"
#include "oracle/real_op.h"

namespace assay {
namespace {

template <RealFunction kF>
Evaluation Unary(const OpCall& op, ComplexFunction f,
                 const ComplexClauses& clauses) {
  if (IsComplex(op.inputs[0].element_type())) return ComplexOp(op, f, clauses);
  return UnaryReal<kF>(op);
}

constexpr ComplexClauses kWithoutCut = {"S2", "S4", "S2", "S4"};
constexpr ComplexClauses kOverflowing = {"S2", "S4", "S2", "S5"};
constexpr ComplexClauses kWithCut = {"S2", "S4", "S5", "S4"};

}  // namespace

Evaluation Atan2(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kAtan2, kWithCut);
  return BinaryReal(op, RealFunction::kAtan2, "S1");
}

Evaluation Cbrt(const OpCall& op) {
  return Unary<RealFunction::kCbrt>(op, ComplexFunction::kCbrt, kWithCut);
}
Evaluation Cosine(const OpCall& op) {
  return Unary<RealFunction::kCosine>(op, ComplexFunction::kCosine,
                                      kOverflowing);
}
Evaluation Exponential(const OpCall& op) {
  return Unary<RealFunction::kExponential>(op, ComplexFunction::kExponential,
                                           kOverflowing);
}
Evaluation ExponentialMinusOne(const OpCall& op) {
  return Unary<RealFunction::kExponentialMinusOne>(
      op, ComplexFunction::kExponentialMinusOne, kOverflowing);
}
Evaluation Log(const OpCall& op) {
  return Unary<RealFunction::kLog>(op, ComplexFunction::kLog, kWithCut);
}
Evaluation LogPlusOne(const OpCall& op) {
  return Unary<RealFunction::kLogPlusOne>(op, ComplexFunction::kLogPlusOne,
                                          kWithCut);
}
Evaluation Rsqrt(const OpCall& op) {
  return Unary<RealFunction::kRsqrt>(op, ComplexFunction::kRsqrt, kWithCut);
}
Evaluation Sine(const OpCall& op) {
  return Unary<RealFunction::kSine>(op, ComplexFunction::kSine, kOverflowing);
}
Evaluation Tan(const OpCall& op) {
  return Unary<RealFunction::kTan>(op, ComplexFunction::kTan, kWithoutCut);
}
Evaluation Tanh(const OpCall& op) {
  return Unary<RealFunction::kTanh>(op, ComplexFunction::kTanh, kWithoutCut);
}

namespace {

// Whether exp(-x), with its own budget, may be beyond the largest value while
// 1 / (1 + exp(-x)) is not 0 yet.
template <class T>
bool ExponentialMayOverflow(T x) {
  if constexpr (!T::kFormat.has_infinity()) return false;
  const double largest = T::Max(false).ToDouble();
  return std::exp(-static_cast<long double>(x.ToDouble())) >
         largest * (1 - std::ldexp(4.0L, -T::kFormat.precision()));
}

}  // namespace

Evaluation Logistic(const OpCall& op) {
  const bool may_be_zero =
      op.policy.Get("logistic_intermediate_overflow") == "allowed";
  if (IsComplex(op.inputs[0].element_type()) ||
      (op.marks == Marks::kNone && !may_be_zero))
    return Unary<RealFunction::kLogistic>(op, ComplexFunction::kLogistic,
                                          kWithoutCut);
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const BoundsOfCall bounds(op);
    const Elements<T> operand(op.inputs[0]);
    return ForEachRange<T>(op, bounds, [&](auto& by, int64_t i) {
      const double x = operand[i].ToDouble();
      RealRange<T> range = RangeOf<T>(RealFunction::kLogistic, operand[i],
                                      operand[i], bounds.At(x, x));
      if (!(x < 0) || range.lo.value.IsZero() || operand[i].IsInfinite() ||
          !ExponentialMayOverflow(operand[i]))
        return by("S1", range);
      if (may_be_zero) range.lo = T::OfZero(false);
      return by("S5", range);
    });
  });
}

}  // namespace assay
