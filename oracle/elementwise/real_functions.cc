// The real functions of IEEE 754 (9.2.1) are atan2, cbrt, cosine, exponential,
// exponential_minus_one, log, log_plus_one, rsqrt, sine, tan and tanh.
#include "oracle/elementwise/complex_op.h"
#include "oracle/elementwise/real_op.h"

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

}  // namespace assay
