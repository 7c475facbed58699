// These bugs are in slices whose start indices are operands, and in sizes of
// dimensions.
#include <string.h>

#include <algorithm>
#include <vector>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/moves.h"
#include "backends/broken/kernel/windows.h"

namespace assay::broken {
namespace {

using Numbers = std::vector<int64_t>;

// Calls the sound hook with other start indices, which are integers of 64 bits.
using ChangeStarts = void (*)(const AssayCall& call, int32_t first,
                              Numbers* starts);
template <ChangeStarts kChange>
const char* WithStarts(const AssayCall& call, calls::Moves* moves) {
  const bool is_update = strcmp(call.op, "dynamic_update_slice") == 0;
  const int32_t first = is_update ? 2 : 1;
  if ((!is_update && strcmp(call.op, "dynamic_slice") != 0) ||
      call.num_inputs <= first ||
      call.num_inputs - first != call.inputs[0].tensor.ndim)
    return MovesOf(call, moves);
  Numbers starts;
  for (int32_t k = first; k < call.num_inputs; ++k) {
    if (const char* missing = ActiveHooks().indices(call.inputs[k], &starts))
      return missing;
  }
  if (starts.size() != static_cast<size_t>(call.num_inputs - first))
    return MovesOf(call, moves);
  kChange(call, first, &starts);
  std::vector<AssayTensor> inputs(call.inputs, call.inputs + call.num_inputs);
  for (int32_t k = first; k < call.num_inputs; ++k) {
    DLTensor& tensor = inputs[static_cast<size_t>(k)].tensor;
    tensor.data = &starts[static_cast<size_t>(k - first)];
    tensor.byte_offset = 0;
    tensor.dtype = {kDLInt, 64, 1};
  }
  AssayCall changed = call;
  changed.inputs = inputs.data();
  return MovesOf(changed, moves);
}

// Returns the last start along a dimension.
int64_t LastOf(const AssayCall& call, int32_t first, size_t d) {
  const int64_t size = call.inputs[0].tensor.shape[d];
  if (first == 2) return size - call.inputs[1].tensor.shape[d];
  return size - call.outputs[0].tensor.shape[d];
}

// IX50.
void BoundIsOfTheIndexType(const AssayCall& call, int32_t first,
                           Numbers* starts) {
  for (size_t d = 0; d < starts->size(); ++d) {
    calls::IntegerType type;
    const AssayTensor& tensor = call.inputs[first + static_cast<int32_t>(d)];
    if (!calls::ReadIntegerType(tensor, &type) || type.bits >= 64) continue;
    const int64_t last = LastOf(call, first, d);
    const int64_t bound = type.is_signed
                              ? SignExtendedFrom(type.bits, last)
                              : last & ((int64_t{1} << type.bits) - 1);
    (*starts)[d] = std::max<int64_t>(std::min((*starts)[d], bound), 0);
  }
}
// IX51.
void StartsChangePlaces(const AssayCall&, int32_t, Numbers* starts) {
  std::ranges::reverse(*starts);
}
// IX52.
void StartsModuloTheSize(const AssayCall& call, int32_t, Numbers* starts) {
  for (size_t d = 0; d < starts->size(); ++d) {
    const int64_t size = call.inputs[0].tensor.shape[d];
    if (size > 0) (*starts)[d] = ((*starts)[d] % size + size) % size;
  }
}
// IX53.
void LastStartIsNotReached(const AssayCall& call, int32_t first,
                           Numbers* starts) {
  for (size_t d = 0; d < starts->size(); ++d) {
    const int64_t last = LastOf(call, first, d);
    if (last > 0) (*starts)[d] = std::min((*starts)[d], last - 1);
  }
}
// IX54.
void NegativeStartsAreFromTheEnd(const AssayCall& call, int32_t,
                                 Numbers* starts) {
  for (size_t d = 0; d < starts->size(); ++d) {
    const int64_t size = call.inputs[0].tensor.shape[d];
    if ((*starts)[d] < 0 && (*starts)[d] >= -size) (*starts)[d] += size;
  }
}
// IX55.
void StartsOutsideAreZero(const AssayCall& call, int32_t first,
                          Numbers* starts) {
  for (size_t d = 0; d < starts->size(); ++d) {
    if ((*starts)[d] > LastOf(call, first, d)) (*starts)[d] = 0;
  }
}

// IX56.
const char* OutsideIsNoUpdate(const AssayCall& call, calls::Moves* moves) {
  const char* missing = MovesOf(call, moves);
  if (missing != nullptr || strcmp(call.op, "dynamic_update_slice") != 0 ||
      moves->copies.size() < 2)
    return missing;
  Numbers starts;
  for (int32_t k = 2; k < call.num_inputs; ++k)
    ActiveHooks().indices(call.inputs[k], &starts);
  for (size_t d = 0; d < starts.size(); ++d) {
    if (starts[d] >= 0 && starts[d] <= LastOf(call, 2, d)) continue;
    moves->copies.pop_back();
    return nullptr;
  }
  return nullptr;
}

// IX60.
int64_t SizeOfTheNextDimension(const AssayCall& call, int64_t dimension) {
  const int64_t rank = call.inputs[0].tensor.ndim;
  return SizeOf(call, (dimension + 1) % rank);
}
// IX61.
int64_t SizeIsAWord(const AssayCall& call, int64_t dimension) {
  return static_cast<int16_t>(SizeOf(call, dimension));
}

constexpr Bug kBugs[] = {
    {"IX50", Replace<&Hooks::moves, WithStarts<BoundIsOfTheIndexType>>},
    {"IX51", Replace<&Hooks::moves, WithStarts<StartsChangePlaces>>},
    {"IX52", Replace<&Hooks::moves, WithStarts<StartsModuloTheSize>>},
    {"IX53", Replace<&Hooks::moves, WithStarts<LastStartIsNotReached>>},
    {"IX54", Replace<&Hooks::moves, WithStarts<NegativeStartsAreFromTheEnd>>},
    {"IX55", Replace<&Hooks::moves, WithStarts<StartsOutsideAreZero>>},
    {"IX56", Replace<&Hooks::moves, OutsideIsNoUpdate>},
    {"IX60", Replace<&Hooks::size, SizeOfTheNextDimension>},
    {"IX61", Replace<&Hooks::size, SizeIsAWord>},
};

}  // namespace

std::span<const Bug> SliceBugs() { return kBugs; }

}  // namespace assay::broken
