// assay run: judge backends on cases.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "backends/loader.h"
#include "cases/runner.h"
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
  SuiteFlags suite;
};

// A backend of the run; `loaded` is empty for the pseudo-backend `spec`.
struct Subject {
  std::string spec;
  std::unique_ptr<Backend> loaded;
  const Policy* policy;
};

// Ours are held to one answer wherever the texts allow several; others are held
// to the texts alone, unless the command line says otherwise.
const Policy& PolicyOf(const RunFlags& flags, const Backend* backend) {
  if (!flags.policy.empty()) return Policy::Find(flags.policy);
  const bool is_ours = backend == nullptr || backend->is_ours();
  return Policy::Find(is_ours ? "assay" : "stablehlo");
}

std::vector<Subject> LoadSubjects(const RunFlags& flags, bool* start_failed) {
  std::vector<Subject> subjects;
  for (const std::string& spec : flags.backends) {
    try {
      auto backend = Backend::IsSpec(spec) ? nullptr : Backend::Load(spec);
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
  RunHeader header;
  header.command = command;
  header.suite = flags.suite.Paths();
  header.cases = suite.size();
  header.ops = flags.suite.ops;
  for (const Subject& subject : subjects) {
    if (subject.loaded) {
      header.backends.push_back(
          {subject.spec, subject.loaded->abi().name,
           subject.loaded->abi().version, subject.loaded->path(), "",
           subject.policy->name(), subject.policy->values()});
    } else {
      header.backends.push_back({subject.spec, "spec", ASSAY_VERSION, "", "",
                                 subject.policy->name(),
                                 subject.policy->values()});
    }
  }
  return header;
}

int Run(const RunFlags& flags, const std::vector<std::string>& command) {
  if (!flags.policy.empty()) Policy::Find(flags.policy);
  const std::vector<Case> suite = flags.suite.Read();
  bool start_failed = false;
  const std::vector<Subject> subjects = LoadSubjects(flags, &start_failed);
  if (subjects.empty()) return kExitStart;
  if (std::ranges::any_of(subjects,
                          [](auto& s) { return s.loaded != nullptr; }))
    for (const Case& c : suite) RequireConstraints(c);
  std::optional<JsonLinesWriter> out;
  if (!flags.out.empty())
    out.emplace(flags.out, MakeHeader(flags, suite, subjects, command));

  Summary summary;
  ConstraintCoverage constraints;
  int failures = 0;
  const auto start = std::chrono::steady_clock::now();
  const std::string suite_flags = flags.suite.ToText();
  for (const Subject& subject : subjects) {
    Runner runner(subject.loaded.get(), *subject.policy);
    Progress progress("judging " + subject.spec,
                      static_cast<int64_t>(suite.size()));
    for (size_t i = 0; i < suite.size(); ++i) {
      const Case& c = suite[i];
      Verdict verdict = runner.Run(c, suite_flags);
      verdict.index = static_cast<int64_t>(i);
      summary.Add(verdict);
      if (!subject.loaded) constraints.Add(verdict);
      if (out) out->Write(verdict);
      if (IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass) {
        progress.Clear();
        if (++failures <= kMaxExplained) fmt::print("{}", FailureText(verdict));
      }
      progress.Step(failures == 0
                        ? c.name
                        : fmt::format("{} not passed  {}", failures, c.name));
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
    if (subject.loaded) {
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
  if (out) out->Finish(summary, seconds);
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
