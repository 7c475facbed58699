// An op on real functions is written as a range for every element, from which
// the columns of the expectation are made.
#ifndef ASSAY_ORACLE_ELEMENTWISE_REAL_OP_H_
#define ASSAY_ORACLE_ELEMENTWISE_REAL_OP_H_

#include <algorithm>
#include <array>

#include "oracle/elementwise/encoding.h"
#include "oracle/real/real.h"

namespace assay {

// BoundsOfCall are how far the op itself, or else the policy, allows results of
// a call to be off the real value, by the values of the operands.
class BoundsOfCall {
 public:
  explicit BoundsOfCall(const OpCall& op);
  // The bounds are those of the policy, for an op on this type.
  BoundsOfCall(const Policy& policy, const OpSpec& spec, ElementType type);
  // Returns whether they are the same for all elements, as most are.
  bool AreConstant() const { return rows_.empty(); }
  // Precondition: AreConstant().
  const Bounds& constant() const { return bounds_; }
  // Returns the bounds of an element with these operands.
  Bounds At(double x, double y) const;
  // Returns the units in the last place; 0 if the bounds are of another kind.
  double units() const {
    return AreConstant() && !bounds_.tolerance ? bounds_.ulp : 0;
  }

 private:
  Bounds bounds_;  // of elements of which no row holds
  std::vector<const Budget*> rows_;
  ErrorTerms::Through through_ = ErrorTerms::Through::kNone;
};
// Returns whether the op has a budget on its operands.
bool HasBudget(const OpCall& op);

// Returns an expectation with columns for ranges; `budget` as in RealValues.
inline Expectation ExpectationOfRanges(const OpCall& op, double budget) {
  Expectation result(op.ResultType());
  result.hi = Tensor(op.ResultType());
  const size_t parts = static_cast<size_t>(
      result.lo.size() * PartCount(op.ResultType().element_type));
  result.reals = RealValues{
      Tensor(op.ResultType()), std::vector<float>(parts),
      std::vector<int16_t>(static_cast<size_t>(result.lo.size())), budget};
  return result;
}

// Sets what is allowed besides the range, in a format that need not have it.
template <class T>
void SetFlags(auto& clause, const Encoding& encoded, ElementFlags flags,
              int64_t i, Expectation* result) {
  const auto flag_of = [](T code) {
    return code.IsNan()            ? Expectation::kOrNan
           : code.magnitude() != 0 ? Expectation::kOrInfinity
           : code.SignBit()        ? Expectation::kOrMinusZero
                                   : Expectation::kOrPlusZero;
  };
  const auto replace = [&](ElementFlags flag, const Rounded<T>& value) {
    if ((flags & flag) == 0) return;
    flags = static_cast<ElementFlags>(flags & ~flag);
    const Allowed<T> code = encoded(clause, value);
    flags |= code.any ? Expectation::kOpen : flag_of(code.value);
    if (code.either()) flags |= flag_of(code.other);
    flags |= code.flags & static_cast<ElementFlags>(~Expectation::kEither);
  };
  if (!T::kFormat.has_nan()) replace(Expectation::kOrNan, T::OfNan());
  if (!T::kFormat.has_zero) replace(Expectation::kEitherZero, T::OfZero(false));
  if (!T::kFormat.has_infinity())
    replace(Expectation::kOrInfinity, T::OfInfinity(false));
  result->Set(flags, i);
}

// Sets one part of element i, which is position `at` of the columns of parts.
template <class T>
void SetRange(auto& clause, const OpCall& op, const Encoding& encoded,
              const RealRange<T>& range, int64_t i, int64_t at,
              Expectation* result) {
  Allowed<T> lo = encoded(clause, range.lo);
  Allowed<T> hi = encoded(clause, range.hi);
  if (lo.any || hi.any || (lo.flags | hi.flags) != 0) [[unlikely]] {
    ElementFlags flags = 0;
    lo.value = EndOf(lo, false, &flags);
    hi.value = EndOf(hi, true, &flags);
    result->Set(flags, i);
  }
  if (range.flags != 0) [[unlikely]]
    SetFlags<T>(clause, encoded, range.flags, i, result);
  if (lo.value.IsNan() != hi.value.IsNan()) [[unlikely]] {
    // An end is not in the format: NaN, and the values on this side of it, are
    // allowed.
    result->Set(Expectation::kOrNan, i);
    if (hi.value.IsNan()) {
      hi.value = T::Max(false);
    } else {
      lo.value = T::kFormat.has_sign ? T::Max(true) : T::FromBits(0);
    }
  }
  if constexpr (kHasSubnormals<T>) {
    if (op.flush != nullptr) {
      lo.value = op.flush->Result(lo.value, lo.tininess);
      hi.value = op.flush->Result(hi.value, hi.tininess);
    }
  }
  const auto part = static_cast<size_t>(at);
  using Bits = typename T::Bits;
  reinterpret_cast<Bits*>(result->lo.data())[part] = lo.value.ToBits();
  reinterpret_cast<Bits*>(result->hi.data())[part] = hi.value.ToBits();
  reinterpret_cast<Bits*>(result->reals->near.data())[part] =
      range.near.ToBits();
  result->reals->rest[part] = range.rest;
}

// Fills a result of float type T with the ranges `element(clause, i)`.
template <class T, class F>
Evaluation ForEachRange(const OpCall& op, const BoundsOfCall& bounds,
                        F element) {
  const Encoding encoded(op.policy);
  Evaluation evaluation;
  evaluation.outputs.push_back(ExpectationOfRanges(op, bounds.units()));
  Expectation& result = evaluation.outputs[0];
  WithMarks(op, &evaluation, [&](auto& clause) {
    for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n; ++i) {
      const RealRange<T> range = element(clause, i);
      SetRange<T>(clause, op, encoded, range, i, i, &result);
      result.reals->unit[static_cast<size_t>(i)] = range.unit;
      ++evaluation.tiers[static_cast<size_t>(range.tier)];
      evaluation.undecided += range.undecided;
    }
  });
  return evaluation;
}

