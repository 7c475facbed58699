// Dimensions that belong together are found by what the constraints accept: an
// op does not say which dimension of an operand is which of a result. Private
// to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_AXES_H_
#define ASSAY_FUZZ_SHRINK_AXES_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"

namespace assay {

// An Axis is a dimension of the result, with the dimensions of other values
// that correspond to it.
struct Axis {
  struct Place {
    std::string value;
    size_t dimension;
  };
  std::vector<Place> places;  // that of a result first
  int64_t size = 1;
};
// Returns the axes of a case that is run, from the first dimension to the last,
// without those whose size is not free; none for a program whose values differ
// in shape.
std::vector<Axis> AxesOf(const Case& c);

// Changes the lists and numbers among the attributes of a call that has lost
// the dimensions at these places, so that its constraints are what they are
// said to be: unchanged, without the entry of the dimension, or as numbers of
// dimensions, of which those behind it move down by one. The call stays as it
// is if none of it helps.
void RepairAttributes(const Axis& lost,
                      const std::vector<std::string>& violates, Op* op);

// Returns the labels of the constraints that are false, in order.
std::vector<std::string> FalseLabels(const Op& op);

// Returns whether a list of integers is among the attributes.
bool HasLists(const Op& op);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_AXES_H_
