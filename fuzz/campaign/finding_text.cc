#include "fuzz/campaign/finding_text.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cases/read/flat_function.h"
#include "fuzz/proposals/control_ops.h"
#include "oracle/control/entry.h"
#include "oracle/control/of_tensors.h"
#include "oracle/oracle.h"
#include "spec/op_spec.h"
#include "spec/text/parse.h"
#include "spec/text/print.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

// Returns the program with its inputs as constants, in front of its ops.
Program Closed(const Case& c) {
  const Function& main = c.program.main();
  Program closed;
  Function& entry = closed.functions.emplace_back();
  entry.name = "main";
  for (size_t i = 0; i < main.inputs.size(); ++i)
    entry.body.push_back(
        ConstantOp(c.inputs[i].data.Materialise(), main.inputs[i]));
  entry.body.insert(entry.body.end(), main.body.begin(), main.body.end());
  entry.results = main.results;
  for (const Function* callee : CalledBy(main))
    closed.functions.push_back(*callee);
  return closed;
}

bool IsExact(const Expectation& expectation) {
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    if (!expectation.IsExact(i)) return false;
  }
  return true;
}

text::NamedAttribute Named(const char* name, text::Attribute value) {
  return {name, std::make_shared<text::Attribute>(std::move(value))};
}

text::Statement CheckOf(const text::Operand& result, text::TypePtr type,
                        const Expectation& expectation) {
  text::Statement check;
  check.op = IsExact(expectation) ? "check.expect_eq_const"
                                  : "check.expect_almost_eq_const";
  check.operands.push_back(result);
  check.operand_types.push_back(std::move(type));
  check.attributes.push_back(
      Named("value", {text::DenseAttribute{expectation.lo}}));
  return check;
}

}  // namespace

bool IsProgram(const Case& c) {
  if (c.trait || c.original || !c.violates.empty()) return false;
  const std::vector<Op>& body = c.program.main().body;
  return body.size() > 1 || std::ranges::any_of(body, [](const Op& op) {
           return FindOp(op.op)->control;
         });
}

std::string TextFileOf(const Case& c, const Policy& policy) {
  const Function& main = c.program.main();
  std::vector<Tensor> inputs;
  for (const CaseInput& input : c.inputs)
    inputs.push_back(input.data.Materialise());
  const Evaluation evaluation =
      Evaluate(CallOf(OfTensors(main)), inputs, policy, Marks::kNone);
  const std::string closed = ProgramText(Closed(c));
  text::Chunk chunk = text::ParseChunk({closed});
  size_t inputs_left = main.inputs.size();
  for (text::Statement& function : chunk.module.regions[0].statements) {
    for (text::Statement& statement : function.regions[0].statements) {
      if (inputs_left > 0) {
        --inputs_left;
      } else if (statement.op == kConstantStatement) {
        statement.attributes.push_back(
            Named(kStaysConstant, {text::UnitAttribute{}}));
      }
    }
  }
  std::vector<text::Statement>& statements =
      chunk.module.regions[0].statements[0].regions[0].statements;
  const text::Statement end = std::move(statements.back());
  statements.pop_back();
  std::set<int64_t> checked;
  for (size_t k = 0; k < end.operands.size(); ++k) {
    if (checked.insert(end.operands[k].value).second)
      statements.push_back(CheckOf(end.operands[k], end.operand_types[k],
                                   evaluation.outputs[k]));
  }
  statements.push_back(end);
  return text::PrintGeneric(chunk);
}

}  // namespace assay
