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
  // The case runs as one program.
  bool is_whole = false;
  // The operands of that program are constants in its text.
  bool has_constants = false;
  // This is the number of the compilation, from 1 on.
  int compile = 1;

  std::string Name() const;  // "as one program"
};

// Returns the ways in which the backend was told to run cases. Those of one
// process follow one another.
std::vector<Way> WaysOf(const Executor& executor);

struct VerdictOnWay {
  Way way;
  Verdict verdict;
};
// Returns the worst of the verdicts on a case, of which there is at least one,
// and of equally bad ones the first. One that judged nothing counts if none
// did.
Verdict MergeWays(std::vector<VerdictOnWay> verdicts);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_WAYS_H_
