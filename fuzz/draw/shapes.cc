#include "fuzz/draw/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

constexpr std::array kSizes = {
    BoundarySize{1, "may be dropped, merged with any other, or repeated"},
    BoundarySize{2, "the least that has an order; pairs of lanes"},
    BoundarySize{3, "less than any vector, and no power of two"},
    BoundarySize{4, "a vector of 32-bit elements of SSE"},
    BoundarySize{5, "one more than that"},
    BoundarySize{7, "the longest tail of eight lanes"},
    BoundarySize{8, "a vector of eight lanes, and no tail"},
    BoundarySize{9, "a vector of eight lanes and a tail of one"},
    BoundarySize{13, "a prime: no vector divides it"},
    BoundarySize{15, "the longest tail of sixteen lanes"},
    BoundarySize{16, "a vector of sixteen lanes; two of eight"},
    BoundarySize{17, "one more than that"},
    BoundarySize{23, "a prime between two multiples of eight"},
    BoundarySize{31, "the longest tail of 32 lanes"},
    BoundarySize{32, "a vector of bytes of AVX; a warp; four times unrolled"},
    BoundarySize{33, "one more than that"},
    BoundarySize{63, "the longest tail of 64 lanes"},
    BoundarySize{64, "a vector of bytes of AVX-512; a cache line"},
    BoundarySize{65, "one more than that"},
    BoundarySize{127, "the greatest index in 8 signed bits"},
    BoundarySize{128, "a vector of sixteen lanes, eight times"},
    BoundarySize{129, "one more than that"},
    BoundarySize{255, "the greatest index in 8 bits"},
    BoundarySize{256, "an index of 8 bits wraps"},
    BoundarySize{257, "one more than that"},
    BoundarySize{511, "one less than a block of threads"},
    BoundarySize{513, "one more than a block of threads"},
    BoundarySize{1023, "one less than the greatest block of threads"},
    BoundarySize{1024, "the greatest block of threads; a page of f32"},
    BoundarySize{1025, "one more than that"},
    BoundarySize{4095, "one less than a page of bytes"},
    BoundarySize{4097, "one more than a page of bytes"},
    BoundarySize{65535, "the greatest index in 16 bits; a limit of grids"},
    BoundarySize{65537, "an index of 16 bits wraps"},
};

// Boundary shapes have few dimensions more often than many.
constexpr std::array<uint8_t, 24> kRanks = {0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                            2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 8};

int64_t BoundarySizeUpTo(Choices* choices, int64_t most) {
  const auto end =
      std::ranges::upper_bound(kSizes, most, {}, &BoundarySize::size);
  return kSizes[choices->Below(Topic::kShape,
                               static_cast<uint32_t>(end - kSizes.begin()))]
      .size;
}

void Shuffle(Choices* choices, Shape* shape) {
  for (size_t i = shape->size(); i > 1; --i)
    std::swap(
        (*shape)[i - 1],
        (*shape)[choices->Below(Topic::kShape, static_cast<uint32_t>(i))]);
}

Shape BoundaryShape(Choices* choices, int64_t most) {
  Shape shape(choices->Of(Topic::kShape, kRanks));
  for (int64_t& size : shape) {
    size = BoundarySizeUpTo(choices, most);
    most /= size;
  }
  // The dimension that was chosen first had the most room, so they are
  // shuffled.
  Shuffle(choices, &shape);
  if (!shape.empty() && choices->OneIn(Topic::kShape, 40))
    shape[choices->Below(Topic::kShape, static_cast<uint32_t>(shape.size()))] =
        0;
  return shape;
}

// Draws every size up to the root of the room, in one to four dimensions.
Shape UniformShape(Choices* choices, int64_t most) {
  const uint32_t rank = 1 + choices->Below(Topic::kShape, 4);
  const auto is_within = [&](int64_t side) {
    int64_t product = 1;
    for (uint32_t d = 0; d < rank; ++d) product *= side;
    return product <= most;
  };
  uint32_t root = 1;
  while (is_within(root + 1)) ++root;
  const uint32_t side = 2 * root;
  Shape shape(rank);
  for (int64_t& size : shape) {
    size = 1 + choices->Below(Topic::kShape, side);
    size = std::min(size, most);
    most /= size;
  }
  return shape;
}

