// This file leads from a call to a job: to its function, types and operands.
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <numeric>

#include "backends/broken/kernel/broadcast.h"
#include "backends/broken/kernel/conversions.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/op_table.h"
#include "backends/broken/kernel/pointwise.h"
#include "backends/broken/kernel/promotion.h"
#include "backends/broken/kernel/types.h"
#include "backends/broken/kernel/validation.h"
#include "backends/calls/moves.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

bool IsOp(const AssayCall& call, const char* op) {
  return strcmp(BaseName(call), op) == 0;
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

bool IsKnownAttribute(const AssayCall& call, const char* name) {
  const auto is = [&](const char* other) { return strcmp(name, other) == 0; };
  if (IsPointwise(call) && is("promotion_methods")) return true;
  if (IsOp(call, "compare"))
    return is("comparison_direction") || is("compare_type");
  if (IsOp(call, "reduce_precision"))
    return is("exponent_bits") || is("mantissa_bits");
  if (IsBroadcastInDim(call)) return is("broadcast_dimensions");
  return IsPaddleShift(call) && is("is_arithmetic");
}

// Returns whether all attributes are known, and those that the op needs are
// present.
bool ReadAttributes(const AssayCall& call, Attributes* attributes) {
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (!IsKnownAttribute(call, call.attributes[i].name)) return false;
  }
  if (IsOp(call, "reduce_precision")) {
    return ReadBits(call, "exponent_bits", 1, &attributes->exponent_bits) &&
           ReadBits(call, "mantissa_bits", 0, &attributes->mantissa_bits);
  }
  const char* compare_type = AttributeText(call, "compare_type");
  attributes->is_total_order =
      compare_type != nullptr && strcmp(compare_type, "TOTALORDER") == 0;
  return true;
}

const OpFunctions* FindFunctions(const AssayCall& call, int output) {
  const OpFunctions* composite =
      IsPointwise(call) ? FindComposite(BaseName(call), output) : nullptr;
  return composite != nullptr ? composite : FindOp(BaseName(call));
}

// Sets one of the two functions and the number of inputs. Sets neither function
// if there is none.
void FindFunction(const AssayCall& call, const Type& result, int* arity,
                  Job* job) {
  const Type& type = job->type;
  const bool has_floats = type.format != nullptr;
  if (IsOp(call, "convert")) {
    *arity = 1;
    job->out.type = result;
    SetConversion(job);
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
  } else if (const OpFunctions* found = FindFunctions(call, job->output)) {
    *arity = found->arity;
    if (has_floats)
      job->float_function = type.is_complex ? found->complex : found->real;
    else
      job->function = found->integer;
  }
}

// Some ops return other types than they take.
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

void SetShape(const DLTensor& tensor, Job* job) {
  job->rank = tensor.ndim;
  std::copy_n(tensor.shape, tensor.ndim, job->shape);
}

// Returns a tensor whose dimensions are those of the job.
Tensor ViewAsIs(const AssayTensor& operand, const Type& type, const Job& job,
                bool is_output) {
  int dimensions[kMaxRank + 1];
  std::iota(dimensions, dimensions + operand.tensor.ndim, 0);
  Tensor tensor =
      ActiveHooks().view(operand.tensor, dimensions, job, is_output);
  tensor.type = type;
  return tensor;
}

Tensor ViewInput(const AssayCall& call, const AssayTensor& input,
                 const Type& type, const Job& job) {
  int dimensions[kMaxRank];
  ActiveHooks().align(call, input.tensor, job.rank, dimensions);
  Tensor tensor = ActiveHooks().view(input.tensor, dimensions, job, false);
  tensor.type = type;
  return tensor;
}

