#include "backends/cuda/core/batch.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

// A larger job would leave most of the device idle, since a job of a batch has
// one block.
constexpr int64_t kMostElements = 4096;

Batch* g_current = nullptr;

}  // namespace

Batch* Batch::Current() { return g_current; }

Batch::Batch() {
  g_current = this;
  BeginArena();
}

Batch::~Batch() {
  EndArena();
  g_current = nullptr;
}

bool Batch::Takes(int64_t elements) { return elements <= kMostElements; }

void Batch::Add(const KernelSet& kernels, const Job& job) {
  entries_.push_back({&kernels, step_++, jobs_.size()});
  jobs_.push_back(job);
}

const char* Batch::Flush() {
  if (failure_ == nullptr && !entries_.empty()) failure_ = Launch();
  entries_.clear();
  jobs_.clear();
  return failure_;
}

const char* Batch::Launch() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) {
              return std::tie(a.step, a.kernels, a.job) <
                     std::tie(b.step, b.kernels, b.job);
            });
  std::vector<Job> ordered;
  ordered.reserve(entries_.size());
  for (const Entry& entry : entries_) ordered.push_back(jobs_[entry.job]);
  hooks::PrepareBatch(ordered.data(), ordered.size());
  const Job* const jobs = UploadJobs(ordered.data(), ordered.size());
  if (jobs == nullptr) return "no memory on the device for a batch";
  for (size_t begin = 0; begin < entries_.size();) {
    size_t end = begin;
    while (end < entries_.size() &&
           entries_[end].step == entries_[begin].step &&
           entries_[end].kernels == entries_[begin].kernels)
      ++end;
    entries_[begin].kernels->batch(jobs + begin,
                                   static_cast<uint32_t>(end - begin));
    begin = end;
  }
  return LaunchError();
}

}  // namespace assay::cuda
