// A session judges a suite on one backend, by as many workers as were asked
// for, and gives the verdicts in the order of the suite. Sweeps are judged
// chunk by chunk, so that all workers share them.
#ifndef ASSAY_CASES_RUN_SESSION_H_
#define ASSAY_CASES_RUN_SESSION_H_

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cases/run/crash_limit.h"
#include "cases/run/earlier_calls.h"
#include "cases/run/runner.h"
#include "cases/run/sweep.h"

namespace assay {

struct SessionOptions {
  int jobs = 1;
  int repeat = 1;  // times that each case is judged
  std::string suite_flags;
  // Set from outside, as by a signal handler. Then no further case is begun,
  // and those under way are dropped.
  const std::atomic<bool>* stop = nullptr;
  // These chunks of sweeps need not be judged again, by index of the case.
  std::map<size_t, ChunkVerdicts> chunks_done = {};
  // Receives every other chunk: its number, and a verdict with the case's
  // index. It and the sink are called one at a time.
  std::function<void(int64_t, const Verdict&)> chunk_sink = {};
  // Failures are judged again if `open` is set.
  JudgeAgain::Options again = {};
  // This says how many cases of a signature may end their process; those that
  // did before this session are counted already. As many chunks of a sweep may.
  CrashLimit crashes = CrashLimit();
};

struct SessionResult {
  std::string error;  // why the backend was given up; empty if it was not
  bool stopped = false;
  int restarts = 0;                // of all workers
  Times times;                     // of all workers
  std::vector<std::string> notes;  // why jobs had no worker
  // The cases that are left when a backend is given up are skipped for that
  // reason.
  std::vector<Verdict> left_out;
};

// Judges `cases` (indices into `suite`) on a backend that `open` starts, once
// for each job; `first` is one that was started already. `sink` receives one
// verdict for each case, in the order of `cases`, one call at a time, in a
// thread of its own. When the backend is given up, the verdicts on the rest are
// `left_out`; when the session is stopped, they are missing. An exception of
// the sink is rethrown.
SessionResult JudgeSuite(const std::vector<Case>& suite,
                         const std::vector<size_t>& cases, const Policy& policy,
                         std::unique_ptr<Executor> first,
                         const std::function<std::unique_ptr<Executor>()>& open,
                         const SessionOptions& options,
                         const std::function<void(Verdict)>& sink);

// Returns the verdict on a case that was judged several times: the worst, in
// the order of precedence of outcomes, with the largest error; `repeats` counts
// the outcomes if they differ.
Verdict MergeRepeats(std::vector<Verdict> verdicts);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_SESSION_H_
