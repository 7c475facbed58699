#include <utility>

#include "oracle/control/function_call.h"
#include "oracle/unrounded.h"

namespace assay {
namespace {

// A loop that does not end is TBD. One that goes on after so many iterations is
// not followed further.
constexpr int64_t kMostIterations = int64_t{1} << 16;

}  // namespace

// `internal_state = operand`
// `while cond(*internal_state): internal_state = body(*internal_state)`
// `results = internal_state`
Evaluation While(const OpCall& op) {
  const Function& cond = op.op.Regions("cond")[0];
  const Function& body = op.op.Regions("body")[0];
  const auto operands = static_cast<std::ptrdiff_t>(op.op.inputs.size());
  std::vector<Tensor> internal_state(op.inputs.begin(),
                                     op.inputs.begin() + operands);
  Evaluation evaluation;
  // What an iteration gives may reach the next one unrounded.
  std::vector<bool> unrounded;
  const auto call = [&](const Function& function) {
    FunctionResults results =
        CallFunction(function, internal_state, op, unrounded);
    for (const OpMarks& marks : results.marks)
      AddMarks(marks, &evaluation.region_marks);
    return results;
  };
  bool is_decided = false;
  for (int64_t n = 0; n < kMostIterations; ++n) {
    const FunctionResults goes_on = call(cond);
    if (!goes_on.AreKnown()) break;
    is_decided = goes_on.outputs[0].lo.Bits(0) == 0;
    if (is_decided) break;
    FunctionResults next = call(body);
    if (!next.AreKnown()) break;
    for (size_t k = 0; k < internal_state.size(); ++k)
      internal_state[k] = std::move(next.outputs[k].lo);
    if (n > 0) continue;
    for (size_t k = 0; k < internal_state.size(); ++k)
      unrounded.push_back(Unrounded(op.policy).MayGive(op.op, k));
  }
  for (const Tensor& tensor : internal_state) {
    Expectation& result = evaluation.outputs.emplace_back(tensor.type());
    result.lo = result.hi = tensor;
    result.keeps_nans = true;
    for (int64_t i = 0; i < tensor.size() && !is_decided; ++i)
      result.SetOpen(i);
    if (!is_decided) evaluation.undecided += tensor.size();
  }
  return evaluation;
}

// Whether the loop goes on may rest on any element.
Sources WhileSources(const OpCall& op, size_t, int64_t) {
  return AllElements(op.op);
}

}  // namespace assay
