// A campaign of engine 1 judges the cases of a seed from an index on, on one
// backend by several processes.
//
// Each process takes the next block of indices and judges them with an executor
// of its own: in itself, or in a worker. The slot that it judges is written to
// memory that it shares with this process. So whatever ends it, a plugin in it
// or the oracle, is a finding at an index that is known, and another process
// goes on behind it.
//
// A process takes slots, each of which stands for the case of an index: of the
// same index, unless the backend declines that case (declined.h).
//
// For a seed and a count, the findings do not depend on the number of
// processes: of every signature the one with the least index is kept.
#ifndef ASSAY_FUZZ_CAMPAIGN_CAMPAIGN_H_
#define ASSAY_FUZZ_CAMPAIGN_CAMPAIGN_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "backends/host/open.h"
#include "fuzz/campaign/declined.h"
#include "fuzz/campaign/finding.h"
#include "fuzz/draw/draw.h"
#include "spec/policy.h"

namespace assay {

struct CampaignOptions {
  std::string backend;  // as of `assay run`; "spec": the constraints themselves
  OpenOptions open;
  const Policy* policy = nullptr;
  uint64_t seed = 0;
  uint64_t first = 0;
  std::optional<uint64_t> count;  // cases; none: until the time is over
  std::optional<std::chrono::milliseconds> time;
  int jobs = 1;
  // One in so many cases has a run B, because what that shows does not depend
  // on values.
  int run_b_every = 8;
  // The campaign ends behind so many findings of different signatures.
  std::optional<size_t> most_findings;
  const Declined* declined = nullptr;  // nullptr: nothing was learnt
  // Set from outside. The campaign ends in a moment, without the blocks that
  // do not.
  const std::atomic<bool>* stop = nullptr;
  // Tests have the drawing of a case fail or take long.
  std::function<void(uint64_t slot)> before_case = nullptr;
};

// The signature of a finding that names no case: the process ended in a block
// that was judged to its end when it was judged again.
inline constexpr char kEndedOnce[] = "process ended, not again";
// The signature of a finding in assay itself, which ended while it drew a case.
inline constexpr char kNotDrawn[] = "the case cannot be drawn";

struct CampaignState {
  uint64_t next = 0;         // every slot below it was judged
  uint64_t judged = 0;       // cases of this run of the campaign
  uint64_t turned_away = 0;  // draws, as the backend declines them
  // Elements of results that were judged, and those of them that were accepted
  // unseen, as in a Verdict.
  uint64_t elements = 0, open = 0;
  std::map<Outcome, uint64_t> outcomes;
  std::map<std::string, Finding> findings;  // by signature
  int deaths = 0;                           // of processes that judged
};

class Campaign {
 public:
  // A block is what a process takes at once.
  static constexpr uint64_t kBlock = 512;

  // `generator` must outlive the campaign.
  Campaign(const CampaignOptions& options, Generator* generator);

  // Judges from `state` on. `on_finding` is called for every finding that is
  // new or has a lesser index than the one of its signature; `on_progress`
  // several times a second. Throws BackendError if the backend does not start,
  // or cannot go on.
  void Run(CampaignState* state,
           const std::function<void(const Finding&)>& on_finding,
           const std::function<void(const CampaignState&)>& on_progress);

 private:
  const CampaignOptions& options_;
  Generator* generator_;
};

// Returns the case of a slot.
Declined::Turned CaseAt(const CampaignOptions& options, Generator* generator,
                        uint64_t slot);

// Returns the verdict on the case of an index.
Verdict JudgeIndex(const CampaignOptions& options, Generator* generator,
                   Executor* executor, uint64_t index);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_CAMPAIGN_H_
