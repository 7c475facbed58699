// These are the float types of the simd plugin, one number at a time: the value
// of a bit pattern, and the bit pattern that a real number is rounded to.
//
// Numbers are 128-bit floats of 113 bits, computed by the compiler's own
// library. That is enough to round a sum, product, quotient or root of two f64
// a second time, to f64 or less, as if it were exact.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOATS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOATS_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"

namespace assay::simd_test {

__extension__ typedef __float128 Quad;
__extension__ typedef unsigned __int128 UWide;

enum class Nan { kIeee, kAtEnd, kMinusZero, kNone, kScale };

struct FloatType {
  const char* name;
  Type type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Nan nan;

  uint64_t sign() const {
    return nan == Nan::kScale ? 0 : uint64_t{1} << (type.bits - 1);
  }
  // Returns the lowest bit of the exponent.
  uint64_t one() const { return uint64_t{1} << mantissa_bits; }
  // Returns the largest finite magnitude.
  uint64_t max() const {
    const uint64_t all = type.mask() & ~sign();
    if (nan == Nan::kIeee) return all - one();
    return nan == Nan::kAtEnd || nan == Nan::kScale ? all - 1 : all;
  }
  bool IsNan(uint64_t raw) const {
    if (nan == Nan::kNone) return false;
    if (nan == Nan::kMinusZero) return raw == sign();
    return (raw & ~sign()) > max() + (nan == Nan::kIeee ? 1 : 0);
  }
  bool IsInf(uint64_t raw) const {
    return nan == Nan::kIeee && (raw & ~sign()) == max() + 1;
  }
  uint64_t AnyNan() const {
    if (nan == Nan::kNone) return 0;
    return nan == Nan::kMinusZero ? sign() : type.mask() & ~sign();
  }
};

inline constexpr FloatType kFloats[] = {
    {"f4E2M1FN", {ASSAY_DL_FLOAT4_E2M1FN, 4}, 2, 1, 1, Nan::kNone},
    {"f6E2M3FN", {ASSAY_DL_FLOAT6_E2M3FN, 6}, 2, 3, 1, Nan::kNone},
    {"f6E3M2FN", {ASSAY_DL_FLOAT6_E3M2FN, 6}, 3, 2, 3, Nan::kNone},
    {"f8E3M4", {ASSAY_DL_FLOAT8_E3M4, 8}, 3, 4, 3, Nan::kIeee},
    {"f8E4M3", {ASSAY_DL_FLOAT8_E4M3, 8}, 4, 3, 7, Nan::kIeee},
    {"f8E4M3FN", {ASSAY_DL_FLOAT8_E4M3FN, 8}, 4, 3, 7, Nan::kAtEnd},
    {"f8E4M3FNUZ", {ASSAY_DL_FLOAT8_E4M3FNUZ, 8}, 4, 3, 8, Nan::kMinusZero},
    {"f8E4M3B11FNUZ",
     {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8},
     4,
     3,
     11,
     Nan::kMinusZero},
    {"f8E5M2", {ASSAY_DL_FLOAT8_E5M2, 8}, 5, 2, 15, Nan::kIeee},
    {"f8E5M2FNUZ", {ASSAY_DL_FLOAT8_E5M2FNUZ, 8}, 5, 2, 16, Nan::kMinusZero},
    {"f8E8M0FNU", {ASSAY_DL_FLOAT8_E8M0FNU, 8}, 8, 0, 127, Nan::kScale},
    {"bf16", {kDLBfloat, 16}, 8, 7, 127, Nan::kIeee},
    {"f16", {kDLFloat, 16}, 5, 10, 15, Nan::kIeee},
    {"f32", {kDLFloat, 32}, 8, 23, 127, Nan::kIeee},
    {"f64", {kDLFloat, 64}, 11, 52, 1023, Nan::kIeee}};

inline const FloatType& FloatNamed(const std::string& name) {
  for (const FloatType& t : kFloats) {
    if (name == t.name) return t;
  }
  abort();
}

// ---------------------------------------------------------------------- Values

inline Quad QuadOf(bool negative, int exponent, UWide mantissa) {
  const UWide bits =
      UWide{negative} << 127 | static_cast<UWide>(exponent) << 112 | mantissa;
  Quad value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

inline UWide BitsOf(Quad value) {
  UWide bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline bool IsNegative(Quad value) { return (BitsOf(value) >> 127) != 0; }

inline Quad Power2(int exponent) { return QuadOf(false, exponent + 16383, 0); }

inline Quad Decode(const FloatType& t, uint64_t raw) {
  const bool negative = (raw & t.sign()) != 0;
  if (t.IsNan(raw)) return QuadOf(negative, 0x7FFF, UWide{1} << 111);
  if (t.IsInf(raw)) return QuadOf(negative, 0x7FFF, 0);
  const uint64_t magnitude = raw & ~t.sign();
  if (t.nan == Nan::kScale) return Power2(static_cast<int>(magnitude) - t.bias);
  const int field = static_cast<int>(magnitude >> t.mantissa_bits);
  const uint64_t mantissa = magnitude & (t.one() - 1);
  const Quad significand =
      static_cast<Quad>(field == 0 ? mantissa : mantissa + t.one());
  const Quad value =
      significand * Power2((field == 0 ? 1 : field) - t.bias - t.mantissa_bits);
  return negative ? -value : value;
}

inline uint64_t EncodeScale(const FloatType& t, Quad value) {
  if (value != value || value < 0) return t.AnyNan();
  const int exponent = static_cast<int>(BitsOf(value) >> 112) - 16383;
  if (exponent < -t.bias) return 0;
  auto raw = static_cast<uint64_t>(exponent + t.bias);
  if (value >= Decode(t, raw) * 3 / 2) ++raw;  // Ties go up.
  return raw > t.max() ? t.AnyNan() : raw;
}

// Rounds once, to nearest with ties to even.
inline uint64_t Encode(const FloatType& t, Quad value) {
  if (t.nan == Nan::kScale) return EncodeScale(t, value);
  if (value != value) return t.AnyNan();
  const UWide bits = BitsOf(value);
  const uint64_t sign = IsNegative(value) ? t.sign() : 0;
  const int exponent = static_cast<int>(bits >> 112 & 0x7FFF) - 16383;
  uint64_t magnitude = t.max() + 1;
  if (exponent < (1 << t.exponent_bits)) {
    const bool normal = exponent >= 1 - t.bias;
    const int unit = (normal ? exponent : 1 - t.bias) - t.mantissa_bits;
    // This many bits lie below the last one kept.
    const int drop = 112 + unit - exponent;
    const UWide significand = (bits & ((UWide{1} << 112) - 1)) | UWide{1}
                                                                     << 112;
    uint64_t kept = 0;
    if (value != 0 && drop <= 113) {
      kept = static_cast<uint64_t>(significand >> drop);
      const UWide rest = significand - (static_cast<UWide>(kept) << drop);
      const UWide half = UWide{1} << (drop - 1);
      if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
    }
    // The carry out of the mantissa is added to the exponent.
    magnitude =
        kept +
        (normal ? static_cast<uint64_t>(exponent + t.bias - 1) * t.one() : 0);
  }
  if (magnitude > t.max()) {
    if (t.nan == Nan::kIeee) return sign | (t.max() + 1);
    return t.nan == Nan::kNone ? sign | t.max() : t.AnyNan();
  }
  if (t.nan == Nan::kMinusZero && magnitude == 0) return 0;
  return sign | magnitude;
}

// Returns all codes of types of up to 8 bits, and for wider types boundaries of
// exponent and mantissa, special values and random values, among them many
// whose products and quotients with each other are subnormal.
inline Raw FloatGrid(const FloatType& t) {
  if (t.type.bits <= 8) return Interesting(t.type);
  const uint64_t half = t.one() / 2;
  const int p = t.mantissa_bits + 1;
  std::mt19937_64 random(static_cast<uint64_t>(p));
  Raw values = {0,
                t.max() + 1,
                t.max() + 2,
                t.max() + 1 + half,
                t.max() + 2 + half,
                t.type.mask() & ~t.sign()};
  for (const int exponent :
       {0, 1, 2, t.bias / 2 - 2, t.bias / 2, t.bias / 2 + 2, t.bias - p,
        t.bias - 2, t.bias - 1, t.bias, t.bias + 1, t.bias + p - 1, t.bias + p,
        t.bias + t.bias / 2, 2 * t.bias - 1, 2 * t.bias}) {
    const uint64_t field = static_cast<uint64_t>(exponent) * t.one();
    for (const uint64_t mantissa :
         {uint64_t{0}, uint64_t{1}, half, half + 1, t.one() - 1,
          random() % t.one(), random() % t.one()}) {
      values.push_back(field + mantissa);
    }
  }
  const size_t positives = values.size();
  for (size_t i = 0; i < positives; ++i) values.push_back(values[i] | t.sign());
  return values;
}

// ------------------------------------------------------------------------ Runs

struct FloatInput {
  Type type;
  // The patterns are repeated to the tensor's length; a complex number is two
  // of them.
  Raw raw;
  bool is_scalar = false;
  bool is_complex = false;
};

// `count` is a number of raw patterns: a complex element has two.
inline std::unique_ptr<Tensor> MakeTensor(const FloatInput& input, size_t count,
                                          const Placement& placement) {
  const size_t parts = input.is_complex ? 2 : 1;
  auto tensor = std::make_unique<Tensor>(
      input.type, input.is_scalar ? parts : count * parts, placement,
      input.is_scalar);
  tensor->Fill(input.raw);
  DLTensor& dl = tensor->assay().tensor;
  if (input.is_complex) {
    dl.dtype = {kDLComplex, static_cast<uint8_t>(2 * input.type.bits), 1};
    *dl.shape = static_cast<int64_t>(input.is_scalar ? 1 : count);
  }
  return tensor;
}

// Returns the bits of the result. The raw patterns in `result` are ignored.
inline Raw RunFloats(const Op& op, const std::vector<FloatInput>& inputs,
                     const FloatInput& result, size_t count,
                     const Placement& placement = {}) {
  std::vector<std::unique_ptr<Tensor>> tensors;
  std::vector<AssayTensor> operands;
  for (const FloatInput& input : inputs) {
    tensors.push_back(MakeTensor(input, count, placement));
    operands.push_back(tensors.back()->assay());
  }
  FloatInput output = result;
  output.raw = {0xA5A5A5A5A5A5A5A5};
  const auto tensor = MakeTensor(output, count, placement);
  std::string message;
  EXPECT_EQ(RunOp(op, operands, tensor->assay(), &message), ASSAY_OK)
      << op.Text() << ": " << message;
  EXPECT_TRUE(tensor->CanariesLive()) << op.Text();
  Raw raw(count * (result.is_complex ? 2 : 1));
  for (size_t i = 0; i < raw.size(); ++i) raw[i] = tensor->At(i);
  return raw;
}

inline std::string Hex(uint64_t raw) {
  char text[20];
  snprintf(text, sizeof(text), "%llx", static_cast<unsigned long long>(raw));
  return text;
}

// Checks that the results are those wanted, of type `t`, or i1 if that is null.
// Any NaN will do for a NaN, unless `exact` is set.
inline void ExpectRaw(const std::string& what, const FloatType* t,
                      const Raw& actual, const Raw& wanted, bool exact,
                      const std::vector<FloatInput>& inputs) {
  if (actual == wanted) return;
  ASSERT_EQ(actual.size(), wanted.size()) << what;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const uint64_t mask = t == nullptr ? 0xFF : t->type.mask();
    const uint64_t got = actual[i] & mask;
    if (got == wanted[i]) continue;
    if (t != nullptr && !exact && t->IsNan(got) && t->IsNan(wanted[i])) {
      continue;
    }
    std::string operands;
    for (const FloatInput& in : inputs) {
      operands += " " + Hex(in.raw[in.is_scalar ? 0 : i % in.raw.size()]);
    }
    FAIL() << what << ", element " << i << ":" << operands << " gave "
           << Hex(got) << ", not " << Hex(wanted[i]);
  }
}

// Configures each of the targets that this processor has and calls f(name).
template <class F>
void ForEachTarget(const F& f) {
  int targets = 0;
  for (const char* target : {"sse4", "avx2", "avx512"}) {
    char message[200];
    if (assay_backend()->configure("target", target, message,
                                   sizeof(message)) != ASSAY_OK) {
      continue;
    }
    ++targets;
    f(std::string(target));
  }
  EXPECT_GT(targets, 0);
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOATS_TEST_SUPPORT_H_
