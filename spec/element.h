// One element of a tensor: strong scalar types, from bits to value, with the
// arithmetic of the specification.
//
// Integer<N, signed> is an integer of exactly N bits. Every operation computes
// the mathematical result and wraps it modulo 2^N (two's complement), so an op
// reads `lhs + rhs` for i4 as for ui64, and nothing is undefined behaviour of
// C++. Whether a mathematical result *fits* is asked separately (`AddOverflows`
// and friends): what happens then is a policy, not arithmetic. Boolean is i1.
// Native widths compile to the machine's instructions; only 2- and 4-bit types
// pay for their extension.
#ifndef ASSAY_SPEC_ELEMENT_H_
#define ASSAY_SPEC_ELEMENT_H_

#include <compare>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "spec/element_type.h"
#include "spec/error.h"

namespace assay {

template <int kBits, bool kSigned>
class Integer {
 public:
  static constexpr int kBitWidth = kBits;
  static constexpr bool kIsSigned = kSigned;
  static constexpr bool kIsBoolean = false;

  // How an element lies in a buffer: its low bits; sub-byte types take a byte
  // (backend.h, rule 4).
  using Bits = std::conditional_t<
      kBits <= 8, uint8_t,
      std::conditional_t<kBits == 16, uint16_t,
                         std::conditional_t<kBits == 32, uint32_t, uint64_t>>>;
  using Value = std::conditional_t<kSigned, std::make_signed_t<Bits>, Bits>;

  constexpr Integer() = default;
  // The integer congruent to `value` modulo 2^N.
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

// Whether the mathematical result leaves the range of the type.
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

// Calls `f.template operator()<T>()` with the scalar type of an integer type.
// Precondition: IsInteger(type).
template <class F>
decltype(auto) VisitIntegerType(ElementType type, F&& f) {
  switch (type) {
    case ElementType::kI2:
      return f.template operator()<Integer<2, true>>();
    case ElementType::kI4:
      return f.template operator()<Integer<4, true>>();
    case ElementType::kI8:
      return f.template operator()<Integer<8, true>>();
    case ElementType::kI16:
      return f.template operator()<Integer<16, true>>();
    case ElementType::kI32:
      return f.template operator()<Integer<32, true>>();
    case ElementType::kI64:
      return f.template operator()<Integer<64, true>>();
    case ElementType::kUi2:
      return f.template operator()<Integer<2, false>>();
    case ElementType::kUi4:
      return f.template operator()<Integer<4, false>>();
    case ElementType::kUi8:
      return f.template operator()<Integer<8, false>>();
    case ElementType::kUi16:
      return f.template operator()<Integer<16, false>>();
    case ElementType::kUi32:
      return f.template operator()<Integer<32, false>>();
    case ElementType::kUi64:
      return f.template operator()<Integer<64, false>>();
    default:
      CheckFailed("IsInteger(type)", __FILE__, __LINE__);
  }
}

// The same for every type that has values. Precondition: HasValues(type).
template <class F>
decltype(auto) VisitElementType(ElementType type, F&& f) {
  if (type == ElementType::kI1) return f.template operator()<Boolean>();
  return VisitIntegerType(type, std::forward<F>(f));
}

// One element outside of loops: its bits in the low end of a word, read from
// and written to buffers, and as text. The bits of integers are those of the
// ABI: sub-byte values in the low bits of their byte.
// Precondition: an element takes at most 8 bytes (not complex<f64>).
uint64_t LoadBits(ElementType type, const void* element);
void StoreBits(ElementType type, uint64_t bits, void* element);
// The value of integer or boolean bits, and the bits of a value. Precondition
// of BitsOf: MinValue <= value <= MaxValue.
__int128 ValueOf(ElementType type, uint64_t bits);
uint64_t BitsOf(ElementType type, __int128 value);
std::string FormatInteger(__int128 value);
// "-100", "true".
std::string FormatValue(ElementType type, uint64_t bits);
// "0x9c", with exactly the type's digits.
std::string FormatBits(ElementType type, uint64_t bits);

}  // namespace assay

#endif  // ASSAY_SPEC_ELEMENT_H_
