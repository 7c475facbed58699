// Expectation: what the oracle allows one result to be, as columns over its
// elements.
//
// An element is accepted if it lies between `lo` and `hi`. Results that the
// text determines exactly have lo = hi, and share one buffer. An element whose
// flag says kOpen may be anything: an open clause decided it and the policy
// accepts any value.
#ifndef ASSAY_ORACLE_EXPECTATION_H_
#define ASSAY_ORACLE_EXPECTATION_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spec/tensor.h"

namespace assay {

// The real values of results with an accuracy budget, by part: near + rest *
// 2^unit, where 2^unit is one unit in the last place (of a complex number, in
// that of its larger part). They measure errors; they decide nothing.
struct RealValues {
  Tensor near;
  std::vector<float> rest;
  std::vector<int16_t> unit;
  double budget;  // units that the policy allows; 0 where an inequality decides
};

struct Expectation {
  static constexpr uint8_t kOpen = 1;
  // These beside what lies between; of a format that lacks one of them, the
  // least or the largest value.
  static constexpr uint8_t kOrPlusZero = 2;
  static constexpr uint8_t kOrMinusZero = 16;
  static constexpr uint8_t kOrInfinity = 32;  // which is positive
  static constexpr uint8_t kOrNan = 4;
  static constexpr uint8_t kEitherZero = kOrPlusZero | kOrMinusZero;
  static constexpr uint8_t kAnyNan = 8;  // for a NaN, although NaNs are kept

  // What one element may be instead of what lies between.
  struct Alternative {
    int64_t element;
    ElementBits lo, hi;
  };

  explicit Expectation(const TensorType& type) : lo(type), hi(lo) {}

  bool Has(uint8_t flag, int64_t i) const {
    return !flags.empty() && (flags[static_cast<size_t>(i)] & flag) != 0;
  }
  bool IsOpen(int64_t i) const { return Has(kOpen, i); }
  void Set(uint8_t flag, int64_t i) {
    if (flags.empty()) flags.resize(static_cast<size_t>(lo.size()));
    flags[static_cast<size_t>(i)] |= flag;
  }
  void SetOpen(int64_t i) { Set(kOpen, i); }
  std::span<const Alternative> OthersOf(int64_t i) const {
    if (others.empty()) return {};
    const auto begin =
        std::ranges::lower_bound(others, i, {}, &Alternative::element);
    const auto end =
        std::ranges::upper_bound(others, i, {}, &Alternative::element);
    return {begin, end};
  }
  bool KeepsNan(int64_t i) const { return keeps_nans && !Has(kAnyNan, i); }

  Tensor lo;
  Tensor hi;
  // Whether a NaN must have the bits of `lo`; otherwise any NaN equals any
  // other.
  bool keeps_nans = false;
  std::vector<uint8_t> flags;  // empty if no element has one
  // Whole results of other ways to compute: an element may be as in any.
  std::vector<Tensor> alternatives;
  std::vector<Alternative> others;  // in the order of the elements
  std::optional<RealValues> reals;
  // Whether the ends follow from those of a result with a budget, by other ops.
  bool follows_budget = false;
};

// What the oracle says of one op call.
struct Evaluation {
  std::vector<Expectation> outputs;
  uint64_t marks = 0;  // bit n: clause number n of the op was executed; 0
                       // unless marks were counted
  // Elements of a result with a budget, by the tier that decided them (real.h).
  std::array<int64_t, 4> tiers = {};
  // Elements that the oracle has no enclosure for. They are open, and the call
  // is not judged.
  int64_t undecided = 0;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_EXPECTATION_H_
