// The runner calls one backend for cases, and gives their verdicts.
//
// It owns every buffer that the backend sees, runs every call twice (memory.h:
// run A and run B), and turns status, memory and the judge's answer into one
// outcome. A program runs op by op, each op on the operands that the backend
// itself produced, or whole (program_runner.h). Several cases are under way at
// once, so that a worker always has calls to work on.
#ifndef ASSAY_CASES_RUN_RUNNER_H_
#define ASSAY_CASES_RUN_RUNNER_H_

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "backends/host/executor.h"
#include "cases/case.h"
#include "cases/run/op_executions.h"
#include "cases/run/program_runner.h"
#include "cases/run/verdict.h"
#include "cases/run/ways.h"
#include "oracle/judge.h"
#include "spec/policy.h"

namespace assay {

// Throws InputError if a case that runs violates a constraint of its ops.
void RequireConstraints(const Case& c);

// Returns the verdict that judging a case starts from: it has the names, and is
// a pass.
Verdict VerdictOf(const Case& c, const std::string& backend);

// Judges `violates` and the inferred types of a case on the constraints
// themselves, which is the pseudo-backend `spec`.
Verdict JudgeConstraints(const Case& c, const Policy& policy,
                         const std::string& suite_flags);

// Returns whether a call with this outcome ended its process.
inline bool EndsProcess(Outcome outcome) {
  return outcome == Outcome::kCrash || outcome == Outcome::kTimeout ||
         outcome == Outcome::kMemory;
}

// Adds to the verdict on a call that ended its process that the last call
// before it, of the case `name`, may have left the process broken.
void AddSuspect(const std::string& name, Verdict* verdict);

class Runner {
 public:
  // Results of up to so many bytes are evaluated at once; larger ones are
  // judged row by row.
  static constexpr int64_t kEvaluatedBytes = int64_t{1} << 28;

  // `suite_flags` are the flags of the command line that a replay needs as
  // well: " --cases 'x.json' --timeout '1s'".
  Runner(Executor* executor, const Policy& policy, std::string suite_flags = "",
         int64_t evaluated_bytes = kEvaluatedBytes);
  ~Runner();

  // Judges the cases that `next` gives. `done` receives every verdict, in the
  // order in which they are decided. Preconditions: RequireConstraints, and no
  // sweep, only chunks of one.
  //
  // Once `stop` is set, cases under way are left without a verdict: a backend
  // that dies of each of them would be asked about hundreds more.
  //
  // Throws BackendError when the backend cannot go on; some cases then have no
  // verdict.
  void Run(const NextCase& next, const TakeVerdict& done,
           const std::atomic<bool>* stop = nullptr);
  Verdict Run(const Case& c);

  // A Past says what the process of the call that decided a verdict was asked
  // before.
  struct Past {
    // The numbers of other cases, in the order of their calls; a program may be
    // there more than once. The last kMostRemembered, if there are more.
    std::vector<int64_t> cases;
    bool ended = false;  // the call was the end of the process
  };
  static constexpr size_t kMostRemembered = size_t{1} << 14;
  // Returns the past of the verdict that `done` receives. May be called only by
  // `done`. A program that runs whole has none.
  Past PastOf() const;

 private:
  void RunCalls(const NextCase& next, const TakeVerdict& done,
                const std::atomic<bool>* stop);
  void RunPrograms(ProgramRunner* runner, const NextCase& next,
                   const TakeVerdict& done, const std::atomic<bool>* stop);
  void RunInWays(const std::vector<Way>& ways, const NextCase& next,
                 const TakeVerdict& done, const std::atomic<bool>* stop);

  void RequireNewProcess();

  struct Active;
  struct Turn {  // a submitted call
    Active* active;
    OpExecutions::Kind kind;
    int process = 0;    // the number of the process that it was submitted to
    size_t before = 0;  // the number of cases that this process had before it
  };
  // A History has the cases that a process was given calls of.
  struct History {
    std::vector<int64_t> numbers;
    size_t forgotten = 0;  // before them
  };
  void Remember(Turn* turn);

  // Each of these returns false when the verdict is decided.
  bool Start(Active* active);
  bool RunEarlier(Active* active);
  bool StartOp(Active* active);
  bool FinishOp(Active* active);
  void Submit(Active* active, OpExecutions::Kind kind);
  // Takes the oldest answer; returns the case that it decided, or nullptr.
  Active* TakeAnswer();

  Executor* executor_;
  const Policy& policy_;
  std::string suite_flags_;
  int64_t evaluated_bytes_;
  std::list<Active> active_;
  std::deque<Turn> submitted_;  // unanswered, oldest first
  int process_ = 0;
  History history_, history_before_;  // of this process and the one before it
  Turn decided_ = {nullptr, {}};      // the call that decided a verdict
  // The past of a verdict whose program ran whole after its calls.
  std::optional<Past> past_of_calls_;
  // This case has its process to itself, because it comes after certain calls.
  const Active* alone_ = nullptr;
  const Active* large_ =
      nullptr;  // whose op is large: nothing starts beside it
};

}  // namespace assay

#endif  // ASSAY_CASES_RUN_RUNNER_H_
