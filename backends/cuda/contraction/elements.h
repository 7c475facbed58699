// How kernels of sums and products read and write elements of any type.
#ifndef ASSAY_BACKENDS_CUDA_CONTRACTION_ELEMENTS_H_
#define ASSAY_BACKENDS_CUDA_CONTRACTION_ELEMENTS_H_

#include <type_traits>

#include "backends/cuda/contraction/sums.h"
#include "backends/cuda/core/device.h"
#include "backends/cuda/elementwise/float_storage.h"

namespace assay::cuda {

template <class T>
ASSAY_DEVICE T LoadAs(const unsigned char* from) {
  return *reinterpret_cast<const T*>(from);
}

// Formats of f32's range are the high bits of f32.
ASSAY_DEVICE float DecodeAny(uint32_t code, const FormatData& format) {
  if (format.exponent_bits == 8 && format.bits > 8)
    return BitCast<float>(code << (32 - format.bits));
  return Decode(code, format);
}

template <class T>
ASSAY_DEVICE uint32_t EncodeAny(T x, const FormatData& format) {
  using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return Encode(BitCast<U>(x), format);
}

template <class T>
ASSAY_DEVICE T LoadFloat(const SumElement& element, const SumRounding& rounding,
                         const unsigned char* from) {
  T x;
  switch (element.kind) {
    case SumElement::kF32:
      x = static_cast<T>(LoadAs<float>(from));
      break;
    case SumElement::kF64:
      x = static_cast<T>(LoadAs<double>(from));
      break;
    default:
      x = static_cast<T>(DecodeAny(
          element.bytes == 1 ? LoadAs<uint8_t>(from) : LoadAs<uint16_t>(from),
          element.format));
  }
  if (rounding.kind == SumRounding::kFormat)
    return static_cast<T>(
        DecodeAny(EncodeAny(x, rounding.format), rounding.format));
  if (rounding.kind == SumRounding::kF32)
    return static_cast<T>(static_cast<float>(x));
  return x;
}

template <class T>
ASSAY_DEVICE void StoreFloat(const SumElement& element, T x,
                             unsigned char* to) {
  x = WithOneNan(x);
  switch (element.kind) {
    case SumElement::kF32:
      *reinterpret_cast<float*>(to) = static_cast<float>(x);
      return;
    case SumElement::kF64:
      *reinterpret_cast<double*>(to) = static_cast<double>(x);
      return;
    default:
      break;
  }
  const uint32_t code = EncodeAny(x, element.format);
  if (element.bytes == 1)
    *to = static_cast<uint8_t>(code);
  else
    *reinterpret_cast<uint16_t*>(to) = static_cast<uint16_t>(code);
}

ASSAY_DEVICE uint64_t LoadInteger(const SumElement& element,
                                  const unsigned char* from) {
  uint64_t x;
  switch (element.bytes) {
    case 1:
      x = LoadAs<uint8_t>(from);
      break;
    case 2:
      x = LoadAs<uint16_t>(from);
      break;
    case 4:
      x = LoadAs<uint32_t>(from);
      break;
    default:
      return LoadAs<uint64_t>(from);
  }
  const uint64_t sign = uint64_t{1} << (element.bits - 1);
  x &= 2 * sign - 1;
  return element.is_signed ? (x ^ sign) - sign : x;
}

// Stores the low bits.
ASSAY_DEVICE void StoreInteger(const SumElement& element, uint64_t x,
                               unsigned char* to) {
  switch (element.bytes) {
    case 1:
      *to = static_cast<uint8_t>(x & ((uint64_t{1} << element.bits) - 1));
      return;
    case 2:
      *reinterpret_cast<uint16_t*>(to) = static_cast<uint16_t>(x);
      return;
    case 4:
      *reinterpret_cast<uint32_t*>(to) = static_cast<uint32_t>(x);
      return;
    default:
      *reinterpret_cast<uint64_t*>(to) = x;
  }
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CONTRACTION_ELEMENTS_H_
