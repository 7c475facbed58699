// The runner: cases on one backend, to verdicts.
//
// It owns every buffer that the backend sees, runs every call twice (memory.h:
// run A and run B), and turns status, memory and the judge's answer into one
// outcome. A program runs op by op, each op on the operands that the backend
// itself produced. Several cases are under way at once, so that a worker always
// has calls to work on.
#ifndef ASSAY_CASES_RUNNER_H_
#define ASSAY_CASES_RUNNER_H_

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <string>

#include "backends/executor.h"
#include "cases/case.h"
#include "cases/run_op.h"
#include "cases/verdict.h"
#include "oracle/judge.h"
#include "spec/policy.h"

namespace assay {

// Throws InputError if a case that runs violates a constraint of its ops.
void RequireConstraints(const Case& c);

// What a verdict on the case begins as: names, and a pass.
Verdict VerdictOf(const Case& c, const std::string& backend);

// `violates` and the inferred types of a case, judged on the constraints
// themselves: the pseudo-backend `spec`.
Verdict JudgeConstraints(const Case& c, const Policy& policy,
                         const std::string& suite_flags);

class Runner {
 public:
  // Of results that are evaluated at once; larger ones are judged row by row.
  static constexpr int64_t kEvaluatedBytes = int64_t{1} << 28;

  // `suite_flags`: the flags of the command line with which a replay must be
  // judged as well; " --cases 'x.json' --timeout '1s'".
  Runner(Executor* executor, const Policy& policy, std::string suite_flags = "",
         int64_t evaluated_bytes = kEvaluatedBytes);
  ~Runner();

  // Judges the cases that `next` gives, with a number each, until it gives
  // nullptr. `done` receives every verdict with the number of its case, in the
  // order in which they come about. Preconditions: RequireConstraints, and no
  // sweep, only chunks of one.
  // Once `stop` is set, cases under way are left without a verdict: a backend
  // that dies of each of them would be asked about hundreds more.
  // Throws BackendError when the backend cannot go on; some cases then have no
  // verdict.
  void Run(const std::function<const Case*(int64_t*)>& next,
           const std::function<void(int64_t, Verdict)>& done,
           const std::atomic<bool>* stop = nullptr);
  Verdict Run(const Case& c);

 private:
  struct Active;
  struct Turn {  // a submitted call
    Active* active;
    OpRun::Kind kind;
  };

  // Each returns false when the verdict is decided.
  bool Start(Active* active);
  bool StartOp(Active* active);
  bool FinishOp(Active* active);
  void Submit(Active* active, OpRun::Kind kind);
  // Takes the oldest answer; returns the case that it decided, or nullptr.
  Active* TakeAnswer();

  Executor* executor_;
  const Policy& policy_;
  std::string suite_flags_;
  int64_t evaluated_bytes_;
  std::list<Active> active_;
  std::deque<Turn> submitted_;  // unanswered, oldest first
  const Active* large_ =
      nullptr;  // whose op is large: nothing starts beside it
};

}  // namespace assay

#endif  // ASSAY_CASES_RUNNER_H_
