#include "cases/run/check_literals.h"

#include <fmt/format.h>

#include "oracle/control/of_tensors.h"
#include "oracle/flush/flush.h"
#include "oracle/judge.h"
#include "oracle/program.h"

namespace assay {
namespace {

// What this policy does not allow, no reading of the specification does.
constexpr const char* kWidest = "stablehlo";

struct LiteralJudgement {
  Tensor literal;  // or what is near to it and allowed
  Judgement judgement;
  bool is_allowed;
};

// Judges a literal as a result: it is allowed if it is the oracle's own answer,
// or that of one way of flushing. `nearness` is null if its bits must be right.
LiteralJudgement JudgeLiteral(const Op& op, const std::vector<Tensor>& operands,
                              const Policy& policy,
                              const Expectation& expectation, size_t output,
                              const Tensor& literal, const Nearness* nearness) {
  const Tensor compared = nearness != nullptr
                              ? MovedToAllowed(literal, *nearness, expectation)
                              : literal;
  const Judgement judgement = Judge(expectation, compared);
  if (judgement.ok() || !MayBeFlushed(op, policy))
    return {compared, judgement, judgement.ok()};
  const FlushJudgement flushed =
      JudgeFlush(op, operands, policy, compared, output);
  return {compared, flushed.unexplained.ok() ? judgement : flushed.unexplained,
          flushed.survivors != 0};
}

// Returns the literal with the elements of `lo` where the expectation rests on
// what has several right values, and counts these.
Tensor WhereItHolds(const Tensor& literal,
                    const ProgramEvaluator::OpResults& results, size_t output,
                    int64_t* left_out) {
  if (results.are_known[output].empty()) return literal;
  const Tensor& lo = results.evaluation.outputs[output].lo;
  Tensor compared(literal.type());
  for (int64_t i = 0; i < literal.size(); ++i) {
    const bool holds = results.RestsOnKnown(output, i);
    compared.SetBits(i, holds ? literal.Bits(i) : lo.Bits(i));
    *left_out += !holds;
  }
  return compared;
}

// Judges the literals of all results of an op as results that must belong
// together. Literals of some results alone have nothing to belong to.
bool CheckTogether(const Case& c, const Op& op,
                   const ProgramEvaluator::OpResults& results,
                   const Policy& policy, Verdict* verdict) {
  if (!results.evaluation.relation) return true;
  std::vector<Tensor> literals;
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const auto stated = c.expect.find(op.outputs[i].value);
    const bool is_exact = stated != c.expect.end() &&
                          results.are_known[i].empty() &&
                          !c.nearness.contains(stated->first);
    if (!is_exact) return true;
    literals.push_back(stated->second);
  }
  if (JudgeTogether(results.evaluation, literals).ok()) return true;
  Basis basis;
  verdict->outcome = Outcome::kOracleSuspect;
  verdict->basis = "text";
  verdict->message = fmt::format(
      "the literal expectations (source: {}) are not what the oracle allows\n"
      "  {}",
      c.source,
      ExplainTogether(op, results.operands, policy, results.evaluation,
                      literals, &basis));
  return false;
}

}  // namespace

bool CheckLiterals(const Case& c, const Values& inputs, const Policy& policy,
                   Verdict* verdict) {
  if (c.expect.empty()) return true;
  if (!c.policy.empty() && c.policy != policy.name()) {
    verdict->unchecked_literals = static_cast<int64_t>(c.expect.size());
    return true;
  }
  ProgramEvaluator evaluator(policy);
  for (const auto& [name, values] : inputs) evaluator.Define(name, values);
  const std::shared_ptr<const Function> main = OfTensors(c.program.main());
  const std::vector<Op>& body = main->body;
  for (const Op& op : body) {
    const ProgramEvaluator::OpResults results = evaluator.Evaluate(op);
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const auto stated = c.expect.find(op.outputs[i].value);
      if (stated == c.expect.end()) continue;
      const auto near = c.nearness.find(stated->first);
      const Nearness* const nearness =
          near == c.nearness.end() ? nullptr : &near->second;
      const Expectation& expectation = results.evaluation.outputs[i];
      int64_t left_out = 0;
      const Tensor literal =
          WhereItHolds(stated->second, results, i, &left_out);
      verdict->unchecked_literals += left_out > 0;
      const LiteralJudgement judged = JudgeLiteral(
          op, results.operands, policy, expectation, i, literal, nearness);
      if (judged.is_allowed) continue;
      if (c.is_of_text) {
        const Policy& widest = Policy::Find(kWidest);
        const Evaluation evaluation =
            Evaluate(op, results.operands, widest, Marks::kNone);
        if (JudgeLiteral(op, results.operands, widest, evaluation.outputs[i], i,
                         literal, nearness)
                .is_allowed) {
          ++verdict->unchecked_literals;
          continue;
        }
      }
      verdict->outcome = Outcome::kOracleSuspect;
      verdict->basis = "text";
      verdict->message = fmt::format(
          "the literal expectation (source: {}) is not what the oracle "
          "allows\n  {}",
          c.source,
          Explain(op, results.operands, policy, expectation, judged.literal,
                  judged.judgement, std::nullopt, i));
      return false;
    }
    if (!CheckTogether(c, op, results, policy, verdict)) return false;
    if (&op != &body.back()) evaluator.Keep(op, results);
  }
  return true;
}

}  // namespace assay
