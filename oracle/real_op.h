// How an op on real functions is written: a range for every element, and the
// columns of the expectation from it.
#ifndef ASSAY_ORACLE_REAL_OP_H_
#define ASSAY_ORACLE_REAL_OP_H_

#include "oracle/encoding.h"
#include "oracle/real.h"

namespace assay {

// What the op itself, or else the policy, allows results of the op to be off
// the real value. Precondition: a policy has a budget for every op of rule
// `ulp`.
Bounds BoundsOf(const OpCall& op);

// An expectation with columns for ranges.
inline Expectation ExpectationOfRanges(const OpCall& op, const Bounds& bounds) {
  Expectation result(op.ResultType());
  result.hi = Tensor(op.ResultType());
  const size_t parts = static_cast<size_t>(
      result.lo.size() * PartCount(op.ResultType().element_type));
  result.reals = RealValues{
      Tensor(op.ResultType()), std::vector<float>(parts),
      std::vector<int16_t>(static_cast<size_t>(result.lo.size())), bounds.ulp};
  return result;
}

// One part of element i: position `at` of the columns of parts.
template <class T>
void SetRange(auto& by, const OpCall& op, const Encoding& encoded,
              const RealRange<T>& range, int64_t i, int64_t at,
              Expectation* result) {
  Allowed<T> lo = encoded(by, range.lo);
  Allowed<T> hi = encoded(by, range.hi);
  if (lo.any || hi.any) result->SetOpen(i);
  if (range.or_nan) result->Set(Expectation::kOrNan, i);
  if (lo.value.IsNan() != hi.value.IsNan()) [[unlikely]] {
    // An end is not in the format: NaN, and what lies on this side of it.
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

// Fills a result of float type T with the ranges `element(by, i)`.
template <class T, class F>
Evaluation ForEachRange(const OpCall& op, const Bounds& bounds, F element) {
  const Encoding encoded(op.policy);
  Evaluation evaluation;
  evaluation.outputs.push_back(ExpectationOfRanges(op, bounds));
  Expectation& result = evaluation.outputs[0];
  WithMarks(op, &evaluation, [&](auto& by) {
    for (int64_t i = 0, n = result.lo.size(); i < n; ++i) {
      const RealRange<T> range = element(by, i);
      SetRange<T>(by, op, encoded, range, i, i, &result);
      result.reals->unit[static_cast<size_t>(i)] = range.unit;
      ++evaluation.tiers[static_cast<size_t>(range.tier)];
    }
  });
  return evaluation;
}

// A function of f32 or f64 without marks, which is how sweeps and benchmarks
// run: most elements are the plain case.
template <RealFunction kF, class T>
Evaluation ForEachPlainRange(const OpCall& op) {
  const Bounds bounds = BoundsOf(op);
  using N = WideOf<T>;
  const Encoding encoded(op.policy);
  const Elements<T> operand(op.inputs[0]);
  Evaluation evaluation;
  evaluation.outputs.push_back(ExpectationOfRanges(op, bounds));
  Expectation& result = evaluation.outputs[0];
  RealValues& reals = *result.reals;
  const auto column = [](Tensor& tensor) {
    return reinterpret_cast<typename T::Native*>(tensor.data());
  };
  auto *lo = column(result.lo), *hi = column(result.hi),
       *near = column(reals.near);
  const int64_t n = result.lo.size();
  int64_t plain = 0;
  NoMarks by;
  for (int64_t i = 0; i < n; ++i) {
    const T x = operand[i];
    const Approximation<N> value = Approximate<kF, N>(N(x.ToNative()));
    PlainRange<T> range;
    bool is_plain = FastRange<T>(value, IsShort(kF), bounds, &range);
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
      continue;
    }
    const RealRange<T> any = RangeOf<T>(kF, x, x, bounds);
    SetRange<T>(by, op, encoded, any, i, i, &result);
    reals.unit[static_cast<size_t>(i)] = any.unit;
    ++evaluation.tiers[static_cast<size_t>(any.tier)];
  }
  evaluation.tiers[static_cast<size_t>(kTierOf<N>)] += plain;
  return evaluation;
}

// f(operand) for floats, by S1.
Evaluation UnaryReal(const OpCall& op, RealFunction f);
// f(lhs, rhs) for floats.
Evaluation BinaryReal(const OpCall& op, RealFunction f, ClauseNumber clause);

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_OP_H_
