// This header has one element of a tensor: strong scalar types, from bits to
// value, with the arithmetic of the specification.
//
// Integer<N, signed> is an integer of exactly N bits. Every operation computes
// the mathematical result and wraps it modulo 2^N (two's complement), so an op
// reads `lhs + rhs` for i4 as for ui64, and nothing is undefined behavior of
// C++. Whether a mathematical result *fits* is asked separately (`AddOverflows`
// and friends): what happens then is a policy, not arithmetic. Boolean is i1;
// floats and complex numbers are in float.h and complex.h. Native widths
// compile to the machine's instructions; only 2- and 4-bit types pay for their
// extension.
#ifndef ASSAY_SPEC_TYPES_ELEMENT_H_
#define ASSAY_SPEC_TYPES_ELEMENT_H_

#include <compare>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "spec/error.h"
#include "spec/types/complex.h"
#include "spec/types/element_type.h"

namespace assay {

template <int kBits, bool kSigned>
class Integer {
 public:
  static constexpr ElementKind kKind =
      kSigned ? ElementKind::kSignedInteger : ElementKind::kUnsignedInteger;
  static constexpr int kBitWidth = kBits;
  static constexpr bool kIsSigned = kSigned;
  static constexpr bool kIsBoolean = false;

  // An element is stored in the low bits of its place in a buffer; sub-byte
  // types take a byte (backend.h, rule 4).
  using Bits = std::conditional_t<
      kBits <= 8, uint8_t,
      std::conditional_t<kBits == 16, uint16_t,
                         std::conditional_t<kBits == 32, uint32_t, uint64_t>>>;
  using Value = std::conditional_t<kSigned, std::make_signed_t<Bits>, Bits>;

  constexpr Integer() = default;
  // Returns the integer congruent to `value` modulo 2^N.
  static constexpr Integer Wrap(__int128 value) {
    return FromBits(static_cast<Bits>(value));
  }
  static constexpr Integer FromBits(Bits bits) {
    Integer result;
    if constexpr (kBits >= 8) {
      result.value_ = static_cast<Value>(bits);
    } else {
      constexpr int kHigh = 8 - kBits;
      result.value_ = static_cast<Value>(
          static_cast<Value>(static_cast<uint8_t>(bits << kHigh)) >> kHigh);
    }
    return result;
  }
  constexpr Bits ToBits() const {
    if constexpr (kBits >= 8) return static_cast<Bits>(value_);
    return static_cast<Bits>(static_cast<Bits>(value_) &
                             ((1u << (kBits & 7)) - 1));
  }
  constexpr Value value() const { return value_; }

  static constexpr Integer Min() {
    return kSigned ? FromBits(static_cast<Bits>(Bits{1} << (kBits - 1)))
                   : Integer();
  }
  static constexpr Integer Max() { return ~Min(); }

  friend constexpr auto operator<=>(Integer, Integer) = default;
  friend constexpr Integer operator+(Integer a, Integer b) {
    return Native(uint64_t(a.value_) + uint64_t(b.value_));
  }
  friend constexpr Integer operator-(Integer a, Integer b) {
    return Native(uint64_t(a.value_) - uint64_t(b.value_));
  }
  friend constexpr Integer operator*(Integer a, Integer b) {
    return Native(uint64_t(a.value_) * uint64_t(b.value_));
  }
  friend constexpr Integer operator-(Integer a) {
    return Native(-uint64_t(a.value_));
  }
  friend constexpr Integer operator&(Integer a, Integer b) {
    return Native(uint64_t(a.value_) & uint64_t(b.value_));
  }
  friend constexpr Integer operator|(Integer a, Integer b) {
    return Native(uint64_t(a.value_) | uint64_t(b.value_));
  }
  friend constexpr Integer operator^(Integer a, Integer b) {
    return Native(uint64_t(a.value_) ^ uint64_t(b.value_));
  }
  friend constexpr Integer operator~(Integer a) {
    return Native(~uint64_t(a.value_));
  }
  // Truncates toward zero. Precondition: b is not 0.
  friend constexpr Integer operator/(Integer a, Integer b) {
    if (kSigned && b.value_ == static_cast<Value>(-1))
      return -a;  // min / -1 would trap
    return Native(static_cast<uint64_t>(a.value_ / b.value_));
  }

 private:
  static constexpr Integer Native(uint64_t bits) {
    return FromBits(static_cast<Bits>(bits));
  }
  Value value_ = 0;
};

class Boolean {
 public:
  static constexpr ElementKind kKind = ElementKind::kBoolean;
  static constexpr int kBitWidth = 1;
  static constexpr bool kIsSigned = false;
  static constexpr bool kIsBoolean = true;
  using Bits = uint8_t;

  constexpr Boolean() = default;
  constexpr Boolean(bool value)
      : value_(value) {}  // implicit: formulas of booleans are booleans
  static constexpr Boolean FromBits(Bits bits) { return Boolean(bits != 0); }
  constexpr Bits ToBits() const { return value_ ? 1 : 0; }
  constexpr bool value() const { return value_; }
  friend constexpr auto operator<=>(Boolean, Boolean) = default;