// All operands have the shape of the result, unless the op broadcasts; some ops
// take a scalar instead of a whole operand.
const char* FindInputs(const AssayCall& call, Job* job) {
  const bool is_pointwise = IsPointwise(call);
  const bool broadcasts =
      is_pointwise || IsPaddleShift(call) || IsBroadcastInDim(call);
  for (int k = 0; k < call.num_inputs; ++k) {
    const AssayTensor& input = call.inputs[k];
    const bool is_predicate = IsOp(call, "select") && k == 0;
    Type type;
    if (!ParseType(input, &type)) return "element type";
    if (is_predicate   ? !type.is_bool
        : is_pointwise ? false
                       : !IsSameType(type, job->type)) {
      return "mix of element types";
    }
    const bool may_be_scalar = is_predicate || (IsOp(call, "clamp") && k != 1);
    if (!broadcasts && !(may_be_scalar && input.tensor.ndim == 0) &&
        !calls::IsSameShape(input.tensor, call.outputs[0].tensor)) {
      return "mix of shapes";
    }
    job->takes[k] = is_predicate ? type : job->type;
    job->in[k] = ViewInput(call, input, type, *job);
  }
  return nullptr;
}

// The shapes must satisfy constraint C1 of bitcast_convert.
const char* FindParts(const AssayCall& call, Job* job) {
  const AssayTensor &input = call.inputs[0], &output = call.outputs[0];
  const Type result = job->gives;
  const int from = job->type.bits, to = result.bits;
  const bool splits = from > to;
  const DLTensor& wide = splits ? input.tensor : output.tensor;
  DLTensor narrow = splits ? output.tensor : input.tensor;
  job->splits_or_joins = from != to;
  SetShape(wide, job);
  if (job->splits_or_joins) {
    const int parts = splits ? from / to : to / from;
    if (narrow.ndim != wide.ndim + 1 || narrow.shape[wide.ndim] != parts ||
        std::max(from, to) % std::min(from, to) != 0) {
      return "mix of shapes";
    }
    --narrow.ndim;
  }
  if (!calls::IsSameShape(narrow, wide)) return "mix of shapes";
  // The last dimension of the narrower one lies behind those of the job.
  if (job->splits_or_joins) job->shape[job->rank] = narrow.shape[job->rank];
  job->in[0] = ViewAsIs(input, job->type, *job, false);
  job->takes[0] = job->type;
  job->out = ViewAsIs(output, result, *job, true);
  return nullptr;
}

// Finds the type that the op computes in.
const char* FindType(const AssayCall& call, Job* job) {
  if (IsPointwise(call)) {
    Promotion promotion;
    if (!Promote(call, job->output, &promotion).empty()) return "promotion";
    job->type = promotion.computation;
    return nullptr;
  }
  // clamp and select compute in the type of the operand in the middle.
  const AssayTensor& typed = call.inputs[call.num_inputs == 3 ? 1 : 0];
  return ParseType(typed, &job->type) ? nullptr : "element type";
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
  const bool is_pointwise = IsPointwise(call);
  if (call.num_inputs < 1 || call.num_inputs > kMaxInputs ||
      (call.num_outputs != 1 && !is_pointwise)) {
    return "number of operands";
  }
  if (is_pointwise && ArityOf(BaseName(call)) == 0) return "op";
  if (call.num_regions != 0 || !ReadAttributes(call, &job->attributes))
    return "an attribute or region";
  const AssayTensor& output = call.outputs[job->output];
  Type result;
  if (!ParseType(output, &result)) return "element type";
  for (int k = 0; k < call.num_inputs; ++k) {
    Type type;
    if (!ParseType(call.inputs[k], &type)) return "element type";
  }
  if (const char* missing = FindType(call, job)) return missing;
  int arity = 0;
  FindFunction(call, result, &arity, job);
  if (arity == 0) return "op";
  if (job->function == nullptr && job->float_function == nullptr)
    return "op on this element type";
  if (arity != call.num_inputs) return "number of operands";
  if (!is_pointwise && !HasResultType(call, job->type, result))
    return "result type";
  if (output.tensor.ndim > kMaxRank) return "rank";
  if (IsBroadcastInDim(call)) {
    calls::Moves moves;
    if (const char* missing = calls::ReadMoves(call, &moves)) return missing;
  }
  job->num_inputs = call.num_inputs;
  job->gives = is_pointwise ? ResultOf(BaseName(call), job->type) : result;
  if (IsOp(call, "bitcast_convert")) return FindParts(call, job);
  SetShape(output.tensor, job);
  job->out = ViewAsIs(output, result, *job, true);
  return FindInputs(call, job);
}

}  // namespace assay::broken
