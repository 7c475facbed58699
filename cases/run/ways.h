// A backend may run a case in several ways: op by op, as one program, as one
// program whose operands are constants, and compiled again in another process.
// Each is judged, and the verdict names those that disagree.
#ifndef ASSAY_CASES_RUN_WAYS_H_
#define ASSAY_CASES_RUN_WAYS_H_

#include <string>
#include <vector>

#include "backends/host/executor.h"
#include "cases/run/verdict.h"

namespace assay {

struct Way {
  bool is_whole = false;       // as one program
  bool has_constants = false;  // which the operands of the program are
  int compile = 1;             // the number of the compilation, from 1 on

  std::string Name() const;  // "as one program"
};

// Returns the ways in which the backend was told to run cases, those of one
// process one after the other.
std::vector<Way> WaysOf(const Executor& executor);

// Merges the verdicts on a case, at least one, into the worst of them, of which
// the first counts.
struct VerdictOnWay {
  Way way;
  Verdict verdict;
};
Verdict MergeWays(std::vector<VerdictOnWay> verdicts);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_WAYS_H_
