#include "backends/calls/key_sort.h"

#include <string.h>

#include <string_view>

#include "backends/calls/attributes.h"
#include "backends/calls/overlap.h"

namespace assay::calls {
namespace {

std::string_view TextOf(const AssayFunctionOp& op, const char* name) {
  for (int32_t i = 0; i < op.num_attributes; ++i) {
    if (strcmp(op.attributes[i].name, name) == 0) return op.attributes[i].text;
  }
  return {};
}

bool IsNative(const Type& type) {
  switch (type.kind) {
    case Kind::kSigned:
    case Kind::kUnsigned:
      return type.bits == static_cast<int>(8 * type.bytes());
    case Kind::kFloat:
      return true;
    case Kind::kFormat:
      return type.format == Format::kF16 || type.format == Format::kBF16;
    default:
      return false;
  }
}

// Reads which operand the comparator compares, and how.
bool ReadComparator(const AssayFunction& function, size_t count,
                    KeySort* sort) {
  if (function.num_ops != 1 || function.num_results != 1 ||
      function.results[0] != function.num_arguments)
    return false;
  const AssayFunctionOp& op = function.ops[0];
  if (strcmp(op.op, "compare") != 0 || op.num_inputs != 2) return false;
  const int32_t lhs = op.inputs[0], rhs = op.inputs[1];
  const int32_t low = lhs < rhs ? lhs : rhs;
  if (low < 0 || low % 2 != 0 || lhs + rhs != 2 * low + 1 ||
      low >= 2 * static_cast<int32_t>(count))
    return false;
  const std::string_view direction = TextOf(op, "comparison_direction");
  if (direction != "LT" && direction != "GT") return false;
  sort->key = static_cast<size_t>(low / 2);
  sort->is_descending = (direction == "GT") != (rhs < lhs);
  sort->has_equal_zeros = TextOf(op, "compare_type") != "TOTALORDER";
  return true;
}

bool HasPlainOperands(const AssayCall& call, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    const DLTensor &input = call.inputs[k].tensor,
                   &output = call.outputs[k].tensor;
    Type type, result_type;
    if (!ParseType(call.inputs[k], &type) ||
        !ParseType(call.outputs[k], &result_type) || type != result_type ||
        !IsSameShape(input, call.inputs[0].tensor) ||
        !IsSameShape(output, input))
      return false;
  }
  if (CountElements(call.inputs[0].tensor) == 0) return true;
  for (size_t k = 0; k < count; ++k) {
    Type type, result_type;
    ParseType(call.inputs[k], &type);
    for (size_t o = 0; o < count; ++o) {
      const DLTensor &input = call.inputs[k].tensor,
                     &output = call.outputs[o].tensor;
      ParseType(call.outputs[o], &result_type);
      if (Overlap(input, type.bytes(), output, result_type.bytes()) &&
          !(type.bytes() == result_type.bytes() && IsSamePlace(input, output)))
        return false;
    }
  }
  return true;
}

}  // namespace

bool ReadKeySort(const AssayCall& call, KeySort* sort) {
  if (strcmp(call.op, "sort") != 0 || call.struct_size < sizeof(AssayCall) ||
      call.functions == nullptr || call.num_regions != 1 ||
      call.num_attributes > 2 || call.num_input_groups != 1 ||
      call.num_outputs < 1 || call.input_group_sizes[0] != call.num_outputs ||
      call.num_inputs < call.num_outputs)
    return false;
  sort->count = static_cast<size_t>(call.num_outputs);
  if (call.functions[0].num_arguments < 2 * static_cast<int32_t>(sort->count) ||
      !ReadComparator(call.functions[0], sort->count, sort) ||
      !ParseType(call.inputs[sort->key], &sort->type) ||
      !IsNative(sort->type) || !HasPlainOperands(call, sort->count))
    return false;
  if (sort->type.kind != Kind::kFloat && sort->type.kind != Kind::kFormat)
    sort->has_equal_zeros = false;
  const auto rank = static_cast<int64_t>(call.inputs[0].tensor.ndim);
  int64_t dimension = NumberOf(call, "dimension").value_or(-1);
  if (dimension < 0) dimension += rank;
  sort->dimension = static_cast<size_t>(dimension);
  return dimension >= 0 && dimension < rank;
}

}  // namespace assay::calls
