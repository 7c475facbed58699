// The command `assay mutants` measures the suite and the fuzzer (search_arm.h)
// on planted bugs, and beside them the control (control.h).
//
// A bug that no case notices is a hole in the suite, unless an argument says
// that no call can show it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <thread>

#include "backends/host/open.h"
#include "cases/run/session.h"
#include "cases/variants/layout_variants.h"
#include "cases/variants/walks.h"
#include "fuzz/campaign/finding_text.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "tools/command.h"
#include "tools/mutants/closeness.h"
#include "tools/mutants/control.h"
#include "tools/mutants/formula_arm.h"
#include "tools/mutants/mutants_report.h"
#include "tools/mutants/planted_bugs.h"
#include "tools/mutants/search_arm.h"

namespace assay {
namespace {

// Passes a verdict to `use` for each of these cases of the suite, in order,
// until `stop`. If the backend is given up, the rest of the cases are skipped.
// Throws BackendError if it does not start.
void JudgeEach(const std::string& backend, const std::string& device,
               Granularity granularity, const std::vector<Case>& suite,
               const std::vector<size_t>& cases,
               const std::function<void(const Verdict&)>& use,
               const std::atomic<bool>* stop = nullptr) {
  OpenOptions options;
  options.how.granularity = granularity;
  // A bug may hang in every case. On a GPU, copies of gigabytes take longer.
  options.limits.timeout = std::chrono::seconds(device == "cuda" ? 20 : 2);
  // A bug may crash on every case of an op.
  options.limits.max_deaths = 1000;
  const auto open = [&] { return OpenBackend(backend, options); };
  SessionOptions session;
  session.stop = stop;
  session.jobs = JobsOn(backend);
  const SessionResult result = JudgeSuite(suite, cases, Policy::Find("assay"),
                                          open(), open, session, use);
  for (const Verdict& verdict : result.left_out) use(verdict);
}

struct MutantsFlags {
  std::string arm = "both", device;
  std::vector<std::string> bugs;
  int seeds = 7;
  int64_t enough = 100, budget = 1000000;
  std::string out, markdown, engine2, closeness = ClosenessNames()[0];
  bool all = false;
  SuiteFlags suite;

