// Each process of a campaign runs this code. Private to the campaign.
#ifndef ASSAY_FUZZ_CAMPAIGN_CAMPAIGN_PROCESS_H_
#define ASSAY_FUZZ_CAMPAIGN_CAMPAIGN_PROCESS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>

#include "fuzz/campaign/campaign.h"

namespace assay {

// A ProcessPage lies in memory that all processes of a campaign share.
struct ProcessPage {
  static constexpr uint64_t kNone = UINT64_MAX;
  // So many blocks may be under way at a time. A process does not wait for the
  // last cases of a block, such as programs, whose ops are called one after
  // another.
  static constexpr size_t kMostBlocks = 16;
  std::array<std::atomic<uint64_t>, kMostBlocks> blocks;
  std::atomic<bool> has_many{false};  // cases under way at a time
  // The following are about the present process:
  std::atomic<uint64_t> slot{kNone};   // begun last
  std::atomic<uint64_t> drawn{kNone};  // the last slot whose case is there
  std::atomic<uint64_t> begun{0};      // cases, so that a hang shows
  // As Executor::CountCallsIn has it: a hang of the backend is told from the
  // time that the judge takes.
  std::atomic<uint64_t> calls{0};

  ProcessPage() {
    for (auto& block : blocks) block = kNone;
  }
  std::set<uint64_t> Blocks() const {
    std::set<uint64_t> under_way(blocks.begin(), blocks.end());
    under_way.erase(kNone);
    return under_way;
  }
};
struct CampaignPage {
  static constexpr int kMostJobs = 256;
  std::atomic<uint64_t> next_block{0};
  std::atomic<bool> stop{false};
  ProcessPage jobs[kMostJobs];
};

// A process begins with the blocks that another one died in, without the slots
// that ended it and those that were judged one at a time before. It judges them
// one case at a time, so that the slot in the page is the one that is being
// judged, and reports each: a case that leaves the process broken is not judged
// again.
struct ProcessStart {
  std::set<uint64_t> blocks;
  std::set<uint64_t> skipped;
  int blamed = 0;  // of those, slots that ended a process
};

// Judges blocks until there are none, or the campaign stops. Writes lines to
// `fd`:
//   {"kind": "finding", ..}                         at once
//   {"kind": "judged", "slot": 7, "outcome": ..}     for each slot judged alone
//   {"kind": "block", "block": 7, "outcomes": {..}}  for the others
//   {"kind": "error", "message": ..}    the backend cannot go on
//   {"kind": "lost", "message": ..}     this process cannot go on, either
void RunCampaignProcess(const CampaignOptions& options, Generator* generator,
                        CampaignPage* page, int job, const ProcessStart& start,
                        int fd);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_CAMPAIGN_PROCESS_H_
