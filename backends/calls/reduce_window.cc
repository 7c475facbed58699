#include "backends/calls/functions.h"
#include "backends/calls/window_fold.h"

namespace assay::calls {

// The initial value is combined with the fold of each window.
void RunReduceWindow(const AssayCall& call, const FunctionCall& operands,
                     Columns* columns) {
  const std::vector<Column>& inputs = operands.groups[0];
  const std::vector<Column>& inits = operands.groups[1];
  const std::vector<Column>& outputs = operands.outputs;
  if (inits.size() != inputs.size() || outputs.size() != inputs.size() ||
      static_cast<size_t>(operands.function->num_results) != outputs.size())
    return columns->Fail("number of operands");
  const Columns::Shape& windows = outputs[0].view.shape;
  for (const Column& output : outputs) {
    if (output.view.shape != windows ||
        windows.size() != inputs[0].view.shape.size())
      return columns->Fail("mix of operand shapes");
  }
  std::vector<SlidingDim> dims;
  if (!ReadSlidingDims(call, windows, &dims))
    return columns->Fail("attribute value");
  if (CountOf(windows) == 0) return;
  std::vector<Column> starts, padding, results;
  for (size_t k = 0; k < inputs.size(); ++k) {
    padding.push_back(columns->New(outputs[k].type, {}));
    columns->Convert(inits[k], padding.back());
    starts.push_back(Columns::Broadcast(padding.back(), windows));
    results.push_back(columns->New(outputs[k].type, windows));
  }
  const CombinePairs combine = [&](const std::vector<Column>& lhs,
                                   const std::vector<Column>& rhs,
                                   const std::vector<Column>& to) {
    ApplyToPairs(*operands.function, operands.captures, lhs, rhs, to, columns);
  };
  const std::vector<Column> folded =
      FoldWindows(dims, inputs, padding, combine, columns);
  if (columns->failure() != nullptr) return;
  combine(starts, folded, results);
  // An output may lie where an operand does, which is not needed any more.
  for (size_t k = 0; k < outputs.size(); ++k)
    columns->Convert(results[k], outputs[k]);
}

}  // namespace assay::calls
