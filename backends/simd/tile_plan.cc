#include <stdlib.h>

#include <algorithm>

#include "backends/simd/tiles.h"

namespace assay::simd {
namespace {

// In bytes, or elements that are as many bytes or more.
// Rows from this size on are worth a call each, and of any length where no
// operand needs a buffer.
constexpr int64_t kLine = 64;
constexpr int64_t kRowBytes = 256;
constexpr int64_t kLongRow = 1024;

// Elements of a row that share a repeated operand, so that a buffer of them is
// filled once and used for the row's whole length.
constexpr int64_t kRepeatedRow = 512;

// What is read along another dimension than it is written: two cache lines, of
// which the processor fetches pairs.
constexpr int64_t kTransposedBytes = 128;

bool IsConstant(const Nest& nest, const NestOperand& operand) {
  for (int dim = 0; dim < nest.num_dims; ++dim) {
    if (operand.strides[dim] != 0) return false;
  }
  return true;
}

// The dimension along which an operand lies closest, if that is not the first.
int ClosestDim(const Nest& nest, const NestOperand& operand) {
  if (operand.strides[0] == 0) return 0;
  int closest = 0;
  for (int dim = 1; dim < nest.num_dims; ++dim) {
    const int64_t stride = llabs(operand.strides[dim]);
    if (stride != 0 && stride < llabs(operand.strides[closest])) closest = dim;
  }
  return closest;
}

// Makes the dimension the second one.
void BringForward(int dim, Nest* nest) {
  std::rotate(nest->extents + 1, nest->extents + dim, nest->extents + dim + 1);
  for (int k = 0; k < nest->num_operands; ++k) {
    int64_t* strides = nest->operands[k].strides;
    std::rotate(strides + 1, strides + dim, strides + dim + 1);
  }
}

// Where an operand lies closest along another dimension than the first, a tile
// extends along both. Returns how far along the other one; 0 if there is none.
int64_t TransposedExtent(Nest* nest) {
  int votes[kMaxDims] = {};
  int64_t bytes[kMaxDims];
  int chosen = 0;
  for (int k = 0; k < nest->num_operands; ++k) {
    const int dim = ClosestDim(*nest, nest->operands[k]);
    if (dim == 0) continue;
    bytes[dim] = votes[dim] == 0
                     ? nest->operands[k].bytes
                     : std::min(bytes[dim], nest->operands[k].bytes);
    if (++votes[dim] > votes[chosen]) chosen = dim;
  }
  if (chosen == 0) return 0;
  const int64_t extent = kTransposedBytes / bytes[chosen];
  BringForward(chosen, nest);
  return std::min(extent, nest->extents[1]);
}

void ChooseExtents(TilePlan* plan) {
  Nest& nest = *plan->nest;
  int64_t bytes = 1;
  bool in_rows = true;    // All operands are contiguous or repeated in a row.
  bool is_direct = true;  // No operand needs a buffer.
  bool repeats_in_row = false;
  for (int k = 0; k < nest.num_operands; ++k) {
    const NestOperand& operand = nest.operands[k];
    bytes = std::max(bytes, operand.bytes);
    in_rows &= operand.strides[0] == operand.bytes || operand.strides[0] == 0;
    is_direct &= operand.strides[0] == operand.bytes;
    repeats_in_row |= operand.strides[0] == 0;
  }
  if (is_direct && (nest.num_dims == 1 || nest.extents[0] >= kLongRow)) {
    plan->extents[0] = nest.extents[0];
    plan->num_dims = 1;
    return;
  }
  int64_t room = kBufferBytes / bytes;
  const int64_t transposed = in_rows ? 0 : TransposedExtent(&nest);
  int64_t* extents = plan->extents;
  extents[0] =
      std::min(nest.extents[0], room / std::max<int64_t>(transposed, 1));
  if (repeats_in_row && extents[0] > kRepeatedRow) extents[0] = kRepeatedRow;
  plan->num_dims = 1;
  while (plan->num_dims < nest.num_dims) {
    const int dim = plan->num_dims;
    // A dimension that is cut is the last but for a transposed one.
    if (extents[dim - 1] < nest.extents[dim - 1] &&
        (dim > 1 || transposed == 0)) {
      break;
    }
    room /= extents[dim - 1];
    if (room < 2) break;
    extents[dim] = std::min(nest.extents[dim], room);
    // So that tiles of any contiguous result end with a cache line.
    if (extents[dim] < nest.extents[dim] && extents[dim] > kLine) {
      extents[dim] -= extents[dim] % kLine;
    }
    ++plan->num_dims;
  }
}

// Whether a tile is one contiguous block of the operand.
bool IsPacked(const TilePlan& plan, const NestOperand& operand) {
  int64_t stride = operand.bytes;
  for (int dim = 0; dim < plan.num_dims; ++dim) {
    if (operand.strides[dim] != stride) return false;
    stride *= plan.extents[dim];
  }
  return true;
}

void ChooseLoops(int k, TilePlan* plan) {
  const NestOperand& operand = plan->nest->operands[k];
  const int64_t* extents = plan->extents;
  const auto longest_but = [&](int other) {
    int longest = -1;
    for (int dim = 0; dim < plan->num_dims; ++dim) {
      if (dim == other) continue;
      if (longest < 0 || extents[dim] > extents[longest]) longest = dim;
    }
    return longest;
  };
  int inner = 0;
  if (extents[0] < 8 && extents[0] * operand.bytes < 64) {
    inner = longest_but(-1);
  }
  int outer = longest_but(inner);
  for (int dim = 1; inner == 0 && dim < plan->num_dims; ++dim) {
    if (llabs(operand.strides[dim]) == operand.bytes) outer = dim;
  }
  plan->inner[k] = inner;
  plan->outer[k] = outer;
}

// Whether no call of the function begins within a cache line of the first
// output. Lines that are stored to both past the caches and in part take longer
// than lines that are only stored to.
bool BlocksBeginLines(const TilePlan& plan) {
  const Nest& nest = *plan.nest;
  const NestOperand& first = nest.operands[nest.num_inputs];
  uintptr_t starts = reinterpret_cast<uintptr_t>(first.data);
  for (int dim = 0; dim < nest.num_dims; ++dim) {
    const bool is_row = dim >= plan.num_dims || (plan.by_rows && dim > 0);
    const int64_t step = is_row ? 1 : plan.extents[dim];
    if (step == nest.extents[dim]) continue;
    starts |= static_cast<uintptr_t>(first.strides[dim] * step);
  }
  return starts % kLine == 0;
}

}  // namespace

void PlanTiles(size_t step, TilePlan* plan) {
  ChooseExtents(plan);
  const Nest& nest = *plan->nest;
  const NestOperand& first = nest.operands[nest.num_inputs];
  const auto vectors = static_cast<int64_t>(step);
  bool gains = false;
  for (int k = 0; k < nest.num_operands; ++k) {
    const NestOperand& operand = nest.operands[k];
    gains |= operand.strides[0] == operand.bytes && !IsPacked(*plan, operand);
  }
  const int64_t row = plan->extents[0];
  plan->by_rows = gains && row * first.bytes >= kRowBytes &&
                  (row % vectors == 0 || row >= 8 * vectors);
  const bool aligned = BlocksBeginLines(*plan);
  for (int k = 0; k < nest.num_operands; ++k) {
    const NestOperand& operand = nest.operands[k];
    const bool is_row = operand.strides[0] == operand.bytes;
    const bool is_output = k >= nest.num_inputs;
    if (IsConstant(nest, operand) && !is_output) {
      plan->access[k] = Access::kRepeated;
    } else if (plan->by_rows && operand.strides[0] == 0) {
      plan->access[k] = Access::kRepeated;
    } else if (plan->by_rows ? is_row : IsPacked(*plan, operand)) {
      plan->access[k] = Access::kDirect;
    } else {
      plan->access[k] = Access::kCopied;
      ChooseLoops(k, plan);
    }
    if (is_output) {
      plan->stream &= plan->access[k] == Access::kDirect &&
                      (row >= 8 * kLongRow || aligned);
    }
  }
}

}  // namespace assay::simd
