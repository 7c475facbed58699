#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/draw/values.h"
#include "fuzz/proposals/draw_parts.h"
#include "fuzz/proposals/proposals.h"

namespace assay {
namespace {

using Numbers = std::vector<int64_t>;

// A constant travels with every call, as text too.
constexpr int64_t kMostConstantElements = 256;
constexpr uint32_t kMostConcatenated = 12;
// An operand of at most so many elements may be longer than the result.
constexpr int64_t kMostCutElements = 64;

// Divides the size of one dimension among the operands, some of which may get
// nothing.
void Concatenate(const Subject& subject, Choices* choices, Op* op) {
  const Shape result = WithDimensions(subject.shape);
  const size_t dimension = DrawDimension(choices, result);
  const bool has_many = choices->OneIn(Topic::kShape, 8);
  const uint32_t count =
      1 + Below(choices, Topic::kShape, has_many ? kMostConcatenated : 4);
  Numbers ends(count, result[dimension]);
  for (size_t k = 0; k + 1 < count; ++k)
    ends[k] = Below(choices, Topic::kShape, result[dimension] + 1);
  std::ranges::sort(ends);
  int64_t start = 0;
  for (size_t k = 0; k < count; ++k) {
    Shape shape = result;
    shape[dimension] = ends[k] - std::exchange(start, ends[k]);
    AddOperand("inputs", "inputs." + std::to_string(k), {shape, subject.type},
               op);
  }
  op->attributes = {Number("dimension", static_cast<int64_t>(dimension))};
  AddResult("result", {result, subject.type}, op);
}

void Constant(const Subject& subject, Choices* choices, Op* op) {
  const TensorType type{*ElementCount(subject.shape) > kMostConstantElements
                            ? Shape{kMostConstantElements}
                            : subject.shape,
                        subject.type};
  op->attributes = {
      {"value", DrawValues(choices, subject.profile, type, nullptr)}};
  AddResult("output", type, op);
}

void Iota(const Subject& subject, Choices* choices, Op* op) {
  const Shape shape = WithDimensions(subject.shape);
  op->attributes = {Number(
      "iota_dimension", static_cast<int64_t>(DrawDimension(choices, shape)))};
  AddResult("output", {shape, subject.type}, op);
}

// Returns the shape of an operand that is padded, or cut, to the result's.
Shape DrawPadded(Choices* choices, const Shape& result) {
  Shape operand;
  for (const int64_t size : result)
    operand.push_back(Below(choices, Topic::kShape, 2) == 0
                          ? size
                          : Below(choices, Topic::kShape, size + 4));
  if (*ElementCount(operand) > kMostCutElements) {
    for (size_t d = 0; d < result.size(); ++d)
      operand[d] = std::min(operand[d], result[d]);
  }
  return operand;
}

void Pad(const Subject& subject, Choices* choices, Op* op) {
  const Shape& result = subject.shape;
  const Shape operand = DrawPadded(choices, result);
  Numbers lows, highs, interiors;
  const auto below = [&](int64_t n) {
    return int64_t{Below(choices, Topic::kAttributes, n)};
  };
  for (size_t d = 0; d < result.size(); ++d) {
    const int64_t interior = below(2) == 0 ? 0 : below(4);
    const int64_t padded =
        operand[d] + std::max<int64_t>(operand[d] - 1, 0) * interior;
    const int64_t both = result[d] - padded;  // low and high together
    int64_t low = 0;
    switch (below(4)) {
      case 0:
        break;
      case 1:
        low = both;
        break;
      case 2:
        low = std::min<int64_t>(both, 0) + below(std::abs(both) + 1);
        break;
      default:
        low = below(padded + result[d] + 3) - padded - 1;
    }
    lows.push_back(low);
    highs.push_back(both - low);
    interiors.push_back(interior);
  }
  AddOperand("operand", "operand", {operand, subject.type}, op);
  AddOperand("padding_value", "padding_value", {{}, subject.type}, op);
  op->attributes = {List("edge_padding_low", lows),
                    List("edge_padding_high", highs),
                    List("interior_padding", interiors)};
  AddResult("result", {result, subject.type}, op);
}

// Merges two neighbours, divides a dimension, or adds one of size 1, several
// times, so that the cuts of both shapes need not meet.
Shape DrawReshaped(Choices* choices, Shape shape) {
  const auto below = [&](size_t n) {
    return Below(choices, Topic::kShape, static_cast<int64_t>(n));
  };
  for (uint32_t left = 1 + below(4); left > 0; --left) {
    const uint32_t kind = below(4);
    if (kind < 2 && shape.size() > 1) {
      const size_t d = below(shape.size() - 1);
      shape[d] *= shape[d + 1];
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    } else if (kind == 2 && !shape.empty() && shape.size() < kMostDrawnRank) {
      const size_t d = below(shape.size());
      Numbers divisors;
      for (int64_t n = 2; n <= 64; ++n) {
        if (shape[d] % n == 0) divisors.push_back(n);
      }
      if (divisors.empty() || shape[d] == 0) continue;
      const int64_t divisor = divisors[below(divisors.size())];
      shape[d] /= divisor;
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(d), divisor);
    } else if (shape.size() < kMostDrawnRank) {
      shape.insert(
          shape.begin() + static_cast<std::ptrdiff_t>(below(shape.size() + 1)),
          1);
    }
  }
  return shape;
}

void Reshape(const Subject& subject, Choices* choices, Op* op) {
  AddOperand("operand", "operand", {subject.shape, subject.type}, op);
  AddResult("result", {DrawReshaped(choices, subject.shape), subject.type}, op);
}

void Reverse(const Subject& subject, Choices* choices, Op* op) {
  Numbers dimensions = DrawOrder(choices, subject.shape.size());
  std::erase_if(dimensions,
                [&](int64_t) { return choices->OneIn(Topic::kAttributes, 2); });
  AddOperand("operand", "operand", {subject.shape, subject.type}, op);
  op->attributes = {List("dimensions", dimensions)};
  AddResult("result", {subject.shape, subject.type}, op);
}

void Slice(const Subject& subject, Choices* choices, Op* op) {
  Numbers starts, limits, strides;
  Shape result;
  const auto below = [&](int64_t n) {
    return int64_t{Below(choices, Topic::kAttributes, n)};
  };
  for (const int64_t size : subject.shape) {
    const int64_t start = below(2) == 0 ? 0 : below(size + 1);
    const int64_t limit =
        below(2) == 0 ? size : start + below(size - start + 1);
    const int64_t stride = below(2) == 0 ? 1 : 1 + below(size + 2);
    starts.push_back(start);
    limits.push_back(limit);
    strides.push_back(stride);
    result.push_back((limit - start + stride - 1) / stride);
  }
  AddOperand("operand", "operand", {subject.shape, subject.type}, op);
  op->attributes = {List("start_indices", starts),
                    List("limit_indices", limits), List("strides", strides)};
  AddResult("result", {result, subject.type}, op);
}

void Transpose(const Subject& subject, Choices* choices, Op* op) {
  const Numbers permutation = DrawOrder(choices, subject.shape.size());
  Shape result;
  for (const int64_t d : permutation)
    result.push_back(subject.shape[static_cast<size_t>(d)]);
  AddOperand("operand", "operand", {subject.shape, subject.type}, op);
  op->attributes = {List("permutation", permutation)};
  AddResult("result", {result, subject.type}, op);
}

constexpr Proposal kMovementProposals[] = {{"concatenate", Concatenate},
                                           {"constant", Constant},
                                           {"iota", Iota},
                                           {"pad", Pad},
                                           {"reshape", Reshape},
                                           {"reverse", Reverse},
                                           {"slice", Slice},
                                           {"transpose", Transpose}};

}  // namespace

std::span<const Proposal> MovementProposals() { return kMovementProposals; }

}  // namespace assay
