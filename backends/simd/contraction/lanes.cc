#include "backends/simd/contraction/lanes.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <limits>

#include "backends/simd/core/formats.h"

namespace assay::simd {
namespace {

using calls::RoundingTo;
using calls::SumKind;

template <class From, class To>
void CastAll(const void* from, void* to, size_t count) {
  const auto* const elements = static_cast<const From*>(from);
  auto* const numbers = static_cast<To*>(to);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<To>(elements[i]);
}

// An integer of less than 8 bits is in the low bits of a byte.
template <int kBits, bool kSigned, class To>
void ExtendAll(const void* from, void* to, size_t count) {
  const auto* const elements = static_cast<const uint8_t*>(from);
  auto* const numbers = static_cast<To*>(to);
  constexpr int kSign = kSigned ? 1 << (kBits - 1) : 0;
  for (size_t i = 0; i < count; ++i) {
    const int low = elements[i] & ((1 << kBits) - 1);
    numbers[i] = static_cast<To>((low ^ kSign) - kSign);
  }
}

using Convert = void (*)(const void* from, void* to, size_t count);

template <class To>
Convert ConvertIntegers(const Type& type) {
  const bool is_signed = type.kind == Kind::kSigned;
  switch (type.kind == Kind::kBool ? 1 : type.bits) {
    case 1:
      return ExtendAll<1, false, To>;
    case 2:
      return is_signed ? ExtendAll<2, true, To> : ExtendAll<2, false, To>;
    case 4:
      return is_signed ? ExtendAll<4, true, To> : ExtendAll<4, false, To>;
    case 8:
      return is_signed ? CastAll<int8_t, To> : CastAll<uint8_t, To>;
    case 16:
      return is_signed ? CastAll<int16_t, To> : CastAll<uint16_t, To>;
    case 32:
      return is_signed ? CastAll<int32_t, To> : CastAll<uint32_t, To>;
    default:
      return CastAll<uint64_t, To>;
  }
}

Convert ConvertReals(int from_bits, Lanes lanes) {
  if (from_bits == 32)
    return lanes == Lanes::kF64 ? CastAll<float, double> : nullptr;
  return lanes == Lanes::kF64 ? nullptr : CastAll<double, float>;
}

// Rounds to 11 significant bits, and to multiples of 2^-136, with ties to even.
double ToTf32(double x) {
  if (!isfinite(x) || x == 0) return x;
  const int quantum = std::max(ilogb(x), -126) - 10;
  const double rounded = ldexp(nearbyint(ldexp(x, -quantum)), quantum);
  return fabs(rounded) >= 0x1p128
             ? copysign(std::numeric_limits<double>::infinity(), x)
             : rounded;
}

void EncodeSums(const FormatKernels& format, const float* sums, void* elements,
                size_t count) {
  format.encode(sums, elements, count);
}
void EncodeSums(const FormatKernels& format, const double* sums, void* elements,
                size_t count) {
  format.encode_f64(sums, elements, count);
}

}  // namespace

Computation ComputationOf(const calls::Contraction& contraction,
                          const Options& options) {
  const Type &operand = contraction.operand, &result = contraction.result;
  switch (SumKindOf(contraction)) {
    case SumKind::kF32:
      return {Lanes::kF32, 1};
    case SumKind::kF64:
      return {Lanes::kF64, 1};
    case SumKind::kComplexF32:
      return {Lanes::kF32, 2};
    case SumKind::kComplexF64:
      return {Lanes::kF64, 2};
    case SumKind::kBool:
      return {Lanes::kU64, 1};  // counts the terms that are true
    case SumKind::kInteger:
      break;
  }
  if (result.bits > 32) return {Lanes::kU64, 1};
  const Lanes quads = operand.kind == Kind::kSigned ? Lanes::kSignedQuads
                                                    : Lanes::kUnsignedQuads;
  const ProductsTable& products = ProductsOf(options.target);
  if (operand.bits <= 8 &&
      products.add_products[static_cast<int>(quads)] != nullptr)
    return {quads, 1};
  const int signed_bits = operand.bits + (operand.kind != Kind::kSigned);
  return {signed_bits <= 16 ? Lanes::kPairs : Lanes::kU32, 1};
}

template <class T>
void ToNumbers::RoundAll(const RoundingTo& to, const ToNumbers& numbers,
                         void* of, size_t count) {
  auto* const x = static_cast<T*>(of);
  if (to.kind == RoundingTo::kFormat) {
    const FormatKernels& format = FormatTable(numbers.target_, to.format);
    constexpr size_t kAtATime = 256;
    uint16_t codes[kAtATime];
    float decoded[kAtATime];
    for (size_t i = 0; i < count; i += kAtATime) {
      const size_t n = std::min(kAtATime, count - i);
      EncodeSums(format, x + i, codes, n);
      format.decode(codes, decoded, n);
      std::copy_n(decoded, n, x + i);
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    x[i] = to.kind == RoundingTo::kTf32
               ? static_cast<T>(ToTf32(static_cast<double>(x[i])))
               : static_cast<T>(static_cast<float>(x[i]));
  }
}

ToNumbers::ToNumbers(const Type& type, const Computation& computation,
                     const RoundingTo& rounding, const Options& options)
    : type_(type),
      target_(options.target),
      rounding_(rounding),
      parts_(static_cast<size_t>(computation.parts)) {
  const Lanes lanes = computation.lanes;
  number_bytes_ = BytesOf(lanes) / static_cast<size_t>(TermsOf(lanes));
  switch (type.kind) {
    case Kind::kFormat:
      decodes_ = true;
      convert_ = CastAll<float, double>;
      break;
    case Kind::kFloat:
      convert_ = ConvertReals(type.bits, lanes);
      break;
    case Kind::kComplex:
      convert_ = ConvertReals(type.bits / 2, lanes);
      break;
    default:
      // Integers of as many bits are numbers already, whatever their sign.
      if (type.kind != Kind::kBool &&
          static_cast<size_t>(type.bits) == 8 * number_bytes_)
        break;
      convert_ = number_bytes_ == 1   ? ConvertIntegers<uint8_t>(type)
                 : number_bytes_ == 2 ? ConvertIntegers<int16_t>(type)
                 : number_bytes_ == 4 ? ConvertIntegers<uint32_t>(type)
                                      : ConvertIntegers<uint64_t>(type);
  }
  if (rounding.kind != RoundingTo::kNothing)
    round_ = lanes == Lanes::kF64 ? RoundAll<double> : RoundAll<float>;
}

void ToNumbers::Run(const void* elements, void* numbers, size_t count) {
  count *= parts_;
  if (decodes_ && number_bytes_ == sizeof(float)) {
    FormatTable(target_, type_.format)
        .decode(elements, static_cast<float*>(numbers), count);
  } else if (decodes_) {
    decoded_.resize(count);
    FormatTable(target_, type_.format).decode(elements, decoded_.data(), count);
    convert_(decoded_.data(), numbers, count);
  } else if (convert_ != nullptr) {
    convert_(elements, numbers, count);
  } else if (elements != numbers) {
    memcpy(numbers, elements, count * number_bytes_);
  }
  if (round_ != nullptr) round_(rounding_, *this, numbers, count);
}

FromSums::FromSums(const Type& type, const Computation& computation,
                   const Options& options)
    : type_(type), computation_(computation), target_(options.target) {}

bool FromSums::IsIdentity() const {
  return type_.kind != Kind::kFormat && type_.kind != Kind::kBool &&
         type_.bytes() == static_cast<size_t>(computation_.parts) *
                              BytesOf(computation_.lanes);
}

void FromSums::Run(const void* sums, void* elements, size_t count) const {
  if (IsIdentity()) {
    memcpy(elements, sums, count * type_.bytes());
    return;
  }
  count *= static_cast<size_t>(computation_.parts);
  const Lanes lanes = computation_.lanes;
  switch (type_.kind) {
    case Kind::kFormat: {
      const FormatKernels& format = FormatTable(target_, type_.format);
      if (lanes == Lanes::kF64)
        EncodeSums(format, static_cast<const double*>(sums), elements, count);
      else
        EncodeSums(format, static_cast<const float*>(sums), elements, count);
      return;
    }
    case Kind::kFloat:
    case Kind::kComplex:
      CastAll<double, float>(sums, elements, count);
      return;
    case Kind::kBool:
      CastAll<uint64_t, bool>(sums, elements, count);
      return;
    default:
      // Who reads a type of less than 8 bits looks at these bits of its byte
      // only.
      if (type_.bytes() == 1)
        CastAll<uint32_t, uint8_t>(sums, elements, count);
      else
        CastAll<uint32_t, uint16_t>(sums, elements, count);
  }
}

}  // namespace assay::simd
