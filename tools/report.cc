// assay report: render, merge and compare results.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "reports/compare.h"
#include "reports/coverage.h"
#include "reports/evidence.h"
#include "reports/json_lines.h"
#include "reports/markdown.h"
#include "reports/page/change_section.h"
#include "reports/page/history.h"
#include "reports/print.h"
#include "reports/results.h"
#include "reports/selection.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/cases_as_json.h"
#include "tools/command.h"
#include "tools/outcome_report.h"

namespace assay {
namespace {

// These leave room for the whole specification.
constexpr size_t kMostDigestPageBytes = 1'000'000;
constexpr size_t kMostDigestCauseBytes = 180'000;

struct ReportFlags {
  std::vector<std::string> files, ops;
  std::string compare, history, out, memory;
  bool coverage = false;
  OutcomeFlags outcome;
};

void WriteResults(const std::string& path, const Results& results,
                  const Summary& summary) {
  JsonLinesWriter writer(path, results.header);
  results.ForEach([&](const Verdict& verdict) { writer.Write(verdict); });
  writer.Finish(summary, results.seconds,
                {results.failed.begin(), results.failed.end()});
}

// Sorts RESULTS... by what they are, and reads them.
Results ReadAll(const ReportFlags& flags, Evidence* evidence) {
  std::vector<Results> parts;
  int64_t left = ParseBytes(flags.memory);
  for (const std::string& file : flags.files) {
    if (!IsEvidence(file)) {
      parts.push_back(ReadResults(file, left));
      left -= parts.back().bytes();
    } else if (flags.coverage) {
      ReadEvidence(file, evidence);
    } else {
      throw InputError(file, "is evidence on clauses: add --coverage");
    }
  }
  if (parts.empty())
    throw InputError(flags.files.front(),
                     "no results are named: add a file of `assay run --out`");
  Results results = Merge(std::move(parts));
  return flags.ops.empty() ? std::move(results) : Selected(results, flags.ops);
}

// Makes the page of several digests, each of runs that are not at hand.
int ReportDigests(const ReportFlags& flags) {
  const OutcomeFlags& outcome = flags.outcome;
  const bool is_page = !outcome.html.empty();
  if (!is_page || flags.coverage || !flags.ops.empty() || !flags.out.empty() ||
      !flags.compare.empty() || !flags.history.empty() ||
      !outcome.baseline.empty() || !outcome.require.empty() ||
      outcome.require_judged || !outcome.junit.empty() ||
      outcome.junit_skipped || !outcome.reason.empty() ||
      !outcome.markdown.empty() || !outcome.digest.empty())
    throw InputError(flags.files.front(),
                     "is a digest, which has no verdicts: a page is all that "
                     "can be made of it, by --html FILE alone");
  Page page;
  PageFacts facts;
  for (const std::string& file : flags.files) {
    if (!IsDigest(file))
      throw InputError(file, "is no digest, as the first file is one");
    page.AddDigest(file, &facts);
  }
  facts.most_bytes = kMostDigestPageBytes;
  facts.most_cause_bytes = kMostDigestCauseBytes;
  facts.headline =
      fmt::format("{} backends, {} judged cases", facts.header.backends.size(),
                  facts.counts.judged);
  const auto is_good = [](const PageVerdict& verdict) {
    return verdict.kind == PageVerdict::Kind::kGood;
  };
  facts.exit_code =
      std::ranges::all_of(facts.verdicts, is_good) ? kExitOk : kExitFindings;
  WriteText(outcome.html, page.ToHtml(facts));
  for (const PageVerdict& verdict : facts.verdicts)
    PrintText("{}: {}\n", EscapeLine(verdict.backend),
              EscapeLine(verdict.text));
  return kExitOk;
}

int Report(const ReportFlags& flags) {
  if (IsDigest(flags.files.front())) return ReportDigests(flags);
  Evidence evidence;
  const Results results = ReadAll(flags, &evidence);
  MoreOfReport more;
  more.seconds = results.seconds;
  more.cases_as_json = CasesOfFiles(results.header, flags.memory);
  if (!flags.compare.empty()) {
    const Results before =
        ReadResults(flags.compare, ParseBytes(flags.memory) - results.bytes());
    const Comparison comparison =
        flags.ops.empty() ? Compare(before, results)
                          : Compare(Selected(before, flags.ops), results);
    PrintText("{}\n", comparison.ToText());
    more.markdown = comparison.ToMarkdown();
    more.page.push_back(ChangeSection(comparison));
  }
  if (!flags.history.empty()) {
    History history(flags.history, ParseBytes(flags.memory) - results.bytes());
    history.Add(results);
    more.page.push_back(history.Section());
  }
  OutcomeReport report(flags.outcome, results.header);
  Coverage coverage(std::move(evidence));
  results.ForEach([&](const Verdict& verdict) {
    report.Add(verdict);
    if (flags.coverage) coverage.Add(verdict);
  });
  if (flags.coverage) more.coverage = &coverage;
  const ExitCode exit_code = report.Finish(results.failed, std::nullopt, more);
  if (flags.coverage) PrintText("\n{}", coverage.ToText());
  if (!flags.out.empty()) WriteResults(flags.out, results, report.summary());
  // These two inform, unless a gate is asked for as well.
  const bool is_gate =
      !flags.outcome.baseline.empty() || !flags.outcome.require.empty();
  if ((flags.coverage || !flags.compare.empty()) && !is_gate) return kExitOk;
  return exit_code;
}

}  // namespace

void RegisterReport(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "report", "Render, merge and compare results of `assay run --out`");
  auto flags = std::make_shared<ReportFlags>();
  command
      ->add_option("RESULTS", flags->files,
                   "All shards of a run, runs of several backends, of several "
                   "selections (--op); with --coverage also evidence on "
                   "clauses. Or digests (--digest), for --html alone")
      ->required();
  command
      ->add_option("--op", flags->ops,
                   "Only cases whose op is NAME, or whose name:type matches "
                   "the pattern")
      ->type_name("NAME|PATTERN");
  flags->outcome.AddTo(*command);
  command
      ->add_option("--compare", flags->compare,
                   "What changed since these results")
      ->type_name("OLD");
  AddText(*command, "--history", &flags->history, "FOLDER",
          "The results files of a folder, over time, on the page of "
          "--html")
      ->needs("--html");
  command->add_flag("--coverage", flags->coverage,
                    "Every constraint and clause, and what judged it");
  AddText(*command, "--out", &flags->out, "FILE", "The merged results");
  AddMemoryTo(*command, &flags->memory);
  command->callback([flags, exit_code] { *exit_code = Report(*flags); });
}

}  // namespace assay
