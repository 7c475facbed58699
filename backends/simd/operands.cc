// Contiguous row-major tensors only; clamp's bounds and select's predicate may
// be scalars. Nothing here depends on a particular op: the shape of a row's
// kernels says all.
#include "backends/simd/operands.h"

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/tensors.h"

namespace assay::simd {
namespace {

bool IsInteger(const Type& type) {
  return type.kind == Kind::kSigned || type.kind == Kind::kUnsigned;
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

Operand OperandOf(const DLTensor& tensor, const Type& type, bool is_scalar) {
  return {FirstElement(tensor), type.bytes(), type.bits, is_scalar, nullptr};
}

// How a job computes elements of a type.
struct Choice {
  Kernel kernel;
  Extend extend = Extend::kZero;
  bool decodes = false;  // In lanes of f32.
};

Kernel BitsKernel(const FloatKernels& kernels, const Type& type) {
  if (type.kind == Kind::kComplex) return {};
  if (type.kind == Kind::kFormat) {
    const Special special = SpecOf(type.format).special;
    if (special == Special::kScale) return kernels.e8m0_bits;
    if (special == Special::kNanAtMinusZero) return kernels.fnuz_bits;
  }
  return kernels.bits.width[type.width];
}

Choice ChooseForFloat(const FloatKernels& kernels, const Type& type) {
  const Kernel bits = BitsKernel(kernels, type);
  if (bits.store != nullptr) return {bits, kernels.bits.extend};
  if (type.kind == Kind::kFormat) {
    return {kernels.f32, Extend::kZero, true};
  }
  if (type.kind == Kind::kComplex) {
    return {type.bits == 64 ? kernels.complex_f32 : kernels.complex_f64};
  }
  return {type.bits == 32 ? kernels.f32 : kernels.f64};
}

Choice Choose(const Row& row, const Type& type) {
  const Kernels& kernels = row.kernels;
  switch (type.kind) {
    case Kind::kBool:
      return {row.boolean};
    case Kind::kSigned:
      return {kernels.of_signed.width[type.width], kernels.of_signed.extend};
    case Kind::kUnsigned:
      return {kernels.of_unsigned.width[type.width],
              kernels.of_unsigned.extend};
    default:
      return ChooseForFloat(kernels.of_float, type);
  }
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
  Type operand;
  if (!ParseType(output, &type)) return false;
  if (!ParseType(TypedInput(call, kernels.shape), &operand)) return false;
  switch (kernels.result) {
    case Result::kBool:
      return type.kind == Kind::kBool;
    case Result::kPart:
      if (operand.kind != Kind::kComplex) {
        return IsSameType(TypedInput(call, kernels.shape), output);
      }
      return type.kind == Kind::kFloat && 2 * type.bits == operand.bits;
    case Result::kComplex:
      return type.kind == Kind::kComplex && operand.kind == Kind::kFloat &&
             type.bits == 2 * operand.bits;
    default:
      return IsInteger(type) && type.width == static_cast<int>(kernels.result) -
                                                  static_cast<int>(Result::k8);
  }
}

bool HasKernel(const AssayCall& call, const Row& row) {
  Type type;
  return ParseType(TypedInput(call, row.kernels.shape), &type) &&
         Choose(row, type).kernel.store != nullptr;
}

const char* PlanJob(const AssayCall& call, const Row& row,
                    const hwy::ChosenTarget& target, Job* job) {
  const Shape shape = row.kernels.shape;
  const AssayTensor& typed = TypedInput(call, shape);
  const DLTensor& output = call.outputs[0].tensor;
  Type type;
  ParseType(typed, &type);
  const Choice choice = Choose(row, type);
  job->kernel = choice.kernel;
  job->extend = choice.extend;
  const auto decoder = [&](const Type& t) {
    return choice.decodes && t.kind == Kind::kFormat
               ? &FormatTable(target, t.format)
               : nullptr;
  };
  job->count = CountElements(output);
  job->num_inputs = call.num_inputs;
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    if (!ParseType(call.inputs[k], &type)) return "operand type";
    if (IsPredicate(shape, k) ? type.kind != Kind::kBool
                              : !IsSameType(call.inputs[k], typed)) {
      return "mix of operand types";
    }
    const bool same_shape = IsSameShape(input, output);
    if (!same_shape && (input.ndim != 0 || !MayBeScalar(shape, k))) {
      return "mix of operand shapes";
    }
    if (job->count != 0 && !IsContiguous(input)) return "layout of an operand";
    job->in[k] = OperandOf(input, type, !same_shape);
    job->in[k].format = decoder(type);
  }
  if (job->count != 0 && !IsContiguous(output)) return "layout of the result";
  ParseType(call.outputs[0], &type);
  job->out = OperandOf(output, type, false);
  job->out.format = decoder(type);
  job->out_lanes = type.kind == Kind::kComplex ? 2 : 1;
  return nullptr;
}

}  // namespace assay::simd
