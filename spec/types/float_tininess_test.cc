// Tests whether a product or quotient of f32 or f64 that was rounded to the
// smallest normal value lay below it, and whether it would have with unbounded
// exponent. The results are compared with exact integers, at the numbers where
// the two answers differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "spec/types/element.h"
#include "spec/types/float_reference_test_support.h"

namespace assay {
namespace {

using reference::Real;

template <class T>
Real RealOf(T x) {
  return Decode(reference::FormatOf(T::kElementType), x.ToBits());
}
template <class T>
T FloatOf(double value) {
  return T::FromBits(
      std::bit_cast<typename T::Bits>(static_cast<typename T::Native>(value)));
}

// Seen counts the results that were the smallest normal value, by kind.
struct Seen {
  int none = 0, before = 0, after = 0;
  void Add(Tininess tininess) {
    ++(tininess == Tininess::kNone             ? none
       : tininess == Tininess::kBeforeRounding ? before
                                               : after);
  }
};

template <class T>
void CheckProduct(T a, T b, Seen* seen) {
  const reference::Format& format = reference::FormatOf(T::kElementType);
  const auto expected =
      Deliver(format, reference::Product(RealOf(a), RealOf(b)));
  const Rounded<T> actual = a * b;
  ASSERT_EQ(actual.value.ToBits(), expected.bits);
  ASSERT_EQ(actual.tininess, expected.tininess)
      << FormatBits(T::kElementType, a.ToBits()) << " * "
      << FormatBits(T::kElementType, b.ToBits());
  if (actual.value.magnitude() == T::kFormat.min_normal_code())
    seen->Add(actual.tininess);
}

template <class T>
void CheckQuotient(T a, T b, Seen* seen) {
  const reference::Format& format = reference::FormatOf(T::kElementType);
  const auto expected =
      Deliver(format, reference::Quotient(RealOf(a), RealOf(b)));
  const Rounded<T> actual = a / b;
  ASSERT_EQ(actual.value.ToBits(), expected.bits);
  ASSERT_EQ(actual.tininess, expected.tininess)
      << FormatBits(T::kElementType, a.ToBits()) << " / "
      << FormatBits(T::kElementType, b.ToBits());
  if (actual.value.magnitude() == T::kFormat.min_normal_code())
    seen->Add(actual.tininess);
}

// lambda is the smallest normal value. Both factors are integers below 2^p.
struct Factors {
  const char* product;
  double a, b;
  int binades;  // a * b is just below 2^binades
  Tininess tininess;
};

template <class T>
void CheckFactors(const Factors& factors) {
  const int lambda = T::kFormat.min_exponent();
  for (const int shift : {lambda / 2, lambda / 2 - 9, lambda / 3}) {
    for (const double sign : {1.0, -1.0}) {
      const T a = FloatOf<T>(std::ldexp(sign * factors.a, shift));
      const T b =
          FloatOf<T>(std::ldexp(factors.b, lambda - factors.binades - shift));
      const Rounded<T> product = a * b;
      EXPECT_EQ(product.value.magnitude(), T::kFormat.min_normal_code());
      EXPECT_EQ(product.tininess, factors.tininess) << factors.product;
      Seen seen;
      CheckProduct(a, b, &seen);
      CheckProduct(b, a, &seen);
    }
  }
}

TEST(Tininess, OfProductsOfF32IsDecidedByTheTwentyFifthBit) {
  using enum Tininess;
  for (const Factors& factors : {
           Factors{"lambda", 4096, 4096, 24, kNone},
           // The product is 2^24 - 1, which f32 has, so that unbounded rounding
           // leaves it tiny.
           Factors{"lambda (1 - 2^-24)", 4095, 4097, 24, kAfterRounding},
           // The product is 2^25 - 1, a tie for which up is even.
           Factors{"lambda (1 - 2^-25)", 18631, 1801, 25, kBeforeRounding},
           // The product is 2^26 - 1, which rounds up.
           Factors{"lambda (1 - 2^-26)", 8193, 8191, 26, kBeforeRounding},
           Factors{"lambda (1 - 2^-46)", 8388609, 8388607, 46, kBeforeRounding},
       })
    CheckFactors<F32>(factors);
}

TEST(Tininess, OfProductsOfF64IsDecidedByTheFiftyFourthBit) {
  using enum Tininess;
  const double p27 = 134217728;
  for (const Factors& factors : {
           Factors{"lambda", p27, p27, 54, kNone},
           // The product is 2^53 - 1 = 6361 * 69431 * 20394401.
           Factors{"lambda (1 - 2^-53)", 441650591, 20394401, 53,
                   kAfterRounding},
           Factors{"lambda (1 - 2^-54)", p27 - 1, p27 + 1, 54, kBeforeRounding},
           // The product is 2^55 - 1 = 23 * 31 * 89 * 881 * 3191 * 201961.
           Factors{"lambda (1 - 2^-55)", 23.0 * 31 * 89 * 881, 3191.0 * 201961,
                   55, kBeforeRounding},
       })
    CheckFactors<F64>(factors);
}

// These random factors have products within a few last places of lambda, on
// both sides: all three answers occur.
template <class T>
Seen RandomProducts() {
  const int lambda = T::kFormat.min_exponent();
  const int bits = T::kFormat.precision();
  std::mt19937_64 random(6);
  Seen seen;
  for (int i = 0; i < 20000; ++i) {
    const double sa = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
    const T a = FloatOf<T>(sa);
    const double target =
        1 - std::ldexp(static_cast<double>(random() % 9) - 3, -bits - 2);
    const T b = FloatOf<T>(std::ldexp(target / a.ToDouble(), lambda));
    CheckProduct(a, b, &seen);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return seen;
}

TEST(Tininess, OfProductsNearTheSmallestNormalValueIsThatOfExactIntegers) {
  const Seen f32 = RandomProducts<F32>(), f64 = RandomProducts<F64>();
  for (const Seen& seen : {f32, f64}) {
    EXPECT_GT(seen.none, 100);
    EXPECT_GT(seen.before, 100);
    EXPECT_GT(seen.after, 100);
  }
}

template <class T>
Seen RandomQuotients() {
  const int lambda = T::kFormat.min_exponent();
  const uint64_t unit = uint64_t{1} << T::kFormat.mantissa_bits;
  std::mt19937_64 random(7);
  Seen seen;
  for (int i = 0; i < 20000; ++i) {
    // The significands differ little, or lie at both ends of a binade.
    const uint64_t sb =
        i % 2 == 0 ? unit + random() % unit : unit + random() % 4;
    const uint64_t sa =
        i % 2 == 0 ? sb - 4 + random() % 8 : 2 * unit - 4 + random() % 8;
    const int down = i % 2 == 0 ? 0 : 1;
    const T a =
        FloatOf<T>(std::ldexp(static_cast<double>(sa), lambda / 2 - down));
    const T b =
        FloatOf<T>(std::ldexp(static_cast<double>(sb), lambda / 2 - lambda));
    CheckQuotient(a, b, &seen);
    CheckQuotient(-a, b, &seen);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return seen;
}

// With unbounded exponent, no tiny quotient rounds up to a value that is not
// tiny.
TEST(Tininess, OfQuotientsNearTheSmallestNormalValueIsThatOfExactIntegers) {
  const Seen f32 = RandomQuotients<F32>(), f64 = RandomQuotients<F64>();
  for (const Seen& seen : {f32, f64}) {
    EXPECT_GT(seen.none, 100);
    EXPECT_EQ(seen.before, 0);
    EXPECT_GT(seen.after, 100);
  }
}

TEST(Tininess, OfAQuotientThatIsTheLargestNumberBelowIsAfterRounding) {
  // The quotient is (2^24 - 1) / 2^24 of lambda, a tie, delivered as lambda.
  const F32 a = FloatOf<F32>(std::ldexp(16777215.0, -100));
  const F32 b = FloatOf<F32>(std::ldexp(16777216.0, 26));
  const Rounded<F32> quotient = a / b;
  EXPECT_EQ(quotient.value.ToBits(), 0x00800000u);
  EXPECT_EQ(quotient.tininess, Tininess::kAfterRounding);
  EXPECT_EQ(
      (FloatOf<F32>(std::ldexp(1.0, -100)) / FloatOf<F32>(std::ldexp(1.0, 26)))
          .tininess,
      Tininess::kNone);
}

// Both kinds occur in conversions from f64.
TEST(Tininess, OfRoundedDoublesIsThatOfTheirSignificands) {
  const double lambda = std::ldexp(1.0, -126);
  EXPECT_EQ(F32::Round(lambda).tininess, Tininess::kNone);
  EXPECT_EQ(F32::Round(lambda * (1 - std::ldexp(1.0, -24))).tininess,
            Tininess::kAfterRounding);
  EXPECT_EQ(F32::Round(lambda * (1 - std::ldexp(1.0, -25))).tininess,
            Tininess::kBeforeRounding);
  EXPECT_EQ(F32::Round(-lambda * (1 - std::ldexp(1.0, -26))).tininess,
            Tininess::kBeforeRounding);
  EXPECT_EQ(F32::Round(lambda * (1 - std::ldexp(1.0, -23))).tininess,
            Tininess::kNone);  // delivered subnormal: no question
}

}  // namespace
}  // namespace assay
