// Shapes from chance.
#ifndef ASSAY_FUZZ_DRAW_SHAPES_H_
#define ASSAY_FUZZ_DRAW_SHAPES_H_

#include <span>
#include <vector>

#include "fuzz/draw/choices.h"
#include "spec/types/tensor.h"

namespace assay {

// What every other choice of a case leans to. Skewing a case as a whole reaches
// what skewing each value does not: an exact shape in the middle of the range,
// and special values beside special shapes.
enum class Profile : uint8_t { kBoundary, kUniform, kAdversarial };
// 60 % boundary, 25 % uniform, 15 % adversarial.
Profile DrawProfile(Choices* choices);

// A size at which kernels change what they do, and why.
struct BoundarySize {
  int64_t size;
  const char* reason;
};
std::span<const BoundarySize> BoundarySizes();  // ascending

// The most elements that a tensor of the case has: few for most cases, so that
// many are judged a second; sometimes more than a vector, a page, or what 16
// bits count.
int64_t DrawMostElements(Choices* choices, Profile profile);
// Room for rows of two elements that are more than a dimension of a grid may
// have blocks: with one element a row they would be merged. A shape of so much
// room is one of them.
inline constexpr int64_t kMostDrawnElements = 131584;
// Room for more elements than 16 bits count.
inline constexpr int64_t kManyElements = 66000;
inline constexpr size_t kMostDrawnRank = 8;

// Whether the dimensions but the last have more indices than 16 bits count.
bool HasManyRows(const Shape& shape);

// Rank 0 to kMostDrawnRank, at most that many elements, sometimes none.
Shape DrawShape(Choices* choices, Profile profile, int64_t most_elements);

// Shapes of `count` operands that broadcast to `shape`, right-aligned: each
// dimension is whole in one of them, and may be 1 or missing in the others.
std::vector<Shape> DrawBroadcast(Choices* choices, const Shape& shape,
                                 size_t count);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_SHAPES_H_
