// This file implements the ABI of the plugin: its options, among them the
// instruction set, and the dispatch of a call to the code that runs it.
//
// The element-wise ops are not listed here: they are in the tables of rows.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "backends/backend.h"
#include "backends/calls/broadcast.h"
#include "backends/calls/compositions.h"
#include "backends/calls/contraction.h"
#include "backends/calls/key_sort.h"
#include "backends/calls/moves.h"
#include "backends/calls/pointwise.h"
#include "backends/calls/signature.h"
#include "backends/calls/tensors.h"
#include "backends/calls/violations.h"
#include "backends/calls/windows.h"
#include "backends/simd/contraction/contraction.h"
#include "backends/simd/core/bit_moves.h"
#include "backends/simd/core/calls.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/movement/gather.h"
#include "backends/simd/movement/moves.h"
#include "backends/simd/order/sort.h"
#include "backends/simd/pointwise/pointwise.h"
#include "backends/simd/reduction/reduce.h"
#include "backends/simd/reduction/scatter.h"
#include "hwy/highway.h"

namespace assay::simd {
namespace {

struct Message {
  char* text;
  size_t capacity;
};

__attribute__((format(printf, 3, 4))) int32_t Answer(AssayStatus status,
                                                     const Message& message,
                                                     const char* format, ...) {
  if (message.text != nullptr && message.capacity > 0) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, message.capacity, format, arguments);
    va_end(arguments);
  }
  return status;
}

// -------------------------------------------------------------------- Targets

struct NamedTarget {
  const char* name;
  int64_t bit;
};

constexpr NamedTarget kTargets[] = {
    {"sse4", HWY_SSE4}, {"avx2", HWY_AVX2}, {"avx512", HWY_AVX3}};