  bool Has(const char* name) const {
    return arm == name || (arm == "both" && name != std::string("engine2"));
  }
};

bool IsFailure(const Verdict& verdict) {
  return IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass;
}

// Judges the kernel without a bug, because a failure of it would be counted as
// killing every bug.
SoundResult JudgeSound(const std::string& device, Granularity granularity,
                       const std::vector<Case>& suite,
                       const std::vector<size_t>& cases, Progress* progress) {
  SoundResult sound;
  JudgeEach(BrokenBackend(device), device, granularity, suite, cases,
            [&](const Verdict& verdict) {
              ++sound.outcomes[verdict.outcome];
              if (IsFailure(verdict))
                sound.failures.push_back(verdict.case_name);
              progress->Step("without a bug");
            });
  return sound;
}

// Returns the positions of the cases that have one of the bug's ops, since the
// bug changes nothing in others.
std::vector<size_t> CasesOf(const PlantedBug& bug,
                            const std::vector<Case>& suite) {
  std::vector<size_t> cases;
  for (size_t i = 0; i < suite.size(); ++i) {
    const Case& c = suite[i].original ? *suite[i].original : suite[i];
    if (bug.is_of_programs && !IsProgram(suite[i])) continue;
    if (std::ranges::any_of(c.program.main().body,
                            [&](const Op& op) { return bug.AppliesTo(op.op); }))
      cases.push_back(i);
  }
  return cases;
}

// Returns the cases in an order that soon has some of every part, because the
// cases that notice a bug stand together, and few of them are enough.
std::vector<size_t> Spread(const std::vector<size_t>& cases) {
  const size_t count = cases.size();
  // Multiples of the golden ratio are spread evenly; without a common divisor,
  // they visit every place.
  size_t step = count * 618 / 1000 + 1;
  while (std::gcd(step, count) > 1) ++step;
  std::vector<size_t> spread;
  for (size_t i = 0; i < count; ++i) spread.push_back(cases[i * step % count]);
  return spread;
}

SuiteResult JudgeBug(const PlantedBug& bug, const std::vector<Case>& suite,
                     const std::vector<size_t>& cases, int64_t enough,
                     Progress* progress) {
  SuiteResult result;
  std::atomic<bool> is_enough = false;
  JudgeEach(
      bug.Backend(), bug.device, bug.Runs(), suite, cases,
      [&](const Verdict& verdict) {
        // Verdicts that were under way when it was enough are not counted,
        // because their number depends on which process was faster.
        if (IsFailure(verdict) && !is_enough) {
          if (++result.cases == 1) {
            result.by = verdict.case_name;
            result.how = verdict.outcome;
          }
          result.clauses.insert(verdict.clauses.begin(), verdict.clauses.end());
          is_enough = result.cases >= enough;
        }
        progress->Step(fmt::format("{}  {} not passed", bug.id, result.cases));
      },
      &is_enough);
  result.is_all = !is_enough;
  return result;
}

// Returns the cases of the bug's kind of walks.
std::vector<size_t> WalksOf(const PlantedBug& bug,
                            const std::vector<Case>& suite) {
  std::vector<size_t> cases;
  for (size_t i = 0; i < suite.size() && !bug.walk.empty(); ++i) {
    if (suite[i].walk == bug.walk) cases.push_back(i);
  }
  return cases;
}

// A bug of walks is judged on every case of its kind, because each case has
// another op or operand.
SuiteResult JudgeWalks(const PlantedBug& bug, const std::vector<Case>& suite,
                       const std::vector<size_t>& walks, Progress* progress) {
  SuiteResult result;
  JudgeEach(bug.Backend(), bug.device, bug.Runs(), suite, walks,
            [&](const Verdict& verdict) {
              progress->Step(bug.id);
              WalkCell& cell = result.ops[verdict.op];
              ++cell.cases;
              if (!IsFailure(verdict)) {
                cell.silent.push_back(verdict.case_name);
                return;
              }
              result.clauses.insert(verdict.clauses.begin(),
                                    verdict.clauses.end());
              if (++result.cases > 1) return;
              result.by = verdict.case_name;
              result.how = verdict.outcome;
            });
  return result;
}

// Returns the layout variants of these cases.
std::vector<Case> VariantsOf(const std::vector<Case>& suite,
                             const std::vector<size_t>& cases) {
  std::vector<Case> variants;
  for (const size_t i : cases) {
    const auto base = std::make_shared<const Case>(suite[i]);
    for (const VariantKind& kind : VariantKinds()) {
      if (!base->original && HasVariant(*base, kind.name))
        variants.push_back(DeferredVariant(base, kind.name));
    }
  }
  return variants;
}

// A bug that no case shows as it is written may show in another layout.
SuiteResult JudgeVariants(const PlantedBug& bug, const std::vector<Case>& suite,
                          int64_t enough) {
  const std::vector<Case> variants = VariantsOf(suite, CasesOf(bug, suite));
  Progress progress(bug.id + " in all layouts",
                    static_cast<int64_t>(variants.size()));
  std::vector<size_t> all(variants.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return JudgeBug(bug, variants, all, enough, &progress);
}

void RunSuite(const std::vector<Case>& suite, const std::string& device,
              int64_t enough, MutantsReport* report) {
  std::vector<size_t> all(suite.size()), programs;
  std::iota(all.begin(), all.end(), size_t{0});
  if (std::ranges::any_of(report->mutants, [](const Mutant& mutant) {
        return mutant.bug.is_of_programs;
      })) {
    std::ranges::copy_if(all, std::back_inserter(programs),
                         [&](size_t i) { return IsProgram(suite[i]); });
  }
  size_t verdicts = all.size() + programs.size();
  for (const Mutant& mutant : report->mutants) {
    const size_t walks = WalksOf(mutant.bug, suite).size();
    verdicts += walks > 0 ? walks : CasesOf(mutant.bug, suite).size();
  }
  {
    Progress progress("planting", static_cast<int64_t>(verdicts));
    report->sound = JudgeSound(device, Granularity::kOp, suite, all, &progress);
    if (!programs.empty()) {
      report->sound_programs =
          JudgeSound(device, Granularity::kProgram, suite, programs, &progress);
    }
    for (Mutant& mutant : report->mutants) {
      if (const std::vector<size_t> walks = WalksOf(mutant.bug, suite);
          !walks.empty()) {
        mutant.suite = JudgeWalks(mutant.bug, suite, walks, &progress);
        continue;
      }
      const std::vector<size_t> cases = CasesOf(mutant.bug, suite);
      // On a GPU, the spread order was no faster.
      mutant.suite =
          JudgeBug(mutant.bug, suite, device == "cuda" ? cases : Spread(cases),
                   enough, &progress);
    }
  }
  for (Mutant& mutant : report->mutants) {
    if (mutant.suite->cases == 0 && mutant.suite->ops.empty() &&
        mutant.bug.equivalent.empty() && !mutant.bug.is_of_programs)
      mutant.suite = JudgeVariants(mutant.bug, suite, enough);
  }
}

void RunControl(int seeds, const std::string& closeness,
                MutantsReport* report) {
  report->control = MutantsReport::ControlSize();
  report->control->seeds = seeds;
  report->control->closeness = closeness;
  Progress progress("control",
                    static_cast<int64_t>(report->mutants.size()) * seeds);
  std::vector<PlantedBug> bugs;
  for (Mutant& mutant : report->mutants) {
    mutant.control.emplace();
    bugs.push_back(mutant.bug);
  }
  for (int seed = 1; seed <= seeds; ++seed) {
    const Control control(static_cast<uint64_t>(seed), bugs, closeness);
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

int RunFormulas(const MutantsFlags& flags) {
  if (!flags.bugs.empty() || !flags.device.empty() || !flags.out.empty() ||
      !flags.markdown.empty() || flags.suite.layouts != "none")
    throw InputError("--arm",
                     "formulas have no bugs, devices, files of results or "
                     "layouts: leave out --bug, --device, --out, --markdown "
                     "and --layouts");
  FormulaArm arm(flags.suite.ops, flags.all);
  const FormulaReport report = arm.Run(flags.suite.Read());
  PrintText("{}", report.ToText(flags.suite.ToText()));
  return report.IsComplete() ? kExitOk : kExitFindings;
}

void RunSearch(const char* arm, SearchArm* search, MutantsReport* report) {
  Progress progress(arm, static_cast<int64_t>(report->mutants.size()));
  for (Mutant& mutant : report->mutants) {
    mutant.searches[arm] = search->Search(mutant.bug);
    progress.Step(mutant.bug.id);
  }
}

int Mutants(const MutantsFlags& flags,
            const std::vector<std::string>& command) {
  if (flags.all && flags.arm != "formulas")
    throw InputError("--all", "only --arm formulas chooses among mutants");
  if (flags.arm == "formulas") return RunFormulas(flags);
  if (!flags.Has("suite") && !flags.suite.ToText().empty())
    throw InputError("--arm",
                     "only the suite has cases: leave out --cases and "
                     "--memory");
  if (flags.arm == "control" && !flags.suite.ops.empty())
    throw InputError("--arm", "the control asks every op: leave out --op");
  const bool has_engine2 = flags.Has("engine2") || !flags.engine2.empty();
  if (has_engine2 && flags.engine2.empty())
    throw InputError("--arm",
                     "engine2 needs --engine2 FILE, the ops_fuzzer of "
                     "preset fuzz");
  OutputFile out(flags.out), markdown(flags.markdown);
  MutantsReport report;
  for (PlantedBug& bug : ReadPlantedBugs(flags.bugs, flags.device))
    report.mutants.push_back({std::move(bug), std::nullopt, std::nullopt, {}});
  if (flags.Has("suite")) {
    const std::vector<Case> suite = flags.suite.Read();
    for (const Case& c : suite) RequireConstraints(c);
    report.cases = suite.size();
    if (std::ranges::any_of(suite,
                            [](const Case& c) { return !c.walk.empty(); }))
      report.walk_gaps = GapsOfWalks(flags.suite.Paths());
    RunSuite(suite, flags.device, flags.enough, &report);
    if (report.sound->judged() == 0) return kExitNothingJudged;
  }
  if (flags.Has("fuzz")) {
    SearchArm search(BrokenBackend(flags.device), flags.suite.ops, flags.seeds,
                     flags.budget, "");
    report.found_on_sound = search.SearchSound();
    RunSearch("fuzz", &search, &report);
  }
  if (has_engine2) {
    SearchArm search(BrokenBackend(flags.device), flags.suite.ops, flags.seeds,
                     flags.budget, flags.engine2);
    RunSearch("engine2", &search, &report);
  }
  if (flags.Has("control")) RunControl(flags.seeds, flags.closeness, &report);
  PrintText("{}", report.ToText());
  out.Write(report.ToJsonLines(command, flags.suite.Paths()));
  markdown.Write(report.ToMarkdown());
  return report.IsComplete() ? kExitOk : kExitFindings;
}

}  // namespace

void RegisterMutants(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "mutants",
      "Measure the suite and the fuzzer on the planted bugs of backend broken");
  auto flags = std::make_shared<MutantsFlags>();
  command
      ->add_option("--arm", flags->arm,
                   "suite: the cases; fuzz: engine 1 of the fuzzer; engine2: "
                   "libFuzzer; control: uniform random values, one contiguous "
                   "shape; both: suite and fuzz, and the "
                   "control beside them; formulas: the cases, on changed "
                   "constraints")
      ->check(CLI::IsMember(
          {"suite", "fuzz", "engine2", "control", "both", "formulas"}))
      ->capture_default_str();
  command
      ->add_option("--device", flags->device,
                   "The bugs of the CUDA backend, planted in its kernels on a "
                   "GPU (cuda) or on the host (cuda-host)")
      ->check(CLI::IsMember(PlantedDevices()));
  command->add_option("--bug", flags->bugs, "Only these bugs")->type_name("ID");
  command
      ->add_option("--enough", flags->enough,
                   "Cases that notice a bug, after which the rest of the suite "
                   "is not asked about it")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->capture_default_str();
  command
      ->add_option("--budget", flags->budget,
                   "Cases of a seed that a search may take")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->capture_default_str()
      ->type_name("CASES");
  command
      ->add_option("--engine2", flags->engine2,
                   "The program ops_fuzzer of preset fuzz: measures it as well")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  command
      ->add_option("--seeds", flags->seeds,
                   "Searches of each bug, and draws of the control")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--closeness", flags->closeness,
                   "How the control compares: allclose by a relative and an "
                   "absolute tolerance, pcc by Pearson's correlation of a "
                   "whole result")
      ->check(CLI::IsMember(ClosenessNames()))
      ->capture_default_str();
  command->add_flag("--all", flags->all,
                    "With --arm formulas: every change of a formula, not ten");
  command->add_option("--out", flags->out, "Results as JSON Lines")
      ->type_name("FILE");
  command->add_option("--markdown", flags->markdown, "The table as Markdown")
      ->type_name("FILE");
  flags->suite.AddTo(*command);
  flags->suite.AddLayoutsTo(*command);
  command->callback([flags, command, exit_code] {
    *exit_code = Mutants(*flags, CommandLine(*command));
  });
}

}  // namespace assay
