// An Interval has the numbers that a variable of a search may still be.
#ifndef ASSAY_CASES_SEARCH_INTERVAL_H_
#define ASSAY_CASES_SEARCH_INTERVAL_H_

#include <algorithm>
#include <cstdint>

namespace assay {

// Ends of intervals that are farther away are taken for infinite. The number is
// above every size and every element of a list that a call is given, and sums
// of two fit 64 bits.
inline constexpr int64_t kInfinite = int64_t{1} << 40;

struct Interval {
  int64_t lo = -kInfinite, hi = kInfinite;

  static Interval Point(int64_t number) { return {number, number}; }
  // An expression is undefined, such as the size of a dimension that the shape
  // lacks.
  static Interval Undefined() { return {1, 0}; }

  bool IsEmpty() const { return lo > hi; }
  bool IsPoint() const { return lo == hi; }
  bool Contains(int64_t number) const { return lo <= number && number <= hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

inline int64_t Saturated(__int128 number) {
  return static_cast<int64_t>(
      std::clamp<__int128>(number, -kInfinite, kInfinite));
}

inline Interval Intersection(const Interval& a, const Interval& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}
inline Interval Hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
// The ends of intervals fit 64 bits by far, and so do their sums.
inline int64_t SaturatedSum(int64_t number) {
  return std::clamp<int64_t>(number, -kInfinite, kInfinite);
}
inline Interval Plus(const Interval& a, const Interval& b) {
  return {SaturatedSum(a.lo + b.lo), SaturatedSum(a.hi + b.hi)};
}
inline Interval Minus(const Interval& a, const Interval& b) {
  return {SaturatedSum(a.lo - b.hi), SaturatedSum(a.hi - b.lo)};
}

inline int64_t FloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// Returns the hull of what `op` gives on the ends, between which it is monotone
// in each operand.
template <class Op>
Interval OfEnds(const Interval& a, const Interval& b, Op op) {
  const auto [least, most] = std::minmax(
      {op(a.lo, b.lo), op(a.lo, b.hi), op(a.hi, b.lo), op(a.hi, b.hi)});
  return {least, most};
}
inline Interval Times(const Interval& a, const Interval& b) {
  return OfEnds(a, b, [](int64_t x, int64_t y) {
    return Saturated(static_cast<__int128>(x) * y);
  });
}
// Precondition: `b` does not contain 0.
inline Interval Over(const Interval& a, const Interval& b) {
  return OfEnds(a, b, FloorDivide);
}

inline Interval Modulo(const Interval& a, const Interval& b) {
  if (b == Interval::Point(0)) return Interval::Undefined();
  if (a.IsPoint() && b.IsPoint())
    return Interval::Point(a.lo - FloorDivide(a.lo, b.lo) * b.lo);
  if (b.lo <= 0) return {};
  return {0, a.lo >= 0 ? std::min(a.hi, b.hi - 1) : b.hi - 1};
}

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_INTERVAL_H_
