// The windows of reduce_window and of select_and_scatter: slices of an operand
// that is padded first, at its edges and between its elements.
#ifndef ASSAY_ORACLE_REDUCTION_SLIDING_WINDOWS_H_
#define ASSAY_ORACLE_REDUCTION_SLIDING_WINDOWS_H_

#include <vector>

#include "oracle/movement/moves.h"

namespace assay {

// The clauses by which a window starts and ends, and has its elements.
struct WindowClauses {
  ClauseNumber start, end, elements;
};

class SlidingWindows {
 public:
  // The place of an element that is padding.
  static constexpr int64_t kPadding = -1;

  // `windows` says how many windows there are along each dimension. Without
  // dilations, these are 1.
  SlidingWindows(const Op& op, const Shape& operand, const Shape& windows,
                 bool has_dilations)
      : operand_(operand),
        windows_(windows),
        strides_(RowMajorStrides(operand)),
        window_dimensions_(NumbersOf(op, "window_dimensions")),
        window_strides_(NumbersOf(op, "window_strides")),
        base_dilations_(operand.size(), 1),
        window_dilations_(operand.size(), 1) {
    if (has_dilations) {
      base_dilations_ = NumbersOf(op, "base_dilations");
      window_dilations_ = NumbersOf(op, "window_dilations");
    }
    const std::vector<int64_t> padding = NumbersOf(op, "padding");
    for (size_t d = 0; d < operand.size(); ++d)
      padding_low_.push_back(padding[2 * d]);
  }

  // The number of elements of a window; nullopt if 64 bits have not got it.
  std::optional<int64_t> Length() const {
    return ElementCount(
        Shape(window_dimensions_.begin(), window_dimensions_.end()));
  }

  // Calls `f` with the place in the operand of each element of a window, in the
  // order of their indices.
  template <class Clause, class F>
  void ForEachPlace(const WindowClauses& clauses, Clause& clause,
                    int64_t window, F f) const {
    std::vector<std::vector<int64_t>> places(operand_.size());
    for (size_t d = operand_.size(); d-- > 0;) {
      places[d] = PlacesAlong(clauses, clause, d, window % windows_[d]);
      window /= windows_[d];
    }
    Walk(places, 0, 0, f);
  }

 private:
  // Returns the parts of places that a dimension decides, or kPadding.
  template <class Clause>
  std::vector<int64_t> PlacesAlong(const WindowClauses& clauses, Clause& clause,
                                   size_t d, int64_t result_index) const {
    // Numbers that 64 bits have not got are far from every element.
    const auto by = [&](ClauseNumber number, __int128 value) -> __int128 {
      const auto narrow = static_cast<int64_t>(value);
      return narrow == value ? clause(number, narrow) : value;
    };
    const __int128 dilation = window_dilations_[d];
    const int64_t last = window_dimensions_[d] - 1;
    const __int128 window_start =
        by(clauses.start, __int128{result_index} * window_strides_[d]);
    const __int128 window_end =
        by(clauses.end, window_start + last * dilation + 1);
    std::vector<int64_t> places;
    for (int64_t i = 0; i <= last; ++i) {
      const __int128 index =
          i == last ? window_end - 1 : window_start + i * dilation;
      places.push_back(PlaceOf(d, by(clauses.elements, index)));
    }
    return places;
  }

  // Returns the same for an index of the padded operand.
  int64_t PlaceOf(size_t d, __int128 padded_index) const {
    const __int128 wide = padded_index - padding_low_[d];
    const auto distance = static_cast<int64_t>(wide);
    const int64_t step = base_dilations_[d];
    if (wide < 0 || distance != wide || distance % step != 0 ||
        distance / step >= operand_[d])
      return kPadding;
    return distance / step * strides_[d];
  }

  template <class F>
  static void Walk(const std::vector<std::vector<int64_t>>& places, size_t d,
                   int64_t place, F& f) {
    if (d == places.size()) return f(place);
    for (const int64_t part : places[d])
      Walk(places, d + 1,
           place == kPadding || part == kPadding ? kPadding : place + part, f);
  }

  const Shape operand_, windows_;
  Strides strides_;
  std::vector<int64_t> window_dimensions_, window_strides_, base_dilations_,
      window_dilations_, padding_low_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_SLIDING_WINDOWS_H_
