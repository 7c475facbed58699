#include "tools/shrunk_case.h"

#include <fmt/format.h>

#include "cases/canonical.h"
#include "cases/case_json.h"
#include "cases/runner.h"

namespace assay {

std::string CaseFileOf(const Shrunk& shrunk, const std::string& id) {
  const std::string& message = shrunk.verdict.message;
  Json file = {{"op", shrunk.c.op}};
  file["notes"]["Fuzzed"] = {
      {"bug", Name(shrunk.verdict.outcome)},
      {"text", fmt::format("{}{}", message.substr(0, message.find('\n')),
                           shrunk.sweep.empty() ? ""
                                                : " [layout or relation: " +
                                                      shrunk.sweep + "]")}};
  Json c = CaseAsJson(shrunk.c, id);
  c["flags"] = {"Fuzzed"};
  file["cases"] = Json::array({c});
  return CanonicalJson(
      id, file.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string ReplayOf(const Shrunk& shrunk, const std::string& id,
                     const std::string& path, const std::string& backend,
                     const Policy& policy) {
  return fmt::format(
      "assay run --backend '{}' --policy {} --cases '{}'{} --op '{}/{}{}'",
      backend, policy.name(), path,
      shrunk.sweep.empty() ? "" : " --layouts all", shrunk.c.op, id,
      shrunk.sweep.empty() ? "" : "@" + shrunk.sweep);
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