// Evaluates a function of f32 or f64 without marks, which is how sweeps and
// benchmarks run: most elements are the plain case. Precondition: the bounds
// have no tolerance. Operands of one class are grouped, so that libm's
// functions of arrays can be used, and branches are predicted.
template <RealFunction kF, class T>
Evaluation ForEachPlainRange(const OpCall& op, const Bounds bounds) {
  using N = WideOf<T>;
  const Encoding encoded(op.policy);
  const Elements<T> operand(op.inputs[0]);
  Evaluation evaluation;
  evaluation.outputs.push_back(ExpectationOfRanges(op, bounds.ulp));
  Expectation& result = evaluation.outputs[0];
  RealValues& reals = *result.reals;
  const auto column = [](Tensor& tensor) {
    return reinterpret_cast<typename T::Native*>(tensor.data());
  };
  auto *lo = column(result.lo), *hi = column(result.hi),
       *near = column(reals.near);
  int64_t plain = 0;
  const bool are_units = AreUnits(bounds);
  NoMarks clause;
  const auto set = [&](int64_t i, const Approximation<N>& value) {
    PlainRange<T> range;
    bool is_plain =
        are_units && FastRange<T>(value, IsShort(kF), bounds, &range);
    if (!is_plain && IsSpecial(value)) {
      const auto special = static_cast<typename T::Native>(value.value);
      range = {special, special, special, 0,
               UnitOf<T>(T::kFormat.min_exponent())};
      is_plain = true;
      ++evaluation.tiers[static_cast<size_t>(Tier::kExact)];
      --plain;
    }
    if (is_plain) [[likely]] {
      lo[i] = range.lo;
      hi[i] = range.hi;
      near[i] = range.near;
      reals.rest[static_cast<size_t>(i)] = range.rest;
      reals.unit[static_cast<size_t>(i)] = range.unit;
      ++plain;
      return;
    }
    const RealRange<T> any = RangeOf<T>(kF, operand[i], operand[i], bounds);
    SetRange<T>(clause, op, encoded, any, i, i, &result);
    reals.unit[static_cast<size_t>(i)] = any.unit;
    ++evaluation.tiers[static_cast<size_t>(any.tier)];
    evaluation.undecided += any.undecided;
  };
  constexpr int64_t kBlock = 512;
  // Operands have these classes: those that need libm, then for both signs the
  // tiny ones and the rest.
  constexpr size_t kClasses = 5;
  std::array<std::array<int64_t, kBlock>, kClasses> at;
  std::array<N, kBlock> libm;
  const auto x = [&](int64_t i) { return N(operand[i].ToNative()); };
  const int64_t n = result.lo.size();
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    std::array<size_t, kClasses> count = {};
    for (int64_t i = begin, end = std::min(n, begin + kBlock); i < end; ++i) {
      const size_t other = size_t{1} + (x(i) < 0) + 2 * IsTiny<kF>(x(i));
      const size_t c = NeedsLibm<kF>(x(i)) ? 0 : other;
      libm[count[0]] = x(i);
      at[c][count[c]++] = i;
    }
    LibmOfEach<kF>(libm.data(), count[0]);
    for (size_t c = 0; c < kClasses; ++c) {
      for (size_t k = 0; k < count[c]; ++k)
        set(at[c][k], FromLibm<kF>(x(at[c][k]), libm[k]));
    }
  }
  evaluation.tiers[static_cast<size_t>(kTierOf<N>)] += plain;
  return evaluation;
}

// Computes f(operand) for floats, by S1.
Evaluation UnaryReal(const OpCall& op, RealFunction f);
// Computes the same, as fast as the call admits.
template <RealFunction kF>
Evaluation UnaryReal(const OpCall& op) {
  if (op.marks == Marks::kNone && op.flush == nullptr) {
    const ElementType type = op.inputs[0].element_type();
    const BoundsOfCall bounds(op);
    const bool are_plain = bounds.AreConstant() && !bounds.constant().tolerance;
    if (are_plain && type == ElementType::kF32)
      return ForEachPlainRange<kF, F32>(op, bounds.constant());
    if (are_plain && type == ElementType::kF64)
      return ForEachPlainRange<kF, F64>(op, bounds.constant());
  }
  return UnaryReal(op, kF);
}
// Computes f(lhs, rhs) for floats.
Evaluation BinaryReal(const OpCall& op, RealFunction f, ClauseNumber value);

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_REAL_OP_H_
