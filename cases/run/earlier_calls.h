// A failure may depend on calls that its process was given before. EarlierCalls
// finds out whether it does, and on which.
//
// A backend may keep something from call to call: a buffer, a rounding mode, a
// broken heap. A case that fails because of it passes alone, and shows nothing
// to a person who replays it. So it is judged again, first in a new process; if
// it passes there, the shortest sequence of earlier cases is searched after
// which it fails as it did: the last one, two, four, .. cases are tried, and
// these are reduced by delta debugging (Zeller and Hildebrandt 2002).
#ifndef ASSAY_CASES_RUN_EARLIER_CALLS_H_
#define ASSAY_CASES_RUN_EARLIER_CALLS_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backends/host/executor.h"
#include "cases/case.h"
#include "cases/run/verdict.h"
#include "spec/policy.h"

namespace assay {

struct Dependence {
  Outcome alone = Outcome::kPass;  // of the case, first in a new process
  // If the case passes alone, it fails after these cases; empty if it did not
  // fail again.
  std::vector<Case> after;
  size_t earlier = 0;       // cases that were tried, all together
  bool is_complete = true;  // false: the time was over before the end
};

// Returns the case of a number, as MadeEarlier makes it; nullopt if it has no
// name.
using MakeEarlierCase = std::function<std::optional<Case>(int64_t)>;

class EarlierCalls {
 public:
  using Clock = std::chrono::steady_clock;

  // `executor` has workers of its own, which a search may end; all of them have
  // ended when it is over. `tell` receives a text for people about each
  // attempt.
  EarlierCalls(Executor* executor, const Policy& policy,
               std::function<void(const std::string&)> tell)
      : executor_(executor), policy_(policy), tell_(std::move(tell)) {}

  // `numbers` are those of earlier cases, in the order of their calls. Throws
  // BackendError.
  Dependence Search(const Case& c, Outcome outcome,
                    const std::vector<int64_t>& numbers,
                    const MakeEarlierCase& make, Clock::time_point end);

 private:
  bool Fails(const std::vector<Case>& after);
  std::vector<Case> Reduce(std::vector<Case> after);
  Verdict Judge(const Case& c);
  bool IsOver() const { return Clock::now() >= end_; }

  Executor* executor_;
  const Policy& policy_;
  std::function<void(const std::string&)> tell_;
  Case case_;
  Outcome outcome_ = Outcome::kFail;
  Clock::time_point end_;
};

// Judges the failures of a run again: the first three of each op, type and
// outcome, for as long as the run allows, and counts the others. May be used
// from several threads.
class JudgeAgain {
 public:
  struct Options {
    // Starts a worker in a process of its own, even if the run's calls are
    // in-process.
    std::function<std::unique_ptr<Executor>()> open;
    std::function<void(const std::string&)> tell = [](const std::string&) {};
    int most = 48, most_of_each = 3;                           // failures
    std::chrono::milliseconds time = std::chrono::minutes(2);  // of all
  };
  JudgeAgain(Options options, const Policy& policy)
      : options_(std::move(options)), policy_(policy) {}

  // Fills `alone` and `after` of a verdict that is a failure, adds to its
  // message, and makes its replay command that of the sequence. Does nothing
  // for cases that are judged in chunks, or come after calls of their own.
  void Take(const Case& c, const std::vector<int64_t>& numbers,
            const MakeEarlierCase& make, Verdict* verdict);

 private:
  const Options options_;
  const Policy& policy_;
  std::mutex mutex_;
  std::unique_ptr<Executor> executor_;
  int judged_ = 0;
  std::map<std::string, int> judged_of_;  // by op, type and outcome
  std::chrono::milliseconds spent_{0};
  bool is_lost_ = false;  // the backend does not start any more
};

// Returns what a message says about it: lines that begin with a newline. Empty
// if the failure does not depend on earlier calls.
std::string TextOf(const Dependence& dependence);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_EARLIER_CALLS_H_
