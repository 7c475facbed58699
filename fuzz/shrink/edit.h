// Changes to a case that keep it whole: types, values and layouts of operands
// and results go along with one another. Private to the shrinker.
//
// Each returns the changed case, or nothing where it does not apply. Whether
// the result satisfies the constraints is for the caller to ask.
#ifndef ASSAY_FUZZ_SHRINK_EDIT_H_
#define ASSAY_FUZZ_SHRINK_EDIT_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"

namespace assay {

// A dimension of the result, and the dimensions of other values that are it.
struct Axis {
  struct Place {
    std::string value;
    size_t dimension;
  };
  std::vector<Place> places;
  int64_t size = 1;
};
// Of a case that is run, from the first dimension to the last. None of a
// program whose values differ in shape.
std::vector<Axis> AxesOf(const Case& c);

// Indices [begin, end) of an axis.
std::optional<Case> Sliced(const Case& c, const Axis& axis, int64_t begin,
                           int64_t end);
// Without an axis of size 1.
std::optional<Case> WithoutAxis(const Case& c, const Axis& axis);
// Two neighbouring axes as one, if every value has both, in row-major order.
std::optional<Case> Merged(const Case& c, const Axis& outer, const Axis& inner);

// One op of a program as a call of its own, or the program without its last
// ops. What earlier ops gave is what the oracle says.
std::optional<Case> OneOp(const Case& c, size_t op, const Policy& policy);
std::optional<Case> FirstOps(const Case& c, size_t count);

// Every tensor in row-major order and in memory of its own.
Case InRowMajorOrder(Case c);

// The type of a value, wherever it stands.
void SetType(const std::string& value, const TensorType& type, Case* c);
const TensorType& TypeOf(const Case& c, const std::string& value);

// Every tensor of element type `from` as one of `to`, its numbers rounded.
std::optional<Case> WithElementType(const Case& c, ElementType from,
                                    ElementType to);

// Whether the constraints hold, or exactly those that the case names are
// violated, elements that share a place have one value, and a result in the
// place of an operand has its type.
bool IsAsItSays(const Case& c);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_EDIT_H_
