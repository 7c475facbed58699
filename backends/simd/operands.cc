// Contiguous row-major tensors only; clamp's bounds and select's predicate may
// be scalars. Nothing here depends on a particular op: the shape of a row's
// kernels says all.
#include "backends/simd/operands.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace assay::simd {
namespace {

enum class Kind { kBool, kSigned, kUnsigned, kFloat, kFormat, kComplex };

struct Type {
  Kind kind;
  int bits;   // 8 for i1, which is stored as a byte.
  int width;  // log2 of the bytes.
  Format format;
};

struct FormatCode {
  int code;
  int bits;
  Format format;
};

// The float types without lanes of their own.
constexpr FormatCode kFormats[] = {
    {ASSAY_DL_FLOAT4_E2M1FN, 4, Format::kF4E2M1FN},
    {ASSAY_DL_FLOAT6_E2M3FN, 6, Format::kF6E2M3FN},
    {ASSAY_DL_FLOAT6_E3M2FN, 6, Format::kF6E3M2FN},
    {ASSAY_DL_FLOAT8_E3M4, 8, Format::kF8E3M4},
    {ASSAY_DL_FLOAT8_E4M3, 8, Format::kF8E4M3},
    {ASSAY_DL_FLOAT8_E4M3FN, 8, Format::kF8E4M3FN},
    {ASSAY_DL_FLOAT8_E4M3FNUZ, 8, Format::kF8E4M3FNUZ},
    {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8, Format::kF8E4M3B11FNUZ},
    {ASSAY_DL_FLOAT8_E5M2, 8, Format::kF8E5M2},
    {ASSAY_DL_FLOAT8_E5M2FNUZ, 8, Format::kF8E5M2FNUZ},
    {ASSAY_DL_FLOAT8_E8M0FNU, 8, Format::kF8E8M0FNU},
    {kDLBfloat, 16, Format::kBF16},
    {kDLFloat, 16, Format::kF16}};

bool IsInteger(const Type& type) {
  return type.kind == Kind::kSigned || type.kind == Kind::kUnsigned;
}

// Sizes that a type of this kind may have.
bool HasBits(Kind kind, int bits) {
  switch (kind) {
    case Kind::kBool:
      return bits == 8;
    case Kind::kFloat:
      return bits == 32 || bits == 64;
    case Kind::kComplex:
      return bits == 64 || bits == 128;
    default:
      return bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 ||
             bits == 64;
  }
}

bool ParseType(const AssayTensor& tensor, Type* type) {
  const DLDataType& dtype = tensor.tensor.dtype;
  if (dtype.lanes != 1) return false;
  type->bits = dtype.bits;
  type->width = 0;
  while ((8 << type->width) < dtype.bits) ++type->width;
  for (const FormatCode& format : kFormats) {
    if (dtype.code != format.code || dtype.bits != format.bits) continue;
    type->kind = Kind::kFormat;
    type->format = format.format;
    return true;
  }
  static constexpr struct {
    int code;
    Kind kind;
  } kKinds[] = {{ASSAY_DL_BOOL, Kind::kBool},
                {kDLInt, Kind::kSigned},
                {kDLUInt, Kind::kUnsigned},
                {kDLFloat, Kind::kFloat},
                {kDLComplex, Kind::kComplex}};
  for (const auto& [code, kind] : kKinds) {
    if (dtype.code != code) continue;
    type->kind = kind;
    return HasBits(kind, dtype.bits);
  }
  return false;
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
          size_t{1} << type.width, type.bits, is_scalar, nullptr};
}

// How a job computes elements of a type.
struct Choice {
  Kernel kernel;
  Extend extend = Extend::kZero;
  bool decodes = false;  // In lanes of f32 or f64.
  bool in_f64 = false;
};

Kernel BitsKernel(const FloatKernels& kernels, const Type& type) {
  if (type.kind == Kind::kComplex) return {};
  if (type.kind == Kind::kFormat) {
    if (type.format == Format::kF8E8M0FNU) return kernels.e8m0_bits;
    if (type.format == Format::kF8E4M3FNUZ ||
        type.format == Format::kF8E4M3B11FNUZ ||
        type.format == Format::kF8E5M2FNUZ) {
      return kernels.fnuz_bits;
    }
  }
  return kernels.bits.width[type.width];
}

Choice ChooseForFloat(const FloatKernels& kernels, const Type& type) {
  const Kernel bits = BitsKernel(kernels, type);
  if (bits.store != nullptr) return {bits, kernels.bits.extend};
  if (type.kind == Kind::kFormat) {
    const bool in_f64 = kernels.may_underflow && type.format == Format::kBF16;
    return {in_f64 ? kernels.f64 : kernels.f32, Extend::kZero, true, in_f64};
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
  job->in_f64 = choice.in_f64;
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
