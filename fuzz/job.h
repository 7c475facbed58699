// A process of a campaign. Private to it.
#ifndef ASSAY_FUZZ_JOB_H_
#define ASSAY_FUZZ_JOB_H_

#include <atomic>
#include <cstdint>
#include <set>

#include "fuzz/campaign.h"

namespace assay {

// In memory that all processes of a campaign share.
struct JobPage {
  std::atomic<uint64_t> block{0}, index{0};  // under way
  std::atomic<uint64_t> begun{0};            // cases, so that a hang shows
};
struct CampaignPage {
  static constexpr int kMostJobs = 256;
  std::atomic<uint64_t> next_block{0};
  std::atomic<bool> stop{false};
  JobPage jobs[kMostJobs];
};

// What a process begins with: a block that another one died in, without the
// indices that ended it.
struct JobStart {
  std::optional<uint64_t> block;
  std::set<uint64_t> skipped;
  // One case at a time, so that the index that stands in the page is the one
  // that is judged. Otherwise a worker has many under way.
  bool is_careful = false;
};

// Judges blocks until there are none, or it is to stop. Writes lines to `fd`:
//   {"kind": "finding", ..}                        at once
//   {"kind": "block", "block": 7, "outcomes": {..}}
//   {"kind": "error", "message": ..}               the backend cannot go on
void RunJob(const CampaignOptions& options, Generator* generator,
            CampaignPage* page, int job, const JobStart& start, int fd);

}  // namespace assay

#endif  // ASSAY_FUZZ_JOB_H_