 private:
  bool value_ = false;
};

template <class T>
concept IsBooleanType = T::kKind == ElementKind::kBoolean;
template <class T>
concept IsFloatType = T::kKind == ElementKind::kFloat;
template <class T>
concept IsComplexType = T::kKind == ElementKind::kComplex;

// Returns whether the mathematical result is outside of the range of the type.
template <class T>
constexpr bool AddOverflows(T a, T b) {
  typename T::Value r{};
  return __builtin_add_overflow(a.value(), b.value(), &r) ||
         T::FromBits(static_cast<typename T::Bits>(r)).value() != r;
}
template <class T>
constexpr bool SubtractOverflows(T a, T b) {
  typename T::Value r{};
  return __builtin_sub_overflow(a.value(), b.value(), &r) ||
         T::FromBits(static_cast<typename T::Bits>(r)).value() != r;
}
template <class T>
constexpr bool MultiplyOverflows(T a, T b) {
  typename T::Value r{};
  return __builtin_mul_overflow(a.value(), b.value(), &r) ||
         T::FromBits(static_cast<typename T::Bits>(r)).value() != r;
}

// A visitor is compiled for a set of these kinds.
enum ScalarKinds : unsigned {
  kBooleans = 1,
  kIntegers = 2,
  kFloats = 4,
  kComplexes = 8,
  kAllKinds = 15
};

// Calls `f.template operator()<T>()` with the scalar type of an element type.
// Precondition: the type is of one of the kinds.
template <unsigned kKinds, class F>
decltype(auto) VisitKinds(ElementType type, F&& f) {
  switch (type) {
#define ASSAY_CASE(kind, name, ...)                \
  case ElementType::name:                          \
    if constexpr ((kKinds & (kind)) != 0)          \
      return f.template operator()<__VA_ARGS__>(); \
    break;
#define ASSAY_FLOAT_CASE(name) \
  ASSAY_CASE(kFloats, name, Float<ElementType::name>)
    ASSAY_CASE(kBooleans, kI1, Boolean)
    ASSAY_CASE(kIntegers, kI2, Integer<2, true>)
    ASSAY_CASE(kIntegers, kI4, Integer<4, true>)
    ASSAY_CASE(kIntegers, kI8, Integer<8, true>)
    ASSAY_CASE(kIntegers, kI16, Integer<16, true>)
    ASSAY_CASE(kIntegers, kI32, Integer<32, true>)
    ASSAY_CASE(kIntegers, kI64, Integer<64, true>)
    ASSAY_CASE(kIntegers, kUi2, Integer<2, false>)
    ASSAY_CASE(kIntegers, kUi4, Integer<4, false>)
    ASSAY_CASE(kIntegers, kUi8, Integer<8, false>)
    ASSAY_CASE(kIntegers, kUi16, Integer<16, false>)
    ASSAY_CASE(kIntegers, kUi32, Integer<32, false>)
    ASSAY_CASE(kIntegers, kUi64, Integer<64, false>)
    ASSAY_FLOAT_CASE(kF4E2M1FN)
    ASSAY_FLOAT_CASE(kF6E2M3FN)
    ASSAY_FLOAT_CASE(kF6E3M2FN)
    ASSAY_FLOAT_CASE(kF8E3M4)
    ASSAY_FLOAT_CASE(kF8E4M3)
    ASSAY_FLOAT_CASE(kF8E4M3FN)
    ASSAY_FLOAT_CASE(kF8E4M3FNUZ)
    ASSAY_FLOAT_CASE(kF8E4M3B11FNUZ)
    ASSAY_FLOAT_CASE(kF8E5M2)
    ASSAY_FLOAT_CASE(kF8E5M2FNUZ)
    ASSAY_FLOAT_CASE(kF8E8M0FNU)
    ASSAY_FLOAT_CASE(kBF16)
    ASSAY_FLOAT_CASE(kF16)
    ASSAY_FLOAT_CASE(kF32)
    ASSAY_FLOAT_CASE(kF64)
    ASSAY_CASE(kComplexes, kComplexF32, ComplexF32)
    ASSAY_CASE(kComplexes, kComplexF64, ComplexF64)
#undef ASSAY_FLOAT_CASE
#undef ASSAY_CASE
  }
  CheckFailed("the type is of one of the kinds", __FILE__, __LINE__);
}

template <class F>
decltype(auto) VisitElementType(ElementType type, F&& f) {
  return VisitKinds<kAllKinds>(type, std::forward<F>(f));
}

// An ElementBits is one element outside of loops: its bits in the low end of a
// word, read from and written to buffers, and as text. The bits are those of
// the ABI: sub-byte values in the low bits of their byte, complex values with
// the real part low.
using ElementBits = unsigned __int128;
// Calls f(0), where 0 is an integer of the size of an element in a buffer.
template <class F>
decltype(auto) WithWord(ElementType type, F f) {
  switch (Info(type).bytes) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
    default:
      return f(ElementBits());
  }
}
ElementBits LoadBits(ElementType type, const void* element);
void StoreBits(ElementType type, ElementBits bits, void* element);
// These convert between integer or boolean bits and their value. Preconditions:
// the type is an integer type or i1; MinValue <= value <= MaxValue.
__int128 ValueOf(ElementType type, ElementBits bits);
ElementBits BitsOf(ElementType type, __int128 value);
// These are the least and the greatest value of an integer type, and 0 and 1
// for i1.
__int128 MinValue(ElementType type);
__int128 MaxValue(ElementType type);
std::string FormatInteger(__int128 value);
// Returns a text such as "-100", "true", "1.5" (the shortest decimal that reads
// back as the value), "nan", "-inf", "[1, -0]".
std::string FormatValue(ElementType type, ElementBits bits);
// Returns a text such as "0x9c", with exactly the type's digits.
std::string FormatBits(ElementType type, ElementBits bits);
// These describe the parts of a complex type, the real one first; a type of
// another kind is its own only part.
int PartCount(ElementType type);
ElementType PartType(ElementType type);
ElementBits PartOf(ElementType type, ElementBits bits, int part);

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_ELEMENT_H_
