// The runner: one case on one backend, to a verdict.
//
// It owns every buffer that the backend sees, runs every call twice (memory.h:
// run A and run B), and turns status, memory and the judge's answer into one
// outcome. A program runs op by op, each op on the operands that the backend
// itself produced.
#ifndef ASSAY_CASES_RUNNER_H_
#define ASSAY_CASES_RUNNER_H_

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "backends/loader.h"
#include "cases/case.h"
#include "cases/memory.h"
#include "cases/verdict.h"
#include "oracle/judge.h"
#include "spec/policy.h"

namespace assay {

// Throws InputError if a case that runs violates a constraint of its ops.
void RequireConstraints(const Case& c);

class Runner {
 public:
  // `backend` may be nullptr: the pseudo-backend `spec`, which judges
  // constraints.
  Runner(const Backend* backend, const Policy& policy)
      : backend_(backend), policy_(policy) {}

  // `suite_flags`: the flags with which the command line chose the suite, for
  // the replay command; " --cases 'x.json'".
  // Precondition for a real backend: RequireConstraints(c).
  Verdict Run(const Case& c, const std::string& suite_flags = "");

 private:
  struct CallResult;
  using Values = std::map<std::string, Tensor>;

  void RunOnSpec(const Case& c, Verdict* verdict);
  void RunProgram(const Case& c, Verdict* verdict);
  bool CheckLiterals(const Case& c, const Values& inputs, Verdict* verdict);
  bool RunOp(const Case& c, const Op& op, Values* values, Verdict* verdict);
  CallResult Call(const Op& op, const std::vector<Tensor>& inputs,
                  const std::vector<Layout>& layouts, Side side);

  const Backend* backend_;
  const Policy& policy_;
  std::deque<GuardedBuffer> buffers_;  // reused from case to case
};

}  // namespace assay

#endif  // ASSAY_CASES_RUNNER_H_
