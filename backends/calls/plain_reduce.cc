#include "backends/calls/plain_reduce.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "backends/calls/attributes.h"
#include "backends/calls/dims_view.h"

namespace assay::calls {
namespace {

// Returns whether the dimensions other than those of size 1 that are reduced
// follow each other, and sets the sizes of those before, among and behind them.
bool Split(const std::vector<int64_t>& sizes, const std::vector<bool>& reduced,
           PlainReduce* reduce) {
  reduce->outer = reduce->terms = reduce->inner = 1;
  bool has_begun = false, has_ended = false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    if (reduced[d]) {
      if (has_ended) return false;
      has_begun = true;
      reduce->terms *= sizes[d];
    } else {
      has_ended = has_begun;
      (has_begun ? reduce->inner : reduce->outer) *= sizes[d];
    }
  }
  return true;
}

}  // namespace

bool ReadPlainReduce(const AssayCall& call, PlainReduce* reduce) {
  if (call.struct_size < sizeof(AssayCall) || call.functions == nullptr ||
      call.num_regions != 1 || call.num_inputs != 2 || call.num_captures != 0 ||
      call.num_outputs != 1)
    return false;
  const AssayFunction& function = call.functions[0];
  if (function.monoid == nullptr || function.num_arguments != 2) return false;
  const AssayTensor &operand = call.inputs[0], &init = call.inputs[1],
                    &result = call.outputs[0];
  Type init_type, result_type;
  if (!ParseType(operand, &reduce->type) || !ParseType(init, &init_type) ||
      !ParseType(result, &result_type) || init_type != reduce->type ||
      result_type != reduce->type)
    return false;
  const DimsView from = DimsView::Of(operand.tensor),
                 to = DimsView::Of(result.tensor);
  const std::optional<std::vector<int64_t>> dimensions =
      ListOf(call, "dimensions");
  if (!dimensions || init.tensor.ndim != 0) return false;
  std::vector<bool> is_reduced(from.shape.size());
  for (const int64_t d : *dimensions) {
    if (d < 0 || d >= std::ssize(is_reduced)) return false;
    is_reduced[static_cast<size_t>(d)] = true;
  }
  std::vector<int64_t> kept;
  for (size_t d = 0; d < is_reduced.size(); ++d) {
    if (!is_reduced[d]) kept.push_back(from.shape[d]);
  }
  if (kept != to.shape || CountOf(kept) == 0 || CountOf(from.shape) == 0)
    return false;
  reduce->monoid = function.monoid;
  reduce->operand = &operand;
  reduce->init = &init;
  reduce->result = &result;
  return Split(from.shape, is_reduced, reduce);
}

}  // namespace assay::calls