// Draws shapes whose dimensions depend on one another.
Shape AdversarialShape(Choices* choices, int64_t most) {
  const int64_t n = BoundarySizeUpTo(choices, most);
  switch (choices->Below(Topic::kShape, 6)) {
    case 0:  // long rows
      return {n};
    case 1:  // many dimensions of 1 around one
    {
      Shape shape(2 + choices->Below(Topic::kShape, kMostDrawnRank - 1), 1);
      shape[choices->Below(Topic::kShape,
                           static_cast<uint32_t>(shape.size()))] = n;
      return shape;
    }
    case 2: {  // squares, whose transpose has the same shape
      const auto side = static_cast<int64_t>(
          std::sqrt(static_cast<double>(std::min<int64_t>(n, most))));
      return {std::max<int64_t>(side, 1), std::max<int64_t>(side, 1)};
    }
    case 3:  // a column
      return {n, 1};
    case 4: {  // more dimensions than loops are written for, all of them wide
      Shape shape;
      for (int64_t left = most; left >= 2 && shape.size() < kMostDrawnRank;) {
        const int64_t size =
            std::min<int64_t>(left, 2 + choices->Below(Topic::kShape, 2));
        shape.push_back(size);
        left /= size;
      }
      return shape;
    }
    default: {  // short rows, many of them, or the other way
      Shape shape = {BoundarySizeUpTo(choices, std::max<int64_t>(most / n, 1)),
                     n};
      Shuffle(choices, &shape);
      return shape;
    }
  }
}

// So many cases in 10,000 have many rows: one takes as long as hundreds of
// others.
constexpr uint32_t kManyRowsIn10000 = 2;

// Draws rows for a grid's second dimension, or with batches for its third.
Shape ManyRows(Choices* choices) {
  switch (choices->Below(Topic::kShape, 3)) {
    case 0:
      return {65537, 2};
    case 1:
      return {65537, 1, 2};
    default:
      return {257, 256, 2};
  }
}

}  // namespace

std::span<const BoundarySize> BoundarySizes() { return kSizes; }

Profile DrawProfile(Choices* choices) {
  const uint32_t percent = choices->Below(Topic::kForm, 100);
  if (percent < 60) return Profile::kBoundary;
  return percent < 85 ? Profile::kUniform : Profile::kAdversarial;
}

int64_t DrawMostElements(Choices* choices, Profile profile) {
  const uint32_t draw = choices->Below(Topic::kShape, 10000);
  if (draw == 9999) return kManyElements;
  constexpr uint32_t kOthers = 9999 - kManyRowsIn10000;
  if (draw >= kOthers) return kMostDrawnElements;
  // This profile is for exact shapes in the middle of the range.
  const uint32_t wide = profile == Profile::kUniform ? 300 : 50;
  if (draw >= kOthers - wide) return 4200;
  return draw >= kOthers - wide - 400 ? 300 : 64;
}

bool HasManyRows(const Shape& shape) {
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < shape.size(); ++d) rows *= shape[d];
  return rows > 65535;
}

Shape DrawShape(Choices* choices, Profile profile, int64_t most_elements) {
  if (most_elements >= kMostDrawnElements) return ManyRows(choices);
  switch (profile) {
    case Profile::kBoundary:
      return BoundaryShape(choices, most_elements);
    case Profile::kUniform:
      return UniformShape(choices, most_elements);
    default:
      return AdversarialShape(choices, most_elements);
  }
}

std::vector<Shape> DrawBroadcast(Choices* choices, const Shape& shape,
                                 size_t count) {
  std::vector<Shape> shapes(count, shape);
  if (count < 2 || choices->Below(Topic::kShape, 3) == 0) return shapes;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (choices->Below(Topic::kShape, 2) == 0) continue;
    const uint32_t whole =
        choices->Below(Topic::kShape, static_cast<uint32_t>(count));
    for (size_t k = 0; k < count; ++k) {
      if (k != whole && choices->Below(Topic::kShape, 2) == 0) shapes[k][d] = 1;
    }
  }
  for (Shape& operand : shapes) {
    size_t ones = 0;
    while (ones < operand.size() && operand[ones] == 1) ++ones;
    const uint32_t dropped =
        ones == 0
            ? 0
            : choices->Below(Topic::kShape, static_cast<uint32_t>(ones) + 1);
    operand.erase(operand.begin(), operand.begin() + dropped);
  }
  // Some operand must have the leading dimensions of the result.
  const bool is_whole = std::ranges::any_of(
      shapes, [&](const Shape& s) { return s.size() == shape.size(); });
  if (!is_whole) shapes[0] = shape;
  return shapes;
}

}  // namespace assay
