// One op is judged on one backend by two calls on guarded buffers; of the
// outcomes that apply, the first in the order of precedence counts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "cases/run/compare_runs.h"
#include "cases/run/executed_clauses.h"
#include "cases/run/findings.h"
#include "cases/run/op_executions.h"
#include "cases/run/row_slices.h"
#include "cases/variants/layout_class.h"
#include "cases/variants/repeated_operands.h"
#include "oracle/flush/flush_observation.h"
#include "oracle/judge.h"

namespace assay {
namespace {

// Returns a result as it is used as an operand: backends may leave anything in
// the high bits of sub-byte outputs, and expect 0 there on input.
Tensor WithoutHighBits(Tensor tensor) {
  const int bits = Info(tensor.element_type()).bits;
  if (bits == 1 || bits >= 8) return tensor;
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.SetBits(i, tensor.Bits(i));
  return tensor;
}

void AddOnce(std::vector<std::string>* list, const std::string& text) {
  if (std::ranges::find(*list, text) == list->end()) list->push_back(text);
}

// Adds what a run did that no call may do, whatever its values.
void AddContract(const OpExecutions& run, Findings* findings) {
  const auto each = [&](auto report) {
    report(run.a, run.name_of_a);
    if (run.has_b) report(run.b, run.name_of_b);
  };
  const auto died = [&](CallStatus status, Outcome outcome) {
    each([&](const Execution& r, const std::string& name) {
      // A fault beside a buffer is reported as a violation of the buffer's
      // guards.
      if (r.answer.status != status || r.faulted_beside_buffer) return;
      findings->Add(outcome, "contract",
                    fmt::format("{}: {}", name, r.answer.message));
    });
  };
  died(CallStatus::kCrash, Outcome::kCrash);
  died(CallStatus::kTimeout, Outcome::kTimeout);
  died(CallStatus::kMemory, Outcome::kMemory);
  each([&](const Execution& r, const std::string& name) {
    if (!r.guard_violation.empty())
      findings->Add(Outcome::kGuardViolation, "contract",
                    fmt::format("{}: {}", name, r.guard_violation));
  });
  each([&](const Execution& r, const std::string& name) {
    if (!r.input_modified.empty())
      findings->Add(Outcome::kInputModified, "contract",
                    fmt::format("{}: {}", name, r.input_modified));
  });
  each([&](const Execution& r, const std::string& name) {
    if (r.answer.environment_changed) {
      findings->Add(Outcome::kEnvironmentChanged, "contract",
                    fmt::format("{}: rounding mode, flush flags or "
                                "exception masks were left changed",
                                name));
    }
  });
  each([&](const Execution& r, const std::string& name) {
    if (run.c->MustBeRefused() && r.answer.status == CallStatus::kOk)
      findings->Add(
          Outcome::kAcceptedInvalid, "text",
          run.c->violates.empty()
              ? fmt::format("{}: the backend accepts a text in which an "
                            "error is expected",
                            name)
              : fmt::format("{}: the backend accepts a call that "
                            "violates {}",
                            name, fmt::join(run.c->violates, ", ")));
    if (!run.c->MustBeRefused() && r.answer.status == CallStatus::kInvalid)
      findings->Add(
          Outcome::kRejectedValid, "text",
          fmt::format("{}: the backend calls a valid call invalid: {}", name,
                      r.answer.message));
    if (r.answer.status == CallStatus::kError)
      findings->Add(Outcome::kError, "contract",
                    fmt::format("{}: {}", name, r.answer.message));
  });
  if (run.has_b && run.a.declined() != run.b.declined()) {
    const bool is_b = run.b.declined();
    findings->Add(Outcome::kError, "contract",
                  fmt::format("{}: declined a call that {} answered",
                              is_b ? run.name_of_b : run.name_of_a,
                              is_b ? run.name_of_a : run.name_of_b));
  }
}

// Returns whether errors of the op are merged into those of the verdict, which
// are of one type: a program may call an op on several.
bool IsMeasured(const Op& op, const Expectation& expectation,
                const Verdict& verdict) {
  return expectation.reals && verdict.accuracy &&
         verdict.accuracy->type == Name(op.FirstType().tensor().element_type);
}

// Measures how far the results are from the real values.
void Measure(const OpExecutions& run, const Expectation& expectation,
             const Tensor& actual, Verdict* verdict) {
  const MeasuredErrors measured = MeasureErrors(expectation, actual);
  Accuracy accuracy;
  accuracy.errors = measured.errors;
  if (measured.worst_at >= 0) {
    const std::optional<Window>& window = run.window;
    accuracy.worst_index = measured.worst_at + (window ? window->begin : 0);
    accuracy.worst = fmt::format(
        "{}: result {}, off the real value by {:.3g} ulp",
        DescribeElement(*run.op, run.call.inputs, actual, measured.worst_at,
                        window),
        ActualText(actual, measured.worst_at), measured.errors.worst);
  }
  verdict->accuracy->Merge(accuracy);
}

// Returns the expectation without the elements that may have been flushed,
// because flushing is no error.
Expectation WithoutFlushed(Expectation expectation,
                           const FlushJudgement& judgement) {
  for (size_t i = 0; i < judgement.affected.size(); ++i) {
    if (judgement.affected[i] != 0)
      expectation.SetOpen(static_cast<int64_t>(i));
  }
  return expectation;
}

// The results of one of the executions of an op, and what stands before a
// message about them.
struct Results {
  const std::vector<Tensor>& outputs;
  std::string prefix;  // empty of run A
  bool IsA() const { return prefix.empty(); }
};

// Judges a result where the policy lets a backend flush, under every way of
// flushing. What it shows about them is added to the verdict. Returns whether
// it is right.
bool JudgeFlushed(const OpExecutions& run, size_t i, const Policy& policy,
                  const Expectation& expectation, const Results& results,
                  Verdict* verdict, Findings* findings) {
  const Op& op = *run.op;
  const Tensor& actual = results.outputs[i];
  const FlushJudgement judgement =
      JudgeFlush(op, run.call.inputs, policy, actual, i);
  if (results.IsA()) {
    verdict->elements += judgement.best.elements;
    verdict->open += judgement.best.open;
  }
  const auto element = [&](const FlushWitness& witness) {
    return fmt::format("{}, actual {}",
                       DescribeElement(op, run.call.inputs, actual,
                                       witness.index, run.window, i),
                       ActualText(actual, witness.index));
  };
  if (judgement.survivors != 0) {
    for (const FlushWitness& witness : judgement.witnesses) {
      verdict->flush.push_back(FlushObservation{
          FlushSubject(op), witness.survivors, element(witness)}
                                   .Text());
    }
    if (results.IsA() && op.op == run.c->op &&
        IsMeasured(op, expectation, *verdict))
      Measure(run, WithoutFlushed(expectation, judgement), actual, verdict);
    return true;
  }
  verdict->flush.push_back(FlushObservation{
      FlushSubject(op), 0, element(judgement.witnesses.front())}
                               .Text());
  verdict->first_failed = judgement.witnesses.front().index;
  verdict->failed_output = i;
  verdict->error_ulps =
      std::max(verdict->error_ulps.value_or(0), judgement.best.worst_error);
  const Basis basis = BasisOf(op, run.call.inputs, policy, expectation,
                              verdict->first_failed, &actual, i);
  for (const DecidingClause& clause : basis.clauses)
    verdict->clauses.push_back(clause.Id());
  if (judgement.unexplained.failed > 0) {
    findings->Add(
        Outcome::kFail, basis.text,
        results.prefix +
            Explain(op, run.call.inputs, policy, expectation, actual,
                    judgement.unexplained, run.window, i) +
            "\n  no way of flushing subnormals explains " +
            (judgement.unexplained.failed == 1 ? "it" : "any of them") +
            LayoutText(run.call));
    return false;
  }
  std::string message =
      results.prefix +
      "no one way of flushing subnormals explains these elements together:";
  for (const FlushWitness& witness : judgement.witnesses)
    message += fmt::format("\n  {}\n    agrees with: {}", element(witness),
                           FlushSetText(witness.survivors));
  message += fmt::format("\n  basis policy:subnormals = {} (policy {})",
                         policy.Get("subnormals"), policy.name());
  findings->Add(Outcome::kFail, "policy:subnormals",
                message + LayoutText(run.call));
  return false;
}

// Judges result `i` of one execution. Returns whether it is right.
bool JudgeOne(const OpExecutions& run, size_t i, const Policy& policy,
              const Expectation& expectation, const Results& results,
              Verdict* verdict, Findings* findings) {
  const Op& op = *run.op;
  if (MayBeFlushed(op, policy))
    return JudgeFlushed(run, i, policy, expectation, results, verdict,
                        findings);
  const Tensor& actual = results.outputs[i];
  const Judgement judgement = Judge(expectation, actual);
  if (results.IsA()) {
    verdict->elements += judgement.elements;
    verdict->open += judgement.open;
    // Only the errors of the op under test count in a program.
    if (op.op == run.c->op && IsMeasured(op, expectation, *verdict))
      Measure(run, expectation, actual, verdict);
  }
  if (judgement.ok()) return true;
  verdict->first_failed = judgement.first_failed;
  verdict->failed_output = i;
  verdict->error_ulps =
      std::max(verdict->error_ulps.value_or(0), judgement.worst_error);
  const Basis basis = BasisOf(op, run.call.inputs, policy, expectation,
                              judgement.first_failed, &actual, i);
  for (const DecidingClause& clause : basis.clauses)
    verdict->clauses.push_back(clause.Id());
  findings->Add(Outcome::kFail, basis.text,
                results.prefix +
                    Explain(op, run.call.inputs, policy, expectation, actual,
                            judgement, run.window, i) +
                    LayoutText(run.call));
  return false;
}

// The executions whose results are not those of run A.
struct Differing {
  bool b = false, base = false;
  int64_t not_repeated = 0;
};

// Judges one result of the op, whose value is there in every run.
void JudgeResult(const OpExecutions& run, size_t i, const Policy& policy,
                 const Expectation& expectation, Differing* differing,
                 Verdict* verdict, Findings* findings) {
  const bool b_differs =
      run.has_b && CompareRuns(run, i, policy, expectation,
                               &differing->not_repeated, findings);
  const bool base_differs =
      run.has_base && run.base.answer.status == CallStatus::kOk &&
      CompareWithBase(run, i, policy, expectation, verdict, findings);
  const auto judge = [&](const Execution& execution,
                         const std::string& prefix) {
    return JudgeOne(run, i, policy, expectation, {execution.outputs, prefix},
                    verdict, findings);
  };
  if (!judge(run.a, "")) return;
  if (b_differs) judge(run.b, run.name_of_b + ": ");
  if (base_differs) judge(run.base, "in row-major order: ");
  differing->b |= b_differs;
  differing->base |= base_differs;
}

// Judges what all results of an execution must be together.
void JudgeRelation(const OpExecutions& run, const Policy& policy,
                   const Evaluation& evaluation, const Results& results,
                   Verdict* verdict, Findings* findings) {
  if (JudgeTogether(evaluation, results.outputs).ok()) return;
  Basis basis;
  const std::string text = ExplainTogether(*run.op, run.call.inputs, policy,
                                           evaluation, results.outputs, &basis);
  for (const DecidingClause& clause : basis.clauses)
    verdict->clauses.push_back(clause.Id());
  findings->Add(Outcome::kFail, basis.text,
                results.prefix + text + LayoutText(run.call));
}

// Returns the number of elements that no sum in order gives. Precondition: they
// are right under the policy.
int64_t CountReordered(const OpExecutions& run, const Policy& policy,
                       const Evaluation& evaluation) {
  const Op& op = *run.op;
  if (FindOp(op.op)->adds != "terms" ||
      (policy.Get("reduction_order") == "in_order" &&
       policy.Get("contraction_order") == "in_order") ||
      std::ranges::all_of(evaluation.outputs, &Expectation::IsDetermined))
    return 0;
  const Evaluation in_order =
      Evaluate(op, run.call.inputs,
               policy.With("reduction_order", "in_order")
                   .With("contraction_order", "in_order"),
               Marks::kNone);
  int64_t reordered = 0;
  for (size_t i = 0; i < op.outputs.size(); ++i)
    reordered += Judge(in_order.outputs[i], run.a.outputs[i]).failed;
  return reordered;
}

// Judges the results, which are there in every run.
void JudgeResults(const OpExecutions& run, const Policy& policy,
                  Verdict* verdict, Findings* findings) {
  const Op& op = *run.op;
  // The clauses of a sweep are not counted, because that takes much time and
  // all its chunks execute the same.
  const Evaluation evaluation =
      Evaluate(op, run.call.inputs, policy,
               run.c->window ? Marks::kNone : Marks::kCounted);
  if (op.op == run.c->op) {
    for (const std::string& label : ClauseLabels(op, evaluation))
      AddOnce(&verdict->covered, label);
  }
  if (evaluation.outputs[0].reals && op.op == run.c->op) {
    Accuracy decided;
    decided.type = Name(op.FirstType().tensor().element_type);
    decided.tiers = evaluation.tiers;
    if (!verdict->accuracy) verdict->accuracy.emplace();
    if (IsMeasured(op, evaluation.outputs[0], *verdict) ||
        verdict->accuracy->type.empty())
      verdict->accuracy->Merge(decided);
  }
  Differing differing;
  for (size_t i = 0; i < op.outputs.size(); ++i)
    JudgeResult(run, i, policy, evaluation.outputs[i], &differing, verdict,
                findings);
  const bool are_right = !findings->Has(Outcome::kFail);
  const auto judge_together = [&](const Execution& execution,
                                  const std::string& prefix) {
    JudgeRelation(run, policy, evaluation, {execution.outputs, prefix}, verdict,
                  findings);
  };
  if (are_right) judge_together(run.a, "");
  if (are_right && differing.b) judge_together(run.b, run.name_of_b + ": ");
  if (are_right && differing.base)
    judge_together(run.base, "in row-major order: ");
  // If the other elements show nothing wrong, the case decides nothing, and is
  // skipped.
  if (evaluation.undecided > 0 && findings->empty())
    findings->Add(
        Outcome::kSkipped, "",
        fmt::format("the oracle has no enclosure that decides {} elements of "
                    "{}",
                    evaluation.undecided, op.op));
  if (!findings->empty()) return;
  verdict->not_repeated += differing.not_repeated;
  verdict->reordered += CountReordered(run, policy, evaluation);
}

// Judges some rows at a time, up to the first that are wrong, because the
// expectation of a result takes several times its memory.
void JudgeRows(const OpExecutions& run, int64_t rows_at_a_time,
               const Policy& policy, Verdict* verdict, Findings* findings) {
  const int64_t rows = run.op->outputs[0].type.tensor().shape[0];
  for (int64_t begin = 0; begin < rows && findings->empty();
       begin += rows_at_a_time) {
    const int64_t end = std::min(begin + rows_at_a_time, rows);
    const RowSlice slice = SliceRows(*run.op, run.call.inputs, begin, end);
    JudgeResults(OpExecutions(run, slice, begin, end), policy, verdict,
                 findings);
    if (!findings->empty())
      findings->Note(
          fmt::format("\n  judged on rows [{}, {}) alone", begin, end));
  }
}

}  // namespace

bool JudgeOp(OpExecutions* run, const Policy& policy, int64_t evaluated_bytes,
             Values* values, Verdict* verdict) {
  const Op& op = *run->op;
  for (Execution* execution : {&run->a, &run->b}) {
    CallStatus& status = execution->answer.status;
    if (status == CallStatus::kInvalid && !run->c->MustBeRefused() &&
        IsRefusable(*FindOp(op.op), op))
      status = CallStatus::kUnsupported;
  }
  Findings findings;
  AddContract(*run, &findings);
  // A backend that declines a call must not change other memory either.
  if (findings.empty() && run->a.declined()) {
    verdict->outcome = Outcome::kUnsupported;
    verdict->message = run->a.answer.message;
    return false;
  }
  for (size_t i = 0; i < op.inputs.size(); ++i)
    AddOnce(&verdict->layouts, Name(ClassOf(run->call.layouts[i],
                                            op.inputs[i].type.tensor().shape)));
  const bool has_results = run->c->Runs() &&
                           run->a.answer.status == CallStatus::kOk &&
                           (run->has_b ? run->b.answer.status == CallStatus::kOk
                                       : !run->c->runs_twice);
  if (has_results && run->c->variant && op.op == run->c->op) {
    verdict->distinct_tuples = std::max(
        verdict->distinct_tuples,
        DistinctTuples(run->call.inputs, op.outputs[0].type.tensor().shape,
                       Verdict::kMostTuples));
  }
  if (has_results) {
    const int64_t rows = RowsAtATime(op, evaluated_bytes);
    if (rows == 0 || run->has_base ||
        policy.Get("subnormals") == "flush_uniformly") {
      JudgeResults(*run, policy, verdict, &findings);
    } else {
      JudgeRows(*run, rows, policy, verdict, &findings);
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      verdict->aliased += run->call.alias[i].has_value();
      if (&op != &run->c->program.main().body.back())
        (*values)[op.outputs[i].value] = WithoutHighBits(run->a.outputs[i]);
    }
  }
  if (findings.empty()) return true;
  findings.MoveTo(verdict);
  return false;
}

}  // namespace assay
