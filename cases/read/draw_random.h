// Random elements are the same for a seed and an index on every machine.
#ifndef ASSAY_CASES_READ_DRAW_RANDOM_H_
#define ASSAY_CASES_READ_DRAW_RANDOM_H_

#include <array>
#include <cstdint>
#include <optional>

#include "spec/types/tensor.h"

namespace assay {

// {"draw": {"seed": 7, "profile": "boundary"}} draws each element by a profile.
// uniform: every bit pattern is equally likely. boundary: three in four
// elements come from BoundaryBits, the others are uniform. ordinary: half of
// the elements are numbers as programs have them, floats between -16 and 16 and
// integers from 0 to the width of the type. Of the others, integers are
// uniform, and floats boundary values (half), uniform (a quarter), and infinity
// or NaN (a quarter).
struct DrawRandom {
  enum class Profile { kUniform, kBoundary, kOrdinary };
  uint64_t seed = 0;
  Profile profile = Profile::kUniform;
  // If there is a layout, elements are drawn by the place where they lie in it,
  // not by their index, so that two elements in one place are equal.
  std::optional<Layout> place = {};
  // Elements so many places or indices apart are equal; 0: none need be.
  uint64_t period = 0;
};

inline constexpr std::array kProfileNames = {"uniform", "boundary", "ordinary"};

// {"draw": {"seed": 7, "below": 100}}: the integers from 0 to 99 are equally
// likely, as indices of a dimension are. `sorted`: the same elements, ascending
// in row-major order.
struct DrawBelow {
  uint64_t seed = 0;
  uint64_t below = 1;
  bool sorted = false;
};

// Draws as many elements as the type has, from `begin` on in row-major order.
Tensor DrawElements(const TensorType& type, int64_t begin,
                    const DrawRandom& draw);
// Precondition: the type is of integers and has all that are below. Sorted
// elements are those of this type alone, whatever comes before `begin`.
Tensor DrawElements(const TensorType& type, int64_t begin,
                    const DrawBelow& draw);

// Returns the value of the type that is nearest to a number; integers wrap, i1
// is the lowest bit, and a complex number has the negated number for its
// imaginary part.
ElementBits BitsOfNumber(ElementType type, double number);

}  // namespace assay

#endif  // ASSAY_CASES_READ_DRAW_RANDOM_H_
