// These are the sound hooks that move data: rows, vectors, tails, elements.
#include "backends/broken/kernel/kernel.h"

#include <string.h>

#include <algorithm>

#include "backends/broken/kernel/batch_norm.h"
#include "backends/broken/kernel/contraction.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/regions.h"
#include "backends/broken/kernel/sliding.h"
#include "backends/broken/kernel/windows.h"
#include "backends/broken/program/program.h"
#include "backends/calls/moves.h"

namespace assay::broken {

Hooks SoundHooks() {
  return {Validate,
          InferDim,
          Dispatch,
          Align,
          calls::ReadHostIntegers,
          ReadWindows,
          Clamped,
          IsInside,
          ApplyHits,
          SizeOf,
          View,
          MovesOf,
          Count,
          Merge,
          Order,
          Walk,
          Body,
          Tail,
          Load,
          ConvertLanes,
          ApplyFunction,
          Store,
          Bind,
          Apply,
          Choose,
          TermsOf,
          Fold,
          Slide,
          Seen,
          Pick,
          Givers,
          Along,
          IsLess,
          Sort,
          ReadContraction,
          Meet,
          Accumulate,
          FeatureOf,
          MembersOf,
          AddUp,
          Variance,
          Normalized,
          Gradient,
          program::KeepProgram};
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

// The elements are little-endian, like the processors that the ABI's tensors
// are on.
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
  const Hooks& hooks = ActiveHooks();
  Inputs in = {};
  for (int k = 0; k < row.job.num_inputs; ++k) {
    in[k] = hooks.convert(row.in[k].type, row.job.takes[k],
                          hooks.load(row.in[k], first, count));
  }
  return in;
}

void StoreResults(const Row& row, int64_t first, int count,
                  const Lanes& lanes) {
  const Hooks& hooks = ActiveHooks();
  hooks.store(row.out, first, count,
              hooks.convert(row.job.gives, row.out.type, lanes));
}

void RunLanes(const Row& row, int64_t first, int count, int stored) {
  StoreResults(row, first, stored,
               ActiveHooks().op(row.job, LoadInputs(row, first, count)));
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

namespace {

Strip StripAt(const Job& job, const Tensor& tensor, const int64_t* index) {
  if (job.rank == 0) return {tensor.data, 1, tensor.type};
  return {AddressOf(tensor, job.rank - 1, index), tensor.strides[job.rank - 1],
          tensor.type};
}

bool IsEmpty(const Job& job) {
  return std::find(job.shape, job.shape + job.rank, 0) != job.shape + job.rank;
}

}  // namespace

void Walk(const Job& job) {
  if (IsEmpty(job)) return;
  if (job.splits_or_joins) {
    WalkParts(job);
    return;
  }
  Row row = {job, {}, {}, job.rank == 0 ? 1 : job.shape[job.rank - 1]};
  int64_t index[kMaxRank] = {};
  do {
    for (int k = 0; k < job.num_inputs; ++k)
      row.in[k] = StripAt(job, job.in[k], index);
    row.out = StripAt(job, job.out, index);
    RunRow(row);
  } while (Advance(job, job.rank - 1, index));
}

void MoveFrom(const Tensor& from, Job* job) {
  job->function = nullptr;
  job->float_function = MoveElement;
  job->type = job->takes[0] = job->gives = from.type;
  job->num_inputs = 1;
  job->in[0] = from;
}

void RunJob(Job job) {
  const Hooks& hooks = ActiveHooks();
  // The strides of an empty tensor may be anything and must not even be
  // compared.
  if (!job.splits_or_joins && !IsEmpty(job)) {
    hooks.merge(&job);
    hooks.order(&job);
  }
  hooks.walk(job);
}

void RunTogether(const std::vector<Job>& jobs) {
  std::vector<std::vector<unsigned char>> results;
  std::vector<Job> moves;
  for (const Job& job : jobs) {
    Tensor result = {nullptr, {}, job.out.type};
    int64_t count = 1;
    for (int d = job.rank; d-- > 0; count *= job.shape[d])
      result.strides[d] = count;
    results.emplace_back(static_cast<size_t>(count * result.type.bytes));
    result.data = results.back().data();
    MoveFrom(result, &moves.emplace_back(job));
    Job computation = job;
    computation.out = result;
    RunJob(computation);
  }
  for (const Job& move : moves) RunJob(move);
}

}  // namespace assay::broken
