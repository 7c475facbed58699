// A batch runs many small calls in few launches: their jobs are collected, sent
// to the device together and launched kernel by kernel, with a block for each
// job.
//
// Calls of a batch share no memory that one of them writes. The jobs of one
// call follow each other: its n-th job is launched after the (n-1)-th jobs of
// all calls.
#ifndef ASSAY_BACKENDS_CUDA_CORE_BATCH_H_
#define ASSAY_BACKENDS_CUDA_CORE_BATCH_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/cuda/core/functions.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

class Batch {
 public:
  // Returns the batch that the calls of this process now go to, or nullptr if
  // they are launched at once.
  static Batch* Current();

  Batch();
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void BeginCall() { step_ = 0; }
  // Returns whether a job is small enough; a job that is not is launched after
  // a Flush.
  static bool Takes(int64_t elements);
  void Add(const KernelSet& kernels, const Job& job);
  bool is_empty() const { return entries_.empty(); }
  // Launches the jobs that were collected. Returns what went wrong, or nullptr.
  // It is not known which of the calls failed: every later Flush returns the
  // same failure, and RunBatch reports it for the whole batch.
  const char* Flush();

 private:
  struct Entry {
    const KernelSet* kernels;
    int step;    // Its place among the jobs of its call.
    size_t job;  // Its place in jobs_.
  };

  const char* Launch();

  int step_ = 0;
  const char* failure_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<Job> jobs_;
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_BATCH_H_
