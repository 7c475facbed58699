// The parts of a job that are not whole vectors of whole lanes.
//
// Tails and heads are copied to buffers of whole vectors, and so are the types
// of less than 8 bits, whose speed does not matter, and the float formats that
// have to be decoded and encoded. Masked loads and stores would save
// the copies on AVX-512 only: elsewhere Highway 1.0.3 emulates those of narrow
// lanes by accesses to the whole vector.
#include "backends/simd/driver.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>

#include "hwy/cache_control.h"

namespace assay::simd {
namespace {

// Elements that go through the buffers at a time: a multiple of every vector.
constexpr size_t kChunk = 512;
constexpr size_t kMaxElementBytes = 16;

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

// The bytes that an element takes in the lanes.
size_t LaneBytes(const Operand& operand) {
  return operand.format == nullptr ? operand.bytes : sizeof(float);
}

void ToLanes(const Operand& from, size_t begin, size_t count, Extend extend,
             unsigned char* lanes) {
  const unsigned char* source = from.data + begin * from.bytes;
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

void FromLanes(const unsigned char* lanes, size_t begin, size_t count,
               const Operand& to) {
  unsigned char* target = to.data + begin * to.bytes;
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

// A vector's worth of each scalar operand.
struct Scalars {
  alignas(kMaxVectorBytes) unsigned char lanes[kMaxInputs][kMaxVectorBytes];
};

void Broadcast(const Job& job, Scalars* scalars) {
  for (int k = 0; k < job.num_inputs; ++k) {
    if (!job.in[k].is_scalar) continue;
    const size_t bytes = LaneBytes(job.in[k]);
    unsigned char* lanes = scalars->lanes[k];
    ToLanes(job.in[k], 0, 1, job.extend, lanes);
    for (size_t i = bytes; i < kMaxVectorBytes; ++i)
      lanes[i] = lanes[i - bytes];
  }
}

// Elements [begin, end) in place: only for whole vectors of whole lanes.
void RunDirect(const Job& job, const Scalars& scalars, Loop loop, size_t begin,
               size_t end) {
  Block block = {};
  for (int k = 0; k < job.num_inputs; ++k) {
    const Operand& in = job.in[k];
    block.stride[k] = in.is_scalar ? 0 : 1;
    block.in[k] = in.is_scalar ? scalars.lanes[k] : in.data + begin * in.bytes;
  }
  block.out = job.out.data + begin * job.out.bytes;
  block.count = (end - begin) * job.out_lanes;
  loop(block);
}

// Elements of which a number of whole vectors can be made.
size_t Step(const Job& job) {
  return job.vector_bytes * job.out_lanes / LaneBytes(job.out);
}

void RunBuffered(const Job& job, const Scalars& scalars, size_t begin,
                 size_t end) {
  alignas(
      kMaxVectorBytes) unsigned char in[kMaxInputs][kChunk * kMaxElementBytes];
  alignas(kMaxVectorBytes) unsigned char out[kChunk * kMaxElementBytes];
  const size_t step = Step(job);
  while (begin < end) {
    const size_t count = std::min(kChunk, end - begin);
    const size_t padded = (count + step - 1) / step * step;
    Block block = {};
    block.count = padded * job.out_lanes;
    block.out = out;
    for (int k = 0; k < job.num_inputs; ++k) {
      const Operand& from = job.in[k];
      block.stride[k] = from.is_scalar ? 0 : 1;
      block.in[k] = from.is_scalar ? scalars.lanes[k] : in[k];
      if (from.is_scalar) continue;
      ToLanes(from, begin, count, job.extend, in[k]);
      const size_t bytes = LaneBytes(from);
      memset(in[k] + count * bytes, 0, (padded - count) * bytes);
    }
    job.kernel.store(block);
    FromLanes(out, begin, count, job.out);
    begin += count;
  }
}

// Whether the lanes of the kernel are what lies in memory.
bool IsWhole(const Operand& operand) {
  return operand.bits >= 8 && operand.format == nullptr;
}

}  // namespace

void Run(const Job& job) {
  Scalars scalars;
  Broadcast(job, &scalars);
  bool buffered = !IsWhole(job.out);
  for (int k = 0; k < job.num_inputs; ++k) buffered |= !IsWhole(job.in[k]);
  if (buffered) {
    RunBuffered(job, scalars, 0, job.count);
    return;
  }
  const size_t step = Step(job);
  const uintptr_t address = reinterpret_cast<uintptr_t>(job.out.data);
  // A complex element may lie across any boundary.
  const bool stream =
      job.count * job.out.bytes >= kStreamBytes && address % job.out.bytes == 0;
  size_t head = 0;
  if (stream) {
    head = (-address % job.vector_bytes) / job.out.bytes;
    RunBuffered(job, scalars, 0, head);
  }
  const size_t tail = head + (job.count - head) / step * step;
  if (stream) {
    RunDirect(job, scalars, job.kernel.stream, head, tail);
    hwy::FlushStream();
  } else {
    RunDirect(job, scalars, job.kernel.store, head, tail);
  }
  RunBuffered(job, scalars, tail, job.count);
}

}  // namespace assay::simd
