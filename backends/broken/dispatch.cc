// From a call to a job: which function, which types, which operands.
#include <string.h>

#include "backends/broken/functions.h"
#include "backends/broken/kernel.h"

namespace assay::broken {
namespace {

bool ParseType(const AssayTensor& tensor, Type* type) {
  const DLDataType& dtype = tensor.tensor.dtype;
  if (dtype.lanes != 1) return false;
  if (dtype.code == ASSAY_DL_BOOL) {
    *type = {true, false, 1, 1};
    return dtype.bits == 8;
  }
  if (dtype.code != kDLInt && dtype.code != kDLUInt) return false;
  *type = {false, dtype.code == kDLInt, dtype.bits, (dtype.bits + 7) / 8};
  for (const int bits : {2, 4, 8, 16, 32, 64}) {
    if (dtype.bits == bits) return true;
  }
  return false;
}

bool IsSameType(const Type& a, const Type& b) {
  return a.is_bool == b.is_bool && a.is_signed == b.is_signed &&
         a.bits == b.bits;
}

struct NamedFunction {
  const char* name;
  int arity;
  Function function;
};

constexpr NamedFunction kOps[] = {
    {"abs", 1, Abs},
    {"add", 2, Add},
    {"and", 2, And},
    {"clamp", 3, Clamp},
    {"count_leading_zeros", 1, CountLeadingZeros},
    {"divide", 2, Divide},
    {"maximum", 2, Maximum},
    {"minimum", 2, Minimum},
    {"multiply", 2, Multiply},
    {"negate", 1, Negate},
    {"not", 1, Not},
    {"or", 2, Or},
    {"paddle.bitwise_left_shift", 2, ShiftLeft},
    {"popcnt", 1, PopulationCount},
    {"power", 2, Power},
    {"remainder", 2, Remainder},
    {"select", 3, Select},
    {"shift_left", 2, ShiftLeft},
    {"shift_right_arithmetic", 2, ShiftRightArithmetic},
    {"shift_right_logical", 2, ShiftRightLogical},
    {"sign", 1, Sign},
    {"subtract", 2, Subtract},
    {"xor", 2, Xor},
};

constexpr NamedFunction kDirections[] = {
    {"EQ", 2, Equal},   {"NE", 2, NotEqual},    {"GE", 2, GreaterOrEqual},
    {"GT", 2, Greater}, {"LE", 2, LessOrEqual}, {"LT", 2, Less},
};

template <size_t n>
const NamedFunction* Find(const NamedFunction (&table)[n], const char* name) {
  for (const NamedFunction& entry : table) {
    if (name != nullptr && strcmp(entry.name, name) == 0) return &entry;
  }
  return nullptr;
}

// The function of a call, and the number of its inputs; nullptr if there is
// none.
Function FindFunction(const AssayCall& call, const Type& type,
                      const Type& result, int* arity) {
  if (strcmp(call.op, "convert") == 0) {
    *arity = 1;
    return result.is_bool ? IsNotZero : Identity;
  }
  if (strcmp(call.op, "paddle.bitwise_right_shift") == 0) {
    *arity = 2;
    const char* text = AttributeText(call, "is_arithmetic");
    const bool is_arithmetic = text == nullptr || strcmp(text, "true") == 0;
    return is_arithmetic && type.is_signed ? ShiftRightArithmetic
                                           : ShiftRightLogical;
  }
  const NamedFunction* found =
      strcmp(call.op, "compare") == 0
          ? Find(kDirections, AttributeText(call, "comparison_direction"))
          : Find(kOps, call.op);
  if (found == nullptr) return nullptr;
  *arity = found->arity;
  return found->function;
}

bool HasUnknownAttribute(const AssayCall& call) {
  const bool is_compare = strcmp(call.op, "compare") == 0;
  const bool is_paddle = strncmp(call.op, "paddle.", strlen("paddle.")) == 0;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    const char* name = call.attributes[i].name;
    const bool is_known = is_compare
                              ? strcmp(name, "comparison_direction") == 0 ||
                                    strcmp(name, "compare_type") == 0
                              : is_paddle && strcmp(name, "is_arithmetic") == 0;
    if (!is_known) return true;
  }
  return call.num_regions != 0;
}

// compare and convert give other types than they take.
bool HasResultType(const AssayCall& call, const Type& type,
                   const Type& result) {
  if (strcmp(call.op, "convert") == 0) return true;
  if (strcmp(call.op, "compare") == 0) return result.is_bool;
  return IsSameType(type, result);
}

bool IsSameShape(const DLTensor& a, const DLTensor& b) {
  if (a.ndim != b.ndim) return false;
  for (int d = 0; d < a.ndim; ++d) {
    if (a.shape[d] != b.shape[d]) return false;
  }
  return true;
}

Tensor TensorOf(const DLTensor& tensor, const Type& type,
                const int64_t* strides) {
  return {static_cast<unsigned char*>(tensor.data) + tensor.byte_offset,
          strides, type};
}

}  // namespace

const char* AttributeText(const AssayCall& call, const char* name) {
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, name) == 0)
      return call.attributes[i].text;
  }
  return nullptr;
}

const char* Dispatch(const AssayCall& call, Job* job) {
  // The strides of a scalar that stands for a whole operand.
  static constexpr int64_t kNoSteps[kMaxRank] = {};
  if (call.num_inputs < 1 || call.num_inputs > kMaxInputs ||
      call.num_outputs != 1) {
    return "number of operands";
  }
  if (HasUnknownAttribute(call)) return "an attribute or region";
  // clamp and select compute in the type of the operand in the middle.
  const AssayTensor& typed = call.inputs[call.num_inputs == 3 ? 1 : 0];
  const AssayTensor& output = call.outputs[0];
  Type result;
  if (!ParseType(typed, &job->type) || !ParseType(output, &result))
    return "element type";
  int arity = 0;
  job->function = FindFunction(call, job->type, result, &arity);
  if (job->function == nullptr) return "op";
  if (arity != call.num_inputs) return "number of operands";
  if (!HasResultType(call, job->type, result)) return "result type";
  if (output.tensor.ndim > kMaxRank) return "rank";
  job->num_inputs = call.num_inputs;
  job->rank = output.tensor.ndim;
  job->shape = output.tensor.shape;
  job->out = TensorOf(output.tensor, result, output.tensor.strides);
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    const bool is_predicate = job->function == Select && k == 0;
    Type type;
    if (!ParseType(call.inputs[k], &type)) return "element type";
    if (is_predicate ? !type.is_bool : !IsSameType(type, job->type))
      return "mix of element types";
    const bool may_be_scalar =
        is_predicate || (job->function == Clamp && k != 1);
    const bool is_same_shape = IsSameShape(input, output.tensor);
    if (!is_same_shape && (input.ndim != 0 || !may_be_scalar))
      return "mix of shapes";
    job->in[k] =
        TensorOf(input, type, is_same_shape ? input.strides : kNoSteps);
  }
  return nullptr;
}

}  // namespace assay::broken
