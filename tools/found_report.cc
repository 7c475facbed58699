#include "tools/found_report.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "backends/host/interrupted.h"
#include "cases/read/mlir_cases.h"
#include "cases/run/earlier_calls.h"
#include "fuzz/campaign/finding_text.h"
#include "fuzz/campaign/forked.h"
#include "fuzz/shrink/edit.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "reports/summary.h"
#include "spec/digest.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/shrunk_case.h"

namespace assay {
namespace {

// Two limits apply to findings that depend on earlier calls: a number of
// executions, each in a new process, and a time to search for the earlier
// calls.
constexpr int kAnew = 300;
constexpr std::chrono::seconds kSearch(30);
// A finding is shrunk for so long: each execution of one that hangs takes as
// long as a call may take.
constexpr std::chrono::seconds kShrink(60);

std::string OpsText(const std::vector<std::string>& ops) {
  std::string text;
  for (const std::string& op : ops) text += " " + ShellFlag("--op", op);
  return text;
}

}  // namespace

std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void FoundReport::Tell(const std::vector<const Finding*>& findings) {
  {
    Progress progress("shrinking", static_cast<int64_t>(findings.size()));
    ForEachInChild(
        findings.size(), in_.options->jobs,
        [&](size_t i) { return JsonText(Describe(*findings[i])); },
        [&](size_t i, const auto& line, const std::string& why) {
          Add(*findings[i], line ? Json::parse(*line) : Json(), why);
          progress.Step(findings[i]->signature);
        },
        stops_.is_long_over);
  }
  for (const Kept& kept : kept_) Print(kept);
}

void FoundReport::Add(const Finding& finding, const Json& shrunk,
                      const std::string& why) {
  Kept kept{&finding, shrunk, why};
  if (shrunk.contains("passes")) {
    kept.why = shrunk["passes"].get<std::string>();
    kept.shrunk = nullptr;
  }
  if (kept.shrunk.is_null() && kept.why.empty())
    kept.why = "a worker passes it alone";
  const std::string signature = kept.shrunk.is_null()
                                    ? finding.signature
                                    : shrunk["signature"].get<std::string>();
  const auto [there, is_new] = number_of_.emplace(signature, kept_.size());
  if (is_new) {
    kept_.push_back({});
  } else if (kept.shrunk.is_null() || !kept_[there->second].shrunk.is_null()) {
    ++kept_[there->second].others;
    return;
  } else {
    // One that was not shrunk had this signature, and this one was.
    kept.others = kept_[there->second].others + 1;
  }
  ASSAY_CHECK(kept.shrunk.is_null() || shrunk.contains("path"));
  if (!kept.shrunk.is_null() && !in_.out.empty())
    kept.is_written = Write(kept.shrunk);
  kept_[there->second] = std::move(kept);
}

// A failure that does not depend on the layout has as many signatures as there
// are layouts, one of which was shrunk. Returns the signature of the shrunk one
// if this case fails in row-major order as it does in its own layout.
std::optional<std::string> FoundReport::KnownAs(
    const Drawn& drawn,
    const std::function<Verdict(const Case&)>& judge) const {
  if (drawn.c.program.main().body.size() > 1 || !drawn.c.violates.empty() ||
      shrunk_.empty())
    return std::nullopt;
  const Case plain = InRowMajorOrder(drawn.c);
  const Verdict verdict = judge(plain);
  const std::string signature = SignatureOf(verdict, plain);
  const bool is_known = IsFinding(verdict) && shrunk_.contains(signature) &&
                        CoreOf(verdict) == CoreOf(judge(ToJudge(drawn)));
  return is_known ? std::optional(signature) : std::nullopt;
}

// Returns the cases before it in its process that made it fail.
Dependence FoundReport::FindDependence(const Finding& finding,
                                       const Drawn& drawn) {
  EarlierCalls search(shrinks_on_.get(), *in_.policy,
                      [](const std::string&) {});
  return search.Search(
      ToJudge(drawn), finding.outcome, IndicesOf(finding.before),
      [&](int64_t slot) -> std::optional<Case> {
        return MadeEarlier(ToJudge(
            CaseAt(*in_.options, in_.generator, static_cast<uint64_t>(slot))
                .drawn));
      },
      EarlierCalls::Clock::now() + kSearch);
}

// Shrinks a case to one that fails in a process of its own, if it does.
Shrunk FoundReport::ShrinkAlone(
    const Drawn& drawn, const std::function<Verdict(const Case&)>& judge) {
  Shrunk shrunk = Shrink(drawn.c, drawn.variant,
                         {2000, in_.policy, kShrink, stops_.is_over}, judge);
  if (!shrunk.fails || !shrinks_on_ || IsOver()) return shrunk;
  // The candidates of the shrinker may also leave something in the process, so
  // the result is judged in a new one.
  const auto judge_anew = [&](const Case& c) {
    shrinks_on_->Renew();
    return judge(c);
  };
  try {
    const Verdict alone = judge_anew(ToJudge({shrunk.c, shrunk.variant}));
    if (CoreOf(alone) == CoreOf(shrunk.verdict)) return shrunk;
  } catch (const Interrupted&) {
    shrunk.is_complete = false;
    return shrunk;
  }
  return Shrink(drawn.c, drawn.variant,
                {kAnew, in_.policy, kShrink, stops_.is_over}, judge_anew);
}

// Shrinks the finding and describes the result: the signature alone if that was
// shrunk before, null if it does not fail.
Json FoundReport::Describe(const Finding& finding) {
  if (IsOver()) throw Interrupted();
  // This function runs in a child process, which cannot use the worker of its
  // parent.
  if (shrinks_on_) {
    // The worker starts again, so that this finding does not see what the one
    // before left in the process.
    shrinks_on_->Renew();
  } else if (in_.asks_backend) {
    OpenOptions open = in_.options->open;
    open.in_process = false;
    open.limits.is_over = stops_.is_over;
    shrinks_on_ = OpenBackend(in_.backend, open);
  }
  const Drawn drawn = in_.generator->Draw(in_.options->seed, finding.index);
  const auto judge = JudgeBy(shrinks_on_.get(), *in_.policy);
  if (const auto known = KnownAs(drawn, judge)) return {{"signature", *known}};
  Shrunk shrunk = ShrinkAlone(drawn, judge);
  std::string depends;
  if (!shrunk.fails && shrinks_on_) {
    const Dependence found = FindDependence(finding, drawn);
    depends = TextOf(found);
    if (found.after.empty()) return {{"passes", depends}};
    Case c = drawn.c;
    c.after = found.after;
    shrunk = Shrink(c, drawn.variant,
                    {kAnew, in_.policy, kShrink, stops_.is_over}, judge);
  }
  if (!shrunk.fails) return nullptr;
  const std::string id =
      fmt::format("seed_{}_{}", in_.options->seed, finding.index);
  const std::string signature = SignatureOf(shrunk.verdict, shrunk.c);
  const std::string path =
      fmt::format("{}/{}-{}-{}.json", in_.out, shrunk.c.op,
                  Name(shrunk.verdict.outcome), Sha256(signature).substr(0, 8));
  const Json text = TextOfProgram(shrunk, path, judge);
  shrunk.verdict.case_name = shrunk.c.op + "/" + id;
  shrunk.verdict.replay.clear();
  const Json file = CaseFileOf(shrunk.c, shrunk.variant, shrunk.verdict, id);
  const std::string replay = ReplayOf(shrunk, id, path, in_.backend,
                                      *in_.policy, in_.limits, in_.memory) +
                             in_.how.ReplayText();
  shrunk_.insert(signature);
  return {{"signature", signature},
          {"failure", FailureText(shrunk.verdict)},
          {"executions", shrunk.executions},
          {"depends", depends},
          {"is_complete", shrunk.is_complete},
          {"file", file},
          {"path", path},
          {"text", text},
          {"replay", replay}};
}

// Returns the text of a program with its path and whether it fails as the case
// does: it has neither layouts nor earlier calls. Returns null for one call,
// and where an interruption leaves no time to judge it.
Json FoundReport::TextOfProgram(
    const Shrunk& shrunk, const std::string& path,
    const std::function<Verdict(const Case&)>& judge) const {
  if (!IsProgram(shrunk.c) || IsOver()) return nullptr;
  const std::string text_path =
      path.substr(0, path.size() - std::string_view("json").size()) + "mlir";
  const std::string text = TextFileOf(shrunk.c, *in_.policy);
  std::vector<LeftOut> left_out;
  const std::vector<Case> cases =
      ReadMlirCases(text_path, text, ReadOptions(), &left_out);
  try {
    const bool fails =
        cases.size() == 1 && CoreWithoutClauses(judge(cases[0])) ==
                                 CoreWithoutClauses(shrunk.verdict);
    return {{"path", text_path}, {"file", text}, {"fails", fails}};
  } catch (const Interrupted&) {
    return nullptr;
  }
}

void FoundReport::Print(const Kept& kept) {
  const Finding& finding = *kept.finding;
  const std::string again = fmt::format(
      "assay fuzz {} {}{} --seed {} --index {}{}{}{}{}{}{}",
      ShellFlag("--backend", in_.backend), in_.policy->ToFlag(),
      OpsText(in_.ops), in_.options->seed, finding.index,
      finding.signature == kEndedOnce
          ? fmt::format(" --count {}", Campaign::kBlock)
          : "",
      in_.limits.ReplayText(/*always=*/true),
      in_.memory.empty() ? "" : " " + ShellFlag("--memory", in_.memory),
      in_.how.ReplayText(), in_.options->open.in_process ? " --in-process" : "",
      in_.options->run_b_every == CampaignOptions().run_b_every
          ? ""
          : fmt::format(" --run-b-every {}", in_.options->run_b_every));
  if (kept.shrunk.is_null()) {
    PrintText("{} {}\n  {}\n  not shrunk: {}\n  again: {}\n\n",
              Name(finding.outcome), finding.case_name, finding.message,
              kept.why, again);
    return;
  }
  const auto text = [&](const char* key) {
    return kept.shrunk[key].get<std::string>();
  };
  PrintText(
      "{}{}  found as {}, shrunk in {} executions{}{}\n  again: {}\n",
      text("failure"),
      text("depends").empty() ? "" : text("depends").substr(1) + "\n",
      finding.case_name, kept.shrunk["executions"].get<int>(),
      kept.shrunk["is_complete"].get<bool>() ? "" : ", not to the end",
      kept.others == 0
          ? ""
          : fmt::format("; {} more signature(s) shrink to it", kept.others),
      again);
  if (!kept.is_written) {
    PrintText("{}\n", text("file"));
    return;
  }
  PrintText("  replay: {}\n", text("replay"));
  if (const Json& program = kept.shrunk["text"]; !program.is_null())
    PrintText("  as text: {}{}\n", program["path"].get<std::string>(),
              program["fails"].get<bool>()
                  ? ""
                  : ", which passes: it rests on what text does not have");
  PrintText("\n");
}

bool FoundReport::Write(const Json& shrunk) {
  bool all = WriteFile(shrunk["path"], shrunk["file"]);
  if (const Json& program = shrunk["text"]; !program.is_null())
    all = WriteFile(program["path"], program["file"]) && all;
  return all;
}

bool FoundReport::WriteFile(const std::string& path,
                            const std::string& content) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << content << std::flush;
  if (!stream) lost_ = path;
  return static_cast<bool>(stream);
}

}  // namespace assay
