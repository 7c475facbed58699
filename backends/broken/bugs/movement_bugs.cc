// These bugs are in code that moves data: where vectors begin and end, what is
// read and written, what is left behind.
//
// They are written against hooks of the sound kernel, which does everything
// that the mistake does not concern.
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <cfenv>
#include <csignal>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/functions.h"

namespace assay::broken {
namespace {

// ------------------------------------------------------------------------ Body

// LP03. The other half of the mistake is that the tail starts where it should.
int64_t SkipLastFullVector(const Row& row) {
  for (int64_t i = 0; i + kLanes < row.count; i += kLanes)
    RunLanes(row, i, kLanes, kLanes);
  return row.count - row.count % kLanes;
}

// LP03E.
int64_t LeaveLastFullVectorToTail(const Row& row) {
  int64_t i = 0;
  for (; i + kLanes < row.count; i += kLanes) RunLanes(row, i, kLanes, kLanes);
  return i;
}

// LP04. Below a vector's length the bound is huge.
int64_t BoundWraps(const Row& row) {
  uint64_t i = 0;
  for (; i <= static_cast<uint64_t>(row.count) - kLanes; i += kLanes)
    RunLanes(row, static_cast<int64_t>(i), kLanes, kLanes);
  return static_cast<int64_t>(i);
}

// LP10.
int64_t UnrolledRepeatsAnOffset(const Row& row) {
  int64_t i = 0;
  for (; i + 4 * kLanes <= row.count; i += 4 * kLanes) {
    for (const int vector : {0, 1, 2, 2})
      RunLanes(row, i + vector * kLanes, kLanes, kLanes);
  }
  for (; i + kLanes <= row.count; i += kLanes) RunLanes(row, i, kLanes, kLanes);
  return i;
}

// LP13. The vector instruction takes the count modulo the width; strided rows
// and tails go through sound code.
int64_t VectorsMaskCounts(const Row& row) {
  if (!IsShift(row.job) || row.out.stride != 1 || row.in[0].stride != 1 ||
      row.in[1].stride != 1) {
    return Body(row);
  }
  int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    Inputs in = LoadInputs(row, i, kLanes);
    for (Lane& count : in[1])
      count.bits &= static_cast<uint64_t>(row.job.type.bits - 1);
    StoreResults(row, i, kLanes, ActiveHooks().op(row.job, in));
  }
  return i;
}

// LP16.
int64_t IndexIsAByte(const Row& row) {
  const int64_t vectors = row.count / kLanes;
  for (int64_t v = 0; v < vectors; ++v)
    RunLanes(row, static_cast<uint8_t>(v * kLanes), kLanes, kLanes);
  return vectors * kLanes;
}

// ------------------------------------------------------------------------ Tail

// LP01.
void LongestTailLosesItsLast(const Row& row, int64_t first) {
  const int rest = static_cast<int>(row.count - first);
  const int kept = rest == kLanes - 1 ? rest - 1 : rest;
  if (kept > 0) RunLanes(row, first, kept, kept);
}

// LP06. The last vector overlaps the one before it, but a row that is shorter
// than a vector has no vector before it.
void OverlapWithoutGuard(const Row& row, int64_t first) {
  if (first < row.count) RunLanes(row, row.count - kLanes, kLanes, kLanes);
}

// LP07.
void MaskOfTheOtherLanes(const Row& row, int64_t first) {
  const int rest = static_cast<int>(row.count - first);
  if (rest > 0) RunLanes(row, first, rest, kLanes - rest);
}

// LP09.
void StoresAllLanes(const Row& row, int64_t first) {
  const int rest = static_cast<int>(row.count - first);
  if (rest > 0) RunLanes(row, first, rest, kLanes);
}

// LP12. The C operators run as the processor executes them: operands of less
// than 32 bits are promoted, a count is taken modulo the width, and a quotient
// that does not exist traps.
uint64_t ScalarOperator(const Job& job, const uint64_t* x) {
  const int width = job.type.bits == 64 ? 64 : 32;
  if (IsShift(job)) {
    const uint64_t count = x[1] & static_cast<uint64_t>(width - 1);
    if (job.function == ShiftLeft) return x[0] << count;
    if (job.function == ShiftRightLogical)
      return ZeroExtended(x[0], job.type.bits) >> count;
    return SignExtended(SignExtended(x[0], job.type.bits) >> count,
                        64 - static_cast<int>(count));
  }
  if (job.function == Divide || job.function == Remainder) {
    const uint64_t least = SignExtended(uint64_t{1} << (width - 1), width);
    const bool overflows =
        job.type.is_signed && x[0] == least && x[1] == ~uint64_t{0};
    if (x[1] == 0 || overflows) std::raise(SIGFPE);
  }
  return job.function(job.type, x);
}
void TailIsScalar(const Row& row, int64_t first) {
  if (row.job.function == nullptr) {
    Tail(row, first);
    return;
  }
  for (int64_t i = first; i < row.count; ++i) {
    const Inputs in = LoadInputs(row, i, 1);
    const uint64_t x[kMaxInputs] = {in[0][0].bits, in[1][0].bits,
                                    in[2][0].bits};
    StoreResults(row, i, 1, {Lane{ScalarOperator(row.job, x)}});
  }
}

// MEM05.
void TailOfOneIsForgotten(const Row& row, int64_t first) {
  if (row.count - first != 1) Tail(row, first);
}

// ------------------------------------------------------------------------ Load

// LP15. The instruction that would widen the upper half is missing.
Lanes WidensTheLowerHalf(const Strip& strip, int64_t first, int count) {
  Lanes lanes = Load(strip, first, count);
  if (strip.type.bits == 8 && count == kLanes) {
    for (int i = kLanes / 2; i < kLanes; ++i) lanes[i] = {};
  }
  return lanes;
}

// A read whose result nobody uses is stored here, so that it is not optimized
// away.
volatile uint64_t g_discarded;

// MEM01.
Lanes ReadsInFront(const Strip& strip, int64_t first, int count) {
  g_discarded = ReadElement(strip, first - 1).bits;
  return Load(strip, first, count);
}

// MEM02.
Lanes ReadsWholeVectors(const Strip& strip, int64_t first, int count) {
  for (int i = count; i < kLanes; ++i)
    g_discarded = ReadElement(strip, first + i).bits;
  return Load(strip, first, count);
}

// MEM04.
Lanes UsesInputsAsScratch(const Strip& strip, int64_t first, int count) {
  const Lanes lanes = Load(strip, first, count);
  const uint64_t bits = lanes[0].bits;
  WriteElement(strip, first, {strip.type.is_bool ? bits ^ 1 : ~bits});
  return lanes;
}

// ----------------------------------------------------------------------- Store

// MEM03. The lanes past the end are written with their old contents, so no byte
// changes.
void BlendsPartialVectors(const Strip& strip, int64_t first, int count,
                          const Lanes& lanes) {
  Lanes blended = Load(strip, first, kLanes);
  for (int i = 0; i < count; ++i) blended[i] = lanes[i];
  Store(strip, first, kLanes, blended);
}

// MEM06.
void OnlySetsBits(const Strip& strip, int64_t first, int count,
                  const Lanes& lanes) {
  Lanes merged = Load(strip, first, count);
  for (int i = 0; i < count; ++i) {
    merged[i].bits |= lanes[i].bits;
    merged[i].imaginary |= lanes[i].imaginary;
  }
  Store(strip, first, count, merged);
}

// ----------------------------------------------------------- Walk and dispatch

// HANG01.
void HangsOnThirteen(const Job& job) {
  volatile bool is_stuck = job.rank > 0 && job.shape[job.rank - 1] == 13;
  while (is_stuck) continue;
  Walk(job);
}

// ENV01.
const char* LeavesRoundingUpward(const AssayCall& call, Job* job) {
  std::fesetround(FE_UPWARD);
  return Dispatch(call, job);
}

// ENV02. Results of floats are right: the kernel sets its own flags.
const char* LeavesFlushing(const AssayCall& call, Job* job) {
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  return Dispatch(call, job);
}

constexpr Bug kBugs[] = {
    {"LP01", Replace<&Hooks::tail, LongestTailLosesItsLast>},
    {"LP03", Replace<&Hooks::body, SkipLastFullVector>},
    {"LP03E", Replace<&Hooks::body, LeaveLastFullVectorToTail>},
    {"LP04", Replace<&Hooks::body, BoundWraps>},
    {"LP06", Replace<&Hooks::tail, OverlapWithoutGuard>},
    {"LP07", Replace<&Hooks::tail, MaskOfTheOtherLanes>},
    {"LP09", Replace<&Hooks::tail, StoresAllLanes>},
    {"LP10", Replace<&Hooks::body, UnrolledRepeatsAnOffset>},
    {"LP12", Replace<&Hooks::tail, TailIsScalar>},
    {"LP13", Replace<&Hooks::body, VectorsMaskCounts>},
    {"LP15", Replace<&Hooks::load, WidensTheLowerHalf>},
    {"LP16", Replace<&Hooks::body, IndexIsAByte>},
    {"MEM01", Replace<&Hooks::load, ReadsInFront>},
    {"MEM02", Replace<&Hooks::load, ReadsWholeVectors>},
    {"MEM03", Replace<&Hooks::store, BlendsPartialVectors>},
    {"MEM04", Replace<&Hooks::load, UsesInputsAsScratch>},
    {"MEM05", Replace<&Hooks::tail, TailOfOneIsForgotten>},
    {"MEM06", Replace<&Hooks::store, OnlySetsBits>},
    {"ENV01", Replace<&Hooks::dispatch, LeavesRoundingUpward>},
    {"ENV02", Replace<&Hooks::dispatch, LeavesFlushing>},
    {"HANG01", Replace<&Hooks::walk, HangsOnThirteen>},
};

}  // namespace

std::span<const Bug> MovementBugs() { return kBugs; }

}  // namespace assay::broken
