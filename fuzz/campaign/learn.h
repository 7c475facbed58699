// Asks a backend for what it declines.
#ifndef ASSAY_FUZZ_CAMPAIGN_LEARN_H_
#define ASSAY_FUZZ_CAMPAIGN_LEARN_H_

#include <atomic>
#include <functional>

#include "backends/host/executor.h"
#include "fuzz/campaign/declined.h"
#include "spec/policy.h"

namespace assay {

// What is asked for, and how many there are of it.
struct LearnOptions {
  const Policy* policy = nullptr;
  const std::atomic<bool>* stop = nullptr;
  std::function<void()> on_answer = [] {};
};

// An op whose calls end the process is asked for no more; of a backend with so
// many of them nothing is learnt, whichever of them came first.
inline constexpr size_t kMostDeadOps = 8;

// Nothing is learnt of a backend that cannot go on. Precondition: `generator`
// outlives the result.
Declined LearnDeclined(Executor* executor, Generator* generator,
                       const LearnOptions& options);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_LEARN_H_
