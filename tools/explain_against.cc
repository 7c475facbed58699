#include "tools/explain_against.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "reports/page/digest.h"
#include "reports/print.h"
#include "reports/results.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/cases_as_json.h"
#include "tools/command.h"

namespace assay {
namespace {

enum class Standing : size_t { kRight, kWrong, kNotJudged };
constexpr const char* kStandings[] = {"right", "wrong", "not judged"};

Standing StandingOf(const Verdict& verdict) {
  if (!IsJudged(verdict.outcome)) return Standing::kNotJudged;
  return verdict.outcome == Outcome::kPass ? Standing::kRight
                                           : Standing::kWrong;
}

// Returns what follows the backend: the outcome, and why.
std::string WhyText(const Verdict& verdict) {
  if (verdict.outcome == Outcome::kPass)
    return verdict.open > 0
               ? fmt::format(
                     "{} of {} elements are of an open clause, and any "
                     "value is accepted",
                     verdict.open, verdict.elements)
               : fmt::format("all {} elements are as allowed",
                             verdict.elements);
  std::string text = Name(verdict.outcome);
  if (!verdict.message.empty()) text += ": " + EscapeLines(verdict.message);
  return text;
}

void PrintVerdict(const RunHeader::BackendInfo& backend,
                  const Verdict& verdict) {
  std::string why;
  for (const char c : WhyText(verdict))
    why += c == '\n' ? "\n      " : std::string(1, c);
  PrintText(
      "  {:<10}  {}{}  ({} {}, policy {})\n      {}\n",
      kStandings[static_cast<size_t>(StandingOf(verdict))],
      EscapeLine(backend.spec),
      verdict.variant.empty() ? "" : ", layout " + EscapeLine(verdict.variant),
      EscapeLine(backend.name), EscapeLine(backend.version),
      EscapeLine(backend.policy), why);
}

}  // namespace

void PrintAgainst(const Case& c, const std::vector<std::string>& files,
                  const std::vector<std::string>& suite,
                  const std::string& memory) {
  PrintText("\nagainst\n");
  std::array<std::vector<std::string>, 3> sides;
  const std::string variant = c.name + "@";  // begins the name of a layout's
  for (const std::string& file : files) {
    if (IsDigest(file))
      throw InputError(file,
                       "is a digest, which has no verdicts: name the "
                       "results file of `assay run --out`");
    const Results results = ReadResults(file, ParseBytes(memory));
    if (!IsFileOfRun(results.header, c.file, suite))
      PrintText("  {}: the run did not have this version of {}\n",
                EscapeLine(file), EscapeLine(c.file));
    std::map<std::string, std::optional<Standing>> worst;
    for (const RunHeader::BackendInfo& backend : results.header.backends)
      worst[backend.spec];
    results.ForEach([&](const Verdict& verdict) {
      if (verdict.case_name != c.name &&
          !verdict.case_name.starts_with(variant))
        return;
      const auto backend =
          std::ranges::find(results.header.backends, verdict.backend,
                            &RunHeader::BackendInfo::spec);
      if (backend == results.header.backends.end()) return;
      PrintVerdict(*backend, verdict);
      std::optional<Standing>& side = worst[verdict.backend];
      if (!side || *side != Standing::kWrong) side = StandingOf(verdict);
    });
    for (const auto& [backend, side] : worst) {
      if (side) {
        sides[static_cast<size_t>(*side)].push_back(EscapeLine(backend));
      } else {
        PrintText("  {}: {} has no result of this case\n", EscapeLine(backend),
                  EscapeLine(file));
      }
    }
  }
  for (size_t i = 0; i < sides.size(); ++i) {
    if (!sides[i].empty())
      PrintText("{}: {}\n", kStandings[i], fmt::join(sides[i], ", "));
  }
}

}  // namespace assay
