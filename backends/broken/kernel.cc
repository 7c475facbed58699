// The sound hooks that move data: rows, vectors, tails, elements.
#include "backends/broken/kernel.h"

#include <string.h>

#include "backends/broken/functions.h"

namespace assay::broken {

Hooks SoundHooks() {
  return {Dispatch, Walk, Body, Tail, Load, ApplyFunction, Store};
}

Hooks& ActiveHooks() {
  static Hooks hooks = SoundHooks();
  return hooks;
}

// -------------------------------------------------------------------- Elements

namespace {

size_t PartBytes(const Type& type) {
  return static_cast<size_t>(type.is_complex ? type.bytes / 2 : type.bytes);
}

}  // namespace

unsigned char* ElementAt(const Strip& strip, int64_t position) {
  return strip.data + position * strip.stride * strip.type.bytes;
}

// Little-endian, as the processors are that the ABI's tensors live on.
Lane ReadElement(const Strip& strip, int64_t position) {
  const unsigned char* element = ElementAt(strip, position);
  const size_t part = PartBytes(strip.type);
  Lane lane;
  memcpy(&lane.bits, element, part);
  if (strip.type.is_complex) memcpy(&lane.imaginary, element + part, part);
  lane.bits = strip.type.is_signed ? SignExtended(lane.bits, strip.type.bits)
                                   : ZeroExtended(lane.bits, strip.type.bits);
  return lane;
}

// A lane of i1 must be 0 or 1: the byte is written as it is.
void WriteElement(const Strip& strip, int64_t position, const Lane& lane) {
  unsigned char* element = ElementAt(strip, position);
  const size_t part = PartBytes(strip.type);
  memcpy(element, &lane.bits, part);
  if (strip.type.is_complex) memcpy(element + part, &lane.imaginary, part);
}

Lanes Load(const Strip& strip, int64_t first, int count) {
  Lanes lanes = {};
  for (int i = 0; i < count; ++i) lanes[i] = ReadElement(strip, first + i);
  return lanes;
}

void Store(const Strip& strip, int64_t first, int count, const Lanes& lanes) {
  for (int i = 0; i < count; ++i) WriteElement(strip, first + i, lanes[i]);
}

// --------------------------------------------------------------------- Vectors

Lanes ApplyFunction(const Job& job, const Inputs& in) {
  Lanes out;
  for (int i = 0; i < kLanes; ++i) {
    const Lane x[kMaxInputs] = {in[0][i], in[1][i], in[2][i]};
    const uint64_t bits[kMaxInputs] = {x[0].bits, x[1].bits, x[2].bits};
    out[i] = job.float_function != nullptr ? job.float_function(job, x)
                                           : Lane{job.function(job.type, bits)};
  }
  return out;
}

Inputs LoadInputs(const Row& row, int64_t first, int count) {
  Inputs in = {};
  for (int k = 0; k < row.job.num_inputs; ++k)
    in[k] = ActiveHooks().load(row.in[k], first, count);
  return in;
}

void RunLanes(const Row& row, int64_t first, int count, int stored) {
  const Hooks& hooks = ActiveHooks();
  hooks.store(row.out, first, stored,
              hooks.op(row.job, LoadInputs(row, first, count)));
}

// ------------------------------------------------------------------------ Rows

int64_t Body(const Row& row) {
  int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) RunLanes(row, i, kLanes, kLanes);
  return i;
}

void Tail(const Row& row, int64_t first) {
  const int rest = static_cast<int>(row.count - first);
  if (rest > 0) RunLanes(row, first, rest, rest);
}

void RunRow(const Row& row) {
  const Hooks& hooks = ActiveHooks();
  hooks.tail(row, hooks.body(row));
}

namespace {

int64_t CountElements(const Job& job) {
  int64_t count = 1;
  for (int d = 0; d < job.rank; ++d) count *= job.shape[d];
  return count;
}

// Whether all elements lie `stride` apart, in row-major order.
bool IsOneStrip(const Job& job, const Tensor& tensor, int64_t stride) {
  int64_t expected = stride;
  for (int d = job.rank - 1; d >= 0; --d) {
    if (job.shape[d] == 1) continue;
    if (tensor.strides[d] != expected) return false;
    expected *= job.shape[d];
  }
  return true;
}

// Contiguous, or one element for all.
bool IsOneRow(const Job& job, Row* row) {
  for (int k = 0; k <= job.num_inputs; ++k) {
    const bool is_output = k == job.num_inputs;
    const Tensor& tensor = is_output ? job.out : job.in[k];
    int64_t stride = 1;
    if (!IsOneStrip(job, tensor, 1)) {
      stride = 0;
      if (is_output || !IsOneStrip(job, tensor, 0)) return false;
    }
    (is_output ? row->out : row->in[k]) = {tensor.data, stride, tensor.type};
  }
  return true;
}

Strip StripAt(const Job& job, const Tensor& tensor, const int64_t* index) {
  return {AddressOf(tensor, job.rank - 1, index), tensor.strides[job.rank - 1],
          tensor.type};
}

}  // namespace

unsigned char* AddressOf(const Tensor& tensor, int rank, const int64_t* index) {
  unsigned char* data = tensor.data;
  for (int d = 0; d < rank; ++d)
    data += index[d] * tensor.strides[d] * tensor.type.bytes;
  return data;
}

bool Advance(const Job& job, int rank, int64_t* index) {
  for (int d = rank - 1; d >= 0; --d) {
    if (++index[d] < job.shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

void Walk(const Job& job) {
  const int64_t count = CountElements(job);
  if (count == 0) return;
  if (job.splits_or_joins) {
    WalkParts(job);
    return;
  }
  Row row = {job, {}, {}, count};
  if (IsOneRow(job, &row)) {
    RunRow(row);
    return;
  }
  row.count = job.shape[job.rank - 1];
  int64_t index[kMaxRank] = {};
  do {
    for (int k = 0; k < job.num_inputs; ++k)
      row.in[k] = StripAt(job, job.in[k], index);
    row.out = StripAt(job, job.out, index);
    RunRow(row);
  } while (Advance(job, job.rank - 1, index));
}

}  // namespace assay::broken
