// The command `assay spec` prints an op's specification.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "cases/read/json.h"
#include "reports/print.h"
#include "spec/elements.h"
#include "spec/embedded.h"
#include "spec/op_spec.h"
#include "spec/policy.h"
#include "spec/printable_text.h"
#include "spec/text/program_text.h"
#include "tools/command.h"

namespace assay {
namespace {

// Prints a line for each row that applies to some type. A row of a policy that
// this one extends may never apply, because a row of this policy holds wherever
// it would.
void PrintBudgets(const OpSpec& spec, const Policy& policy) {
  std::vector<const Budget*> rows;
  for (const ElementTypeInfo& info : ElementTypes()) {
    for (const Budget* row : policy.FindBudgets(spec.id, info.type))
      rows.push_back(row);
  }
  for (const Budget& row : policy.budgets()) {
    if (std::ranges::find(rows, &row) == rows.end()) continue;
    const std::string where = row.WhereText();
    PrintText("  {}{}: {} (policy {}). {}\n", fmt::join(row.types, ", "),
              where.empty() ? "" : ", " + where, row.Text(), policy.name(),
              row.reason);
  }
}

// Returns the column "Type" of an Inputs or Outputs table. `words` are the
// types of a tensor or a value, or the values of an enum.
std::string ColumnText(InputSpec::Kind kind,
                       const std::vector<std::string>& words) {
  const std::string list = fmt::format("{}", fmt::join(words, " or "));
  switch (kind) {
    case InputSpec::Kind::kTensor:
      return "tensor of " + list;
    case InputSpec::Kind::kToken:
      return "token";
    case InputSpec::Kind::kTuple:
      return "tuple";
    case InputSpec::Kind::kValue:
      return words.empty() ? "tensor, token or tuple" : list;
    case InputSpec::Kind::kConstant:
      return "constant";
    case InputSpec::Kind::kEnum:
      return fmt::format("one of {}", fmt::join(words, ", "));
    case InputSpec::Kind::kText:
      return "text";
    case InputSpec::Kind::kName:
      return "name of a function";
    case InputSpec::Kind::kDictionary:
      return "dictionary";
    case InputSpec::Kind::kMetadata:
      return "text or dictionary";
    case InputSpec::Kind::kType:
      return fmt::format("one of the types {}", fmt::join(words, ", "));
    case InputSpec::Kind::kFunction:
      return "function";
    case InputSpec::Kind::kShaped:
      return "tensor or vector type";
  }
  return "";
}

void PrintOp(const OpSpec& spec, const Policy& policy) {
  PrintText("{}  ({}, lines {}-{}; {})\n", spec.id, spec.source,
            spec.first_line, spec.last_line, spec.file);
  PrintText("\ninputs\n");
  for (const InputSpec& input : spec.inputs) {
    std::string type = ColumnText(
        input.kind, input.values.empty() ? input.types : input.values);
    if (input.type) type += " " + input.type->ToString();
    if (input.variadic) type = "any number of: " + type;
    if (input.absent) type += fmt::format(", {} if left out", *input.absent);
    PrintText("  {:<4} {:<22} {}\n", input.label, input.name, type);
  }
  PrintText("\noutputs\n");
  for (const OutputSpec& output : spec.outputs)
    PrintText("       {:<22} {}{}\n", output.name,
              output.variadic ? "any number of: " : "",
              ColumnText(output.kind, output.types));
  PrintText("\nconstraints\n");
  for (const ConstraintSpec& constraint : spec.constraints) {
    PrintText("  {:<6} {}\n", constraint.label, constraint.Text());
    if (!constraint.never_alone.empty())
      PrintText("         never violated alone: {}\n", constraint.never_alone);
    if (!constraint.never.empty())
      PrintText("         never violated: {}\n", constraint.never);
    if (!constraint.policy.empty())
      PrintText("         policy {}\n", constraint.policy);
    if (!constraint.needs.empty())
      PrintText("         needs {}\n", constraint.needs);
  }
  PrintText("\nsemantics\n");
  for (const ClauseSpec& clause : spec.semantics) {
    PrintText("  {:<6} {}{}\n", clause.label,
              clause.slug.empty() ? "" : clause.slug + ": ", clause.text);
    if (!clause.when.empty()) PrintText("         when: {}\n", clause.when);
    if (clause.status != "defined" || !clause.policy.empty())
      PrintText("         {}, policy {}\n", clause.status, clause.policy);
    if (!clause.needs.empty()) PrintText("         needs {}\n", clause.needs);
    if (!clause.judged.empty())
      PrintText("         judged by: {}\n", clause.judged);
  }
  PrintText("\naccuracy  {}{}\n", spec.rule,
            spec.rule_reason.empty() ? "" : " (" + spec.rule_reason + ")");
  if (spec.complex_rule != spec.rule)
    PrintText("  of complex numbers {}\n", spec.complex_rule);
  if (spec.least) PrintText("  not below {}\n", *spec.least);
  if (spec.greatest) PrintText("  not above {}\n", *spec.greatest);
  PrintBudgets(spec, policy);
}

int Spec(const std::string& op, const Policy& policy, bool json) {
  if (!op.empty()) RequireOp("", op);
  for (const OpSpec* described : OpsAndElements()) {
    const OpSpec& spec = *described;
    if (!op.empty() && spec.id != op) continue;
    if (!json) {
      PrintOp(spec, policy);
      if (op.empty()) PrintText("\n");
      continue;
    }
    for (const EmbeddedFile& file : EmbeddedFiles()) {
      if (file.path == spec.file) PrintText("{}", file.text);
    }
  }
  return kExitOk;
}

// Prints the constraints that a chunk violates, and returns whether it is
// valid.
bool CheckChunk(const std::string& file, const text::ChunkText& chunk,
                int64_t* violated) {
  const auto place = [&](text::Location location) {
    return fmt::format("{}:{}:{}", file, location.line, location.column);
  };
  try {
    const std::vector<Violation> violations =
        VerifyProgram(text::ParseChunk(chunk));
    for (const Violation& violation : violations) {
      PrintText("{}: {} violates {}: {}\n",
                EscapeLine(place(violation.location)), violation.spec->id,
                violation.constraint->label, violation.constraint->Text());
      for (const auto& [name, value] : violation.values)
        PrintText("    {} = {}\n", name, EscapeLine(value));
      ++*violated;
    }
    return violations.empty();
  } catch (const text::SyntaxError& e) {
    PrintText("{}: {}\n", EscapeLine(place(e.location())),
              EscapeLine(e.message()));
    return false;
  }
}

// Verifies the programs of a file of StableHLO text.
int CheckFile(const std::string& file) {
  const std::string text = ReadTextFile(file);
  int64_t chunks = 0, wrong = 0, violated = 0;
  for (const text::ChunkText& chunk : text::SplitChunks(text)) {
    if (text::IsBlankText(chunk.text)) continue;
    ++chunks;
    wrong += !CheckChunk(file, chunk, &violated);
  }
  PrintText(
      "{} programs, {} of them not valid or not read, {} violated "
      "constraints\n",
      chunks, wrong, violated);
  return wrong == 0 ? kExitOk : kExitFindings;
}

// Prints what this version does not judge, by family.
int Missing() {
  std::map<std::string, std::vector<std::string>> by_family;
  int64_t ops = 0;
  for (const OpSpec& spec : Ops()) {
    if (spec.unjudged.empty()) continue;
    by_family[spec.unjudged].push_back(spec.id);
    ++ops;
  }
  PrintText(
      "Verified, inferred and drawn, and without functions in the oracle: "
      "{} ops\n",
      ops);
  for (const auto& [family, ids] : by_family)
    PrintText("  {:<12} {}\n", family, fmt::join(ids, " "));
  int64_t needs = 0;
  for (const OpSpec& spec : Ops()) {
    if (!spec.unjudged.empty()) continue;
    for (const ClauseSpec& clause : spec.semantics)
      needs += !clause.needs.empty();
  }
  PrintText("Clauses that need what this version lacks: {} (quantized types)\n",
            needs);
  for (const OpSpec* spec : OpsAndElements()) {
    for (const ConstraintSpec& constraint : spec->constraints) {
      if (!constraint.needs.empty())
        PrintText("  {}/{} needs {}\n", spec->id, constraint.label,
                  constraint.needs);
    }
  }
  return kExitOk;
}

}  // namespace

void RegisterSpec(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("spec", "Print the specification of an op, or of all");
  auto op = std::make_shared<std::string>();
  auto policy = std::make_shared<std::string>("assay");
  auto json = std::make_shared<bool>(false);
  command->add_option("OP", *op, "The op's id: add, paddle.bitwise_left_shift");
  command->add_option("--policy", *policy, "Whose budgets (default: assay)")
      ->type_name("NAME|FILE.json");
  command->add_flag("--json", *json, "The op file itself");
  auto check = std::make_shared<std::string>();
  auto missing = std::make_shared<bool>(false);
  command
      ->add_option("--check", *check,
                   "Verify the programs of a file of StableHLO text, and print "
                   "each violated constraint with what makes it false")
      ->type_name("FILE.mlir");
  command->add_flag("--missing", *missing,
                    "What is specified and not judged, by family");
  command->callback([=] {
    if (!check->empty()) {
      *exit_code = CheckFile(*check);
    } else if (*missing) {
      *exit_code = Missing();
    } else {
      *exit_code = Spec(*op, PolicyFor(*policy, true), *json);
    }
  });
}

}  // namespace assay
