// Contiguous row-major tensors only; clamp's bounds and select's predicate may
// be scalars. Nothing here depends on a particular op: the shape of a row's
// kernels says all.
#include "backends/simd/operands.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace assay::simd {
namespace {

struct Type {
  bool is_bool;
  bool is_signed;
  int bits;   // 8 for i1, which is stored as a byte.
  int width;  // log2 of the bytes.
};

bool ParseType(const AssayTensor& tensor, Type* type) {
  const DLDataType& dtype = tensor.tensor.dtype;
  type->is_bool = dtype.code == ASSAY_DL_BOOL;
  type->is_signed = dtype.code == kDLInt;
  type->bits = dtype.bits;
  if (dtype.lanes != 1) return false;
  if (type->is_bool) {
    type->width = 0;
    return dtype.bits == 8;
  }
  if (dtype.code != kDLInt && dtype.code != kDLUInt) return false;
  switch (dtype.bits) {
    case 2:
    case 4:
    case 8:
      type->width = 0;
      return true;
    case 16:
      type->width = 1;
      return true;
    case 32:
      type->width = 2;
      return true;
    case 64:
      type->width = 3;
      return true;
    default:
      return false;
  }
}

bool IsSameType(const AssayTensor& a, const AssayTensor& b) {
  return a.tensor.dtype.code == b.tensor.dtype.code &&
         a.tensor.dtype.bits == b.tensor.dtype.bits &&
         a.tensor.dtype.lanes == b.tensor.dtype.lanes;
}

bool IsPredicate(Shape shape, int input) {
  return shape == Shape::kSelect && input == 0;
}

bool MayBeScalar(Shape shape, int input) {
  return IsPredicate(shape, input) || (shape == Shape::kClamp && input != 1);
}

// The input whose type selects the kernel.
const AssayTensor& TypedInput(const AssayCall& call, Shape shape) {
  return call.inputs[shape == Shape::kSelect || shape == Shape::kClamp ? 1 : 0];
}

size_t CountElements(const DLTensor& tensor) {
  size_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i) {
    count *= static_cast<size_t>(tensor.shape[i]);
  }
  return count;
}

bool IsSameShape(const DLTensor& a, const DLTensor& b) {
  if (a.ndim != b.ndim) return false;
  for (int i = 0; i < a.ndim; ++i) {
    if (a.shape[i] != b.shape[i]) return false;
  }
  return true;
}

bool IsContiguous(const DLTensor& tensor) {
  int64_t stride = 1;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 1) continue;
    if (tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

Operand OperandOf(const DLTensor& tensor, const Type& type, bool is_scalar) {
  return {static_cast<unsigned char*>(tensor.data) + tensor.byte_offset,
          size_t{1} << type.width, type.bits, is_scalar};
}

}  // namespace

bool HasArity(const AssayCall& call, const Kernels& kernels) {
  const int32_t inputs = kernels.shape == Shape::kUnary    ? 1
                         : kernels.shape == Shape::kBinary ? 2
                                                           : 3;
  return call.num_inputs == inputs && call.num_outputs == 1;
}

bool HasResultType(const AssayCall& call, const Kernels& kernels) {
  const AssayTensor& output = call.outputs[0];
  if (kernels.result == Result::kSame) {
    return IsSameType(TypedInput(call, kernels.shape), output);
  }
  Type type;
  if (!ParseType(output, &type)) return false;
  if (kernels.result == Result::kBool) return type.is_bool;
  return !type.is_bool && type.width == static_cast<int>(kernels.result) -
                                            static_cast<int>(Result::k8);
}

const char* PlanJob(const AssayCall& call, const Row& row, Job* job) {
  const Shape shape = row.kernels.shape;
  const AssayTensor& typed = TypedInput(call, shape);
  const DLTensor& output = call.outputs[0].tensor;
  Type type;
  if (!ParseType(typed, &type)) return "element type";
  const LaneKernels& lanes =
      type.is_signed ? row.kernels.of_signed : row.kernels.of_unsigned;
  job->kernel = type.is_bool ? row.boolean : lanes.width[type.width];
  job->extend = lanes.extend;
  if (job->kernel.store == nullptr) return "element type";
  job->count = CountElements(output);
  job->num_inputs = call.num_inputs;
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    if (!ParseType(call.inputs[k], &type)) return "operand type";
    if (IsPredicate(shape, k) ? !type.is_bool
                              : !IsSameType(call.inputs[k], typed)) {
      return "mix of operand types";
    }
    const bool same_shape = IsSameShape(input, output);
    if (!same_shape && (input.ndim != 0 || !MayBeScalar(shape, k))) {
      return "mix of operand shapes";
    }
    if (job->count != 0 && !IsContiguous(input)) return "layout of an operand";
    job->in[k] = OperandOf(input, type, !same_shape);
  }
  if (job->count != 0 && !IsContiguous(output)) return "layout of the result";
  ParseType(call.outputs[0], &type);
  job->out = OperandOf(output, type, false);
  return nullptr;
}

}  // namespace assay::simd
