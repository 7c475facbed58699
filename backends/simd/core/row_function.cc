// A RowFunction handles the parts of a job that are not whole vectors of whole
// lanes.
//
// Tails and heads are copied to buffers of whole vectors, and so are the types
// of less than 8 bits, whose speed does not matter, and the float formats that
// have to be decoded and encoded. Masked loads and stores would save the copies
// on AVX-512 only: elsewhere Highway 1.0.3 emulates those of narrow lanes by
// accesses to the whole vector.
#include "backends/simd/core/row_function.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>

namespace assay::simd {
namespace {

// This many elements go through the buffers at a time. It is a multiple of the
// lanes of every vector.
constexpr size_t kChunk = 512;
constexpr size_t kMaxElementBytes = 16;

// From this many elements on, results begin with a vector even if they are not
// moved past the caches: in place, 16 Mi elements took up to a twentieth longer
// with vectors across two cache lines.
constexpr size_t kLongBlock = 4096;

unsigned char ToLane(unsigned value, int bits, Extend extend) {
  const unsigned sign = 1u << (bits - 1);
  value &= 2 * sign - 1;
  switch (extend) {
    case Extend::kZero:
      break;
    case Extend::kSign:
      value = (value ^ sign) - sign;
      break;
    case Extend::kTop:
      value = (value << (8 - bits)) | (0xFFu >> bits);
      break;
  }
  return static_cast<unsigned char>(value);
}

// Returns how many bytes an element takes in the lanes.
size_t LaneBytes(const Lanes& operand) {
  return operand.format == nullptr ? operand.bytes : sizeof(float);
}

void ToLanes(const Lanes& from, const unsigned char* source, size_t count,
             Extend extend, unsigned char* lanes) {
  if (from.format != nullptr) {
    from.format->decode(source, reinterpret_cast<float*>(lanes), count);
    return;
  }
  if (from.bits >= 8) {
    memcpy(lanes, source, count * from.bytes);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    lanes[i] = ToLane(source[i], from.bits, extend);
  }
}

void FromLanes(const unsigned char* lanes, size_t count, const Lanes& to,
               unsigned char* target) {
  if (to.format != nullptr) {
    to.format->encode(reinterpret_cast<const float*>(lanes), target, count);
    return;
  }
  if (to.bits >= 8) {
    memcpy(target, lanes, count * to.bytes);
    return;
  }
  const unsigned mask = (1u << to.bits) - 1;
  for (size_t i = 0; i < count; ++i) {
    target[i] = static_cast<unsigned char>(lanes[i] & mask);
  }
}

// Returns the distance from one element to the next, in bytes.
int64_t StrideOf(Reading reading, size_t bytes) {
  const auto stride = static_cast<int64_t>(bytes);
  switch (reading) {
    case Reading::kEverySecond:
      return 2 * stride;
    case Reading::kReversed:
      return -stride;
    default:
      return stride;
  }
}

// Gathers elements that are whole lanes.
void Gather(const unsigned char* source, int64_t stride, size_t bytes,
            size_t count, unsigned char* lanes) {
  for (size_t i = 0; i < count; ++i, source += stride) {
    memcpy(lanes + i * bytes, source, bytes);
  }
}

// Returns whether the lanes of the kernel hold the bytes that lie in memory.
bool IsWhole(const Lanes& lanes) {
  return lanes.bits >= 8 && lanes.format == nullptr;
}

}  // namespace

RowFunction::RowFunction(const Job& job) : job_(job) {
  is_buffered_ = !IsWhole(job.out);
  for (int k = 0; k < job.num_inputs; ++k) is_buffered_ |= !IsWhole(job.in[k]);
  // A number of whole vectors can be made of this many elements.
  step = job.vector_bytes * job.out_lanes / LaneBytes(job.out);
  reads_strided =
      !is_buffered_ && job.kernel.strided != nullptr && job.out_lanes == 1;
}

const unsigned char* RowFunction::ElementOf(const Blocks& blocks, int k,
                                            size_t place) const {
  return blocks.in[k] + static_cast<int64_t>(place) *
                            StrideOf(blocks.reading[k], job_.in[k].bytes);
}

// Computes elements [begin, end) in place, which is possible for whole vectors
// of whole lanes only.
void RowFunction::RunDirect(const Blocks& blocks, Loop loop, size_t begin,
                            size_t end) const {
  Block block = {};
  for (int k = 0; k < job_.num_inputs; ++k) {
    block.in[k] = ElementOf(blocks, k, begin);
    block.reading[k] = blocks.reading[k];
  }
  block.out = blocks.out[0] + begin * job_.out.bytes;
  block.count = (end - begin) * job_.out_lanes;
  block.stream = blocks.stream;
  loop(block);
}

void RowFunction::RunBuffered(const Blocks& blocks, Loop loop, size_t begin,
                              size_t end) const {
  alignas(
      kMaxVectorBytes) unsigned char in[kMaxInputs][kChunk * kMaxElementBytes];
  alignas(kMaxVectorBytes) unsigned char out[kChunk * kMaxElementBytes];
  while (begin < end) {
    const size_t count = std::min(kChunk, end - begin);
    const size_t padded = (count + step - 1) & -step;
    Block block = {};
    block.count = padded * job_.out_lanes;
    block.out = out;
    for (int k = 0; k < job_.num_inputs; ++k) {
      const Lanes& from = job_.in[k];
      block.in[k] = in[k];
      if (blocks.reading[k] == Reading::kContiguous) {
        ToLanes(from, ElementOf(blocks, k, begin), count, job_.extend, in[k]);
      } else {
        Gather(ElementOf(blocks, k, begin),
               StrideOf(blocks.reading[k], from.bytes), from.bytes, count,
               in[k]);
      }
      const size_t bytes = LaneBytes(from);
      memset(in[k] + count * bytes, 0, (padded - count) * bytes);
    }
    loop(block);
    FromLanes(out, count, job_.out, blocks.out[0] + begin * job_.out.bytes);
    begin += count;
  }
}

// Computes the last vectors' worth once more, which saves the copies of a
// buffered tail, if its inputs are not replaced by their own results already.
// Where cache lines are on their way past the caches it uses buffers, because
// stores to these lines would have to wait for that.
void RowFunction::RunTail(const Blocks& blocks, size_t tail) const {
  if (tail == blocks.count) return;
  bool in_place = false;
  for (int k = 0; k < job_.num_inputs; ++k) {
    in_place |= blocks.in[k] == blocks.out[0];
  }
  if (in_place || blocks.stream || blocks.count < step) {
    RunBuffered(blocks, job_.kernel.store, tail, blocks.count);
  } else {
    RunDirect(blocks, job_.kernel.store, blocks.count - step, blocks.count);
  }
}

// Returns whether the output can begin with a vector: a complex element may lie
// across any boundary.
bool RowFunction::CanAlign(const Blocks& blocks) const {
  const uintptr_t address = reinterpret_cast<uintptr_t>(blocks.out[0]);
  return address % job_.out.bytes == 0;
}

// Returns the number of elements in front of the first vector of the output.
size_t RowFunction::HeadOf(const Blocks& blocks) const {
  const uintptr_t address = reinterpret_cast<uintptr_t>(blocks.out[0]);
  return std::min(blocks.count, -address % job_.vector_bytes / job_.out.bytes);
}

// The last element of a kEverySecond input has no element behind it that could
// be read along with it, so it is left to the buffers. The buffers go through
// the same loop because another loop may choose the other one of two NaN
// operands.
void RowFunction::RunStrided(Blocks blocks) const {
  const Loop loop = job_.kernel.strided;
  blocks.stream &= CanAlign(blocks);
  const size_t head = blocks.stream ? HeadOf(blocks) : 0;
  RunBuffered(blocks, loop, 0, head);
  size_t whole = blocks.count - head;
  const Reading* first = blocks.reading;
  const Reading* end = first + job_.num_inputs;
  if (whole > 0 && std::find(first, end, Reading::kEverySecond) != end) --whole;
  const size_t tail = head + (whole & -step);
  if (head < tail) RunDirect(blocks, loop, head, tail);
  RunBuffered(blocks, loop, tail, blocks.count);
}

const char* RowFunction::Run(const Blocks& blocks) const {
  const size_t count = blocks.count;
  if (is_buffered_) {
    RunBuffered(blocks, job_.kernel.store, 0, count);
    return nullptr;
  }
  if (blocks.is_padded) {
    RunDirect(blocks, job_.kernel.store, 0, (count + step - 1) & -step);
    return nullptr;
  }
  for (int k = 0; k < job_.num_inputs; ++k) {
    if (blocks.reading[k] == Reading::kContiguous) continue;
    RunStrided(blocks);
    return nullptr;
  }
  const bool can_align = CanAlign(blocks);
  const bool stream = blocks.stream && can_align;
  size_t head = 0;
  if (stream || (can_align && count >= kLongBlock)) {
    head = HeadOf(blocks);
    RunBuffered(blocks, job_.kernel.store, 0, head);
  }
  const size_t tail = head + ((count - head) & -step);
  if (head < tail) {
    RunDirect(blocks, stream ? job_.kernel.stream : job_.kernel.store, head,
              tail);
  }
  RunTail(blocks, tail);
  return nullptr;
}

}  // namespace assay::simd
