// This file has the kernels of conversions between numbers of all real types.
#include "backends/cuda/core/formats.h"
#include "backends/cuda/core/kernel_set.h"
#include "backends/cuda/elementwise/convert_ops.h"

namespace assay::cuda {
namespace {

using calls::Format;
using calls::Kind;
using calls::Type;

NumberClass ClassOf(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return NumberClass::kBool;
    case Kind::kSigned:
      return NumberClass::kSigned;
    case Kind::kUnsigned:
      return NumberClass::kUnsigned;
    case Kind::kFloat:
      return type.bits == 32 ? NumberClass::kF32 : NumberClass::kF64;
    default:
      break;
  }
  if (type.format == Format::kF16) return NumberClass::kF16;
  return type.format == Format::kBF16 ? NumberClass::kBF16
                                      : NumberClass::kNarrow;
}

template <class From>
const KernelSet* ConvertTo(int width) {
  switch (width) {
    case 0:
      return &kKernels<Convert<From, uint8_t>>;
    case 1:
      return &kKernels<Convert<From, uint16_t>>;
    case 2:
      return &kKernels<Convert<From, uint32_t>>;
    default:
      return &kKernels<Convert<From, uint64_t>>;
  }
}

const KernelSet* ConvertSizes(int from, int to) {
  switch (from) {
    case 0:
      return ConvertTo<uint8_t>(to);
    case 1:
      return ConvertTo<uint16_t>(to);
    case 2:
      return ConvertTo<uint32_t>(to);
    default:
      return ConvertTo<uint64_t>(to);
  }
}

const KernelSet* ConvertByF32(NumberClass from, NumberClass to) {
  if (from == NumberClass::kF32 && to == NumberClass::kF16)
    return &kKernels<ConvertFloats<F32, F16>>;
  if (from == NumberClass::kF32 && to == NumberClass::kBF16)
    return &kKernels<ConvertFloats<F32, BF16>>;
  if (from == NumberClass::kF32 && to == NumberClass::kNarrow)
    return &kKernels<ConvertFloats<F32, Narrow>>;
  if (from == NumberClass::kF16 && to == NumberClass::kF32)
    return &kKernels<ConvertFloats<F16, F32>>;
  if (from == NumberClass::kBF16 && to == NumberClass::kF32)
    return &kKernels<ConvertFloats<BF16, F32>>;
  return nullptr;
}

}  // namespace

Function FindConversion(const Type& from, const Type& to) {
  Parameters p = {};
  const NumberClass from_class = ClassOf(from);
  const NumberClass to_class = ClassOf(to);
  p.from_class = static_cast<int>(from_class);
  p.to_class = static_cast<int>(to_class);
  p.bits = from.bits;
  p.to_bits = to.bits;
  const KernelSet* kernels = ConvertByF32(from_class, to_class);
  if (from_class == NumberClass::kF32 && to.kind == Kind::kFormat &&
      to.format == Format::kF8E4M3FN)
    kernels = &kKernels<ConvertTogether<F32, F8E4M3FN>>;
  p.format = FormatOf(from.kind == Kind::kFormat ? from : to);
  p.to_format = FormatOf(to);
  if (kernels == nullptr) kernels = ConvertSizes(from.width, to.width);
  return {kernels, 0, 1, p};
}

}  // namespace assay::cuda
