#include "oracle/error_measure.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spec/error.h"

namespace assay {
namespace {

// Numbers are in units in the last place. Those of f64 need more than f64 has.
template <class E>
using Wide = std::conditional_t<E::kElementType == ElementType::kF64,
                                long double, double>;

// Infinities count as the next power of two.
template <class E>
Wide<E> Real(E x) {
  if (!x.IsInfinite()) return x.ToNative();
  const Wide<E> end = std::ldexp(Wide<E>(1), E::kFormat.max_exponent() + 1);
  return x.SignBit() ? -end : end;
}

// Returns 2^-unit.
template <class W>
W Scale(int unit) {
  if constexpr (std::is_same_v<W, double>) {
    return std::bit_cast<double>(static_cast<uint64_t>(1023 - unit) << 52);
  } else {
    return std::ldexp(W(1), -unit);
  }
}

// These elements may be anything, or something outside of their range.
constexpr ElementFlags kNoRange =
    Expectation::kOpen | Expectation::kPartsOpen | Expectation::kEither |
    Expectation::kEitherZero | Expectation::kOrInfinity;

template <class E, int kParts>
MeasuredErrors Measure(const Expectation& expectation, const Tensor& actual) {
  using W = Wide<E>;
  using Bits = typename E::Bits;
  const RealValues& reals = *expectation.reals;
  const auto part = [](const Tensor& tensor, int64_t at) {
    return E::FromBits(reinterpret_cast<const Bits*>(tensor.data())[at]);
  };
  ErrorMeasure measure;
  measure.budget = reals.budget;
  int64_t worst_at = -1;
  for (int64_t i = 0, n = actual.size(); i < n; ++i) {
    if (expectation.Has(kNoRange, i) || !expectation.AlternativesOf(i).empty())
      continue;
    const int unit = reals.unit[static_cast<size_t>(i)];
    const W scale = Scale<W>(unit);
    double error = 0;
    bool is_measured = true, is_finite = true;
    W norm = 0, up = 0, down = 0;
    for (int p = 0; p < kParts; ++p) {
      const int64_t at = i * kParts + p;
      const E near = part(reals.near, at), y = part(actual, at);
      if (near.IsNan() || y.IsNan()) {
        is_measured = false;
        break;
      }
      if (near.IsInfinite()) is_finite = false;
      const W rest = reals.rest[static_cast<size_t>(at)];
      const W real = Real(near);
      error = std::max(error, static_cast<double>(
                                  std::fabs((Real(y) - real) * scale - rest)));
      const E lo = part(expectation.lo, at), hi = part(expectation.hi, at);
      const W magnitude = std::fabs(real * scale);
      if (p == 0 || magnitude > norm) {
        norm = magnitude;
        up = (Real(hi) - real) * scale - rest + W(0.5);
        down = (real - Real(lo)) * scale + rest + W(0.5);
        if (real < 0) std::swap(up, down);
      }
    }
    if (!is_measured) continue;
    ++measure.elements;
    const auto bin = std::ranges::lower_bound(ErrorMeasure::kEnds, error);
    ++measure.histogram[static_cast<size_t>(bin - ErrorMeasure::kEnds.begin())];
    if (worst_at < 0 || error > measure.worst) {
      measure.worst = error;
      worst_at = i;
    }
    // An exact zero or infinity has no relative error.
    if (norm == 0 || !is_finite) continue;
    measure.notices_up =
        std::min(measure.notices_up, static_cast<double>(up / norm));
    measure.notices_down =
        std::min(measure.notices_down, static_cast<double>(down / norm));
  }
  return {measure, worst_at};
}

}  // namespace

void ErrorMeasure::Merge(const ErrorMeasure& other) {
  elements += other.elements;
  for (size_t i = 0; i < histogram.size(); ++i)
    histogram[i] += other.histogram[i];
  notices_up = std::min(notices_up, other.notices_up);
  notices_down = std::min(notices_down, other.notices_down);
  if (other.elements == 0 ||
      (elements > other.elements && other.worst <= worst))
    return;
  worst = other.worst;
  budget = other.budget;
}

MeasuredErrors MeasureErrors(const Expectation& expectation,
                             const Tensor& actual) {
  ASSAY_CHECK(expectation.reals.has_value());
  const ElementType type = actual.element_type();
  if (type == ElementType::kComplexF32)
    return Measure<F32, 2>(expectation, actual);
  if (type == ElementType::kComplexF64)
    return Measure<F64, 2>(expectation, actual);
  return VisitKinds<kFloats>(
      type, [&]<class T>() { return Measure<T, 1>(expectation, actual); });
}

}  // namespace assay
