// A thread is started for each part of a call and ends with it: work that is
// shared among threads takes milliseconds, starting a thread takes
// microseconds.
#include "backends/simd/core/run_nest.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "backends/simd/core/copy.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/core/tiles.h"
#include "hwy/cache_control.h"

namespace assay::simd {
namespace {

constexpr int64_t kLine = 64;
constexpr int64_t kStreamedRow = 1024;

int64_t CountElements(const Nest& nest) {
  int64_t count = 1;
  for (int dim = 0; dim < nest.num_dims; ++dim) count *= nest.extents[dim];
  return count;
}

const NestOperand& FirstOutput(const Nest& nest) {
  return nest.operands[nest.num_inputs];
}

// A call in place is not streamed, since the lines to be written are in the
// caches already.
bool IsStreamed(const Nest& nest, int64_t count) {
  for (int k = 0; k < nest.num_inputs; ++k) {
    for (int o = nest.num_inputs; o < nest.num_operands; ++o) {
      if (nest.operands[k].data == nest.operands[o].data) return false;
    }
  }
  return count * FirstOutput(nest).bytes >= kStreamBytes;
}

// Returns the outermost dimension that has some of its extent for every part.
int SplitDim(const Nest& nest, int64_t parts) {
  int longest = nest.num_dims - 1;
  for (int dim = nest.num_dims - 1; dim >= 0; --dim) {
    if (nest.extents[dim] >= 4 * parts) return dim;
    if (nest.extents[dim] > nest.extents[longest]) longest = dim;
  }
  return longest;
}

// Returns where a part begins: if possible, with a cache line of the output.
int64_t Boundary(const Nest& nest, int dim, int64_t part, int64_t parts) {
  const int64_t extent = nest.extents[dim];
  if (part == 0 || part == parts) return part == 0 ? 0 : extent;
  const int64_t even = extent / parts * part;
  const NestOperand& output = FirstOutput(nest);
  if (output.strides[dim] != output.bytes) return even;
  const auto address = reinterpret_cast<uintptr_t>(output.data);
  const auto in_line = static_cast<int64_t>(
      (address + static_cast<uintptr_t>(even * output.bytes)) % kLine);
  return std::max<int64_t>(0, even - in_line / output.bytes);
}

// Returns whether there is nothing to plan. Calls of few elements are mostly of
// this kind.
bool IsOneBlock(const Nest& nest) {
  if (nest.num_dims != 1) return false;
  for (int k = 0; k < nest.num_operands; ++k) {
    if (nest.operands[k].strides[0] != nest.operands[k].bytes) return false;
  }
  return true;
}

const char* RunBlock(const Nest& nest, const BlockFunction& function,
                     bool stream) {
  Blocks blocks = {};
  blocks.count = static_cast<size_t>(nest.extents[0]);
  blocks.stream = stream;
  for (int k = 0; k < nest.num_operands; ++k) {
    if (k < nest.num_inputs) {
      blocks.in[k] = nest.operands[k].data;
    } else {
      blocks.out[k - nest.num_inputs] = nest.operands[k].data;
    }
  }
  const char* failure = function.Run(blocks);
  if (stream) hwy::FlushStream();
  return failure;
}

const char* RunAligned(const Nest& nest, const BlockFunction& function,
                       const Copies& copies, bool stream) {
  if (IsOneBlock(nest)) return RunBlock(nest, function, stream);
  TilePlan plan;
  plan.nest = &nest;
  plan.stream = stream;
  PlanTiles(function, &plan);
  return RunTiles(plan, copies, function);
}

// Tiles that are moved past the caches have to begin with a cache line. The
// elements before the first line are computed by themselves, where rows are so
// long that this leaves them whole.
const char* RunPart(const Nest& nest, const BlockFunction& function,
                    const Copies& copies, bool stream) {
  const Environment environment(function.subnormals);
  const NestOperand& output = FirstOutput(nest);
  const auto in_line =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(output.data) % kLine);
  const int64_t head = (kLine - in_line) / output.bytes;
  if (!stream || in_line == 0 || output.strides[0] != output.bytes ||
      nest.extents[0] < kStreamedRow) {
    return RunAligned(nest, function, copies, stream);
  }
  const auto part = std::make_unique<Nest>();
  Slice(nest, 0, 0, head, part.get());
  const char* failure = RunAligned(*part, function, copies, false);
  if (failure != nullptr) return failure;
  Slice(nest, 0, head, nest.extents[0], part.get());
  return RunAligned(*part, function, copies, true);
}

const char* RunParts(const Nest& nest, const BlockFunction& function,
                     const Copies& copies, bool stream, int64_t parts) {
  const int dim = SplitDim(nest, parts);
  std::atomic<const char*> failure = nullptr;
  const auto run = [&](int64_t part) {
    const int64_t begin = Boundary(nest, dim, part, parts);
    const int64_t end = Boundary(nest, dim, part + 1, parts);
    if (begin == end) return;
    const auto slice = std::make_unique<Nest>();
    Slice(nest, dim, begin, end, slice.get());
    const char* what = RunPart(*slice, function, copies, stream);
    if (what != nullptr) failure = what;
  };
  RunInThreads(parts, run);
  return failure;
}

}  // namespace

const char* RunNest(const Nest& nest, const BlockFunction& function,
                    const hwy::ChosenTarget& target, int threads) {
  const int64_t count = CountElements(nest);
  const bool stream = IsStreamed(nest, count);
  const Copies& copies = CopyTable(target);
  if (threads > 1 && count >= kThreadedElements) {
    const int64_t parts =
        std::min<int64_t>(threads, count / (kThreadedElements / 2));
    return RunParts(nest, function, copies, stream, parts);
  }
  return RunPart(nest, function, copies, stream);
}

}  // namespace assay::simd
