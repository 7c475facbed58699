#include <algorithm>
#include <set>

#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/passes.h"

namespace assay {
namespace {

class AxisShortener {
 public:
  explicit AxisShortener(Smallest* smallest) : smallest_(*smallest) {}

  void Run() {
    TakeFailedElement();
    for (size_t d = 0; d < AxesOf(smallest_.c()).size();) {
      ShortenAxis(d);
      // The next axis has moved to this position.
      const std::vector<Axis> axes = AxesOf(smallest_.c());
      if (d < axes.size() && smallest_.Try(WithoutAxis(smallest_.c(), axes[d])))
        continue;
      ++d;
    }
    for (size_t d = 0; d + 1 < AxesOf(smallest_.c()).size();) {
      const std::vector<Axis> axes = AxesOf(smallest_.c());
      if (!smallest_.Try(Merged(smallest_.c(), axes[d], axes[d + 1]))) ++d;
    }
  }

 private:
  // Takes the failed element alone, because a wrong value needs no other.
  void TakeFailedElement() {
    const int64_t failed = smallest_.verdict().first_failed;
    if (failed < 0 || smallest_.c().program.main().body.size() > 1) return;
    const Shape shape =
        smallest_.c().program.main().body[0].outputs[0].type.tensor().shape;
    if (shape.empty() || !smallest_.variant().empty()) return;
    const Index index = Unflatten(shape, failed);
    Case alone = smallest_.c();
    for (size_t d = 0; d < AxesOf(alone).size(); ++d) {
      const Axis axis = AxesOf(alone)[d];
      const int64_t at = index[axis.places[0].dimension];
      if (auto sliced = Sliced(alone, axis, at, at + 1))
        alone = std::move(*sliced);
    }
    Case scalar = alone;
    while (true) {
      const std::vector<Axis> axes = AxesOf(scalar);
      const auto it = std::ranges::find(axes, 1, &Axis::size);
      if (it == axes.end()) break;
      auto without = WithoutAxis(scalar, *it);
      if (!without) break;
      scalar = std::move(*without);
    }
    if (!smallest_.Try(scalar)) smallest_.Try(alone);
  }

  // Shortens the axis to the least size that still fails: small ones and those
  // around vectors at once, then by halves, by a vector, one by one.
  void ShortenAxis(size_t d) {
    for (bool shorter = true; shorter;) {
      shorter = false;
      const std::vector<Axis> axes = AxesOf(smallest_.c());
      if (d >= axes.size()) return;
      const Axis& axis = axes[d];
      const std::set<int64_t> sizes = {1,
                                       2,
                                       3,
                                       4,
                                       5,
                                       7,
                                       8,
                                       9,
                                       16,
                                       17,
                                       33,
                                       axis.size / 2,
                                       axis.size - 8,
                                       axis.size - 1};
      for (const int64_t size : sizes) {
        if (size < 1 || size >= axis.size || shorter) continue;
        for (const int64_t begin : Begins(axis, size)) {
          shorter =
              smallest_.Try(Sliced(smallest_.c(), axis, begin, begin + size));
          if (shorter) break;
        }
      }
    }
  }

  // Returns where a part of this size may begin: at the start, at the end,
  // around the element that failed.
  std::set<int64_t> Begins(const Axis& axis, int64_t size) const {
    const size_t d = axis.places[0].dimension;
    std::set<int64_t> begins = {0, axis.size - size};
    const Shape& shape =
        smallest_.c().program.main().body.back().outputs[0].type.tensor().shape;
    const int64_t failed = smallest_.verdict().first_failed;
    const auto count = ElementCount(shape);
    if (failed >= 0 && count && failed < *count && d < shape.size()) {
      const int64_t at = Unflatten(shape, failed)[d];
      if (at + size <= axis.size) begins.insert(at);
    }
    return begins;
  }

  Smallest& smallest_;
};

}  // namespace

void ShortenAxes(Smallest* smallest) { AxisShortener(smallest).Run(); }

}  // namespace assay
