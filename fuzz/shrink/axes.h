// Dimensions that belong together are found by what the constraints accept: an
// op does not say which dimension of an operand is which of a result. Private
// to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_AXES_H_
#define ASSAY_FUZZ_SHRINK_AXES_H_

#include <string>
#include <vector>

#include "cases/case.h"

namespace assay {

// An Axis is dimensions of values that have one size because the ops between
// them ask for it, and change it together.
struct Axis {
  struct Place {
    std::string value;
    size_t dimension;
  };
  std::vector<Place> places;  // from the last value to the first
  // Where a place has size 1 instead, the value is repeated along it.
  int64_t size = 1;
};
// Returns the axes of a program, from the first dimension of the last value to
// the last dimension of the first one. Each dimension of each value is in one
// of them. Whether an axis may have another size is not said: an op may tie the
// dimension to a number, or to several dimensions of an operand.
std::vector<Axis> AxesOf(const Case& c);

// Returns the size that an axis has in a case that was changed.
int64_t SizeIn(const Case& c, const Axis& axis);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_AXES_H_
