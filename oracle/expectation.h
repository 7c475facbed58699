// An Expectation says what the oracle allows one result to be, as columns over
// its elements.
//
// An element is accepted if it lies between `lo` and `hi`, a complex one part
// by part. Results that the text determines exactly have lo = hi, and share one
// buffer. Flags say where an element may be something else. An element that is
// open in one respect is not open in all:
//
// - kOpen: the element may be anything, because an open clause decided it and
//   the policy accepts any value; kRealOpen, kImagOpen: the same holds for one
//   part, and the other is judged.
// - kEither: the element is `lo` or `hi`, and nothing between them (each part
//   on its own).
// - Alternatives: an element as a whole may lie in another range, such as that
//   of the other side of a branch cut. The parts of two ranges do not mix.
// - Readings: the result as a whole may be another tensor, such as the one in
//   the other byte order. The elements of two readings do not mix.
#ifndef ASSAY_ORACLE_EXPECTATION_H_
#define ASSAY_ORACLE_EXPECTATION_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "spec/types/tensor.h"

namespace assay {

// RealValues are the real values of results with an accuracy budget, by part:
// near + rest * 2^unit, where 2^unit is one unit in the last place (for a
// complex number, in that of its larger part). They measure errors and decide
// nothing.
struct RealValues {
  Tensor near;
  std::vector<float> rest;
  std::vector<int16_t> unit;
  double budget;  // units that the policy allows; 0 where an inequality decides
};

using ElementFlags = uint16_t;

struct Expectation {
  static constexpr ElementFlags kOpen = 1;
  // These values are allowed besides the range; in a format that lacks one of
  // them, the least or the largest value is.
  static constexpr ElementFlags kOrPlusZero = 2;
  static constexpr ElementFlags kOrMinusZero = 16;
  static constexpr ElementFlags kOrInfinity = 32;  // which is positive
  static constexpr ElementFlags kOrNan = 4;
  static constexpr ElementFlags kEitherZero = kOrPlusZero | kOrMinusZero;
  static constexpr ElementFlags kAnyNan =
      8;  // for a NaN, although they are kept
  static constexpr ElementFlags kEither = 64;
  static constexpr ElementFlags kRealOpen = 128;
  static constexpr ElementFlags kImagOpen = 256;
  static constexpr ElementFlags kPartsOpen = kRealOpen | kImagOpen;

  // An Alternative is another range that one element may lie in.
  struct Alternative {
    int64_t element;
    ElementBits lo, hi;
    ElementFlags flags = 0;
  };

  explicit Expectation(const TensorType& type) : lo(type), hi(lo) {}

  bool Has(ElementFlags flag, int64_t i) const {
    return !flags.empty() && (flags[static_cast<size_t>(i)] & flag) != 0;
  }
  bool IsOpen(int64_t i) const { return Has(kOpen, i); }
  // Returns whether some part of the element is not judged.
  bool IsPartlyOpen(int64_t i) const { return Has(kOpen | kPartsOpen, i); }
  // Returns whether more than one result, or range of results, is right.
  bool IsFree(int64_t i) const {
    return Has(kOpen | kPartsOpen | kEither, i) || !AlternativesOf(i).empty();
  }
  // Returns whether every element has one right value, so that later ops can
  // depend on it.
  bool IsDetermined() const {
    return flags.empty() && !reals && alternatives.empty() &&
           readings.empty() && HasOneEnd();
  }
  // Returns whether the least and the greatest values are the same everywhere.
  bool HasOneEnd() const {
    return lo.data() == hi.data() ||
           std::equal(lo.data(), lo.data() + lo.byte_size(), hi.data());
  }
  // Returns whether one value is right there. A NaN counts as one, whatever its
  // bits are.
  bool IsExact(int64_t i) const {
    return (flags.empty() || (flags[static_cast<size_t>(i)] & ~kAnyNan) == 0) &&
           lo.Bits(i) == hi.Bits(i) && AlternativesOf(i).empty() &&
           std::ranges::all_of(readings, [&](const Tensor& reading) {
             return reading.Bits(i) == lo.Bits(i);
           });
  }
  void Set(ElementFlags flag, int64_t i) {
    if (flags.empty()) flags.resize(static_cast<size_t>(lo.size()));
    flags[static_cast<size_t>(i)] |= flag;
  }
  void Clear(ElementFlags flag, int64_t i) {
    if (flags.empty()) return;
    auto& of_element = flags[static_cast<size_t>(i)];
    of_element = static_cast<ElementFlags>(of_element & ~flag);
  }
  void SetOpen(int64_t i) { Set(kOpen, i); }
  std::span<const Alternative> AlternativesOf(int64_t i) const {
    if (alternatives.empty()) return {};
    const auto begin =
        std::ranges::lower_bound(alternatives, i, {}, &Alternative::element);
    const auto end =
        std::ranges::upper_bound(alternatives, i, {}, &Alternative::element);
    return {begin, end};
  }
  bool KeepsNan(int64_t i) const { return keeps_nans && !Has(kAnyNan, i); }

  Tensor lo;
  Tensor hi;
  // If true, a NaN must have the bits of `lo`; otherwise any NaN equals any
  // other.
  bool keeps_nans = false;
  std::vector<ElementFlags> flags;        // empty if no element has one
  std::vector<Alternative> alternatives;  // in the order of the elements
  std::vector<Tensor> readings;
  std::optional<RealValues> reals;
  // If true, the ends follow from those of a result with a budget, by other
  // ops.
  bool follows_budget = false;
};

struct OpSpec;
class Relation;  // relation.h

// The clauses of one op that were executed: bit n is clause number n.
struct OpMarks {
  const OpSpec* op;
  uint64_t marks;
  friend bool operator==(const OpMarks&, const OpMarks&) = default;
};

// An Evaluation is what the oracle says about one op call.
struct Evaluation {
  std::vector<Expectation> outputs;
  uint64_t marks = 0;  // bit n: clause number n of the op was executed; 0
                       // unless marks were counted
  // The same of the ops in the op's regions, in the order of Ops().
  std::vector<OpMarks> region_marks = {};
  // The numbers of elements of a result with a budget, by the tier that decided
  // them (real.h).
  std::array<int64_t, 4> tiers = {};
  // For so many elements the oracle has no enclosure. They are open, and the
  // call is not judged.
  int64_t undecided = 0;
  // This holds of the outputs together. nullptr: nothing else does.
  std::shared_ptr<const Relation> relation = nullptr;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_EXPECTATION_H_
