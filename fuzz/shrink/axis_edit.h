// Each of these changes keeps a case consistent along its axes: types, values,
// layouts and lists of dimensions change together. Private to the shrinker.
//
// Each returns the changed case, or nothing if it does not apply. The caller
// checks whether the result satisfies the constraints.
#ifndef ASSAY_FUZZ_SHRINK_AXIS_EDIT_H_
#define ASSAY_FUZZ_SHRINK_AXIS_EDIT_H_

#include <optional>
#include <vector>

#include "cases/case.h"
#include "fuzz/shrink/axes.h"
#include "fuzz/shrink/program_edit.h"

namespace assay {

// In all of them, `axes` are AxesOf(c).

// Keeps indices [begin, end) of an axis, and as much of other axes as ops infer
// from it then.
std::optional<Case> Sliced(const Case& c, const std::vector<Axis>& axes,
                           size_t axis, int64_t begin, int64_t end);
// Removes an axis of size 1, and others of size 1 if ops have both or neither.
std::optional<Case> WithoutAxis(const Case& c, const std::vector<Axis>& axes,
                                size_t axis);
// Merges two neighbouring axes, if every value has both, in row-major order.
std::optional<Case> Merged(const Case& c, const Axis& outer, const Axis& inner);

// Puts the numbers in the place of an attribute of an op, and infers the types
// of its results anew. Axes of results that become smaller are shortened; a
// result that changes its shape otherwise is in row-major order.
std::optional<Case> WithNumbers(const Case& c, const std::vector<Axis>& axes,
                                OpPlace op, size_t attribute,
                                const Tensor& numbers);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_AXIS_EDIT_H_
