// ComplexNumber<E> is a pair of floats. Arithmetic is per part; operations that
// are not (products, quotients) have no exact rule and are not here.
#ifndef ASSAY_SPEC_TYPES_COMPLEX_H_
#define ASSAY_SPEC_TYPES_COMPLEX_H_

#include "spec/types/float.h"

namespace assay {

template <class E>
class ComplexNumber {
 public:
  static constexpr ElementKind kKind = ElementKind::kComplex;
  static constexpr ElementType kElementType =
      E::kBitWidth == 32 ? ElementType::kComplexF32 : ElementType::kComplexF64;
  static constexpr int kBitWidth = 2 * E::kBitWidth;
  static constexpr bool kIsBoolean = false;
  using Part = E;
  // The bits are those of the parts in memory: the real part is in the low
  // bits.
  using Bits = std::conditional_t<kBitWidth == 64, uint64_t, unsigned __int128>;

  constexpr ComplexNumber() = default;
  constexpr ComplexNumber(E re, E im) : real_(re), imag_(im) {}
  static constexpr ComplexNumber FromBits(Bits bits) {
    return ComplexNumber(
        E::FromBits(static_cast<typename E::Bits>(bits)),
        E::FromBits(static_cast<typename E::Bits>(bits >> E::kBitWidth)));
  }
  constexpr Bits ToBits() const {
    return static_cast<Bits>(imag_.ToBits()) << E::kBitWidth |
           static_cast<Bits>(real_.ToBits());
  }
  constexpr E real() const { return real_; }
  constexpr E imag() const { return imag_; }
  constexpr bool IsNan() const { return real_.IsNan() || imag_.IsNan(); }

  friend ComplexNumber operator+(ComplexNumber a, ComplexNumber b) {
    return {(a.real_ + b.real_).value, (a.imag_ + b.imag_).value};
  }
  friend ComplexNumber operator-(ComplexNumber a, ComplexNumber b) {
    return {(a.real_ - b.real_).value, (a.imag_ - b.imag_).value};
  }
  friend ComplexNumber operator-(ComplexNumber a) {
    return {-a.real_, -a.imag_};
  }

 private:
  E real_, imag_;
};

using ComplexF32 = ComplexNumber<F32>;
using ComplexF64 = ComplexNumber<F64>;

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_COMPLEX_H_
