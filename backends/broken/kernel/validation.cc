// These checks find calls that violate the rules. A message names the operand
// or the dimension.
#include "backends/broken/kernel/validation.h"

#include <string.h>

#include <algorithm>
#include <vector>

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/pointwise.h"
#include "backends/broken/kernel/promotion.h"
#include "backends/broken/kernel/types.h"
#include "backends/calls/overlap.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

std::string Input(int k) { return "input " + std::to_string(k); }
std::string Output(int k) { return "output " + std::to_string(k); }

// Nothing can be said about a type that the kernel does not have.
bool HasKnownTypes(const AssayCall& call) {
  const auto is_known = [](const AssayTensor& tensor) {
    Type type;
    return ParseType(tensor, &type);
  };
  return std::all_of(call.inputs, call.inputs + call.num_inputs, is_known) &&
         std::all_of(call.outputs, call.outputs + call.num_outputs, is_known);
}

Type TypeOf(const AssayTensor& tensor) {
  Type type = {};
  ParseType(tensor, &type);
  return type;
}

bool IsPredicate(const AssayCall& call, int k) {
  return strcmp(BaseName(call), "select") == 0 && k == 0;
}

std::string CheckPaddleTypes(const AssayCall& call) {
  const Type type = TypeOf(call.inputs[0]);
  if (!IsInteger(type)) return Input(0) + " is not of an integer type";
  if (!IsSameType(type, TypeOf(call.inputs[1])))
    return Input(1) + " is not of the type of input 0";
  if (!IsSameType(type, TypeOf(call.outputs[0])))
    return Output(0) + " is not of the type of input 0";
  return "";
}

// The type that values are compared in determines how they are compared.
bool FitsCompareType(const AssayCall& call, const Type& computation) {
  const char* text = AttributeText(call, "compare_type");
  const std::string given = text == nullptr ? "" : text;
  if (computation.format == nullptr)
    return given == (computation.is_signed ? "SIGNED" : "UNSIGNED");
  return given == "FLOAT" || (!computation.is_complex && given == "TOTALORDER");
}

std::string CheckOutput(const AssayCall& call, int output) {
  Promotion promotion;
  std::string wrong = Promote(call, output, &promotion);
  if (!wrong.empty()) return wrong;
  for (int k = 0; k < call.num_inputs; ++k) {
    const Type type = TypeOf(call.inputs[k]);
    if (IsPredicate(call, k)) {
      if (!type.is_bool) return Input(k) + " is not of type i1";
    } else if (CategoryOf(type) > CategoryOf(promotion.computation)) {
      return Input(k) + " is of a higher category than the computation";
    }
  }
  const char* name = BaseName(call);
  if (!Takes(name, promotion.computation))
    return std::string(name) + " does not exist in the computation type";
  if (strcmp(name, "compare") == 0 &&
      !FitsCompareType(call, promotion.computation))
    return "compare_type is not of the computation type";
  if (!IsSameType(TypeOf(call.outputs[output]), promotion.result))
    return Output(output) + " is not of the result type of the promotion";
  return "";
}

std::string CheckPointwiseTypes(const AssayCall& call) {
  for (int k = 0; k < call.num_inputs; ++k) {
    if ((call.inputs[k].flags & ASSAY_SCALAR) != 0 &&
        call.inputs[k].tensor.ndim != 0) {
      return Input(k) + " is a scalar and not of rank 0";
    }
  }
  std::string wrong;
  for (int output = 0; wrong.empty() && output < call.num_outputs; ++output)
    wrong = CheckOutput(call, output);
  return wrong;
}

// Returns the size of a dimension, counted from the last; a missing dimension
// has size 1.
int64_t SizeFromLast(const DLTensor& tensor, int d) {
  return d < tensor.ndim ? tensor.shape[tensor.ndim - 1 - d] : 1;
}

