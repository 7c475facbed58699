// Elements that are drawn: the same for a seed and an index everywhere.
#ifndef ASSAY_CASES_READ_DRAW_RANDOM_H_
#define ASSAY_CASES_READ_DRAW_RANDOM_H_

#include <cstdint>
#include <optional>

#include "spec/types/tensor.h"

namespace assay {

// {"draw": {"seed": 7, "profile": "boundary"}}. uniform: every bit pattern is
// equally likely. boundary: three in four elements come from BoundaryValues,
// the others are uniform. ordinary: half of the elements are numbers as
// programs have them, floats between -16 and 16 and integers from 0 to the
// width of the type. Of the others, integers are uniform, and floats boundary
// values (half), uniform (a quarter), and infinity or NaN (a quarter).
struct DrawRandom {
  enum class Profile { kUniform, kBoundary, kOrdinary };
  uint64_t seed = 0;
  Profile profile = Profile::kUniform;
  // Elements are drawn by the place where they lie so, not by their index: two
  // in one place are one.
  std::optional<Layout> place = {};
  // Elements so many places or indices apart are alike; 0: none are.
  uint64_t period = 0;
};

// The elements from `begin` on, in row-major order, as many as the type has.
Tensor DrawElements(const TensorType& type, int64_t begin,
                    const DrawRandom& draw);

// The value of the type that is nearest to a number; integers wrap, i1 is its
// lowest bit, and a complex number has its negation for the imaginary part.
ElementBits BitsOfNumber(ElementType type, double number);

}  // namespace assay

#endif  // ASSAY_CASES_READ_DRAW_RANDOM_H_
