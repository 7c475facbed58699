#include "tools/shrunk_case.h"

#include <fmt/format.h>

#include "cases/run/runner.h"
#include "spec/printable_text.h"

namespace assay {

std::string ReplayOf(const Shrunk& shrunk, const std::string& id,
                     const std::string& path, const std::string& backend,
                     const Policy& policy, const LimitFlags& limits,
                     const std::string& memory) {
  return fmt::format(
      "assay run {} {} {}{}{}{} {}", ShellFlag("--backend", backend),
      policy.ToFlag(), ShellFlag("--cases", path),
      shrunk.variant.empty() ? "" : " --layouts all",
      limits.ReplayText(/*always=*/true),
      memory.empty() ? "" : " " + ShellFlag("--memory", memory),
      ShellFlag(
          "--op",
          fmt::format("{}/{}{}", shrunk.c.op, id,
                      shrunk.variant.empty() ? "" : "@" + shrunk.variant)));
}

std::function<Verdict(const Case&)> JudgeBy(Executor* executor,
                                            const Policy& policy) {
  if (executor == nullptr)
    return [&policy](const Case& c) { return JudgeConstraints(c, policy, ""); };
  return [executor, &policy](const Case& c) {
    return Runner(executor, policy).Run(c);
  };
}

}  // namespace assay
