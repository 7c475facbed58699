// Shapes are drawn here.
#ifndef ASSAY_FUZZ_DRAW_SHAPES_H_
#define ASSAY_FUZZ_DRAW_SHAPES_H_

#include <span>
#include <vector>

#include "cases/search/choices.h"
#include "spec/types/tensor.h"

namespace assay {

// Every other choice of a case depends on its profile. A profile of the whole
// case reaches cases that a profile of each value does not: an exact shape in
// the middle of the range, and special values beside special shapes.
enum class Profile : uint8_t { kBoundary, kUniform, kAdversarial };
// Returns boundary in 60 %, uniform in 25 % and adversarial in 15 % of cases.
Profile DrawProfile(Choices* choices);

// A BoundarySize is a size at which kernels change their behaviour, and why.
struct BoundarySize {
  int64_t size;
  const char* reason;
};
std::span<const BoundarySize> BoundarySizes();  // ascending

// Returns the greatest number of elements of a tensor of the case: few for most
// cases, so that many are judged a second; sometimes more than a vector, a
// page, or 2^16.
int64_t DrawMostElements(Choices* choices, Profile profile);
// This is enough for rows of two elements that are more than the blocks that a
// dimension of a grid may have; rows of one element would be merged. A shape
// with this limit is one of them.
inline constexpr int64_t kMostDrawnElements = 131584;
// This is enough for more elements than 16 bits count.
inline constexpr int64_t kManyElements = 66000;
inline constexpr size_t kMostDrawnRank = 8;

// Returns whether the dimensions but the last have more indices than 16 bits
// count.
bool HasManyRows(const Shape& shape);

// Draws a shape of rank 0 to kMostDrawnRank, with at most that many elements,
// sometimes none.
Shape DrawShape(Choices* choices, Profile profile, int64_t most_elements);

// Draws shapes of `count` operands that broadcast to `shape`, right-aligned:
// each dimension is whole in one of them, and may be 1 or missing in the
// others.
std::vector<Shape> DrawBroadcast(Choices* choices, const Shape& shape,
                                 size_t count);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_SHAPES_H_
