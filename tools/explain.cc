// The command `assay explain` prints what the oracle allows for a case, and
// why.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "cases/run/sweep.h"
#include "cases/run/within_memory.h"
#include "oracle/control/of_tensors.h"
#include "oracle/flush/flush.h"
#include "oracle/judge.h"
#include "oracle/oracle.h"
#include "oracle/real/budget_text.h"
#include "reports/print.h"
#include "spec/error.h"
#include "spec/pointwise/broadcast_text.h"
#include "spec/pointwise/pointwise.h"
#include "spec/printable_text.h"
#include "tools/command.h"
#include "tools/explain_against.h"

namespace assay {
namespace {

constexpr int64_t kMaxElements = 32;  // of a result that are printed

void PrintConstraints(const OpSpec& spec, const Op& op, const Policy& policy) {
  PrintText("constraints\n");
  for (const ConstraintResult& result : CheckConstraints(spec, op, policy)) {
    PrintText("  {:<6} {:<9} {}\n", result.constraint->label,
              Name(result.truth), result.Text());
  }
}

// The keys are the op and the number of the clause.
using Clauses = std::map<std::pair<std::string_view, int>, DecidingClause>;

void Keep(const DecidingClause& decides, Clauses* clauses) {
  clauses->emplace(std::pair(decides.op, decides.clause->number), decides);
}

void PrintElements(const OpSpec& spec, const Op& op,
                   const std::vector<Tensor>& inputs, const Policy& policy,
                   const Evaluation& evaluation, size_t output,
                   Clauses* clauses) {
  const Expectation& expectation = evaluation.outputs[output];
  if (evaluation.outputs.size() == 1) {
    PrintText("allowed\n");
  } else {
    PrintText("allowed of {}\n", ResultName(op, output));
  }
  for (int64_t i = 0; i < std::min(expectation.lo.size(), kMaxElements); ++i) {
    const Basis basis =
        BasisOf(op, inputs, policy, expectation, i, nullptr, output);
    std::vector<std::string> operands, labels;
    for (const Source& source : SourcesOf(op, inputs, i, output)) {
      const Tensor& input = inputs[source.operand];
      operands.push_back(fmt::format(
          "{} = {}", SourceName(op, source),
          FormatValue(input.element_type(), input.Bits(source.element))));
    }
    for (const DecidingClause& decides : basis.clauses) {
      const std::string& label = decides.clause->label;
      labels.push_back(decides.op == spec.id ? label : decides.Id());
      Keep(decides, clauses);
    }
    PrintText("  [{}]  {}:  {}  by {} ({})\n",
              fmt::join(Unflatten(expectation.lo.type().shape, i), ", "),
              fmt::join(operands, ", "), AllowedText(expectation, i),
              fmt::join(labels, ", "), basis.text);
  }
  if (expectation.reals) {
    for (const std::string& line : BudgetLines(op, policy))
      PrintText("  budget: {}\n", line);
  }
  if (policy.Get("subnormals") == "flush_uniformly" &&
      CanFlush(spec, op, policy))
    PrintText(
        "  and what these become where subnormals are flushed, in one way for "
        "all elements (policy {})\n",
        policy.name());
  if (expectation.lo.size() > kMaxElements)
    PrintText("  .. and {} more elements\n",
              expectation.lo.size() - kMaxElements);
}

void PrintClauses(const Policy& policy, const Clauses& clauses) {
  PrintText("clauses\n");
  for (const auto& [unused, decides] : clauses) {
    const ClauseSpec& clause = *decides.clause;
    PrintText("  {} ({}): {}{}\n", decides.Id(), clause.status, clause.text,
              clause.when.empty() ? "" : " [" + clause.when + "]");
    if (!clause.policy.empty()) {
      PrintText("    policy {}: {}. {}\n", policy.name(),
                PolicyValueText(policy, clause.policy),
                PolicyKeys().at(clause.policy));
    }
  }
}

// Prints the inferred shape dimension by dimension, the table of verification
// line by line, and what happens when the call runs.
void PrintTrait(const TraitCase& trait, const OpSpec& spec,
                const Policy& policy) {
  const Verification verification =
      Verify(trait.call, BroadcastRules::Of(policy));
  PrintText("inference\n{}verification\n{}",
            InferenceText(verification.inference),
            VerificationText(verification));
  if (!trait.runtime.empty() && verification.violations.empty()) {
    PrintText("when it runs\n");
    for (size_t i = 0; i < trait.runtime.size(); ++i)
      PrintText("  operands[{}]  {}\n", i, ShapeTextOrStar(trait.runtime[i]));
    PrintText("  result       {}\n",
              RuntimeText(
                  InferRuntimeShape(trait.call, trait.runtime, verification)));
  }
  Clauses clauses;
  const std::set<std::string> labels = TraitClauses(trait, policy);
  for (const ClauseSpec& clause : spec.semantics) {
    if (labels.contains(clause.label)) Keep({spec.id, &clause}, &clauses);
  }
  PrintClauses(policy, clauses);
}

// Prints how the operands' shapes become one, and the program that a pointwise
// call stands for.
void PrintBroadcast(const OpSpec& spec, const Op& op, bool is_valid) {
  std::vector<BroadcastOperand> operands;
  for (const Op::Operand& input : op.inputs)
    operands.push_back({input.name, input.type.tensor().shape});
  PrintText("inference\n{}", InferenceText(InferResultShape(operands)));
  if (spec.family != kPointwise || !is_valid) return;
  PrintText("program\n");
  const PointwiseCall analysed = AnalyseOperands(spec, op);
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    for (const Op& step : Desugar(spec, op, analysed, k)) {
      std::vector<std::string> values;
      for (const Op::Operand& operand : step.inputs)
        values.push_back(operand.value);
      PrintText("  {} = {}({}) : {}\n", step.outputs[0].value, step.op,
                fmt::join(values, ", "), step.outputs[0].type.ToString());
    }
  }
}

// If an op is named instead of a case, this lists the cases that can be
// explained.
int ListCasesOf(const std::string& op, const SuiteFlags& flags) {
  SuiteFlags of_op = flags;
  of_op.ops = {op};
  const std::vector<Case> cases = of_op.Read();
  PrintCases(cases);
  PrintText("\n{} cases of {}; `assay explain {}` explains the first\n",
            cases.size(), op, ShellPath(cases.front().name));
  return kExitOk;
}

// Prints whether the text is accepted, or why it is refused, and the text.
void PrintVerified(const VerifiedText& verified) {
  const std::optional<Refusal> refusal = RefusalOf(verified, kMostJsonBytes);
  if (refusal) {
    PrintText("refused at {}:{}: {}\n", refusal->location.line,
              refusal->location.column, EscapeLine(refusal->message));
  } else {
    PrintText("accepted{}\n",
              verified.is_invalid ? ", and an error is expected" : "");
  }
  std::istringstream lines(verified.text);
  int number = verified.first_line;
  for (std::string line; std::getline(lines, line); ++number) {
    if (!line.empty()) PrintText("  {:>5}  {}\n", number, EscapeLine(line));
  }
}

// Prints what the oracle says of a case that was found.
void ExplainCase(const Case& c, const Policy& policy) {
  PrintText("{}  ({})\n", c.name, EscapeLine(c.file));
  if (!c.violates.empty())
    PrintText("violates {}\n", fmt::join(c.violates, ", "));
  if (c.verified_text) {
    PrintVerified(*c.verified_text);
    return;
  }
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  std::shared_ptr<const Function> main;
  if (c.Runs()) main = OfTensors(c.program.main());
  for (size_t number = 0; number < c.program.main().body.size(); ++number) {
    const Op& op = c.program.main().body[number];
    const OpSpec& spec = *FindOp(op.op);
    PrintText("\n{}  ({}, lines {}-{})\n", op.op, spec.source, spec.first_line,
              spec.last_line);
    for (const Op::Operand& input : op.inputs)
      PrintText("  {} = {} : {}\n", input.name, EscapeLine(input.value),
                input.type.ToString());
    for (const Attribute& attribute : op.attributes)
      PrintText("  {} = {}\n", attribute.name,
                EscapeLine(AttributeText(attribute)));
    for (const Op::Result& output : op.outputs)
      PrintText("  {} = {} : {}\n", output.name, EscapeLine(output.value),
                output.type.ToString());
    PrintConstraints(spec, op, policy);
    if (c.trait) PrintTrait(*c.trait, spec, policy);
    if (spec.family == kPointwise || spec.source == "paddle")
      PrintBroadcast(spec, op, c.violates.empty());
    if (!c.Runs()) continue;
    for (const ConstraintResult& result : CheckConstraints(spec, op)) {
      if (result.truth == Truth::kFalse)
        throw InputError(c.file,
                         fmt::format("{} violates {}/{}", c.name, spec.id,
                                     result.constraint->label));
    }
    const Op& executed = main->body[number];
    std::vector<Tensor> inputs;
    for (const Op::Operand& operand : executed.inputs)
      inputs.push_back(values.at(operand.value));
    for (const TypedName& capture : Captures(executed))
      inputs.push_back(values.at(capture.name));
    const Evaluation evaluation = WithinMemory(
        c, [&] { return Evaluate(executed, inputs, policy, Marks::kCounted); });
    Clauses clauses;
    for (const DecidingClause& decides : ClausesOf(executed, evaluation))
      Keep(decides, &clauses);
    for (size_t k = 0; k < evaluation.outputs.size(); ++k)
      PrintElements(spec, executed, inputs, policy, evaluation, k, &clauses);
    PrintClauses(policy, clauses);
    const bool is_determined =
        std::ranges::all_of(evaluation.outputs, &Expectation::IsDetermined);
    if (!is_determined && &op != &c.program.main().body.back()) {
      PrintText(
          "\nlater ops rest on a value that is not determined; nothing "
          "follows\n");
      break;
    }
    for (size_t k = 0; k < evaluation.outputs.size(); ++k)
      values[executed.outputs[k].value] = evaluation.outputs[k].lo;
  }
}

int Explain(const std::string& argument, const std::string& policy_name,
            const std::vector<std::string>& against, const SuiteFlags& flags) {
  const Policy& policy = PolicyFor(policy_name, true);
  if (FindOp(argument) != nullptr) return ListCasesOf(argument, flags);
  if (argument.find_first_of("/.@#*") == std::string::npos)
    RequireOp("", argument);
  const Case c = FindCase(argument, flags.memory, flags.Paths());
  ExplainCase(c.chunk > 0 ? ChunkOf(c, 0) : c, policy);
  if (!against.empty()) PrintAgainst(c, against, flags.Paths(), flags.memory);
  return kExitOk;
}

}  // namespace

void RegisterExplain(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "explain", "What the oracle allows for a case, and by which clause");
  auto argument = std::make_shared<std::string>();
  auto policy = std::make_shared<std::string>("assay");
  command
      ->add_option(
          "CASE", *argument,
          "A case's name, FILE.json#id, FILE.mlir#function, a file that holds "
          "one case, or an op, whose cases are listed")
      ->required();
  command
      ->add_option("--policy", *policy,
                   "What is accepted where the texts are open")
      ->capture_default_str()
      ->type_name("NAME|FILE.json");
  auto flags = std::make_shared<SuiteFlags>();
  command
      ->add_option("--cases", flags->cases,
                   "Case files and folders that have the case. Default: the "
                   "suite")
      ->type_name("PATH");
  auto against = std::make_shared<std::vector<std::string>>();
  AddText(*command, "--against", against.get(), "RESULTS",
          "Results files of `assay run --out`: what each backend "
          "returned, and which are right");
  AddMemoryTo(*command, &flags->memory);
  command->callback(
      [=] { *exit_code = Explain(*argument, *policy, *against, *flags); });
}

}  // namespace assay
