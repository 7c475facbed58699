#include "backends/calls/plain_scatter.h"

#include "backends/calls/overlap.h"

namespace assay::calls {
namespace {

// Returns whether the function returns its second half of arguments.
bool IsAssignment(const AssayFunction& function, int32_t count) {
  if (function.num_ops != 0 || function.num_results != count) return false;
  for (int32_t k = 0; k < count; ++k) {
    if (function.results[k] != count + k) return false;
  }
  return true;
}

bool Overlaps(const AssayTensor& a, size_t a_bytes, const AssayTensor& b,
              size_t b_bytes) {
  return CountElements(a.tensor) > 0 && CountElements(b.tensor) > 0 &&
         Overlap(a.tensor, a_bytes, b.tensor, b_bytes);
}

// What is read after a result is written lies apart from it.
bool AreApart(const PlainScatter& scatter) {
  for (const PlainScatter::Operand& one : scatter.operands) {
    for (const PlainScatter::Operand& other : scatter.operands) {
      const size_t bytes = one.type.bytes(), other_bytes = other.type.bytes();
      if (Overlaps(*one.updates, bytes, *other.result, other_bytes) ||
          (Overlaps(*one.input, bytes, *other.result, other_bytes) &&
           (&one != &other ||
            !IsSamePlace(one.input->tensor, one.result->tensor))))
        return false;
    }
  }
  return true;
}

}  // namespace

bool ReadPlainScatter(const AssayCall& call, PlainScatter* scatter) {
  if (call.struct_size < sizeof(AssayCall) || call.functions == nullptr ||
      call.num_regions != 1 || call.num_input_groups != 3 ||
      call.num_captures != 0 || call.num_outputs < 1)
    return false;
  const int32_t count = call.num_outputs;
  if (call.input_group_sizes[0] != count || call.input_group_sizes[1] != 1 ||
      call.input_group_sizes[2] != count)
    return false;
  const AssayFunction& function = call.functions[0];
  if (!IsAssignment(function, count)) {
    if (count != 1 || function.monoid == nullptr || function.num_arguments != 2)
      return false;
    scatter->monoid = function.monoid;
  }
  const AssayTensor& indices = call.inputs[count];
  IntegerType index_type;
  if (!ReadIntegerType(indices, &index_type)) return false;
  for (int32_t k = 0; k < count; ++k) {
    const AssayTensor &input = call.inputs[k],
                      &updates = call.inputs[count + 1 + k],
                      &result = call.outputs[k];
    Type type, update_type, result_type;
    if (!ParseType(input, &type) || !ParseType(updates, &update_type) ||
        !ParseType(result, &result_type) || type != update_type ||
        type != result_type || !IsSameShape(input.tensor, result.tensor) ||
        !IsSameShape(input.tensor, call.inputs[0].tensor) ||
        !IsSameShape(updates.tensor, call.inputs[count + 1].tensor) ||
        Overlaps(indices, index_type.bytes(), result, type.bytes()))
      return false;
    scatter->operands.push_back({&input, &updates, &result, type, {}});
  }
  return AreApart(*scatter);
}

const char* ReadPlainWindows(const AssayCall& call, PlainScatter* scatter) {
  for (PlainScatter::Operand& operand : scatter->operands) {
    const char* const what =
        ReadScatter(call, operand.result->tensor, call.inputs[call.num_outputs],
                    operand.updates->tensor, &operand.windows);
    if (what != nullptr) return what;
  }
  return nullptr;
}

}  // namespace assay::calls
