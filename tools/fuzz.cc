// The command `assay fuzz` searches for disagreements, and hands over the
// smallest case of each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "backends/host/interrupted.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/forked.h"
#include "fuzz/campaign/journal.h"
#include "fuzz/campaign/learn.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "reports/summary.h"
#include "spec/error.h"
#include "tools/command.h"
#include "tools/found_report.h"
#include "tools/interruption.h"
#include "tools/limit_flags.h"

namespace assay {
namespace {

struct FuzzFlags {
  std::string backend, policy, out, time, memory;
  HowFlags how;
  std::vector<std::string> ops;
  uint64_t seed = 0;
  std::optional<uint64_t> index, count;
  std::optional<size_t> most_findings;
  LimitFlags limits{"10s"};
  int jobs = 1, run_b_every = 8;
  bool resume = false, in_process = false;

  void AddTo(CLI::App& command);
};

// After an interruption, findings are shrunk for a second more, the campaign's
// last blocks included; a process that then does not end by itself is ended.
bool IsOver() { return Interruption::IsOlderThan(std::chrono::seconds(1)); }
bool IsLongOver() {
  return Interruption::IsOlderThan(std::chrono::milliseconds(1500));
}

class Fuzz {
 public:
  explicit Fuzz(const FuzzFlags& flags) : flags_(flags) {
    CampaignOptions& o = options_;
    o.backend = flags.backend;
    o.open.in_process = flags.in_process;
    flags.limits.Fill(&o.open.limits);
    o.open.limits.memory = ParseBytes(flags.memory);
    o.open.how = flags.how.Get(flags.in_process);
    o.seed = flags.seed;
    o.first = flags.index.value_or(0);
    o.count = flags.count;
    if (!flags.time.empty()) o.time = ParseDuration("--time", flags.time);
    if (!o.count && !o.time) {
      if (flags.index) o.count = 1;
      if (!flags.index) o.time = std::chrono::seconds(60);
    }
    o.jobs = flags.jobs;
    o.run_b_every = flags.run_b_every;
    o.most_findings = flags.most_findings;
    if (flags.resume && flags.out.empty())
      throw InputError("--resume", "needs --out DIR, which has the journal");
    OpenBackendOnce();
    o.jobs = std::max(o.jobs, LeastJobs(flags.backend));
    DrawOptions draw;
    draw.ops = flags.ops;
    if (!executor_ || executor_->info().verifies) {
      draw.percent_verified = kPercentOfVerified;
      if (executor_) draw.calls_per_violation = kCallsPerViolation;
    } else {
      draw.violations =
          executor_->info().validates || executor_->info().validates_pointwise;
      draw.only_pointwise_violations = true;
    }
    if (executor_ && executor_->RunsPrograms())
      draw.percent_programs = kPercentOfPrograms;
    generator_.emplace(draw);
  }

