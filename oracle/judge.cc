// The silent matcher is one memcmp if a result is exact. Explanations are in
// judge_text.cc.
#include "oracle/judge.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracle/allowed_range.h"
#include "oracle/relation.h"
#include "spec/error.h"

namespace assay {
namespace {

using judging::AnyRange;
using judging::IsNan;
using judging::IsNoBoolean;
using judging::OrderedKey;
using judging::Part;
using judging::PartAt;
using judging::Range;

// Returns whether the value is a zero, or in a format without one the least
// value.
bool IsLeast(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           const T value = T::FromBits(static_cast<typename T::Bits>(bits));
           return value.magnitude() == 0 && !value.IsNan();
         });
}

// Returns whether the value is infinity, or in a format without one the largest
// value.
bool IsLargest(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           const T value = T::FromBits(static_cast<typename T::Bits>(bits));
           return !value.SignBit() &&
                  (T::kFormat.has_infinity()
                       ? value.IsInfinite()
                       : value.magnitude() == T::kFormat.max_code());
         });
}

bool IsNegative(ElementType type, ElementBits bits) {
  return (bits & FormatOf(type).sign_bit()) != 0;
}

// If `or_nan`, NaN is accepted besides the values between the ends.
bool AcceptsPart(const Part& p, bool keeps_nans, bool or_nan) {
  if (p.is_open) return true;
  if (or_nan && IsNan(p.type, p.actual)) return true;
  if (p.actual == p.lo || p.actual == p.hi) return true;
  if (IsNan(p.type, p.lo) || IsNan(p.type, p.hi))
    return !keeps_nans && IsNan(p.type, p.actual);
  if (p.is_either || IsNan(p.type, p.actual)) return false;
  const __int128 value = OrderedKey(p.type, p.actual);
  return OrderedKey(p.type, p.lo) <= value && value <= OrderedKey(p.type, p.hi);
}

// Returns the unit in the last place of a finite value, as Harrison defines it.
template <class T>
long double UlpOf(T value) {
  constexpr FloatFormat kFormat = T::kFormat;
  int exponent = 0;
  const double fraction = std::frexp(value.ToDouble(), &exponent);
  // The value is fraction * 2^exponent with a fraction in [1/2, 1): the binade
  // is exponent - 1, and below a power of two one less.
  int binade = exponent - (std::fabs(fraction) == 0.5 ? 2 : 1);
  if (value.IsZero() || binade < kFormat.min_exponent())
    binade = kFormat.min_exponent();
  return std::ldexp(1.0L, binade - kFormat.mantissa_bits);
}

double DistanceOfFloats(ElementType type, ElementBits actual_bits,
                        ElementBits allowed_bits) {
  return VisitKinds<kFloats>(type, [&]<class T>() -> double {
    const auto value_of = [](ElementBits bits) {
      return T::FromBits(static_cast<typename T::Bits>(bits));
    };
    const T actual = value_of(actual_bits), allowed = value_of(allowed_bits);
    if (actual.IsNan() || allowed.IsNan())
      return actual.IsNan() && allowed.IsNan()
                 ? 0
                 : std::numeric_limits<double>::infinity();
    const auto real = [](T x) -> long double {
      if (!x.IsInfinite()) return x.ToDouble();
      const long double end = std::ldexp(1.0L, T::kFormat.max_exponent() + 1);
      return x.SignBit() ? -end : end;
    };
    const long double difference = std::fabs(real(actual) - real(allowed));
    const T finite = allowed.IsInfinite() ? T::Max(false) : allowed;
    return static_cast<double>(difference / UlpOf(finite));
  });
}

double DistanceOfPart(const Part& p) {
  if (p.is_open) return 0;
  const auto from = [&](ElementBits allowed) -> double {
    if (IsFloat(p.type)) return DistanceOfFloats(p.type, p.actual, allowed);
    const __int128 difference =
        ValueOf(p.type, p.actual) - ValueOf(p.type, allowed);
    return static_cast<double>(difference < 0 ? -difference : difference);
  };
  if (p.is_either) return std::min(from(p.lo), from(p.hi));
  const __int128 value = OrderedKey(p.type, p.actual);
  if (!IsFloat(p.type) && OrderedKey(p.type, p.lo) <= value &&
      value <= OrderedKey(p.type, p.hi))
    return 0;
  return from(value < OrderedKey(p.type, p.lo) ? p.lo : p.hi);
}

// Returns how far the actual value is from the nearest allowed one.
double Distance(const Expectation& expectation, const Tensor& actual,
                int64_t i) {
  double nearest = std::numeric_limits<double>::infinity();
  AnyRange(expectation, i, [&](const Range& range) {
    double distance = 0;
    for (int part = 0; part < PartCount(actual.element_type()); ++part)
      distance =
          std::max(distance, DistanceOfPart(PartAt(range, actual, i, part)));
    nearest = std::min(nearest, distance);
    return false;
  });
  return nearest;
}

}  // namespace

bool IsSameResult(const Expectation& expectation, int64_t index, ElementBits a,
                  ElementBits b) {
  if (a == b) return true;
  if (expectation.KeepsNan(index)) return false;
  const ElementType type = expectation.lo.element_type();
  for (int part = 0; part < (IsComplex(type) ? 2 : 1); ++part) {
    const ElementBits x = PartOf(type, a, part), y = PartOf(type, b, part);
    const ElementType part_type = PartType(type);
    if (x != y && !(IsNan(part_type, x) && IsNan(part_type, y))) return false;
  }
  return true;
}

