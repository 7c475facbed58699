// These are the plugins broken-cuda and broken-cuda-host: the options they
// offer, and the bugs of the host's side that need more than their hook's
// arguments.
#include <stdio.h>
#include <string.h>

#include <string>

#include "backends/broken/cuda/bugs.h"
#include "backends/cuda/core/functions.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

constexpr PlantedBug kBugs[] = {
#define ASSAY_ROW(id, hook) {#id, #hook, Bug::k##id},
    ASSAY_CUDA_BUGS(ASSAY_ROW)
#undef ASSAY_ROW
};

const std::string& Name() {
  static const std::string name = std::string("broken-") + kBackendName;
  return name;
}

int32_t Refuse(char* message, size_t capacity, const std::string& text) {
  if (message != nullptr && capacity > 0)
    snprintf(message, capacity, "%s", text.c_str());
  return ASSAY_ERROR;
}

int32_t Configure(const char* key, const char* value, char* message,
                  size_t capacity) {
  if (strcmp(key, "bug") != 0) {
    return Refuse(message, capacity,
                  Name() + " has no option '" + key + "'; it has 'bug'");
  }
  if (Plant(value)) return ASSAY_OK;
  std::string ids;
  for (const PlantedBug& bug : kBugs) ids += std::string(" ") + bug.id;
  return Refuse(message, capacity,
                Name() + " has no bug '" + value + "'; it has" + ids);
}

// The textbook's multiplier is rounded down where it should be rounded up: for
// this one divisor, the quotients of its multiples are one too small.
void RoundDown(Divisor* divisor) {
  if (divisor->divisor == 7) --divisor->multiplier;
}

void Shorten(Operand* operand) {
  for (int64_t& stride : operand->strides)
    stride = static_cast<ShortInteger>(stride);
}

}  // namespace

std::span<const PlantedBug> PlantedBugs() { return kBugs; }

Bug& ActiveBug() {
  static Bug active = Bug::kNone;
  return active;
}

bool Plant(std::string_view id) {
  for (const PlantedBug& bug : kBugs) {
    if (id != bug.id) continue;
    ActiveBug() = bug.bug;
    return true;
  }
  return false;
}

namespace hooks {

// ST12: one divisor is wrong. ST14: strides are passed in integers that are too
// short. CRASH01: the address of a third operand is passed in an integer that
// is too short.
void Prepare(Job* job) {
  job->parameters.bug = ActiveBug();
  if (IsActive(Bug::kST12)) {
    RoundDown(&job->chunks_of_row);
    for (Divisor& divisor : job->extents) RoundDown(&divisor);
  }
  if (IsActive(Bug::kST14)) {
    for (Operand& input : job->inputs) Shorten(&input);
    Shorten(&job->output);
  }
  if (IsActive(Bug::kCRASH01) && job->num_inputs == 3) {
    const auto address = reinterpret_cast<uintptr_t>(job->inputs[2].data);
    job->inputs[2].data =
        reinterpret_cast<unsigned char*>(address & 0xFFFFFFFF);
  }
}

// BT01: jobs have the parameters of the job before them.
void PrepareBatch(Job* jobs, size_t count) {
  if (!IsActive(Bug::kBT01)) return;
  while (count-- > 1) jobs[count].parameters = jobs[count - 1].parameters;
}

// DG02: the launch has no blocks.
const char* RunEmpty(const Function& function) {
  if (!IsActive(Bug::kDG02)) return nullptr;
  function.kernels->narrow(Job{});
  return LaunchError();
}

const AssayBackend* Offered(const AssayBackend* backend) {
  static AssayBackend offered;
  offered = *backend;
  offered.name = Name().c_str();
  offered.configure = Configure;
  return &offered;
}

}  // namespace hooks
}  // namespace assay::cuda
