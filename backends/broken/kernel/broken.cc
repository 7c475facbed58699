// This file implements the plugin's ABI: the option that plants a bug, and the
// calls and programs.
#include <fenv.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/batch_norm.h"
#include "backends/broken/kernel/broadcast.h"
#include "backends/broken/kernel/contraction.h"
#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/moves.h"
#include "backends/broken/kernel/regions.h"
#include "backends/broken/kernel/windows.h"
#include "backends/broken/program/run_program.h"
#include "backends/calls/contraction.h"
#include "backends/calls/moves.h"

namespace assay::broken {

// The table of the plugin, which rests on the bug that is planted.
extern AssayBackend g_backend;

bool Plant(std::string_view id) {
  for (const auto bugs : AllBugs()) {
    for (const Bug& bug : bugs) {
      if (id != bug.id) continue;
      ActiveHooks() = SoundHooks();
      bug.plant(&ActiveHooks());
      return true;
    }
  }
  return false;
}

namespace {

int32_t Answer(AssayStatus status, char* message, size_t capacity,
               const std::string& text) {
  if (message != nullptr && capacity > 0)
    snprintf(message, capacity, "%s", text.c_str());
  return status;
}

std::string Ids() {
  std::string ids;
  for (const auto bugs : AllBugs()) {
    for (const Bug& bug : bugs)
      ids += std::string(ids.empty() ? "" : " ") + bug.id;
  }
  return ids;
}

int32_t Configure(const char* key, const char* value, char* message,
                  size_t capacity) {
  if (strcmp(key, "bug") != 0) {
    return Answer(
        ASSAY_ERROR, message, capacity,
        "broken has no option '" + std::string(key) + "'; it has 'bug'");
  }
  if (Plant(value)) {
    // A bug of one op is looked for op by op alone.
    const bool is_of_programs = ActiveHooks().simplify != SoundHooks().simplify;
    g_backend.run_program = is_of_programs ? program::RunProgram : nullptr;
    return ASSAY_OK;
  }
  return Answer(
      ASSAY_ERROR, message, capacity,
      "broken has no bug '" + std::string(value) + "'; it has " + Ids());
}

// While a CleanEnvironment exists, the floating-point environment is the
// default one. Its destructor restores the caller's environment with the status
// flags that it had.
class CleanEnvironment {
 public:
  CleanEnvironment() {
    fegetenv(&saved_);
    fesetenv(FE_DFL_ENV);
#if defined(__SSE__)
    // fesetenv does not change the mask of the one exception that C does not
    // know, that for denormal operands.
    _mm_setcsr(0x1f80);
#endif
  }
  ~CleanEnvironment() { fesetenv(&saved_); }
  CleanEnvironment(const CleanEnvironment&) = delete;
  CleanEnvironment& operator=(const CleanEnvironment&) = delete;

 private:
  fenv_t saved_;
};

// Returns whether the call is in place and elements move: one of them might
// then overwrite another that is yet to be read.
bool MovesInPlace(const AssayCall& call) {
  calls::Moves moves;
  return IsBroadcastInDim(call) && calls::ReadMoves(call, &moves) == nullptr &&
         moves.between_bytes > 0;
}

// Runs a call whose outputs are computed element by element. Returns what is
// not implemented, or nullptr.
const char* RunOutputs(const AssayCall& call, bool* is_declined) {
  std::vector<Job> jobs(static_cast<size_t>(std::max(call.num_outputs, 1)));
  for (Job& job : jobs) {
    job.output = static_cast<int>(&job - jobs.data());
    job.is_declined = is_declined;
    if (const char* missing = ActiveHooks().dispatch(call, &job))
      return missing;
  }
  const CleanEnvironment environment;
  if (jobs.size() == 1 && !MovesInPlace(call))
    RunJob(jobs[0]);
  else
    RunTogether(jobs);
  return nullptr;
}

}  // namespace

const char* RunOp(const AssayCall& call, bool* is_declined) {
  if (IsMoveOrIota(call)) return RunMoves(call);
  if (calls::IsGather(call.op)) return RunGather(call);
  if (IsDimensionSize(call)) return RunDimensionSize(call);
  if (calls::IsContraction(call.op)) {
    const CleanEnvironment environment;
    return RunContraction(call);
  }
  return RunOutputs(call, is_declined);
}

int32_t AnswerCall(const AssayCall* call, char* message, size_t capacity) {
  const std::string op = call->op;
  const std::string violation = ActiveHooks().validate(*call);
  if (!violation.empty())
    return Answer(ASSAY_INVALID, message, capacity, op + ": " + violation);
  bool is_declined = false;
  const auto run = NumGroups(call->op) > 0 ? RunWithFunction
                   : IsBatchNorm(call->op) ? RunBatchNorm
                                           : RunOp;
  const char* const missing = run(*call, &is_declined);
  if (missing != nullptr) {
    return Answer(ASSAY_UNSUPPORTED, message, capacity,
                  op + ": " + missing + " not implemented");
  }
  if (!is_declined) return ASSAY_OK;
  return Answer(ASSAY_UNSUPPORTED, message, capacity,
                op + ": too great an operand");
}

AssayBackend g_backend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = "broken",
    .version = "0.1.0",
    .device = {kDLCPU, 0},
    .capabilities = ASSAY_VALIDATES_POINTWISE | ASSAY_READS_FUNCTIONS,
    .over_read_bytes = 0,
    .configure = Configure,
    .run = AnswerCall,
    .run_batch = nullptr,
    .run_program = program::RunProgram,
    .synchronise = nullptr,
    .start = nullptr,
};

}  // namespace assay::broken

extern "C" __attribute__((visibility("default"))) const AssayBackend*
assay_backend(void) {
  return &assay::broken::g_backend;
}
