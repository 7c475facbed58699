// A conversion goes through an integer of 64 bits or an f64, in which every
// float is exact; the number is rounded once, at the end.
//
// There is one kernel for each pair of sizes, and the job says which of the
// types of a size it is. Conversions that have to be fast have a kernel of
// their own: floats by way of f32.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_CONVERT_OPS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_CONVERT_OPS_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/elementwise/float_storage.h"

namespace assay::cuda {

enum class NumberClass {
  kBool,
  kUnsigned,
  kSigned,
  kF16,
  kBF16,
  kNarrow,
  kF32,
  kF64
};

struct Number {
  bool is_integer;
  bool is_signed;
  uint64_t integer;
  double real;
};

template <class U>
ASSAY_DEVICE Number ToNumber(U raw, const Parameters& p) {
  const auto type = static_cast<NumberClass>(p.from_class);
  Number number = {true, false, raw, 0};
  if (type == NumberClass::kSigned) {
    const int unused = 64 - p.bits;
    number.is_signed = true;
    number.integer = static_cast<uint64_t>(
        static_cast<int64_t>(uint64_t{raw} << unused) >> unused);
    return number;
  }
  if (type == NumberClass::kUnsigned || type == NumberClass::kBool)
    return number;
  number.is_integer = false;
  if constexpr (sizeof(U) == 1) {
    number.real = Narrow::ToValue(raw, p);
  } else if constexpr (sizeof(U) == 2) {
    number.real = type == NumberClass::kF16 ? F16::ToValue(raw, p)
                                            : BF16::ToValue(raw, p);
  } else if constexpr (sizeof(U) == 4) {
    number.real = BitCast<float>(raw);
  } else {
    number.real = BitCast<double>(raw);
  }
  return number;
}

// Rounds an integer to odd if f64 cannot hold it: rounding the f64 to 41 bits
// or less then gives the rounded integer.
ASSAY_DEVICE double ToOdd(const Number& number) {
  const bool is_negative =
      number.is_signed && static_cast<int64_t>(number.integer) < 0;
  uint64_t magnitude = is_negative ? 0 - number.integer : number.integer;
  if (magnitude >> 53 != 0) {
    const bool is_inexact = (magnitude & 0x7FF) != 0;
    magnitude = magnitude >> 11 << 11 | (is_inexact ? 0x800 : 0);
  }
  const double real = static_cast<double>(magnitude);
  return is_negative ? -real : real;
}

// Returns the integer, saturated to `bits`. NaN gives 0.
ASSAY_DEVICE uint64_t ToInteger(double real, bool is_signed, int bits) {
  if (real != real) return 0;
  if (is_signed) {
    const uint64_t limit = uint64_t{1} << (bits - 1);
    if (real >= static_cast<double>(limit)) return limit - 1;
    if (real <= -static_cast<double>(limit)) return 0 - limit;
    return static_cast<uint64_t>(static_cast<int64_t>(real));
  }
  if (real <= 0) return 0;
  const uint64_t most = ~uint64_t{0} >> (64 - bits);
  // 2^64 itself is `most` + 1 rounded; below 2^53 `most` is exact.
  const double limit = bits == 64 ? 0x1p64 : static_cast<double>(most) + 1;
  return real >= limit ? most : static_cast<uint64_t>(real);
}

template <class U>
ASSAY_DEVICE U FromNumber(const Number& number, const Parameters& p) {
  const auto type = static_cast<NumberClass>(p.to_class);
  if (type == NumberClass::kBool)
    return number.is_integer ? number.integer != 0 : number.real != 0;
  if (type == NumberClass::kSigned || type == NumberClass::kUnsigned) {
    const uint64_t integer =
        number.is_integer
            ? number.integer
            : ToInteger(number.real, type == NumberClass::kSigned, p.to_bits);
    return static_cast<U>(integer & (~uint64_t{0} >> (64 - p.to_bits)));
  }
  if constexpr (sizeof(U) == 8) {
    if (!number.is_integer) return BitCast<U>(number.real);
    return BitCast<U>(
        number.is_signed
            ? static_cast<double>(static_cast<int64_t>(number.integer))
            : static_cast<double>(number.integer));
  } else if constexpr (sizeof(U) == 4) {
    if (!number.is_integer) return BitCast<U>(static_cast<float>(number.real));
    return BitCast<U>(
        number.is_signed
            ? static_cast<float>(static_cast<int64_t>(number.integer))
            : static_cast<float>(number.integer));
  } else {
    const double real = number.is_integer ? ToOdd(number) : number.real;
    return static_cast<U>(Encode(BitCast<uint64_t>(real), p.to_format));
  }
}

template <class From, class To>
struct Convert {
  using In0 = From;
  using In1 = void;
  using In2 = void;
  using Out = To;
  static constexpr bool kIsHeavy = true;
  static constexpr bool kIsTiled = false;

  template <int kCount, class B, class C>
  ASSAY_DEVICE static void Compute(const Job& job, const From (&a)[kCount], B&,
                                   C&, To (&out)[kCount]) {
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) {
      out[i] = FromNumber<To>(ToNumber(a[i], job.parameters), job.parameters);
    }
  }
};

// This converts between floats of 32 bits and less. The job has the format of
// either.
template <class From, class To>
struct ConvertFloats {
  using In0 = typename From::Raw;
  using In1 = void;
  using In2 = void;
  using Out = typename To::Raw;
  static constexpr bool kIsHeavy = false;
  static constexpr bool kIsTiled = true;

  template <int kCount, class B, class C>
  ASSAY_DEVICE static void Compute(const Job& job, const In0 (&a)[kCount], B&,
                                   C&, Out (&out)[kCount]) {
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) {
      out[i] = To::ToRaw(From::ToValue(a[i], job.parameters), job.parameters);
    }
  }
};

// This converts to formats that are encoded several elements at a time.
template <class From, class To>
struct ConvertTogether {
  using In0 = typename From::Raw;
  using In1 = void;
  using In2 = void;
  using Out = typename To::Raw;
  static constexpr bool kIsHeavy = false;
  static constexpr bool kIsTiled = true;

  template <int kCount, class B, class C>
  ASSAY_DEVICE static void Compute(const Job& job, const In0 (&a)[kCount], B&,
                                   C&, Out (&out)[kCount]) {
    typename From::Value values[kCount];
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i)
      values[i] = From::ToValue(a[i], job.parameters);
    To::ToRaws(values, out);
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_CONVERT_OPS_H_
