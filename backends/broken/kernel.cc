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

unsigned char* ElementAt(const Strip& strip, int64_t position) {
  return strip.data + position * strip.stride * strip.type.bytes;
}

// Little-endian, as the processors are that the ABI's tensors live on.
uint64_t ReadElement(const Strip& strip, int64_t position) {
  uint64_t bits = 0;
  memcpy(&bits, ElementAt(strip, position),
         static_cast<size_t>(strip.type.bytes));
  return strip.type.is_signed ? SignExtended(bits, strip.type.bits)
                              : ZeroExtended(bits, strip.type.bits);
}

// A lane of i1 must be 0 or 1: the byte is written as it is.
void WriteElement(const Strip& strip, int64_t position, uint64_t lane) {
  memcpy(ElementAt(strip, position), &lane,
         static_cast<size_t>(strip.type.bytes));
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
    const uint64_t x[kMaxInputs] = {in[0][i], in[1][i], in[2][i]};
    out[i] = job.function(job.type, x);
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
  unsigned char* data = tensor.data;
  for (int d = 0; d < job.rank - 1; ++d)
    data += index[d] * tensor.strides[d] * tensor.type.bytes;
  return {data, tensor.strides[job.rank - 1], tensor.type};
}

// The next index of all dimensions but the innermost.
bool Advance(const Job& job, int64_t* index) {
  for (int d = job.rank - 2; d >= 0; --d) {
    if (++index[d] < job.shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace

void Walk(const Job& job) {
  const int64_t count = CountElements(job);
  if (count == 0) return;
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
  } while (Advance(job, index));
}

}  // namespace assay::broken
