#include "cases/accumulation/measure_order.h"

#include <fmt/format.h>

#include <chrono>

#include "cases/accumulation/backend_summation.h"
#include "cases/accumulation/tree_text.h"
#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// A few minutes on a fast backend.
constexpr int64_t kMostForProof = 1'000'000;

}  // namespace

const char* Name(MeasuredOrder::Outcome outcome) {
  switch (outcome) {
    case MeasuredOrder::Outcome::kRevealed:
      return "revealed";
    case MeasuredOrder::Outcome::kNotRevealed:
      return "not_revealed";
    case MeasuredOrder::Outcome::kDeclined:
      return "declined";
    case MeasuredOrder::Outcome::kFailed:
      return "failed";
  }
  return "";
}

MeasuredOrder MeasureOrder(Executor* executor, const SumProbe& probe,
                           ElementType type, int32_t n,
                           const MeasureOptions& options) {
  using Outcome = MeasuredOrder::Outcome;
  using Clock = std::chrono::steady_clock;
  MeasuredOrder measured;
  measured.probe = &probe;
  measured.type = type;
  measured.n = n;
  const Clock::time_point begin = Clock::now();
  std::optional<BackendSummation> summation;
  try {
    summation.emplace(executor, probe, type, n);
    summation->CountCallsWith(options.on_call);
    RevealedTree revealed =
        RevealOrder(&*summation, {.most_for_proof = kMostForProof,
                                  .most_questions = options.most_calls});
    measured.tree = std::move(revealed.tree);
    measured.is_sampled = !revealed.is_proven;
    measured.verdict = JudgeOrder(*measured.tree);
    measured.shape = ShapeName(*measured.tree);
    measured.traits = MeasureAdditions(&*summation, *measured.tree);
  } catch (const NotRevealed& e) {
    measured.outcome = Outcome::kNotRevealed;
    measured.message = e.what();
  } catch (const NoSum& e) {
    measured.outcome = e.why() == NoSum::Why::kDeclined ? Outcome::kDeclined
                                                        : Outcome::kFailed;
    measured.message = e.what();
  }
  if (summation) {
    measured.calls = summation->calls();
    measured.sums_differ = summation->sums_differ();
  }
  measured.seconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  return measured;
}

bool RequiresOrder(const Policy& policy, const SumProbe& probe) {
  return PolicyKeys().contains(probe.policy_key) &&
         policy.Get(probe.policy_key) == "in_order";
}

std::string ClauseOfOrder() {
  const std::string op = SumProbes()[0].Op();
  for (const ClauseSpec& clause : FindOp(op)->semantics) {
    if (clause.slug == "reduction_order") return op + "/" + clause.label;
  }
  return op;
}

std::string WitnessText(const MeasuredOrder& measured) {
  const OrderVerdict& verdict = measured.verdict;
  switch (verdict.kind) {
    case OrderVerdict::Kind::kInOrder:
      return "";
    case OrderVerdict::Kind::kFused:
      return fmt::format(
          "the terms are in order, and up to {} of them are added at once\n"
          "{}: the schedule is a full binary tree, each node of which adds "
          "two",
          measured.tree->widest(), ClauseOfOrder());
    case OrderVerdict::Kind::kOutOfOrder:
      break;
  }
  return fmt::format(
      "terms {0} and {1} meet in a sum of {2} terms that lacks term {3}: with "
      "M at {0}, -M at {1} and 1 elsewhere the result is {4}\n"
      "{5}: the in-order traversal of the schedule has term {3} between {0} "
      "and {1}",
      verdict.first, verdict.second, verdict.size, verdict.foreign,
      measured.n - verdict.size, ClauseOfOrder());
}

}  // namespace assay
