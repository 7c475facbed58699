#include "oracle/contraction/literal_sum.h"

#include "oracle/elementwise/encoding.h"

namespace assay {
namespace {

// Returns a function of two arguments that is one op.
Function FunctionOf(const char* op, ElementType type) {
  TensorType scalar;
  scalar.element_type = type;
  Op only;
  only.op = op;
  only.inputs = {{"lhs", "x", scalar}, {"rhs", "y", scalar}};
  only.outputs = {{"result", "z", scalar}};
  return {"body", {{"x", scalar}, {"y", scalar}}, {only}, {{"z", scalar}}};
}

// `constant(0, element_type(result))`
Possible ZeroOf(ElementType type, const Policy& policy) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    const Encoding encoded(policy);
    NoMarks clause;
    const Allowed<T> zero = encoded(clause, T::OfZero(false));
    if (zero.any) return Possible::Open();
    Possible possible = Possible::Value(zero.value.ToBits());
    if (zero.either()) possible.Add(type, Possible::Value(zero.other.ToBits()));
    return possible;
  });
}

Scalars ColumnOfBits(ElementType type, const std::vector<ElementBits>& bits) {
  Tensor values(TensorType({std::ssize(bits)}, type));
  for (size_t i = 0; i < bits.size(); ++i)
    values.SetBits(static_cast<int64_t>(i), bits[i]);
  return Scalars(std::move(values));
}

}  // namespace

LiteralSum::LiteralSum(const OpCall& op, ElementType type)
    : type_(type),
      multiply_(FunctionOf("multiply", type)),
      add_(FunctionOf("add", type)),
      products_(multiply_, op),
      sums_(add_, op),
      init_(ZeroOf(type, op.policy)) {}

Possible LiteralSum::Of(const std::vector<ElementBits>& lhs,
                        const std::vector<ElementBits>& rhs) {
  if (init_.kind != Possible::Kind::kRanges) return init_;
  const auto length = std::ssize(lhs);
  const std::vector<Scalars> products =
      products_.Apply({ColumnOfBits(type_, lhs), ColumnOfBits(type_, rhs)});
  Possible all;
  for (const Possible::Range& range : init_.ranges) {
    const Possible init = Possible::Value(range.lo);
    const Reduction reduction =
        sums_.Reduce(products, 1, length, {Scalars::Repeated(type_, init, 1)});
    all.Add(type_, reduction.results[0].At(0));
  }
  return all;
}

}  // namespace assay
