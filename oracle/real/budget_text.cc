#include "oracle/real/budget_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "oracle/oracle.h"
#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"
#include "spec/types/element.h"

namespace assay {
namespace {

using Rows = std::vector<const Budget*>;

Rows FindRows(const Op& op, const Policy& policy, size_t output) {
  const OpSpec& spec = *FindOp(op.op);
  if (spec.steps.empty())
    return policy.FindBudgets(op.op, op.FirstType().tensor().element_type);
  for (const Op& step : Desugar(spec, op, AnalyseOperands(spec, op), output)) {
    Rows rows = FindRows(step, policy, 0);
    if (!rows.empty()) return rows;
  }
  return {};
}

std::string LineOf(const Budget& row, const Policy& policy) {
  const std::string where = row.WhereText();
  return fmt::format("{}{} (policy {}): {}", where,
                     where.empty() ? row.Text() : ": " + row.Text(),
                     policy.name(), row.reason);
}

double ValueAt(const Tensor& tensor, int64_t i) {
  return VisitKinds<kFloats>(tensor.element_type(), [&]<class T>() {
    return T::FromBits(static_cast<typename T::Bits>(tensor.Bits(i)))
        .ToDouble();
  });
}

}  // namespace

std::vector<std::string> BudgetLines(const Op& op, const Policy& policy,
                                     size_t output) {
  if (op.result_accuracy) {
    Budget budget;
    budget.result_accuracy = op.result_accuracy;
    return {"result_accuracy " + budget.Text()};
  }
  const Rows rows = FindRows(op, policy, output);
  // Ops of control give the values of others.
  if (rows.empty())
    return {op.regions.empty() && op.callee == nullptr
                ? "of an op before it"
                : "of an op in its functions"};
  std::vector<std::string> lines;
  for (const Budget* row : rows) lines.push_back(LineOf(*row, policy));
  return lines;
}

std::string BudgetText(const Op& op, const std::vector<Tensor>& inputs,
                       const Policy& policy, int64_t index, size_t output) {
  const std::vector<std::string> lines = BudgetLines(op, policy, output);
  if (lines.size() == 1 || !FindOp(op.op)->steps.empty())
    return fmt::format("{}", fmt::join(lines, "\n    "));
  const Rows rows = FindRows(op, policy, output);
  const Sources sources = SourcesOf(op, inputs, index, output);
  const auto value = [&](const Source& source) {
    return ValueAt(inputs[source.operand], source.element);
  };
  const double x = value(sources.front()), y = value(sources.back());
  const auto row = std::ranges::find_if(
      rows, [&](const Budget* budget) { return budget->Holds(x, y); });
  if (row == rows.end()) return "0.5 ulp: no row of the policy holds";
  return lines[static_cast<size_t>(row - rows.begin())];
}

}  // namespace assay
