// These bugs are at the ends of rows and in the state of the processor: reads
// that are one element too far, wrong addresses, and tails or targets whose
// code differs from that of the loop.
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <csignal>
#include <cstring>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/pointwise.h"
#include "backends/broken/kernel/real_functions.h"
#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

volatile uint64_t g_unused;

// -------------------------------------------------------------- View, dispatch

// ME05.
Tensor OffsetCountsTwice(const DLTensor& operand, const int* dimensions,
                         const Job& job, bool is_output) {
  DLTensor moved = operand;
  moved.byte_offset *= 2;
  return View(moved, dimensions, job, is_output);
}

// LY02.
Tensor InputsHaveNoOffset(const DLTensor& operand, const int* dimensions,
                          const Job& job, bool is_output) {
  DLTensor moved = operand;
  if (!is_output) moved.byte_offset = 0;
  return View(moved, dimensions, job, is_output);
}

// SS02. Conversions of floats to integers need the mode, and leave it set.
const char* LeavesRoundingTowardZero(const AssayCall& call, Job* job) {
  const char* missing = Dispatch(call, job);
  if (missing == nullptr && strcmp(call.op, "convert") == 0 &&
      job->type.format != nullptr && IsInteger(job->gives)) {
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | _MM_ROUND_TOWARD_ZERO);
#else
    std::fesetround(FE_TOWARDZERO);
#endif
  }
  return missing;
}

// ------------------------------------------------------------------------ Load

// ME01. An aligned load traps at an unaligned address.
Lanes LoadsAligned(const Strip& strip, int64_t first, int count) {
  const auto vector = static_cast<size_t>(kLanes * strip.type.bytes);
  const size_t alignment = vector < 16 ? vector : 16;
  const auto address = reinterpret_cast<uintptr_t>(ElementAt(strip, first));
  if (count == kLanes && strip.stride == 1 && address % alignment != 0)
    std::raise(SIGBUS);
  return Load(strip, first, count);
}

// LY05. The elements of a strided row are gathered, the first one from the
// place before it.
Lanes GathersFromOneBefore(const Strip& strip, int64_t first, int count) {
  Lanes lanes = Load(strip, first, count);
  if (first == 0 && count == kLanes && strip.stride != 1)
    lanes[0] = ReadElement(strip, -1);
  return lanes;
}

// ------------------------------------------------------------------------ Body

// SS03. Long rows run on a target of sixteen lanes, where LP03 was not fixed.
int64_t LongRowsRunOldCode(const Row& row) {
  constexpr int64_t kWide = 2 * kLanes;
  if (row.count < 8 * kWide) return Body(row);
  int64_t i = 0;
  for (; i + kWide < row.count; i += kWide) {
    RunLanes(row, i, kLanes, kLanes);
    RunLanes(row, i + kLanes, kLanes, kLanes);
  }
  if (row.count % kWide == 0) return row.count;
  for (; i + kLanes <= row.count; i += kLanes) RunLanes(row, i, kLanes, kLanes);
  return i;
}

// ------------------------------------------------------------------------ Tail

// LY03.
void ReadsOneBehindTheRow(const Row& row, int64_t first) {
  Tail(row, first);
  for (int k = 0; first < row.count && k < row.job.num_inputs; ++k)
    g_unused = ReadElement(row.in[k], row.count).bits;
}

// LY04.
void LastIsOneBehindTheRow(const Row& row, int64_t first) {
  Tail(row, first);
  if (first == row.count) return;
  StoreResults(row, row.count - 1, 1,
               ActiveHooks().op(row.job, LoadInputs(row, row.count, 1)));
}

// In the calls for which `applies` returns true, the tail computes kOther
// instead.
template <FloatFunction kOther, typename Applies>
void TailInstead(const Row& row, int64_t first, Applies applies) {
  Job other = row.job;
  if (applies(row.job)) other.float_function = kOther;
  Row changed = {other, {}, row.out, row.count};
  std::copy_n(row.in, kMaxInputs, changed.in);
  Tail(changed, first);
}

// LY06. x + y * alpha is rounded once.
uint64_t AddScaledFused(const Type& type, const uint64_t* x) {
  const Format& format = *type.format;
  return FromDouble(format,
                    std::fma(ToDouble(format, x[1]), ToDouble(format, x[2]),
                             ToDouble(format, x[0])));
}
void TailIsContracted(const Row& row, int64_t first) {
  TailInstead<EachPart<AddScaledFused>>(row, first, [](const Job& job) {
    return job.float_function == FindComposite("add_func", 0)->real;
  });
}

// LY07. The result is rounded toward zero, which is off by less than a unit in
// the last place.
uint64_t ExponentialTruncated(const Type& type, const uint64_t* x) {
  const Format& format = *type.format;
  const double result = std::exp(ToDouble(format, x[0]));
  const uint64_t nearest = ExponentialFloat(type, x);
  const double rounded = ToDouble(format, nearest);
  return std::isfinite(rounded) && rounded > result ? nearest - 1 : nearest;
}
void TailTruncates(const Row& row, int64_t first) {
  TailInstead<EachPart<ExponentialTruncated>>(row, first, [](const Job& job) {
    return job.float_function == &EachPart<ExponentialFloat> &&
           IsSameType(job.type, FloatType(32));
  });
}

constexpr Bug kBugs[] = {
    {"ME01", Replace<&Hooks::load, LoadsAligned>},
    {"ME05", Replace<&Hooks::view, OffsetCountsTwice>},
    {"SS02", Replace<&Hooks::dispatch, LeavesRoundingTowardZero>},
    {"SS03", Replace<&Hooks::body, LongRowsRunOldCode>},
    {"LY02", Replace<&Hooks::view, InputsHaveNoOffset>},
    {"LY03", Replace<&Hooks::tail, ReadsOneBehindTheRow>},
    {"LY04", Replace<&Hooks::tail, LastIsOneBehindTheRow>},
    {"LY05", Replace<&Hooks::load, GathersFromOneBefore>},
    {"LY06", Replace<&Hooks::tail, TailIsContracted>},
    {"LY07", Replace<&Hooks::tail, TailTruncates>},
};

}  // namespace

std::span<const Bug> AccessBugs() { return kBugs; }

}  // namespace assay::broken