  int Run() {
    if (flags_.index && options_.count == 1) return JudgeOne();
    Interruption::Catch();
    options_.stop = &Interruption::Came();
    try {
      Learn();
    } catch (const Interrupted&) {
    }
    if (Interruption::Came()) {
      PrintText(stderr, "assay: interrupted before the first case\n");
      return kExitInterrupted;
    }
    if (!generator_->not_drawn().empty())
      PrintText(
          "not drawn: {} op(s), which have functions and no proposal, values "
          "that are no tensors, or types that are not tried: {}\n",
          generator_->not_drawn().size(),
          fmt::join(generator_->not_drawn(), ", "));
    if (!generator_->not_judged().empty())
      PrintText("not drawn: {} op(s) that are not judged: {}\n",
                generator_->not_judged().size(),
                fmt::join(generator_->not_judged(), ", "));
    CampaignState state;
    state.next = options_.first;
    if (!flags_.out.empty())
      journal_.emplace(flags_.out, options_, flags_.ops,
                       DigestOfCases(&*generator_), flags_.resume, &state);
    if (state.next > options_.first)
      PrintText("{} cases and {} findings were there already\n",
                state.next - options_.first, state.findings.size());
    const auto start = std::chrono::steady_clock::now();
    std::string error;
    try {
      Search(&state);
    } catch (const BackendError& e) {
      error = e.what();
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    FoundReport report(Searched(), {IsOver, IsLongOver});
    report.Tell(ByIndex(state));
    PrintTotals(state, report.told(), seconds);
    if (journal_) journal_->Close();
    RequireWritten(report);
    if (!error.empty()) throw BackendError(error);
    if (Interruption::Came()) {
      PrintText(
          stderr, "assay: interrupted{}\n",
          flags_.out.empty() ? "" : "; the same command with --resume goes on");
      return kExitInterrupted;
    }
    if (!state.findings.empty()) return kExitFindings;
    return CountJudged(state) > 0 ? kExitOk : kExitNothingJudged;
  }

 private:
  // This shows before work begins whether the backend starts, what it validates
  // and which policy applies.
  void OpenBackendOnce() {
    if (!Backend::IsSpec(flags_.backend)) {
      OpenOptions open = options_.open;
      open.in_process = false;
      open.limits.is_over = IsOver;
      executor_ = OpenBackend(flags_.backend, open);
    }
    policy_ =
        &PolicyFor(flags_.policy, !executor_ || executor_->info().is_ours);
    options_.policy = policy_;
  }

  // Only campaigns ask what the backend declines: with --index, the case is the
  // same whatever the backend declines.
  void Learn() {
    // A backend that verifies calls is asked of all: it has said whether they
    // are valid before it declines to run them.
    if (!executor_ || executor_->info().verifies) return;
    Progress progress("asking " + flags_.backend + " what it declines", 1);
    size_t answers = 0;
    declined_ = LearnDeclined(
        executor_.get(), &*generator_,
        {policy_, options_.stop,
         [&] { progress.Note(fmt::format("{} calls", ++answers)); }});
    progress.Clear();
    options_.declined = &*declined_;
    if (declined_->empty()) return;
    PrintText(
        "{} declines {} of {} kinds of calls; what it declines is drawn in 1 "
        "of {} cases only:\n",
        flags_.backend, declined_->kinds_declined(), declined_->kinds_asked(),
        Declined::kAskedEvery);
    for (const std::string& line : declined_->Lines())
      PrintText("  {}\n", line);
  }

  int JudgeOne() {
    if (!flags_.out.empty()) MakeFindingsFolder(flags_.out);
    const Drawn drawn = generator_->Draw(options_.seed, options_.first);
    Finding finding{
        "", options_.first, drawn.c.name, drawn.variant, Outcome::kCrash, ""};
    const auto judge = [&](size_t) {
      const Verdict verdict =
          JudgeIndex(options_, &*generator_, executor_.get(), options_.first);
      finding.signature = SignatureOf(verdict, drawn.c);
      finding.outcome = verdict.outcome;
      finding.message = verdict.message;
      return JsonText(ToJson(finding));
    };
    ForEachInChild(1, 1, judge, [&](size_t, const auto& line, const auto& why) {
      if (!line) {
        finding.message = "the process that judged it ended: " + why;
        return;
      }
      const Json json = Json::parse(*line);
      finding = FindingFromJson(JsonView(json, "the process that judges"));
    });
    if (!IsJudged(finding.outcome) || finding.outcome == Outcome::kPass) {
      PrintText("{} {}{}\n", Name(finding.outcome), finding.case_name,
                finding.message.empty() ? "" : ": " + finding.message);
      return IsJudged(finding.outcome) ? kExitOk : kExitNothingJudged;
    }
    FoundReport report(Searched());
    report.Tell({&finding});
    RequireWritten(report);
    return kExitFindings;
  }

  void Search(CampaignState* state) {
    // After a fault, the multi-process service of a device starts again only
    // when it has no other user, so this idle one ends first.
    executor_.reset();
    const int64_t steps =
        options_.count
            ? static_cast<int64_t>(*options_.count / Campaign::kBlock + 1)
            : options_.time->count() / 100 + 1;
    Progress progress("fuzzing " + flags_.backend, steps);
    int64_t shown = 0;
    const auto began = std::chrono::steady_clock::now();
    Campaign(options_, &*generator_)
        .Run(
            state,
            [&](const Finding& finding) {
              if (journal_) journal_->Write(finding);
            },
            [&](const CampaignState& now) {
              if (journal_) journal_->Write(now);
              const std::chrono::duration<double, std::milli> passed =
                  std::chrono::steady_clock::now() - began;
              const int64_t at =
                  options_.count
                      ? static_cast<int64_t>((now.next - options_.first) /
                                             Campaign::kBlock)
                      : static_cast<int64_t>(passed.count() / 100);
              const std::string detail = fmt::format(
                  "{} cases, {} findings", now.judged, now.findings.size());
              for (; shown < std::min(at, steps); ++shown)
                progress.Step(detail);
            });
  }

  static void RequireWritten(const FoundReport& report) {
    if (!report.lost().empty())
      throw InputError(report.lost(),
                       "cannot be written; the case is printed above");
  }

  SearchedFor Searched() {
    return {flags_.backend,
            flags_.out,
            flags_.ops,
            &options_,
            policy_,
            &*generator_,
            !Backend::IsSpec(flags_.backend),
            flags_.limits,
            flags_.how,
            flags_.memory};
  }

  static std::vector<const Finding*> ByIndex(const CampaignState& state) {
    std::vector<const Finding*> findings;
    for (const auto& [signature, finding] : state.findings)
      findings.push_back(&finding);
    std::ranges::sort(findings, {}, &Finding::index);
    return findings;
  }

  static uint64_t CountJudged(const CampaignState& state) {
    uint64_t judged = 0;
    for (const auto& [outcome, count] : state.outcomes)
      judged += IsJudged(outcome) ? count : 0;
    return judged;
  }

  void PrintTotals(const CampaignState& state, size_t told,
                   double seconds) const {
    PrintText("{}: policy {}, seed {}, indices {} to {}\n", flags_.backend,
              policy_->name(), options_.seed, options_.first, state.next);
    for (const auto& [outcome, count] : state.outcomes)
      PrintText("  {:<20} {:>12}\n", Name(outcome), count);
    if (state.turned_away > 0)
      PrintText("  {:<20} {:>12}\n", "not drawn: declined", state.turned_away);
    PrintText("  {:<20} {:>12} of {} elements of results\n", "accepted unseen",
              state.open, state.elements);
    PrintText("{} finding(s) of {} signature(s); {:.0f} cases a second{}\n",
              told, state.findings.size(),
              static_cast<double>(state.judged) / std::max(seconds, 1e-3),
              state.deaths == 0
                  ? ""
                  : fmt::format("; {} process(es) ended", state.deaths));
    if (flags_.most_findings && state.findings.size() >= *flags_.most_findings)
      PrintText("ended behind {} finding(s), as --findings says\n",
                *flags_.most_findings);
  }

  const FuzzFlags& flags_;
  CampaignOptions options_;
  std::unique_ptr<Executor> executor_;
  const Policy* policy_ = nullptr;
  std::optional<Generator> generator_;
  std::optional<Declined> declined_;
  std::optional<CampaignJournal> journal_;
};

void FuzzFlags::AddTo(CLI::App& command) {
  command
      .add_option(
          "--backend", backend,
          "As of `assay run`; `spec`: the constraints themselves, which "
          "must hold as the generator says")
      ->required()
      ->type_name("BACKEND");
  command.add_option("--op", ops, "Only ops that match, such as 'shift*'")
      ->type_name("GLOB");
  command
      .add_option("--policy", policy,
                  "Default: assay for our backends, stablehlo for others")
      ->type_name("NAME|FILE.json");
  command.add_option("--seed", seed, "Another campaign")
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--index", index,
                  "The first case; without --count and --time, the only one")
      ->type_name("N");
  auto* for_time = AddText(command, "--time", &time, "TIME",
                           "How long, such as 10m. Default: 60s");
  command.add_option("--count", count, "How many cases")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 48))
      ->excludes(for_time)
      ->type_name("N");
  command.add_option("--jobs", jobs, "Processes that judge at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--run-b-every", run_b_every,
                  "Every which case runs a second time, in other memory")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str()
      ->type_name("N");
  AddText(command, "--out", &out, "DIR",
          "A folder for the journal and the findings");
  command.add_flag("--resume", resume,
                   "Go on with the campaign whose journal is in --out");
  command.add_flag("--in-process", in_process,
                   "Load the plugin into the processes that judge: faster; "
                   "what it does to them is still a finding");
  command
      .add_option("--findings", most_findings,
                  "End behind so many findings of different signatures")
      ->check(CLI::Range(size_t{1}, size_t{1} << 30))
      ->type_name("N");
  how.AddTo(command);
  limits.AddTo(command);
  AddMemoryTo(command, &memory);
}

}  // namespace

void RegisterFuzz(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "fuzz", "Search for disagreements, and hand over the smallest of each");
  auto flags = std::make_shared<FuzzFlags>();
  flags->AddTo(*command);
  command->callback([=] { *exit_code = Fuzz(*flags).Run(); });
}

}  // namespace assay
