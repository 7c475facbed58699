// A shrunk case is shown to people with the command that shows it again.
#ifndef ASSAY_TOOLS_SHRUNK_CASE_H_
#define ASSAY_TOOLS_SHRUNK_CASE_H_

#include <string>

#include "backends/host/executor.h"
#include "fuzz/shrink/shrink.h"
#include "tools/limit_flags.h"

namespace assay {

// Returns the command that judges the case again, from the file at `path`.
// `limits` and `memory` are the flags as they were given.
std::string ReplayOf(const Shrunk& shrunk, const std::string& id,
                     const std::string& path, const std::string& backend,
                     const Policy& policy, const LimitFlags& limits,
                     const std::string& memory);

// Returns the judge of a shrinker: the verdicts of the executor under the
// policy or, without an executor, of the constraints.
std::function<Verdict(const Case&)> JudgeBy(Executor* executor,
                                            const Policy& policy);

}  // namespace assay

#endif  // ASSAY_TOOLS_SHRUNK_CASE_H_
