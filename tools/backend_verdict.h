// The verdict on a backend in one line, which the terminal and the page share.
#ifndef ASSAY_TOOLS_BACKEND_VERDICT_H_
#define ASSAY_TOOLS_BACKEND_VERDICT_H_

#include <cstdint>
#include <string>

#include "cases/run/verdict.h"
#include "reports/gate.h"
#include "reports/print.h"

namespace assay {

// These are the counts of one backend, in cases.
struct BackendCounts {
  int64_t cases = 0, judged = 0, passed = 0;
  int64_t known = 0, unexpected = 0;  // failures
  int64_t unexpected_passes = 0;

  void Add(const Verdict& verdict, const Expectedness& expectedness);
  // The run is the new expectation: every failure is known.
  void Record();
};

struct BackendVerdict {
  Color color;  // green, yellow if nothing was judged, or red
  std::string text;
  std::string counts = {};  // "6914 passed, 3104 not judged", if any was judged

  // Returns all of it for a line.
  std::string Line() const {
    return counts.empty() ? text : text + "; " + counts;
  }
};
// `contradictions` are ops and types for which no one way of flushing explains
// the results. `was_given_up` means before the end of the run.
BackendVerdict VerdictOn(const BackendCounts& counts, int64_t contradictions,
                         bool was_given_up);

}  // namespace assay

#endif  // ASSAY_TOOLS_BACKEND_VERDICT_H_
