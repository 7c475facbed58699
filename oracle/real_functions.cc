// Real functions of IEEE 754 (9.2.1): atan2, cbrt, cosine, exponential,
// exponential_minus_one, log, log_plus_one, logistic, rsqrt, sine, tan, tanh.
#include "oracle/complex_op.h"
#include "oracle/real_op.h"

namespace assay {
namespace {

template <RealFunction kF>
Evaluation UnaryReal(const OpCall& op, ComplexFunction f,
                     const ComplexClauses& clauses) {
  if (IsComplex(op.inputs[0].element_type())) return ComplexOp(op, f, clauses);
  return VisitKinds<kFloats>(op.inputs[0].element_type(),
                             [&]<class T>() { return UnaryRealOf<kF, T>(op); });
}

constexpr ComplexClauses kWithoutCut = {"S2", "S4", "S2"};
constexpr ComplexClauses kWithCut = {"S2", "S4", "S5"};

}  // namespace

Evaluation Atan2(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kAtan2, kWithoutCut);
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const Bounds bounds = BoundsOf(op);
    const Elements<T> lhs(op.inputs[0]), rhs(op.inputs[1]);
    return ForEachRange<T>(op, bounds, [&](auto& by, int64_t i) {
      return by("S1", RangeOf<RealFunction::kAtan2, T>(lhs[i], rhs[i], bounds));
    });
  });
}

Evaluation Cbrt(const OpCall& op) {
  return UnaryReal<RealFunction::kCbrt>(op, ComplexFunction::kCbrt, kWithCut);
}
Evaluation Cosine(const OpCall& op) {
  return UnaryReal<RealFunction::kCosine>(op, ComplexFunction::kCosine,
                                          kWithoutCut);
}
Evaluation Exponential(const OpCall& op) {
  return UnaryReal<RealFunction::kExponential>(
      op, ComplexFunction::kExponential, kWithoutCut);
}
Evaluation ExponentialMinusOne(const OpCall& op) {
  return UnaryReal<RealFunction::kExponentialMinusOne>(
      op, ComplexFunction::kExponentialMinusOne, kWithoutCut);
}
Evaluation Log(const OpCall& op) {
  return UnaryReal<RealFunction::kLog>(op, ComplexFunction::kLog, kWithCut);
}
Evaluation LogPlusOne(const OpCall& op) {
  return UnaryReal<RealFunction::kLogPlusOne>(op, ComplexFunction::kLogPlusOne,
                                              kWithCut);
}
Evaluation Rsqrt(const OpCall& op) {
  return UnaryReal<RealFunction::kRsqrt>(op, ComplexFunction::kRsqrt, kWithCut);
}
Evaluation Sine(const OpCall& op) {
  return UnaryReal<RealFunction::kSine>(op, ComplexFunction::kSine,
                                        kWithoutCut);
}
Evaluation Tan(const OpCall& op) {
  return UnaryReal<RealFunction::kTan>(op, ComplexFunction::kTan, kWithoutCut);
}
Evaluation Tanh(const OpCall& op) {
  return UnaryReal<RealFunction::kTanh>(op, ComplexFunction::kTanh,
                                        kWithoutCut);
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
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kLogistic, kWithoutCut);
  const bool may_be_zero =
      op.policy.Get("logistic_intermediate_overflow") == "allowed";
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const Bounds bounds = BoundsOf(op);
    const Elements<T> operand(op.inputs[0]);
    const auto range_of = RangesOf<RealFunction::kLogistic, T>(bounds);
    return ForEachRange<T>(op, bounds, [&](auto& by, int64_t i) {
      RealRange<T> range = range_of(operand[i]);
      if (!(operand[i].ToDouble() < 0) || range.lo.value.IsZero() ||
          operand[i].IsInfinite() || !ExponentialMayOverflow(operand[i]))
        return by("S1", range);
      if (may_be_zero) range.lo = T::OfZero(false);
      return by("S5", range);
    });
  });
}

}  // namespace assay
