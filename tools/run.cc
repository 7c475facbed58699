// assay run: judge backends on cases.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>

#include "backends/open.h"
#include "cases/session.h"
#include "reports/json_lines.h"
#include "reports/progress.h"
#include "reports/summary.h"
#include "tools/command.h"

namespace assay {
namespace {

// Failures that are explained on the terminal; the rest are counted, and all
// are in --out.
constexpr int kMaxExplained = 20;

struct RunFlags {
  std::vector<std::string> backends;
  std::string policy;  // empty: that of each backend
  std::string out;
  int jobs = 1, repeat = 1;
  OpenOptions open;
  SuiteFlags suite;
};

// A backend of the run; `executor` is empty for the pseudo-backend `spec`.
struct Subject {
  std::string spec;
  std::unique_ptr<Executor> executor;
  const Policy* policy;
};

// Ours are held to one answer wherever the texts allow several; others are held
// to the texts alone, unless the command line says otherwise.
const Policy& PolicyOf(const RunFlags& flags, const Executor* backend) {
  if (!flags.policy.empty()) return Policy::Find(flags.policy);
  const bool is_ours = backend == nullptr || backend->info().is_ours;
  return Policy::Find(is_ours ? "assay" : "stablehlo");
}

std::vector<Subject> LoadSubjects(const RunFlags& flags, bool* start_failed) {
  std::vector<Subject> subjects;
  for (const std::string& spec : flags.backends) {
    try {
      auto backend =
          Backend::IsSpec(spec) ? nullptr : OpenBackend(spec, flags.open);
      const Policy& policy = PolicyOf(flags, backend.get());
      subjects.push_back({spec, std::move(backend), &policy});
    } catch (const BackendError& e) {
      fmt::print(stderr, "assay: {}\n", e.what());
      *start_failed = true;
    }
  }
  return subjects;
}

RunHeader MakeHeader(const RunFlags& flags, const std::vector<Case>& suite,
                     const std::vector<Subject>& subjects,
                     const std::vector<std::string>& command) {
  RunHeader header{command, flags.suite.Paths(), suite.size(), {}};
  for (const Subject& subject : subjects) {
    if (subject.executor) {
      header.backends.push_back({subject.spec, subject.executor->info().name,
                                 subject.executor->info().version,
                                 subject.executor->info().path, subject.policy});
    } else {
      header.backends.push_back(
          {subject.spec, "spec", ASSAY_VERSION, "", subject.policy});
    }
  }
  return header;
}

void PrintFailure(const Verdict& verdict, int count) {
  if (count > kMaxExplained) return;
  fmt::print("{} {} {}  backend {}\n  {}\n", Name(verdict.outcome),
             verdict.case_name, verdict.type, verdict.backend, verdict.message);
  if (!verdict.replay.empty()) fmt::print("  replay: {}\n", verdict.replay);
}

int Run(const RunFlags& flags, const std::vector<std::string>& command) {
  if (!flags.policy.empty()) Policy::Find(flags.policy);
  const std::vector<Case> suite = flags.suite.Read();
  bool start_failed = false;
  std::vector<Subject> subjects = LoadSubjects(flags, &start_failed);
  if (subjects.empty()) return kExitStart;
  if (std::ranges::any_of(subjects,
                          [](auto& s) { return s.executor != nullptr; }))
    for (const Case& c : suite) RequireConstraints(c);
  std::optional<JsonLinesWriter> out;
  if (!flags.out.empty())
    out.emplace(flags.out, MakeHeader(flags, suite, subjects, command));

  Summary summary;
  ConstraintCoverage constraints;
  int failures = 0;
  const auto start = std::chrono::steady_clock::now();
  const std::string suite_flags = flags.suite.ToText();
  std::vector<size_t> all(suite.size());
  std::iota(all.begin(), all.end(), size_t{0});
  for (Subject& subject : subjects) {
    const bool is_spec = subject.executor == nullptr;
    Progress progress("judging " + subject.spec,
                      static_cast<int64_t>(suite.size()));
    const auto take = [&](const Verdict& verdict) {
      summary.Add(verdict);
      if (is_spec) constraints.Add(verdict);
      if (out) out->Write(verdict);
      if (IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass) {
        progress.Clear();
        PrintFailure(verdict, ++failures);
      }
      progress.Step(failures == 0 ? verdict.case_name
                                  : fmt::format("{} not passed  {}", failures,
                                                verdict.case_name));
    };
    if (is_spec) {
      for (const Case& c : suite)
        take(JudgeConstraints(c, *subject.policy, suite_flags));
      continue;
    }
    const SessionResult result = JudgeSuite(
        suite, all, *subject.policy, std::move(subject.executor),
        [&] { return OpenBackend(subject.spec, flags.open); },
        {flags.jobs, flags.repeat, suite_flags, nullptr}, take);
    if (!result.error.empty()) {
      fmt::print(stderr, "assay: {}\n", result.error);
      start_failed = true;
    }
  }
  if (failures > kMaxExplained) {
    fmt::print(
        "{} more; {}\n", failures - kMaxExplained,
        out ? "all of them are in " + flags.out : "--out FILE has all of them");
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  fmt::print("{}", summary.ToText());
  bool constraints_missing = false;
  for (const Subject& subject : subjects) {
    if (subject.spec != "spec") {
      fmt::print("{}: policy {}\n", subject.spec, subject.policy->name());
      continue;
    }
    fmt::print("{}", constraints.ToText());
    // A part of the suite need not show everything.
    constraints_missing = flags.suite.cases.empty() &&
                          flags.suite.ops.empty() &&
                          !constraints.Check().missing.empty();
  }
  fmt::print("{} cases, {:.1f} s\n", summary.cases(), seconds);
  if (out) out->Finish(summary);
  if (start_failed) return kExitStart;
  if (!summary.conforms() || constraints_missing) return kExitFindings;
  return summary.judged() == 0 ? kExitNothingJudged : kExitOk;
}

}  // namespace

void RegisterRun(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "Judge backends on cases");
  auto flags = std::make_shared<RunFlags>();
  command
      ->add_option("--backend", flags->backends,
                   "A name (simd), a plugin (./libmine.so) or `spec`, which "
                   "judges the constraints; options as simd?target=avx2")
      ->required()
      ->type_name("BACKEND");
  command
      ->add_option(
          "--policy", flags->policy,
          "What is accepted where the texts are open (`assay list policies`). "
          "Default: assay for our backends, stablehlo for a plugin by path")
      ->type_name("NAME");
  command->add_option("--out", flags->out, "Results as JSON Lines")
      ->type_name("FILE");
  command->add_option("--jobs", flags->jobs, "Workers of a backend at a time");
  command->add_option("--repeat", flags->repeat, "Judge every case N times");
  command->add_flag("--in-process", flags->open.in_process, "No worker");
  flags->suite.AddTo(*command);
  command->callback([flags, command, exit_code] {
    std::vector<std::string> line = {"assay", "run"};
    for (const CLI::Option* option : command->parse_order()) {
      if (!option->results().empty()) line.push_back(option->get_name());
      for (const std::string& value : option->results()) line.push_back(value);
    }
    *exit_code = Run(*flags, line);
  });
}

}  // namespace assay
