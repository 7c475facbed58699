// From a case to a verdict: who is asked, the literals, and the ops in order.
// One op on one backend is in run_op.cc.
#include "cases/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spec/error.h"

namespace assay {

Verdict Runner::Run(const Case& c, const std::string& suite_flags) {
  Verdict verdict;
  verdict.case_name = c.name;
  verdict.op = c.op;
  verdict.type = c.TypeText();
  verdict.backend = backend_ == nullptr ? "spec" : backend_->spec();
  const auto skip = [&](std::string why) {
    verdict.outcome = Outcome::kSkipped;
    verdict.message = std::move(why);
  };
  if (backend_ == nullptr) {
    RunOnSpec(c, &verdict);
  } else if (!c.violates.empty() && !backend_->validates()) {
    skip("does not validate");
  } else if (!c.violates.empty() || !c.is_static) {
    skip(c.is_static ? "constraint violations are judged on spec only"
                     : "has dynamic dimensions");
  } else if (!c.policy.empty() && c.policy != policy_.name()) {
    skip("needs policy " + c.policy);
  } else {
    RunProgram(c, &verdict);
  }
  if (IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass) {
    verdict.replay =
        fmt::format("assay run --backend '{}' --policy {}{} --op '{}'",
                    verdict.backend, policy_.name(), suite_flags, c.name);
  }
  return verdict;
}

void Runner::RunOnSpec(const Case& c, Verdict* verdict) {
  std::vector<std::string> messages;
  for (const Op& op : c.program.main().body) {
    const OpSpec& spec = *FindOp(op.op);
    for (const ConstraintResult& result : CheckConstraints(spec, op)) {
      if (result.truth != Truth::kFalse) continue;
      verdict->violated.push_back(result.constraint->label);
      messages.push_back(fmt::format("{}/{} is false: {}", spec.id,
                                     result.constraint->label,
                                     result.constraint->formula.text()));
    }
    if (!c.violates.empty()) continue;
    const std::vector<InferredType> inferred = InferResultTypes(spec, op);
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const TensorType& type = op.outputs[i].type;
      const bool shape_agrees =
          !inferred[i].shape || inferred[i].shape == type.shape || !c.is_static;
      if (shape_agrees && (!inferred[i].element_type ||
                           inferred[i].element_type == type.element_type))
        continue;
      verdict->outcome = Outcome::kFail;
      messages.push_back(fmt::format("the inferred type of {} is not {}",
                                     op.outputs[i].name, type.ToString()));
    }
  }
  std::vector<std::string> expected = c.violates, actual = verdict->violated;
  std::ranges::sort(expected);
  std::ranges::sort(actual);
  if (expected != actual) {
    verdict->outcome = expected.empty() ? Outcome::kRejectedValid
                       : actual.empty() ? Outcome::kAcceptedInvalid
                                        : Outcome::kFail;
    if (!expected.empty())
      messages.push_back(
          fmt::format("the case violates {}", fmt::join(expected, ", ")));
  }
  if (verdict->outcome != Outcome::kPass) {
    verdict->basis = "text";
    verdict->message = fmt::format("{}", fmt::join(messages, "\n  "));
  }
}

void RequireConstraints(const Case& c) {
  if (!c.violates.empty() || !c.is_static) return;
  for (const Op& op : c.program.main().body) {
    for (const ConstraintResult& result :
         CheckConstraints(*FindOp(op.op), op)) {
      if (result.truth != Truth::kFalse) continue;
      throw InputError(c.where,
                       fmt::format("{} violates {}/{} and does not say so: {}",
                                   c.name, op.op, result.constraint->label,
                                   result.constraint->formula.text()));
    }
  }
}

void Runner::RunProgram(const Case& c, Verdict* verdict) {
  Values values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  if (!CheckLiterals(c, values, verdict)) return;
  for (const Op& op : c.program.main().body) {
    if (!RunOp(c, op, &values, verdict)) return;
  }
}

// Literal expectations test the oracle: where they differ from it, no backend
// is charged.
bool Runner::CheckLiterals(const Case& c, const Values& inputs,
                           Verdict* verdict) {
  if (c.expect.empty()) return true;
  Values values = inputs;
  int64_t compared = 0;
  const std::vector<Op>& body = c.program.main().body;
  for (const Op& op : body) {
    std::vector<Tensor> operands;
    for (const Op::Operand& operand : op.inputs)
      operands.push_back(values.at(operand.value));
    const Evaluation evaluation = Evaluate(op, operands, policy_, Marks::kNone);
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const Expectation& expectation = evaluation.outputs[i];
      if (const auto literal = c.expect.find(op.outputs[i].value);
          literal != c.expect.end()) {
        const Judgement judgement = Judge(expectation, literal->second);
        ++compared;
        if (!judgement.ok()) {
          verdict->outcome = Outcome::kOracleSuspect;
          verdict->basis = "text";
          verdict->message = fmt::format(
              "the literal expectation (source: {}) is not what the oracle "
              "allows\n  {}",
              c.source,
              Explain(*FindOp(op.op), op, operands, policy_, expectation,
                      literal->second, judgement));
          return false;
        }
      }
      values[op.outputs[i].value] = expectation.lo;
      // An open result has no single value to go on with: what the literals of
      // later ops rest on is unknown, so they are not compared.
      if (!expectation.flags.empty() && &op != &body.back()) {
        verdict->unchecked_literals =
            static_cast<int64_t>(c.expect.size()) - compared;
        return true;
      }
    }
  }
  return true;
}

}  // namespace assay
