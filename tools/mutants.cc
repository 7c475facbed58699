// assay mutants: the suite is measured on planted bugs, and beside it the
// control (control.h).
//
// A bug that no case notices is a hole in the suite, unless an argument says
// that no call can show it.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/loader.h"
#include "cases/runner.h"
#include "reports/progress.h"
#include "tools/child.h"
#include "tools/command.h"
#include "tools/control.h"
#include "tools/mutants_report.h"
#include "tools/planted_bugs.h"

namespace assay {
namespace {

constexpr double kTimeoutSeconds = 5;  // of one case

// One verdict for every case, in order, by the backend in processes of its own:
// a plugin is in a process once with one bug, and may crash or hang. Of a
// verdict that has come through a pipe, what the report needs is there: case,
// op, outcome, clauses. Throws BackendError.
void JudgeAll(const std::string& backend, const std::vector<Case>& cases,
              const std::function<void(const Verdict&)>& use) {
  const auto judge_from = [&](size_t first, std::FILE* out) {
    std::unique_ptr<Backend> loaded;
    try {
      loaded = Backend::Load(backend);
    } catch (const BackendError& e) {
      fmt::print(out, "{}\n", nlohmann::json{{"refused", e.what()}}.dump());
      return;
    }
    Runner runner(loaded.get(), Policy::Find("assay"));
    for (size_t i = first; i < cases.size(); ++i) {
      const Verdict verdict = runner.Run(cases[i]);
      fmt::print(out, "{}\n",
                 nlohmann::json{{"outcome", verdict.outcome},
                                {"clauses", verdict.clauses}}
                     .dump());
      std::fflush(out);
    }
  };
  for (size_t next = 0; next < cases.size();) {
    Child child([&](std::FILE* out) { judge_from(next, out); });
    for (bool ended = false; !ended && next < cases.size();) {
      Verdict verdict;
      verdict.case_name = cases[next].name;
      verdict.op = cases[next].op;
      std::string line;
      const Child::Event event = child.Next(&line, kTimeoutSeconds);
      ended = event != Child::Event::kLine;
      if (!ended) {
        const auto json = nlohmann::json::parse(line);
        if (json.contains("refused"))
          throw BackendError(json["refused"].get<std::string>());
        verdict.outcome = json["outcome"].get<Outcome>();
        verdict.clauses = json["clauses"].get<std::vector<std::string>>();
      } else {
        verdict.outcome = event == Child::Event::kSilence ? Outcome::kTimeout
                                                          : Outcome::kCrash;
      }
      ++next;
      use(verdict);
    }
  }
}

struct MutantsFlags {
  std::string arm = "both";
  std::vector<std::string> bugs;
  int seeds = 10;
  std::string out, markdown;
  SuiteFlags suite;

  bool HasSuite() const { return arm != "control"; }
  bool HasControl() const { return arm != "suite"; }
};

bool IsFailure(const Verdict& verdict) {
  return IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass;
}

// The kernel without a bug: a failure of it would be counted as killing every
// bug.
SoundResult JudgeSound(const std::vector<Case>& suite, Progress* progress) {
  SoundResult sound;
  JudgeAll("broken", suite, [&](const Verdict& verdict) {
    ++sound.outcomes[verdict.outcome];
    if (IsFailure(verdict)) sound.failures.push_back(verdict.case_name);
    progress->Step("without a bug");
  });
  return sound;
}

SuiteResult JudgeBug(const PlantedBug& bug, const std::vector<Case>& suite,
                     Progress* progress) {
  SuiteResult result;
  JudgeAll(bug.Backend(), suite, [&](const Verdict& verdict) {
    if (IsFailure(verdict)) {
      if (++result.cases == 1) {
        result.by = verdict.case_name;
        result.how = verdict.outcome;
      }
      result.clauses.insert(verdict.clauses.begin(), verdict.clauses.end());
    }
    progress->Step(fmt::format("{}  {} not passed", bug.id, result.cases));
  });
  return result;
}

void RunSuite(const std::vector<Case>& suite, MutantsReport* report) {
  Progress progress(
      "planting",
      static_cast<int64_t>(suite.size() * (report->mutants.size() + 1)));
  report->sound = JudgeSound(suite, &progress);
  for (Mutant& mutant : report->mutants)
    mutant.suite = JudgeBug(mutant.bug, suite, &progress);
}

void RunControl(int seeds, MutantsReport* report) {
  report->control.emplace();
  report->control->seeds = seeds;
  Progress progress("control",
                    static_cast<int64_t>(report->mutants.size()) * seeds);
  std::vector<PlantedBug> bugs;
  for (Mutant& mutant : report->mutants) {
    mutant.control.emplace();
    bugs.push_back(mutant.bug);
  }
  for (int seed = 1; seed <= seeds; ++seed) {
    const Control control(static_cast<uint64_t>(seed), bugs);
    report->control->calls = control.calls();
    report->control->compared += control.compared();
    report->control->open += control.open();
    for (Mutant& mutant : report->mutants) {
      const Control::Result result = control.Run(mutant.bug);
      if (result.killed && ++mutant.control->kills == 1)
        mutant.control->first = result;
      progress.Step(fmt::format("seed {}  {}", seed, mutant.bug.id));
    }
  }
}

int Mutants(const MutantsFlags& flags,
            const std::vector<std::string>& command) {
  OutputFile out(flags.out), markdown(flags.markdown);
  MutantsReport report;
  for (PlantedBug& bug : ReadPlantedBugs(flags.bugs))
    report.mutants.push_back({std::move(bug), std::nullopt, std::nullopt});
  if (flags.HasSuite()) {
    const std::vector<Case> suite = flags.suite.Read();
    for (const Case& c : suite) RequireConstraints(c);
    report.cases = suite.size();
    RunSuite(suite, &report);
    if (report.sound->judged() == 0) return kExitNothingJudged;
  }
  if (flags.HasControl()) RunControl(flags.seeds, &report);
  fmt::print("{}", report.ToText());
  out.Write(report.ToJsonLines(command, flags.suite.Paths()));
  markdown.Write(report.ToMarkdown());
  return report.IsComplete() ? kExitOk : kExitFindings;
}

}  // namespace

void RegisterMutants(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "mutants", "Measure the suite on the planted bugs of backend broken");
  auto flags = std::make_shared<MutantsFlags>();
  command
      ->add_option("--arm", flags->arm,
                   "suite: the cases; control: uniform random values, one "
                   "contiguous shape, allclose(1e-3)")
      ->check(CLI::IsMember({"suite", "control", "both"}))
      ->capture_default_str();
  command->add_option("--bug", flags->bugs, "Only these bugs")->type_name("ID");
  command
      ->add_option("--seeds", flags->seeds,
                   "How often the control draws its values")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--out", flags->out, "Results as JSON Lines")
      ->type_name("FILE");
  command->add_option("--markdown", flags->markdown, "The table as Markdown")
      ->type_name("FILE");
  flags->suite.AddTo(*command);
  command->callback([flags, command, exit_code] {
    std::vector<std::string> line = {"assay", "mutants"};
    for (const CLI::Option* option : command->parse_order()) {
      if (!option->results().empty()) line.push_back(option->get_name());
      for (const std::string& value : option->results()) line.push_back(value);
    }
    *exit_code = Mutants(*flags, line);
  });
}

}  // namespace assay