namespace {

constexpr ElementFlags kBesideRange =
    Expectation::kEitherZero | Expectation::kOrInfinity;

// Returns whether a value is allowed besides the range.
bool IsBesideRange(const Range& range, ElementType type, ElementBits bits) {
  if (IsLeast(type, bits))
    return range.Has(IsNegative(type, bits) ? Expectation::kOrMinusZero
                                            : Expectation::kOrPlusZero);
  return IsLargest(type, bits) && range.Has(Expectation::kOrInfinity);
}

bool AcceptsByRange(const Range& range, const Tensor& actual, int64_t i,
                    bool keeps_nans) {
  if (range.Has(Expectation::kOpen)) return true;
  if (range.Has(kBesideRange) &&
      IsBesideRange(range, actual.element_type(), actual.Bits(i)))
    return true;
  for (int part = 0; part < PartCount(actual.element_type()); ++part) {
    if (!AcceptsPart(PartAt(range, actual, i, part), keeps_nans,
                     range.Has(Expectation::kOrNan)))
      return false;
  }
  return true;
}

}  // namespace

bool Accepts(const Expectation& expectation, const Tensor& actual, int64_t i) {
  if (IsNoBoolean(actual, i)) return false;
  const bool keeps_nans = expectation.KeepsNan(i);
  return AnyRange(expectation, i, [&](const Range& range) {
    return AcceptsByRange(range, actual, i, keeps_nans);
  });
}

namespace {

// Returns the first position from `i` on that Accepts must decide: the element
// is not the lower end, which is accepted; for f32 and f64, it does not simply
// lie between its ends, as most do. Precondition: if one end of a range is NaN,
// so is the other.
int64_t NextToDecide(const Expectation& expectation, const Tensor& actual,
                     int64_t i) {
  const ElementType type = actual.element_type();
  // An open expectation may hold a value that is no boolean itself.
  if (IsBoolean(type)) return i;
  if (type != ElementType::kF32 && type != ElementType::kF64) {
    return WithWord(type, [&]<class Word>(Word) {
      const std::byte *lo = expectation.lo.data(), *at = actual.data();
      while (i < actual.size() &&
             std::memcmp(lo + i * int64_t{sizeof(Word)},
                         at + i * int64_t{sizeof(Word)}, sizeof(Word)) == 0)
        ++i;
      return i;
    });
  }
  return VisitKinds<kFloats>(type, [&]<class T>() {
    using Key = std::make_signed_t<typename T::Bits>;
    const auto key = [](typename T::Bits bits) {
      const Key value = static_cast<Key>(bits);
      return value < 0
                 ? static_cast<Key>(~(value & T::kFormat.magnitude_mask()))
                 : value;
    };
    const auto *lo = expectation.lo.As<T>(), *hi = expectation.hi.As<T>(),
               *at = actual.As<T>();
    const Key infinity = static_cast<Key>(T::kFormat.magnitude_mask() &
                                          ~T::kFormat.mantissa_mask());
    const auto is_nan = [&](Key value) {  // NaNs lie beyond the infinities
      return value > infinity || value < ~infinity;
    };
    // Half of all f32 values have NaN as their logarithm.
    const bool any_nan = !expectation.keeps_nans;
    const bool has_flags = !expectation.flags.empty();
    const int64_t n = actual.size();
    for (; i < n; ++i) {
      if (has_flags && expectation.Has(Expectation::kEither, i)) break;
      const Key value = key(at[i]), low = key(lo[i]);
      if (is_nan(value) ? !any_nan || !is_nan(low)
                        : value < low || value > key(hi[i]))
        break;
    }
    return i;
  });
}

}  // namespace

namespace {

// Judges by the expectation itself, not by another reading.
Judgement JudgeElements(const Expectation& expectation, const Tensor& actual) {
  Judgement judgement;
  judgement.elements = actual.size();
  judgement.open = std::ranges::count_if(expectation.flags, [](ElementFlags f) {
    return (f & (Expectation::kOpen | Expectation::kPartsOpen)) != 0;
  });
  const bool exact = expectation.lo.data() == expectation.hi.data() &&
                     expectation.flags.empty();
  const size_t bytes = static_cast<size_t>(actual.byte_size());
  if (exact && std::memcmp(expectation.lo.data(), actual.data(), bytes) == 0)
    return judgement;
  for (int64_t i = NextToDecide(expectation, actual, 0); i < judgement.elements;
       i = NextToDecide(expectation, actual, i + 1)) {
    if (Accepts(expectation, actual, i)) continue;
    ++judgement.failed;
    if (expectation.IsPartlyOpen(i)) --judgement.open;
    if (judgement.first_failed < 0) judgement.first_failed = i;
    const double distance = Distance(expectation, actual, i);
    if (judgement.worst_failed < 0 || distance > judgement.worst_error) {
      judgement.worst_error = distance;
      judgement.worst_failed = i;
    }
  }
  return judgement;
}

}  // namespace

Judgement Judge(const Expectation& expectation, const Tensor& actual) {
  ASSAY_CHECK(expectation.lo.type() == actual.type());
  Judgement best = JudgeElements(expectation, actual);
  for (const Tensor& reading : expectation.readings) {
    if (best.ok()) break;
    Expectation whole(TensorType{{}, actual.element_type()});
    whole.lo = whole.hi = reading;
    whole.keeps_nans = expectation.keeps_nans;
    const Judgement judgement = JudgeElements(whole, actual);
    if (judgement.failed < best.failed) best = judgement;
  }
  return best;
}

Judgement JudgeTogether(const Evaluation& evaluation,
                        const std::vector<Tensor>& results) {
  return evaluation.relation ? evaluation.relation->Judge(results)
                             : Judgement();
}

}  // namespace assay
