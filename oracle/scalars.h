// Scalars are a column of values that are computed side by side, one for each
// application of a function to scalars (region.h).
//
// Most values are known. Some are not one value: an op has a budget, or a
// clause is open. Possible says what such a value may be.
#ifndef ASSAY_ORACLE_SCALARS_H_
#define ASSAY_ORACLE_SCALARS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "oracle/expectation.h"
#include "spec/types/element.h"
#include "spec/types/tensor.h"

namespace assay {

struct Possible {
  // kRanges: one of `ranges`. kOpen: any value, because a clause leaves it
  // open. kUndecided: the oracle does not know.
  enum class Kind : uint8_t { kRanges, kOpen, kUndecided };
  // A Range is a value, or all values between two in the order of the type, in
  // which -0 is below +0. A complex number lies between two part by part.
  struct Range {
    ElementBits lo, hi;
    friend bool operator==(const Range&, const Range&) = default;
  };
  // More ranges than these become one that has them all, unless a caller has
  // another limit.
  static constexpr size_t kMost = 16;

  static Possible Open() { return {Kind::kOpen, false, {}}; }
  static Possible Undecided() { return {Kind::kUndecided, false, {}}; }
  static Possible Value(ElementBits bits) {
    return {Kind::kRanges, false, {{bits, bits}}};
  }
  // Returns whether each range is one value.
  bool IsFinite() const;
  // Adds what another value may be. More than `most` ranges become one.
  void Add(ElementType type, const Possible& other, size_t most = kMost);

  // Adds the values between two of a type that is not complex: one by one, if
  // they are few.
  void AddBetween(ElementType type, const Range& range);

  Kind kind = Kind::kRanges;
  bool any_nan = false;  // the bits of NaNs among the ranges are open
  std::vector<Range> ranges;
};

// Returns what an expectation allows an element to be.
Possible PossibleAt(const Expectation& expectation, int64_t i);

class Scalars {
 public:
  enum class State : uint8_t {
    kKnown,
    kAnyNan,  // known but for the bits of NaN
    kSeveral
  };

  Scalars() = default;
  // `values` has rank 1, and all of it is known.
  explicit Scalars(Tensor values) : values_(std::move(values)) {}

  int64_t size() const { return values_.size(); }
  ElementType type() const { return values_.element_type(); }
  // Where a value is not known, this has one that it may be.
  const Tensor& values() const { return values_; }
  bool AllKnown() const { return states_.empty(); }
  State StateAt(int64_t i) const {
    return states_.empty() ? State::kKnown : states_[static_cast<size_t>(i)];
  }
  Possible At(int64_t i) const;
  void Set(int64_t i, const Possible& possible);
  // Sets all values to what an expectation of the same size allows.
  static Scalars Of(const Expectation& expectation);
  // Returns a column of one value.
  static Scalars Repeated(ElementType type, const Possible& value,
                          int64_t size);

 private:
  void SetState(int64_t i, State state);

  Tensor values_;
  std::vector<State> states_;  // empty: all are known
  std::map<int64_t, Possible> several_;
};

// Returns whether a part of an element is NaN.
bool HasNan(ElementType type, ElementBits bits);

// Makes an expectation of scalars. Its elements have their values already, one
// of those that a scalar may have; what else it may be is added.
class ResultOfScalars {
 public:
  // If `keeps_nans`, a known NaN has its bits.
  ResultOfScalars(bool keeps_nans, Expectation* result)
      : result_(*result), keeps_nans_(keeps_nans) {}
  // Adds what the elements from `begin` on may be. An element that has another
  // value than its scalar (a clause that was broken on purpose decided it) has
  // no other. The elements come in ascending order.
  void Add(int64_t begin, const Scalars& scalars);
  // Says which NaNs have any bits. Returns how many elements are undecided.
  int64_t Finish();

 private:
  void AddPossible(int64_t i, const Possible& possible);

  Expectation& result_;
  const bool keeps_nans_;
  bool has_kept_nan_ = false;
  std::vector<int64_t> any_nans_;
  std::vector<std::pair<int64_t, ElementBits>> upper_ends_;
  int64_t undecided_ = 0;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_SCALARS_H_