// The result is kept, because the function executes CPUID, which took 14 us a
// call in a virtual machine.
int64_t SupportedTargets() {
  static const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

// hwy::GetChosenTarget() is not used, because it is shared by all users of
// libhwy.
hwy::ChosenTarget& Target() {
  static hwy::ChosenTarget target;
  if (!target.IsInitialized()) target.Update(SupportedTargets());
  return target;
}

int32_t ConfigureTarget(const char* value, const Message& message) {
  for (const NamedTarget& target : kTargets) {
    if (strcmp(value, target.name) != 0) continue;
    if ((SupportedTargets() & target.bit) == 0) {
      return Answer(ASSAY_ERROR, message, "this processor lacks target '%s'",
                    value);
    }
    Target().Update(target.bit);
    return ASSAY_OK;
  }
  return Answer(ASSAY_ERROR, message,
                "simd has no target '%s'; it has 'sse4', 'avx2', 'avx512'",
                value);
}

// With `flush`, the plugin computes as hardware without subnormals does.
Subnormals g_subnormals = Subnormals::kKeep;

int32_t ConfigureSubnormals(const char* value, const Message& message) {
  if (strcmp(value, "keep") == 0) {
    g_subnormals = Subnormals::kKeep;
  } else if (strcmp(value, "flush") == 0) {
    g_subnormals = Subnormals::kFlush;
  } else {
    return Answer(ASSAY_ERROR, message,
                  "simd cannot '%s' subnormals; it has 'keep' and 'flush'",
                  value);
  }
  return ASSAY_OK;
}

int DefaultThreads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int g_threads = DefaultThreads();

int32_t ConfigureThreads(const char* value, const Message& message) {
  constexpr long kMost = 1024;
  char* end = nullptr;
  const long threads = strtol(value, &end, 10);
  if (end == value || *end != '\0' || threads < 1 || threads > kMost) {
    return Answer(ASSAY_ERROR, message,
                  "simd cannot run in '%s' threads, but in 1 to %ld", value,
                  kMost);
  }
  g_threads = static_cast<int>(threads);
  return ASSAY_OK;
}

int32_t Configure(const char* key, const char* value, char* text,
                  size_t capacity) {
  const Message message = {text, capacity};
  if (strcmp(key, "target") == 0) return ConfigureTarget(value, message);
  if (strcmp(key, "subnormals") == 0) {
    return ConfigureSubnormals(value, message);
  }
  if (strcmp(key, "threads") == 0) return ConfigureThreads(value, message);
  return Answer(
      ASSAY_ERROR, message,
      "simd has no option '%s'; it has 'target', 'subnormals' and 'threads'",
      key);
}

// ----------------------------------------------------------------------- Calls

// Runs a call of an op without functions that does not broadcast.
// Returns what is not implemented, or nullptr after the result is written.
const char* RunWithoutFunction(const AssayCall& call, const Options& options) {
  if (calls::IsMove(call.op)) return RunMoves(call, options);
  if (calls::IsIota(call.op)) return RunIota(call, options);
  if (calls::IsGather(call.op)) return RunGather(call, options);
  if (calls::IsContraction(call.op)) return RunContraction(call, options);
  if (strcmp(call.op, "get_dimension_size") == 0) return RunDimensionSize(call);
  if (!calls::HasOnlyKnownAttributes(call)) return "an attribute or region";
  if (strcmp(call.op, "bitcast_convert") == 0) {
    return RunBitcastConvert(call, options.target, options.threads);
  }
  return RunElementwise(call, options, false);
}

class HostMachine : public calls::Machine {
 public:
  explicit HostMachine(const Options& options) : options_(options) {}
  const char* Run(const AssayCall& call) override {
    return RunWithoutFunction(call, options_);
  }
  void* Memory(size_t bytes) override {
    memory_.emplace_back(std::aligned_alloc(kAlignment, bytes), free);
    return memory_.back().get();
  }
  const char* Read(const AssayTensor& tensor,
                   std::vector<int64_t>* integers) override {
    return calls::ReadHostIntegers(tensor, integers);
  }
  const char* Move(const void* from, const std::vector<int64_t>& from_places,
                   void* to, const std::vector<int64_t>& to_places,
                   size_t bytes) override {
    MoveElements(from, from_places, to, to_places, bytes);
    return nullptr;
  }

 private:
  static constexpr size_t kAlignment = 256;
  const Options& options_;
  std::vector<std::unique_ptr<void, decltype(&free)>> memory_;
};

const char* RunPlain(const AssayCall& call, const Options& options) {
  if (!calls::IsComposition(call.op)) return RunWithoutFunction(call, options);
  if (calls::KeySort sort;
      calls::ReadKeySort(call, &sort) &&
      (options.subnormals == Subnormals::kKeep || !sort.has_equal_zeros))
    return RunKeySort(call, sort, options);
  const char* failure = nullptr;
  if (strcmp(call.op, "scatter") == 0 &&
      RunPlainScatter(call, options, &failure))
    return failure;
  if (strcmp(call.op, "reduce") == 0 && RunPlainReduce(call, options, &failure))
    return failure;
  HostMachine machine(options);
  return calls::RunComposition(call, &machine);
}

int32_t RunCall(const AssayCall* call, char* text, size_t capacity) {
  const Message message = {text, capacity};
  if (SupportedTargets() == 0) {
    return Answer(ASSAY_ERROR, message, "simd needs a processor with SSE4.2");
  }
  if (const char* wrong = calls::CheckTensors(*call))
    return Answer(ASSAY_INVALID, message, "%s: %s", call->op, wrong);
  const Options options = {Target(), g_subnormals, g_threads};
  const bool shifts = calls::IsBroadcastShift(call->op);
  if ((shifts || calls::PointwiseName(call->op) != nullptr) &&
      calls::HasOnlyKnownAttributes(*call)) {
    calls::Complaint complaint;
    const AssayStatus status =
        (shifts ? RunBroadcastShift : RunPointwise)(*call, options, &complaint);
    if (status == ASSAY_OK) return status;
    return Answer(status, message, "%s", complaint.text);
  }
  const char* failure = RunPlain(*call, options);
  if (failure == nullptr) return ASSAY_OK;
  if (calls::IsViolation(*call, failure))
    return Answer(ASSAY_INVALID, message, "%s: %s", call->op, failure);
  return Answer(ASSAY_UNSUPPORTED, message, "%s: %s not implemented", call->op,
                failure);
}

constexpr AssayBackend kBackend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = "simd",
    .version = "0.1.0",
    .device = {kDLCPU, 0},
    .capabilities = ASSAY_VALIDATES_POINTWISE | ASSAY_VALIDATES_MOVEMENT,
    .over_read_bytes = 0,
    .configure = Configure,
    .run = RunCall,
    .run_batch = nullptr,
    .run_program = nullptr,
    .synchronise = nullptr,
    .start = nullptr,
};

}  // namespace
}  // namespace assay::simd

extern "C" __attribute__((visibility("default"))) const AssayBackend*
assay_backend(void) {
  return &assay::simd::kBackend;
}
