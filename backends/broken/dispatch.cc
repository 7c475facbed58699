// From a call to a job: which function, which types, which operands.
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "backends/broken/conversions.h"
#include "backends/broken/float_functions.h"
#include "backends/broken/functions.h"
#include "backends/broken/kernel.h"
#include "backends/broken/numbers.h"
#include "backends/broken/op_table.h"

namespace assay::broken {
namespace {

bool IsOp(const AssayCall& call, const char* op) {
  return strcmp(call.op, op) == 0;
}

bool ParseType(const AssayTensor& tensor, Type* type) {
  const DLDataType& dtype = tensor.tensor.dtype;
  const int bytes = (dtype.bits + 7) / 8;
  if (dtype.lanes != 1) return false;
  if (dtype.code == ASSAY_DL_BOOL) {
    *type = {true, false, 1, 1};
    return dtype.bits == 8;
  }
  if (dtype.code != kDLInt && dtype.code != kDLUInt) {
    const bool is_complex = dtype.code == kDLComplex;
    const Format* format = is_complex ? FindFormat(kDLFloat, dtype.bits / 2)
                                      : FindFormat(dtype.code, dtype.bits);
    if (format == nullptr || (is_complex && format->bits < 32)) return false;
    *type = {false, false, format->bits, bytes, format, is_complex};
    return true;
  }
  *type = {false, dtype.code == kDLInt, dtype.bits, bytes};
  for (const int bits : {2, 4, 8, 16, 32, 64}) {
    if (dtype.bits == bits) return true;
  }
  return false;
}

bool IsSameType(const Type& a, const Type& b) {
  return a.is_bool == b.is_bool && a.is_signed == b.is_signed &&
         a.bits == b.bits && a.format == b.format &&
         a.is_complex == b.is_complex;
}

struct NamedDirection {
  const char* name;
  Direction direction;
  Function integer;
};

constexpr NamedDirection kDirections[] = {
    {"EQ", Direction::kEQ, Equal},          {"NE", Direction::kNE, NotEqual},
    {"GE", Direction::kGE, GreaterOrEqual}, {"GT", Direction::kGT, Greater},
    {"LE", Direction::kLE, LessOrEqual},    {"LT", Direction::kLT, Less},
};

const NamedDirection* FindDirection(const char* name) {
  for (const NamedDirection& direction : kDirections) {
    if (name != nullptr && strcmp(direction.name, name) == 0) return &direction;
  }
  return nullptr;
}

bool ReadBits(const AssayCall& call, const char* name, long least,
              int64_t* bits) {
  const char* text = AttributeText(call, name);
  if (text == nullptr) return false;
  *bits = strtol(text, nullptr, 10);
  return *bits >= least;
}

// Whether the attributes are known, and those that the op needs are there.
bool ReadAttributes(const AssayCall& call, Attributes* attributes) {
  if (IsOp(call, "reduce_precision")) {
    return call.num_attributes == 2 &&
           ReadBits(call, "exponent_bits", 1, &attributes->exponent_bits) &&
           ReadBits(call, "mantissa_bits", 0, &attributes->mantissa_bits);
  }
  const bool is_compare = IsOp(call, "compare");
  const bool is_paddle = strncmp(call.op, "paddle.", strlen("paddle.")) == 0;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    const char* name = call.attributes[i].name;
    const bool is_known = is_compare
                              ? strcmp(name, "comparison_direction") == 0 ||
                                    strcmp(name, "compare_type") == 0
                              : is_paddle && strcmp(name, "is_arithmetic") == 0;
    if (!is_known) return false;
  }
  const char* compare_type = AttributeText(call, "compare_type");
  attributes->is_total_order =
      compare_type != nullptr && strcmp(compare_type, "TOTALORDER") == 0;
  return true;
}

// Sets the one function or the other, and the number of inputs; neither, if
// there is none.
void FindFunction(const AssayCall& call, const Type& result, int* arity,
                  Job* job) {
  const Type& type = job->type;
  const bool has_floats = type.format != nullptr;
  if (IsOp(call, "convert")) {
    *arity = 1;
    if (has_floats || result.format != nullptr)
      job->float_function = ConvertParts<Converted>;
    else
      job->function = result.is_bool ? IsNotZero : Identity;
  } else if (IsOp(call, "paddle.bitwise_right_shift")) {
    *arity = 2;
    const char* text = AttributeText(call, "is_arithmetic");
    const bool is_arithmetic = text == nullptr || strcmp(text, "true") == 0;
    if (has_floats) return;
    job->function = is_arithmetic && type.is_signed ? ShiftRightArithmetic
                                                    : ShiftRightLogical;
  } else if (IsOp(call, "compare")) {
    *arity = 2;
    const NamedDirection* found =
        FindDirection(AttributeText(call, "comparison_direction"));
    if (found == nullptr) return;
    job->attributes.direction = found->direction;
    if (has_floats)
      job->float_function = CompareElements;
    else
      job->function = found->integer;
  } else if (const OpFunctions* found = FindOp(call.op)) {
    *arity = found->arity;
    if (has_floats)
      job->float_function = type.is_complex ? found->complex : found->real;
    else
      job->function = found->integer;
  }
}

// Some ops give other types than they take.
bool HasResultType(const AssayCall& call, const Type& type,
                   const Type& result) {
  if (IsOp(call, "convert")) return true;
  if (IsOp(call, "bitcast_convert"))
    return type.is_complex == result.is_complex;
  if (IsOp(call, "compare") || IsOp(call, "is_finite")) return result.is_bool;
  if (IsOp(call, "complex"))
    return result.is_complex && type.format == result.format;
  if (IsOp(call, "real") || IsOp(call, "imag"))
    return !result.is_complex && type.format == result.format;
  if (IsOp(call, "abs") && type.is_complex)
    return !result.is_complex && type.format == result.format;
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

// All of the shape of the result, or scalars where the op takes one for a whole
// operand.
const char* FindInputs(const AssayCall& call, Job* job) {
  static constexpr int64_t kNoSteps[kMaxRank] = {};
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    const bool is_predicate = IsOp(call, "select") && k == 0;
    Type type;
    if (!ParseType(call.inputs[k], &type)) return "element type";
    if (is_predicate ? !type.is_bool : !IsSameType(type, job->type))
      return "mix of element types";
    const bool may_be_scalar = is_predicate || (IsOp(call, "clamp") && k != 1);
    const bool is_same_shape = IsSameShape(input, call.outputs[0].tensor);
    if (!is_same_shape && (input.ndim != 0 || !may_be_scalar))
      return "mix of shapes";
    job->in[k] =
        TensorOf(input, type, is_same_shape ? input.strides : kNoSteps);
  }
  return nullptr;
}

// bitcast_convert C1.
const char* FindParts(const AssayCall& call, Job* job) {
  const DLTensor &input = call.inputs[0].tensor,
                 &output = call.outputs[0].tensor;
  job->in[0] = TensorOf(input, job->type, input.strides);
  const int from = job->type.bits, to = job->out.type.bits;
  const bool splits = from > to;
  const DLTensor& wide = splits ? input : output;
  DLTensor narrow = splits ? output : input;
  job->splits_or_joins = from != to;
  job->rank = wide.ndim;
  job->shape = wide.shape;
  if (job->splits_or_joins) {
    const int parts = splits ? from / to : to / from;
    if (narrow.ndim != wide.ndim + 1 || narrow.shape[wide.ndim] != parts ||
        std::max(from, to) % std::min(from, to) != 0) {
      return "mix of shapes";
    }
    --narrow.ndim;
  }
  return IsSameShape(narrow, wide) ? nullptr : "mix of shapes";
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
  if (call.num_inputs < 1 || call.num_inputs > kMaxInputs ||
      call.num_outputs != 1) {
    return "number of operands";
  }
  if (call.num_regions != 0 || !ReadAttributes(call, &job->attributes))
    return "an attribute or region";
  // clamp and select compute in the type of the operand in the middle.
  const AssayTensor& typed = call.inputs[call.num_inputs == 3 ? 1 : 0];
  const AssayTensor& output = call.outputs[0];
  Type result;
  if (!ParseType(typed, &job->type) || !ParseType(output, &result))
    return "element type";
  int arity = 0;
  FindFunction(call, result, &arity, job);
  if (arity == 0) return "op";
  if (job->function == nullptr && job->float_function == nullptr)
    return "op on this element type";
  if (arity != call.num_inputs) return "number of operands";
  if (!HasResultType(call, job->type, result)) return "result type";
  if (output.tensor.ndim > kMaxRank) return "rank";
  job->num_inputs = call.num_inputs;
  job->rank = output.tensor.ndim;
  job->shape = output.tensor.shape;
  job->out = TensorOf(output.tensor, result, output.tensor.strides);
  return IsOp(call, "bitcast_convert") ? FindParts(call, job)
                                       : FindInputs(call, job);
}

}  // namespace assay::broken
