// These functions ask a backend for what it declines.
#ifndef ASSAY_FUZZ_CAMPAIGN_LEARN_H_
#define ASSAY_FUZZ_CAMPAIGN_LEARN_H_

#include <atomic>
#include <functional>

#include "backends/host/executor.h"
#include "fuzz/campaign/declined.h"
#include "spec/policy.h"

namespace assay {

struct LearnOptions {
  const Policy* policy = nullptr;
  const std::atomic<bool>* stop = nullptr;
  std::function<void()> on_answer = [] {};
};

// An op whose calls end the process is not called again. If a backend has so
// many such ops, nothing is learnt about it, whichever of them came first.
inline constexpr size_t kMostDeadOps = 8;

// Returns a Declined that learnt nothing if the backend cannot go on.
// Precondition: `generator` outlives the result.
Declined LearnDeclined(Executor* executor, Generator* generator,
                       const LearnOptions& options);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_LEARN_H_
