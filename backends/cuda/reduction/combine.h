// The ops by which scatters and reductions combine two elements.
#ifndef ASSAY_BACKENDS_CUDA_REDUCTION_COMBINE_H_
#define ASSAY_BACKENDS_CUDA_REDUCTION_COMBINE_H_

#include <stdint.h>

#include <optional>
#include <string_view>
#include <type_traits>

#include "backends/cuda/core/device.h"

namespace assay::cuda {

enum class CombineOp : int {
  kSecond,  // The second element takes the place of the first.
  kAdd,
  kMultiply,
  kAnd,
  kOr,
  kXor,
  kMaximum,
  kMinimum
};

// The op of StableHLO that combines, or no op where there is no such kernel.
inline std::optional<CombineOp> CombineOpNamed(std::string_view name) {
  if (name == "add") return CombineOp::kAdd;
  if (name == "multiply") return CombineOp::kMultiply;
  if (name == "and") return CombineOp::kAnd;
  if (name == "or") return CombineOp::kOr;
  if (name == "xor") return CombineOp::kXor;
  if (name == "maximum") return CombineOp::kMaximum;
  if (name == "minimum") return CombineOp::kMinimum;
  return std::nullopt;
}

inline bool IsOfBits(CombineOp op) {
  return op == CombineOp::kAnd || op == CombineOp::kOr || op == CombineOp::kXor;
}

// Integers are computed without a sign, in which sums and products wrap.
template <class T>
ASSAY_DEVICE T CombinedIntegers(CombineOp op, T a, T b) {
  using U = std::make_unsigned_t<T>;
  const auto x = static_cast<U>(a), y = static_cast<U>(b);
  switch (op) {
    case CombineOp::kAdd:
      return static_cast<T>(static_cast<U>(x + y));
    case CombineOp::kMultiply:
      return static_cast<T>(
          static_cast<U>(static_cast<uint64_t>(x) * uint64_t{y}));
    case CombineOp::kAnd:
      return static_cast<T>(x & y);
    case CombineOp::kOr:
      return static_cast<T>(x | y);
    case CombineOp::kXor:
      return static_cast<T>(x ^ y);
    case CombineOp::kMaximum:
      return a < b ? b : a;
    case CombineOp::kMinimum:
      return b < a ? b : a;
    case CombineOp::kSecond:
      break;
  }
  return b;
}

#ifdef __CUDACC__
// One instruction does what CombinedFloats says of the maximum and the minimum.
__device__ __forceinline__ float ExtremeOf(CombineOp op, float a, float b) {
  float result;
  if (op == CombineOp::kMaximum) {
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  } else {
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  }
  return result;
}
#endif

// The maximum and the minimum are those of IEEE 754-2019: a NaN wins over
// everything, and zeros differ in their sign. Precondition: the op is none of
// bits.
template <class T>
ASSAY_DEVICE T CombinedFloats(CombineOp op, T a, T b) {
  using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
#ifdef __CUDACC__
  if constexpr (sizeof(T) == 4) {
    if (op == CombineOp::kMaximum || op == CombineOp::kMinimum)
      return ExtremeOf(op, a, b);
  }
#endif
  switch (op) {
    case CombineOp::kAdd:
      return a + b;
    case CombineOp::kMultiply:
      return a * b;
    case CombineOp::kMaximum:
      if (a != a) return a;
      return a == b ? BitCast<T>(BitCast<U>(a) & BitCast<U>(b))
                    : (b < a ? a : b);
    case CombineOp::kMinimum:
      if (a != a) return a;
      return a == b ? BitCast<T>(BitCast<U>(a) | BitCast<U>(b))
                    : (a < b ? a : b);
    default:
      return b;
  }
}

// An element of a type of 16 bits, which is computed in f32 and rounded after
// each op. Sums are rounded correctly by that; products below the normal
// numbers of f32 are not.
template <class Storage>
struct ShortFloat {
  uint16_t raw;
};

template <class T>
ASSAY_DEVICE T Combined(CombineOp op, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return CombinedIntegers(op, a, b);
  } else {
    return CombinedFloats(op, a, b);
  }
}

template <class Storage>
ASSAY_DEVICE ShortFloat<Storage> Combined(CombineOp op, ShortFloat<Storage> a,
                                          ShortFloat<Storage> b) {
  return {Storage::ToRaw(CombinedFloats(op, Storage::ToValue(a.raw, {}),
                                        Storage::ToValue(b.raw, {})),
                         {})};
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_REDUCTION_COMBINE_H_
