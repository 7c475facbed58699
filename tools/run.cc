// The command `assay run` judges backends on cases.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "cases/read/case_json.h"
#include "cases/read/mlir_cases.h"
#include "cases/run/parallel.h"
#include "cases/run/session.h"
#include "reports/json_lines.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "spec/digest.h"
#include "spec/error.h"
#include "tools/cases_as_json.h"
#include "tools/run_flags.h"

namespace assay {
namespace {

// A subject is a backend of the run; `executor` is empty for the pseudo-backend
// `spec`.
struct Subject {
  std::string spec;
  std::unique_ptr<Executor> executor;
  const Policy* policy;
};

// A signal sets this, or the first failure (--fail-fast).
std::atomic<bool> stopped = false;
bool stopped_at_failure = false;

// The first Ctrl-C ends the run in order, the second at once.
void StopInOrder(int signal) {
  stopped = true;
  std::signal(signal, SIG_DFL);
}

std::vector<Subject> OpenSubjects(const RunFlags& flags,
                                  std::set<std::string>* failed) {
  std::vector<Subject> subjects;
  for (const std::string& spec : flags.backends) {
    if (std::ranges::find(subjects, spec, &Subject::spec) != subjects.end())
      throw InputError("--backend", "'" + spec + "' is there twice");
    try {
      auto executor =
          Backend::IsSpec(spec) ? nullptr : OpenBackend(spec, flags.open);
      const bool is_ours = executor == nullptr || executor->info().is_ours;
      const Policy& policy = PolicyFor(flags.policy, is_ours);
      subjects.push_back({spec, std::move(executor), &policy});
    } catch (const BackendError& e) {
      PrintText(stderr, "assay: {}\n", e.what());
      failed->insert(spec);
    }
  }
  return subjects;
}

// A suite is identified by the selected cases, in order, and the content of
// their files, wherever those lie.
std::string SuiteDigest(const std::vector<Case>& suite,
                        const std::map<std::string, std::string>& digests) {
  std::string text;
  std::set<std::string> files;
  const std::string* last = nullptr;  // most cases are of the file before
  for (const Case& c : suite) {
    if ((last == nullptr || c.file != *last) && files.insert(c.file).second)
      text += digests.at(c.file) + "\n";
    last = &c.file;
    text += c.name + "\n";
    for (const Case& earlier : c.after) text += "after " + earlier.name + "\n";
  }
  return Sha256(text);
}

// The keys are the paths of the files.
std::map<std::string, std::string> FileDigests(const std::vector<Case>& suite) {
  std::map<std::string, std::string> digests;
  const std::string* last = nullptr;
  for (const Case& c : suite) {
    if (last != nullptr && c.file == *last) continue;
    last = &c.file;
    std::string& digest = digests[c.file];
    if (digest.empty()) digest = Sha256OfFile(c.file);
  }
  return digests;
}

// A case stays in its shard when cases are added, because the shard depends on
// the first eight bytes of the name's digest only.
bool IsInShard(const Case& c, const RunHeader::Shard& shard) {
  if (shard.count == 1) return true;
  const uint64_t hash = std::stoull(Sha256(c.name).substr(0, 16), nullptr, 16);
  return hash % static_cast<uint64_t>(shard.count) ==
         static_cast<uint64_t>(shard.index) - 1;
}

int List(const std::vector<Case>& suite, const RunHeader::Shard& shard) {
  std::vector<Case> chosen;
  for (const Case& c : suite) {
    if (IsInShard(c, shard)) chosen.push_back(c);
  }
  PrintCases(chosen);
  PrintText("{} cases\n", chosen.size());
  return kExitOk;
}

RunHeader MakeHeader(const RunFlags& flags, const std::vector<Case>& suite,
                     size_t cases, const std::vector<Subject>& subjects,
                     const std::vector<std::string>& command) {
  RunHeader header;
  header.command = command;
  header.suite = flags.suite.Paths();
  header.cases = cases;
  const std::map<std::string, std::string> digests = FileDigests(suite);
  header.suite_sha256 = SuiteDigest(suite, digests);
  // This much of a digest is enough to tell apart files that lie beside one
  // another.
  for (const auto& [file, digest] : digests)
    header.files[NameInSuite(file, header.suite)] = digest.substr(0, 16);
  header.ops = flags.suite.ops;
  header.cases_are_named = !flags.suite.cases.empty();
  header.shard = flags.shard;
  header.repeat = flags.repeat;
  header.how = flags.how.ReplayText();
  for (const Subject& subject : subjects) {
    BackendInfo info;
    info.spec = info.name = subject.spec;
    info.version = ASSAY_VERSION;
    if (subject.executor) info = subject.executor->info();
    header.backends.push_back({info.spec, info.name, info.version, info.path,
                               info.path.empty() ? "" : Sha256OfFile(info.path),
                               subject.policy->name(), subject.policy->values(),
                               subject.policy->file(),
                               subject.policy->sha256()});
  }
  return header;
}

// Keeps the worst element of a sweep as a case beside those that are in the
// folder already.
void KeepWorst(const std::string& folder, const Case& sweep,
               const Accuracy& accuracy) {
  if (accuracy.worst_index < 0) return;
  const Case worst =
      SliceOf(sweep, accuracy.worst_index, accuracy.worst_index + 1);
  KeepCase(
      fmt::format("{}/{}-worst.json", folder, sweep.op), sweep.op,
      CaseAsJson(worst, "worst_of_" + sweep.name.substr(sweep.op.size() + 1)));
}

// Judges one backend on the cases that are left. Returns the verdicts on the
// cases that were left when it was given up.
std::vector<Verdict> JudgeSubject(Subject* subject, const RunFlags& flags,
                                  const std::vector<Case>& suite,
                                  const std::vector<size_t>& cases,
                                  std::map<size_t, ChunkVerdicts> chunks_done,
                                  CrashLimit crashes, OutcomeReport* report,
                                  JsonLinesWriter* out) {
  int64_t steps = 0;  // chunks of sweeps, and their merging
  for (const size_t i : cases)
    steps += 1 + (suite[i].chunk > 0 ? ChunkCount(suite[i]) : 0);
  for (const auto& [i, chunks] : chunks_done)
    steps -= static_cast<int64_t>(chunks.size());
  Progress progress("judging " + subject->spec, steps);
  const auto take = [&](const Verdict& verdict) {
    if (stopped_at_failure) return;  // it was under way
    if (!flags.keep_worst.empty() && verdict.chunks && verdict.accuracy)
      KeepWorst(flags.keep_worst, suite[static_cast<size_t>(verdict.index)],
                *verdict.accuracy);
    if (out != nullptr) out->Write(verdict);
    if (report->Add(verdict) && flags.fail_fast)
      stopped_at_failure = stopped = true;
    progress.Step(report->unexpected() == 0
                      ? verdict.case_name
                      : fmt::format("{} not passed  {}", report->unexpected(),
                                    verdict.case_name));
  };
  const std::string suite_flags = flags.ReplayText();
  if (!subject->executor) {
    for (size_t i = 0; i < cases.size() && !stopped; ++i) {
      Verdict verdict =
          JudgeConstraints(suite[cases[i]], *subject->policy, suite_flags);
      verdict.index = static_cast<int64_t>(cases[i]);
      take(verdict);
    }
    return {};
  }
  const SessionOptions session = {
      std::max(flags.jobs, LeastJobs(subject->spec)),
      flags.repeat,
      suite_flags,
      &stopped,
      std::move(chunks_done),
      [&](int64_t number, const Verdict& verdict) {
        if (out != nullptr) out->WriteChunk(number, verdict);
        progress.Step(fmt::format("{} chunk {}", verdict.case_name, number));
      },
      {[&] {
         OpenOptions open = flags.open;
         open.in_process = false;
         // Each case may end its process before it answers.
         open.limits.max_deaths = INT_MAX;
         return OpenBackend(subject->spec, open);
       },
       [&](const std::string& tried) { progress.Note(tried); }},
      std::move(crashes)};
  SessionResult result = JudgeSuite(
      suite, cases, *subject->policy, std::move(subject->executor),
      [&] { return OpenBackend(subject->spec, flags.open); }, session, take);
  progress.Clear();
  for (const std::string& note : result.notes)
    PrintText(stderr, "assay: one job less: {}\n", note);
  if (const Times& times = result.times;
      times.compile > 0 && !flags.outcome.quiet)
    PrintText("{}: {:.1f} s to start, {:.1f} s to compile, {:.1f} s to run\n",
              subject->spec, times.start, times.compile, times.execute);
  if (result.restarts > 0 && !flags.outcome.quiet)
    PrintText("{}: its worker was started again {} time(s)\n", subject->spec,
              result.restarts);
  if (result.error.empty()) return {};
  PrintText(stderr, "assay: {}\n", result.error);
  return std::move(result.left_out);
}

// Anybody may have changed the journal: its chunks must belong to these cases.
void RequireChunks(const std::string& out, const std::vector<Case>& suite,
                   size_t i, const ChunkVerdicts& there) {
  const bool is_sweep = i < suite.size() && suite[i].chunk > 0 &&
                        there.begin()->second.case_name == suite[i].name;
  if (!is_sweep || there.rbegin()->first >= ChunkCount(suite[i]))
    throw InputError(out + ".chunks",
                     fmt::format("chunk {} of case {} is not of this run",
                                 there.rbegin()->first, i));
}

int Run(RunFlags flags, const std::vector<std::string>& command) {
  flags.Check();
  std::vector<LeftOut> left_out_of_text;
  const std::vector<Case> suite =
      flags.suite.Read(flags.jobs, &left_out_of_text);
  // The first function of each reason is shown with its place.
  if (!left_out_of_text.empty() && !flags.outcome.quiet) {
    PrintText("functions of StableHLO text left out: {} ({})\n",
              left_out_of_text.size(), CountsOf(left_out_of_text));
    std::set<std::string> shown;
    for (const LeftOut& each : left_out_of_text) {
      if (shown.insert(each.subject).second)
        PrintText("  {}: {}\n", each.where, each.reason);
    }
  }
  if (flags.list) return List(suite, flags.shard);
  std::set<std::string> failed;
  std::vector<Subject> subjects = OpenSubjects(flags, &failed);
  if (subjects.empty()) return kExitStart;
  std::vector<size_t> cases;
  for (size_t i = 0; i < suite.size(); ++i) {
    if (IsInShard(suite[i], flags.shard)) cases.push_back(i);
  }
  if (std::ranges::any_of(subjects,
                          [](auto& s) { return s.executor != nullptr; }))
    ForEachInParallel(cases.size(), flags.jobs,
                      [&](size_t i) { RequireConstraints(suite[cases[i]]); });
  const RunHeader header =
      MakeHeader(flags, suite, cases.size(), subjects, command);
  OutcomeReport report(flags.outcome, header);
  std::signal(SIGINT, StopInOrder);
  std::signal(SIGTERM, StopInOrder);
  std::unique_ptr<JsonLinesWriter> out;
  std::set<std::pair<std::string, int64_t>> done;
  std::map<std::string, std::map<size_t, ChunkVerdicts>> chunks;
  std::map<std::string, CrashLimit> crashes;  // by backend
  for (const Subject& subject : subjects)
    crashes.emplace(subject.spec, CrashLimit(flags.crashes));
  if (flags.resume) {
    Journal journal = Journal::Resume(flags.out, header);
    out = std::move(journal.writer);
    journal.done.ForEach([&](const Verdict& verdict) {
      done.emplace(verdict.backend, verdict.index);
      Verdict counted = verdict;
      if (const auto it = crashes.find(verdict.backend); it != crashes.end())
        it->second.Take(suite.at(static_cast<size_t>(verdict.index)), &counted);
      report.Add(verdict);
    });
    if (!flags.outcome.quiet)
      PrintText("{} verdicts were there already\n", done.size());
    chunks = std::move(journal.chunks);
    for (auto& [backend, of_cases] : chunks) {
      std::erase_if(of_cases, [&, &name = backend](const auto& of_case) {
        return done.contains({name, static_cast<int64_t>(of_case.first)});
      });
      for (const auto& [i, there] : of_cases) {
        RequireChunks(flags.out, suite, i, there);
        if (!flags.outcome.quiet)
          PrintText("{}: {} of {} chunks were there already\n",
                    suite.at(i).name, there.size(), ChunkCount(suite[i]));
      }
    }
  } else if (!flags.out.empty()) {
    out = std::make_unique<JsonLinesWriter>(flags.out, header);
  }

  if (const char* suite = std::getenv("ASSAY_SUITE");
      suite != nullptr && flags.suite.cases.empty() && !flags.outcome.quiet)
    PrintText("The suite is that of {} ($ASSAY_SUITE)\n", suite);
  const auto start = std::chrono::steady_clock::now();
  // These verdicts stay out of the journal, so that --resume judges those
  // cases.
  std::vector<Verdict> left_out;
  for (Subject& subject : subjects) {
    std::vector<size_t> left;
    for (size_t i : cases) {
      if (!done.contains({subject.spec, static_cast<int64_t>(i)}))
        left.push_back(i);
    }
    std::vector<Verdict> rest = JudgeSubject(
        &subject, flags, suite, left, std::move(chunks[subject.spec]),
        std::move(crashes[subject.spec]), &report, out.get());
    if (!rest.empty()) failed.insert(subject.spec);
    std::ranges::move(rest, std::back_inserter(left_out));
    if (stopped) break;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (stopped) {
    // A part of the verdicts must not be taken for the whole, so there is no
    // gate and no file is written.
    report.PrintUnfinished();
    PrintText(
        stderr, "assay: {}, after {} of {} cases{}\n",
        stopped_at_failure ? "stopped at the first failure" : "interrupted",
        report.summary().cases(), cases.size() * subjects.size(),
        flags.out.empty() ? "" : "; the same command with --resume goes on");
    return stopped_at_failure ? kExitFindings : kExitInterrupted;
  }
  for (const Verdict& verdict : left_out) {
    if (out) out->Write(verdict);
    report.Add(verdict);
  }
  if (out)
    out->Finish(report.summary(), seconds, {failed.begin(), failed.end()});
  MoreOfReport more;
  more.cases_as_json = CasesOfSuite(suite);
  return report.Finish(failed, seconds, more);
}

}  // namespace

void RegisterRun(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "Judge backends on cases");
  auto flags = std::make_shared<RunFlags>();
  flags->AddTo(*command);
  command->callback([flags, command, exit_code] {
    *exit_code = Run(*flags, CommandLine(*command));
  });
}

}  // namespace assay
