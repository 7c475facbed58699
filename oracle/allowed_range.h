// The judge and its explanations share the ranges of an element, and its parts.
#ifndef ASSAY_ORACLE_ALLOWED_RANGE_H_
#define ASSAY_ORACLE_ALLOWED_RANGE_H_

#include <algorithm>

#include "oracle/expectation.h"
#include "spec/types/element.h"
#include "spec/types/tensor.h"

namespace assay::judging {

// Returns whether an i1 byte is neither 0 nor 1, which the ABI forbids whatever
// the op says.
inline bool IsNoBoolean(const Tensor& actual, int64_t i) {
  return IsBoolean(actual.element_type()) && actual.Bits(i) > 1;
}

inline bool IsNan(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           return T::FromBits(static_cast<typename T::Bits>(bits)).IsNan();
         });
}

inline bool IsZero(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           return T::FromBits(static_cast<typename T::Bits>(bits)).IsZero();
         });
}

inline bool IsFiniteFloat(ElementType type, ElementBits bits) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    return !value.IsNan() && !value.IsInfinite();
  });
}

// Returns a number that is ordered as the values of a type are, NaNs aside:
// -0 is below +0.
inline __int128 OrderedKey(ElementType type, ElementBits bits) {
  if (!IsFloat(type)) return ValueOf(type, bits);
  const FloatFormat format = FormatOf(type);
  const auto magnitude = static_cast<__int128>(bits & format.magnitude_mask());
  return (bits & format.sign_bit()) != 0 ? -magnitude - 1 : magnitude;
}

// Returns the bits of the value with a key. In a float format without -0, none
// has the key -1.
inline ElementBits BitsOfKey(ElementType type, __int128 key) {
  if (!IsFloat(type)) return BitsOf(type, key);
  return key < 0
             ? FormatOf(type).sign_bit() | static_cast<ElementBits>(-key - 1)
             : static_cast<ElementBits>(key);
}
inline bool HasKey(ElementType type, __int128 key) {
  return !IsFloat(type) || key != -1 || FormatOf(type).has_negative_zero();
}

// A Range is what one element may be: the expectation's own range, or an
// alternative.
struct Range {
  ElementBits lo, hi;
  ElementFlags flags;
  bool Has(ElementFlags flag) const { return (flags & flag) != 0; }
};

// Calls `visit(range)` for each range until it returns true, and returns
// whether it did.
template <class F>
bool AnyRange(const Expectation& expectation, int64_t i, F visit) {
  const ElementFlags flags =
      expectation.flags.empty() ? 0 : expectation.flags[static_cast<size_t>(i)];
  if (visit(Range{expectation.lo.Bits(i), expectation.hi.Bits(i), flags}))
    return true;
  return std::ranges::any_of(expectation.AlternativesOf(i),
                             [&](const Expectation::Alternative& a) {
                               return visit(Range{a.lo, a.hi, a.flags});
                             });
}

// A Part is one part of an element: its type and the bits on both sides.
struct Part {
  ElementType type;
  ElementBits actual, lo, hi;
  bool is_open, is_either;
};

inline Part PartAt(const Range& range, const Tensor& actual, int64_t i,
                   int part) {
  const ElementType type = actual.element_type();
  return {
      PartType(type),
      PartOf(type, actual.Bits(i), part),
      PartOf(type, range.lo, part),
      PartOf(type, range.hi, part),
      range.Has(part == 0 ? Expectation::kRealOpen : Expectation::kImagOpen),
      range.Has(Expectation::kEither)};
}

}  // namespace assay::judging

#endif  // ASSAY_ORACLE_ALLOWED_RANGE_H_
