#include <algorithm>
#include <set>

#include "fuzz/campaign/finding_text.h"
#include "fuzz/shrink/axis_edit.h"
#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"

namespace assay {
namespace {

class AxisShortener {
 public:
  explicit AxisShortener(Smallest* smallest) : smallest_(*smallest) {}

  void Run() {
    TakeFailedElement();
    axes_ = AxesOf(smallest_.c());
    if (IsProgram(smallest_.c())) ShortenTogether();
    for (size_t i = 0; i < axes_.size();) {
      while (Shorten(i)) {
      }
      // The next axis has moved to this position.
      if (i < axes_.size() && !Try(WithoutAxis(smallest_.c(), axes_, i))) ++i;
    }
    for (size_t i = 0; i + 1 < axes_.size();) {
      if (!Try(Merged(smallest_.c(), axes_[i], axes_[i + 1]))) ++i;
    }
  }

 private:
  bool Try(const std::optional<Case>& candidate) {
    if (!smallest_.Try(candidate)) return false;
    axes_ = AxesOf(smallest_.c());
    return true;
  }

  // Takes the failed element alone, because a wrong value needs no other.
  void TakeFailedElement() {
    const int64_t failed = smallest_.verdict().first_failed;
    if (failed < 0 || smallest_.c().program.main().body.size() > 1) return;
    const std::vector<Op::Result>& results =
        smallest_.c().program.main().body[0].outputs;
    const size_t output = smallest_.verdict().failed_output;
    if (output >= results.size()) return;
    const Op::Result& result = results[output];
    const Shape& shape = result.type.tensor().shape;
    if (shape.empty() || !smallest_.variant().empty()) return;
    const Index index = Unflatten(shape, failed);
    Case alone = smallest_.c();
    for (size_t i = 0; i < AxesOf(alone).size(); ++i) {
      const std::vector<Axis> axes = AxesOf(alone);
      const auto place =
          std::ranges::find(axes[i].places, result.value, &Axis::Place::value);
      if (place == axes[i].places.end()) continue;
      const int64_t at = index[place->dimension];
      // Axes of size 1 may belong together in more ways, so that one comes
      // again that is shortened already.
      if (at >= axes[i].size) continue;
      auto sliced = Sliced(alone, axes, i, at, at + 1);
      if (sliced && IsAsItSays(*sliced)) alone = *std::move(sliced);
    }
    const Case scalar = WithoutAxes(alone);
    if (!smallest_.Try(scalar)) smallest_.Try(alone);
  }

  // Removes all axes of size 1 that can be removed.
  static Case WithoutAxes(Case c) {
    for (bool again = true; again;) {
      again = false;
      const std::vector<Axis> axes = AxesOf(c);
      for (size_t i = 0; i < axes.size() && !again; ++i) {
        auto without = WithoutAxis(c, axes, i);
        again = without && IsAsItSays(*without);
        if (again) c = *std::move(without);
      }
    }
    return c;
  }

  // A failure may need values of one type that no op ties together. So axes of
  // one size are shortened together, and all of size 1 removed.
  void ShortenTogether() {
    std::set<int64_t> wholes;
    for (const Axis& axis : axes_) wholes.insert(axis.size);
    for (const int64_t whole : wholes) {
      for (const int64_t size : SizesBelow(whole)) {
        if (Try(AllSliced(whole, size))) break;
      }
    }
    Try(WithoutAxes(smallest_.c()));
  }

  // Takes the first elements of all axes of a size that can be shorter.
  Case AllSliced(int64_t whole, int64_t size) const {
    Case all = smallest_.c();
    for (size_t i = 0; i < axes_.size(); ++i) {
      if (SizeIn(all, axes_[i]) != whole) continue;
      auto sliced = Sliced(all, axes_, i, 0, size);
      if (sliced && IsAsItSays(*sliced)) all = *std::move(sliced);
    }
    return all;
  }

  // Returns small sizes and those around vectors, half, a vector less, one
  // less.
  static std::set<int64_t> SizesBelow(int64_t whole) {
    std::set<int64_t> sizes = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33};
    sizes.insert({whole / 2, whole - 8, whole - 1});
    std::erase_if(sizes,
                  [&](int64_t size) { return size < 1 || size >= whole; });
    return sizes;
  }

  // Takes the least size of an axis that still fails.
  bool Shorten(size_t i) {
    if (i >= axes_.size()) return false;
    for (const int64_t size : SizesBelow(axes_[i].size)) {
      const auto first = Sliced(smallest_.c(), axes_, i, 0, size);
      if (!first || !IsAsItSays(*first)) continue;
      for (const int64_t begin : Begins(axes_[i], size)) {
        if (Try(Sliced(smallest_.c(), axes_, i, begin, begin + size)))
          return true;
      }
    }
    return false;
  }

  // Returns where a part of this size may begin: at the start, at the end,
  // around the element that failed.
  std::set<int64_t> Begins(const Axis& axis, int64_t size) const {
    std::set<int64_t> begins = {0, axis.size - size};
    const std::vector<Op::Result>& results =
        smallest_.c().program.main().body.back().outputs;
    const size_t output = smallest_.verdict().failed_output;
    // An op before the last one may have failed.
    if (output >= results.size()) return begins;
    const Op::Result& result = results[output];
    const Shape& shape = result.type.tensor().shape;
    const int64_t failed = smallest_.verdict().first_failed;
    const auto count = ElementCount(shape);
    if (failed < 0 || !count || failed >= *count) return begins;
    const Index index = Unflatten(shape, failed);
    for (const Axis::Place& place : axis.places) {
      if (place.value == result.value &&
          index[place.dimension] + size <= axis.size)
        begins.insert(index[place.dimension]);
    }
    return begins;
  }

  Smallest& smallest_;
  std::vector<Axis> axes_;  // of the smallest case
};

}  // namespace

void ShortenAxes(Smallest* smallest) { AxisShortener(smallest).Run(); }

}  // namespace assay
