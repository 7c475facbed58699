// A shrunk case for people: the command that shows it again.
#ifndef ASSAY_TOOLS_SHRUNK_CASE_H_
#define ASSAY_TOOLS_SHRUNK_CASE_H_

#include <string>

#include "backends/host/executor.h"
#include "fuzz/shrink/shrink.h"
#include "tools/limit_flags.h"

namespace assay {

// The command that judges it again, from the file at `path`. `limits` and
// `memory`: as the flags were given.
std::string ReplayOf(const Shrunk& shrunk, const std::string& id,
                     const std::string& path, const std::string& backend,
                     const Policy& policy, const LimitFlags& limits,
                     const std::string& memory);

// The judge of a shrinker: the executor's verdicts under the policy, or those
// of the constraints, if there is no executor.
std::function<Verdict(const Case&)> JudgeBy(Executor* executor,
                                            const Policy& policy);

}  // namespace assay

#endif  // ASSAY_TOOLS_SHRUNK_CASE_H_
