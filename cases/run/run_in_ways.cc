// The runner runs cases in all ways that the backend was told (ways.h).
#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cases/run/program_runner.h"
#include "cases/run/runner.h"

namespace assay {

// Some cases at a time are run in all ways, one way after the other.
void Runner::RunInWays(const std::vector<Way>& ways, const NextCase& next,
                       const TakeVerdict& done, const std::atomic<bool>* stop) {
  constexpr size_t kTogether = 256;
  struct Started {
    const Case* c;
    std::vector<VerdictOnWay> verdicts = {};
    Past past = {};
  };
  const auto is_stopped = [&] { return stop != nullptr && *stop; };
  const bool has_two_operands =
      executor_->how().operands == ProgramOperands::kBoth;
  ProgramRunner::Compiled compiled;
  std::vector<std::unique_ptr<ProgramRunner>> runners;
  for (const Way& way : ways)
    runners.push_back(std::make_unique<ProgramRunner>(
        executor_, policy_, evaluated_bytes_, way,
        ways.back().compile > 1 ? &compiled : nullptr));
  for (bool has_next = true; has_next && !is_stopped();) {
    std::map<int64_t, Started> started;  // by number
    while (started.size() < kTogether && has_next) {
      int64_t number = 0;
      const Case* const c = next(&number);
      has_next = c != nullptr;
      if (has_next) started.emplace(number, Started{c});
    }
    compiled.clear();
    int compile = 1;  // in this process
    for (size_t w = 0; w < ways.size() && !is_stopped(); ++w) {
      const Way& way = ways[w];
      if (std::exchange(compile, way.compile) != way.compile)
        RequireNewProcess();
      auto at = started.begin();
      const auto next_started = [&](int64_t* number) -> const Case* {
        // Without operands both programs are one.
        while (at != started.end() && way.has_constants && has_two_operands &&
               at->second.c->inputs.empty())
          ++at;
        if (at == started.end()) return nullptr;
        *number = at->first;
        return (at++)->second.c;
      };
      const auto take = [&](int64_t number, Verdict verdict) {
        Started& of = started.at(number);
        if (!way.is_whole && IsJudged(verdict.outcome) &&
            verdict.outcome != Outcome::kPass)
          of.past = PastOf();
        of.verdicts.push_back({way, std::move(verdict)});
      };
      if (way.is_whole) {
        RunPrograms(runners[w].get(), next_started, take, stop);
      } else {
        RunCalls(next_started, take, stop);
      }
    }
    if (is_stopped()) return;
    for (auto& [number, of] : started) {
      past_of_calls_ = std::move(of.past);
      done(number, MergeWays(std::move(of.verdicts)));
    }
    past_of_calls_.reset();
  }
}

// A compiler may be deterministic in one process, and not in the next.
void Runner::RequireNewProcess() {
  if (executor_->Renew()) return;
  throw BackendError(fmt::format(
      "backend '{}': it runs in this process, which has one compilation",
      executor_->info().spec));
}

}  // namespace assay
