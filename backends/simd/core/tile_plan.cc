#include <stdlib.h>

#include <algorithm>

#include "backends/simd/core/tiles.h"

namespace assay::simd {
namespace {

// These sizes are in bytes or in elements, which take at least as many bytes. A
// call of the function for each row pays from kRowBytes on. Tiles are whole
// rows from kLongRow on, and for rows of any length where no operand needs a
// buffer.
constexpr int64_t kLine = 64;
constexpr int64_t kRowBytes = 256;
constexpr int64_t kLongRow = 1024;

// Rows of at least this length are read where they lie if every second element
// is read: shorter ones have too many ends for that, and took up to 1.2 times
// as long on AVX-512 and 1.4 times on AVX2.
constexpr int64_t kStridedRow = 8 * kLongRow;

// A tile has this many bytes, which are some whole cache lines, along the
// dimension where an operand is read along another dimension than it is
// written. With 64 bytes the sum with a transposed matrix took a quarter
// longer.
constexpr int64_t kTransposedBytes = 256;

bool IsConstant(const Nest& nest, const NestOperand& operand) {
  for (int dim = 0; dim < nest.num_dims; ++dim) {
    if (operand.strides[dim] != 0) return false;
  }
  return true;
}

// Returns the dimension along which the operand's elements lie closest, if that
// is not the first.
int ClosestDim(const Nest& nest, const NestOperand& operand) {
  if (operand.strides[0] == 0) return 0;
  int closest = 0;
  for (int dim = 1; dim < nest.num_dims; ++dim) {
    const int64_t stride = llabs(operand.strides[dim]);
    if (stride != 0 && stride < llabs(operand.strides[closest])) closest = dim;
  }
  return closest;
}

// Returns the dimension, other than the first, along which operands' elements
// lie closest, or 0 if there is none. Tiles extend along that dimension as
// well.
int TransposedDim(const Nest& nest, int64_t* bytes) {
  int votes[kMaxDims] = {};
  int chosen = 0;
  for (int k = 0; k < nest.num_operands; ++k) {
    const int dim = ClosestDim(nest, nest.operands[k]);
    if (dim == 0 || ++votes[dim] <= votes[chosen]) continue;
    chosen = dim;
    *bytes = nest.operands[k].bytes;
  }
  return chosen;
}

// Returns whether each input of a row is contiguous, every second element or
// reversed, and all outputs are contiguous.
bool IsStridedRow(const Nest& nest) {
  for (int k = 0; k < nest.num_operands; ++k) {
    const int64_t stride = nest.operands[k].strides[0];
    const int64_t bytes = nest.operands[k].bytes;
    if (stride == bytes) continue;
    if (k >= nest.num_inputs) return false;
    if (stride != 2 * bytes && stride != -bytes) return false;
  }
  return true;
}

void ChooseExtents(bool reads_strided, TilePlan* plan) {
  const Nest& nest = *plan->nest;
  int64_t bytes = 1;
  bool in_rows = true;    // All operands are contiguous or repeated in a row.
  bool is_direct = true;  // No operand needs a buffer.
  for (int k = 0; k < nest.num_operands; ++k) {
    const NestOperand& operand = nest.operands[k];
    bytes = std::max(bytes, operand.bytes);
    in_rows &= operand.strides[0] == operand.bytes || operand.strides[0] == 0;
    is_direct &= operand.strides[0] == operand.bytes;
  }
  int64_t* extents = plan->extents;
  plan->piece = 0;
  plan->reads_strided = false;
  if ((is_direct && nest.num_dims == 1) ||
      (in_rows && nest.extents[0] >= kLongRow)) {
    extents[0] = nest.extents[0];
    plan->num_dims = 1;
    return;
  }
  int64_t transposed_bytes = 1;
  const int transposed = in_rows ? 0 : TransposedDim(nest, &transposed_bytes);
  if (transposed == 0 && nest.extents[0] >= kLongRow) {
    extents[0] = nest.extents[0];
    plan->num_dims = 1;
    plan->reads_strided =
        reads_strided && extents[0] >= kStridedRow && IsStridedRow(nest);
    if (!plan->reads_strided) plan->piece = kPieceBytes / bytes;
    return;
  }
  int64_t room = (transposed == 0 ? kBlockBytes : kBufferBytes) / bytes;
  plan->num_dims = transposed + 1;
  std::fill(extents, extents + nest.num_dims, 1);
  if (transposed > 0) {
    extents[transposed] =
        std::min(nest.extents[transposed], kTransposedBytes / transposed_bytes);
    room /= extents[transposed];
  }
  for (int dim = 0; dim < nest.num_dims && room > 1; ++dim) {
    if (dim == transposed && dim > 0) continue;
    extents[dim] = std::min(nest.extents[dim], room);
    // The extent is rounded down so that tiles of any contiguous result end
    // with a cache line.
    if (extents[dim] < nest.extents[dim] && extents[dim] > kLine) {
      extents[dim] -= extents[dim] % kLine;
    }
    plan->num_dims = std::max(plan->num_dims, dim + 1);
    room /= extents[dim];
    if (extents[dim] < nest.extents[dim]) return;
  }
  if (transposed > 0) {
    extents[transposed] =
        std::min(nest.extents[transposed], extents[transposed] * room);
  }
}

// Returns whether a tile is one contiguous block of the operand.
bool IsPacked(const TilePlan& plan, const NestOperand& operand) {
  int64_t stride = operand.bytes;
  for (int dim = 0; dim < plan.num_dims; ++dim) {
    if (plan.extents[dim] == 1) continue;
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

// Chooses the leading dimensions that form one row: operands that are
// contiguous along the first dimension stay contiguous along these. Returns the
// extent of all of them.
int64_t ChooseRows(TilePlan* plan) {
  const Nest& nest = *plan->nest;
  int64_t row = plan->extents[0];
  int dim = 1;
  for (; dim < plan->num_dims; ++dim) {
    if (plan->extents[dim - 1] != nest.extents[dim - 1]) break;
    bool goes_on = true;
    for (int k = 0; k < nest.num_operands; ++k) {
      const NestOperand& operand = nest.operands[k];
      const int64_t first = operand.strides[0];
      const bool is_copied = first != 0 && first != operand.bytes;
      goes_on &= is_copied || operand.strides[dim] == first * row;
    }
    if (!goes_on) break;
    row *= plan->extents[dim];
  }
  plan->row_dims = dim;
  return row;
}

// Returns whether no call of the function begins within a cache line of the
// first output. Lines that are stored to both past the caches and in part take
// longer than lines that are only stored to.
bool BlocksBeginLines(const TilePlan& plan) {
  const Nest& nest = *plan.nest;
  const NestOperand& first = nest.operands[nest.num_inputs];
  uintptr_t starts = reinterpret_cast<uintptr_t>(first.data);
  for (int dim = 0; dim < nest.num_dims; ++dim) {
    const bool is_row =
        dim >= plan.num_dims || (plan.by_rows && dim >= plan.row_dims);
    const int64_t step = is_row ? 1 : plan.extents[dim];
    if (step == nest.extents[dim]) continue;
    starts |= static_cast<uintptr_t>(first.strides[dim] * step);
  }
  return starts % kLine == 0;
}

}  // namespace

void PlanTiles(const BlockFunction& function, TilePlan* plan) {
  ChooseExtents(function.reads_strided, plan);
  const Nest& nest = *plan->nest;
  const NestOperand& first = nest.operands[nest.num_inputs];
  const auto vectors = static_cast<int64_t>(function.step);
  bool gains = false;
  for (int k = 0; k < nest.num_operands; ++k) {
    const NestOperand& operand = nest.operands[k];
    gains |= operand.strides[0] == operand.bytes && !IsPacked(*plan, operand);
  }
  const int64_t row = ChooseRows(plan);
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
    } else if (plan->reads_strided) {
      plan->access[k] = Access::kStrided;
      plan->reading[k] =
          operand.strides[0] < 0 ? Reading::kReversed : Reading::kEverySecond;
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