std::string CheckShapes(const AssayCall& call) {
  std::vector<int64_t> inferred;  // the last dimension first
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    for (int d = 0; d < input.ndim; ++d) {
      const int64_t size = SizeFromLast(input, d);
      if (static_cast<size_t>(d) == inferred.size()) {
        inferred.push_back(size);
        continue;
      }
      int64_t& both = inferred[static_cast<size_t>(d)];
      const int64_t old = both;
      both = ActiveHooks().infer(old, size);
      if (both < 0) {
        return Input(k) + ": dimension " + std::to_string(input.ndim - 1 - d) +
               " of size " + std::to_string(size) +
               " does not broadcast with " + std::to_string(old);
      }
    }
  }
  for (int k = 0; k < call.num_outputs; ++k) {
    const DLTensor& output = call.outputs[k].tensor;
    if (static_cast<size_t>(output.ndim) != inferred.size()) {
      return Output(k) + " is not of rank " + std::to_string(inferred.size());
    }
    for (int d = 0; d < output.ndim; ++d) {
      const int64_t size = inferred[static_cast<size_t>(output.ndim - 1 - d)];
      if (output.shape[d] != size) {
        return Output(k) + ": dimension " + std::to_string(d) +
               " is not of size " + std::to_string(size);
      }
    }
  }
  return "";
}

size_t BytesOf(const DLTensor& tensor) {
  return static_cast<size_t>((tensor.dtype.bits + 7) / 8);
}

// Whether an element of the one has a byte of one of the other.
bool SharesBytes(const DLTensor& a, const DLTensor& b) {
  return calls::CountElements(a) != 0 && calls::CountElements(b) != 0 &&
         calls::Overlap(a, BytesOf(a), b, BytesOf(b));
}

// An output shares storage with nothing, or all of it with an input.
std::string CheckOverlap(const AssayCall& call, MayShare may_share) {
  for (int k = 0; k < call.num_outputs; ++k) {
    const DLTensor& output = call.outputs[k].tensor;
    // No input has more dimensions, and the kernel declines the call.
    if (output.ndim > kMaxRank) return "";
    if (calls::CountElements(output) != 0 &&
        calls::OverlapsItself(output, BytesOf(output)))
      return Output(k) + " overlaps itself";
    for (int other = 0; other < k; ++other) {
      if (SharesBytes(output, call.outputs[other].tensor))
        return Output(k) + " overlaps output " + std::to_string(other);
    }
    for (int i = 0; i < call.num_inputs; ++i) {
      const DLTensor& input = call.inputs[i].tensor;
      if (!may_share(output, input) && SharesBytes(output, input))
        return Output(k) + " overlaps input " + std::to_string(i);
    }
  }
  return "";
}

}  // namespace

bool IsPaddleShift(const AssayCall& call) {
  return strcmp(call.op, "paddle.bitwise_left_shift") == 0 ||
         strcmp(call.op, "paddle.bitwise_right_shift") == 0;
}

bool IsSamePlace(const DLTensor& a, const DLTensor& b) {
  return a.dtype.code == b.dtype.code && a.dtype.bits == b.dtype.bits &&
         calls::IsSameShape(a, b) && calls::IsSamePlace(a, b);
}

std::string ValidateExcept(const AssayCall& call, MayShare may_share) {
  const bool is_paddle = IsPaddleShift(call);
  if (!is_paddle && !IsPointwise(call)) return "";
  const char* name = BaseName(call);
  const int arity = is_paddle ? 2 : ArityOf(name);
  if (arity == 0 || !HasKnownTypes(call)) return "";
  if (call.num_inputs != arity)
    return "there are not " + std::to_string(arity) + " inputs";
  if (call.num_outputs != OutputsOf(name))
    return "there are not " + std::to_string(OutputsOf(name)) + " outputs";
  std::string wrong =
      is_paddle ? CheckPaddleTypes(call) : CheckPointwiseTypes(call);
  if (wrong.empty()) wrong = CheckShapes(call);
  return wrong.empty() ? CheckOverlap(call, may_share) : wrong;
}

std::string Validate(const AssayCall& call) {
  return ValidateExcept(call, IsSamePlace);
}

}  // namespace assay::broken
