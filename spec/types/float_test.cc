// Tests arithmetic of floats against exact numbers: all pairs of the formats of
// 8 bits or fewer, grids of the others, all codes for operations of one
// operand.
#include "spec/types/float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "spec/types/element.h"
#include "spec/types/float_reference_test_support.h"

namespace assay {
namespace {

using reference::Deliver;
using reference::Delivered;
using reference::Real;

// Returns "" if the result is as it should be. `exact` says whether that flag
// is compared too; arithmetic computes in f64 first and does not know it.
template <class T>
std::string Difference(const Rounded<T>& actual, const Delivered& expected,
                       bool exact = false) {
  const bool value_agrees = expected.is_nan
                                ? actual.value.IsNan()
                                : actual.value.ToBits() == expected.bits;
  if (value_agrees && actual.unencodable == expected.unencodable &&
      actual.tininess == expected.tininess &&
      (!exact || actual.exact == expected.exact))
    return "";
  const auto text = [](uint64_t bits, Unencodable u, Tininess t,
                       bool is_exact) {
    return FormatBits(T::kElementType, bits) + " unencodable " +
           std::to_string(static_cast<int>(u)) + " tininess " +
           std::to_string(static_cast<int>(t)) + (is_exact ? " exact" : "");
  };
  return "expected " +
         (expected.is_nan ? std::string("NaN, ") : std::string()) +
         text(expected.bits, expected.unencodable, expected.tininess,
              expected.exact) +
         ", not " +
         text(actual.value.ToBits(), actual.unencodable, actual.tininess,
              actual.exact);
}

// Returns all codes of formats of up to 8 bits. For the others, returns those
// around zero, the smallest and the largest normal value, one, powers of two
// that make sums and products of interest, and a spread over the rest; both
// signs, infinities and NaNs.
template <class T>
std::vector<uint64_t> Codes() {
  const reference::Format& format = reference::FormatOf(T::kElementType);
  std::vector<uint64_t> codes;
  if (T::kBitWidth <= 8) {
    for (uint64_t code = 0; code < format.codes(); ++code)
      codes.push_back(code);
    return codes;
  }
  std::vector<uint64_t> magnitudes;
  const uint64_t top = format.top(), unit = uint64_t{1} << format.mantissa_bits;
  for (const uint64_t center :
       {uint64_t{1}, unit, unit * (format.bias - 8), unit * format.bias,
        unit * format.bias + unit / 2, unit * (format.bias + 9), top}) {
    for (const uint64_t code : {center - 1, center, center + 1})
      magnitudes.push_back(code);
  }
  magnitudes.push_back(top + 2);  // a NaN
  for (uint64_t code = 77; code < top; code += top / 40 + 3)
    magnitudes.push_back(code);
  for (const uint64_t code : magnitudes) {
    codes.push_back(code);
    codes.push_back(code | format.sign());
  }
  return codes;
}

template <class T>
class FloatTest : public ::testing::Test {};
using SmallFloats = ::testing::Types<
    Float<ElementType::kF4E2M1FN>, Float<ElementType::kF6E2M3FN>,
    Float<ElementType::kF6E3M2FN>, Float<ElementType::kF8E3M4>,
    Float<ElementType::kF8E4M3>, Float<ElementType::kF8E4M3FN>,
    Float<ElementType::kF8E4M3FNUZ>, Float<ElementType::kF8E4M3B11FNUZ>,
    Float<ElementType::kF8E5M2>, Float<ElementType::kF8E5M2FNUZ>,
    Float<ElementType::kF8E8M0FNU>, Float<ElementType::kBF16>,
    Float<ElementType::kF16>>;
TYPED_TEST_SUITE(FloatTest, SmallFloats);

// `exact_result` is a function of two Reals, `operation` one of two Ts.
template <class T, class Exact, class Operation>
void CheckPairs(Exact exact_result, Operation operation) {
  const reference::Format& format = reference::FormatOf(T::kElementType);
  const std::vector<uint64_t> codes = Codes<T>();
  std::vector<Real> reals;
  for (const uint64_t code : codes) reals.push_back(Decode(format, code));
  for (size_t i = 0; i < codes.size(); ++i) {
    const T a = T::FromBits(static_cast<typename T::Bits>(codes[i]));
    for (size_t k = 0; k < codes.size(); ++k) {
      const T b = T::FromBits(static_cast<typename T::Bits>(codes[k]));
      const std::string difference = Difference(
          operation(a, b), Deliver(format, exact_result(reals[i], reals[k])));
      ASSERT_EQ(difference, "") << FormatBits(T::kElementType, codes[i]) << ", "
                                << FormatBits(T::kElementType, codes[k]);
    }
  }
}

TYPED_TEST(FloatTest, SumsAreRoundedOnce) {
  CheckPairs<TypeParam>(reference::Sum,
                        [](TypeParam a, TypeParam b) { return a + b; });
}
TYPED_TEST(FloatTest, DifferencesAreRoundedOnce) {
  CheckPairs<TypeParam>(reference::Difference,
                        [](TypeParam a, TypeParam b) { return a - b; });
}
TYPED_TEST(FloatTest, ProductsAreRoundedOnce) {
  CheckPairs<TypeParam>(reference::Product,
                        [](TypeParam a, TypeParam b) { return a * b; });
}
TYPED_TEST(FloatTest, QuotientsAreRoundedOnce) {
  CheckPairs<TypeParam>(reference::Quotient,
                        [](TypeParam a, TypeParam b) { return a / b; });
}
TYPED_TEST(FloatTest, RemaindersHaveTheDividendsSign) {
  CheckPairs<TypeParam>(reference::Remainder,
                        [](TypeParam a, TypeParam b) { return Fmod(a, b); });
}

TYPED_TEST(FloatTest, SquareRootsAreRoundedOnce) {
  using T = TypeParam;
  const reference::Format& format = reference::FormatOf(T::kElementType);
  for (uint64_t code = 0; code < format.codes(); ++code) {
    const T a = T::FromBits(static_cast<typename T::Bits>(code));
    const Delivered expected = DeliverSquareRoot(format, Decode(format, code));
    ASSERT_EQ(Difference(SquareRoot(a), expected), "")
        << FormatBits(T::kElementType, code);
  }
}

TYPED_TEST(FloatTest, SignOperationsTouchTheSignAndNothingElse) {
  using T = TypeParam;
  const reference::Format& format = reference::FormatOf(T::kElementType);
  if (!T::kFormat.has_sign) {
    EXPECT_EQ(Absolute(T::FromBits(255)).ToBits(), 255);
    EXPECT_EQ(Absolute(T::FromBits(1)).ToBits(), 1);
    return;
  }
  for (uint64_t code = 0; code < format.codes(); ++code) {
    const T a = T::FromBits(static_cast<typename T::Bits>(code));
    // The code 0x80 is the NaN of the FNUZ formats, and 0 is their only zero.
    const bool has_no_sign =
        format.kind == reference::Kind::kFnuz && code % format.sign() == 0;
    ASSERT_EQ((-a).ToBits(), has_no_sign ? code : code ^ format.sign()) << code;
    ASSERT_EQ(Absolute(a).ToBits(), has_no_sign ? code : code % format.sign())
        << code;
  }
}

TYPED_TEST(FloatTest, ComparisonsAreThoseOfTheExactValues) {
  using T = TypeParam;
  const reference::Format& format = reference::FormatOf(T::kElementType);
  const auto real = [](const Real& x) {
    const long double magnitude =
        x.what == Real::kInfinite
            ? HUGE_VALL
            : std::ldexp(static_cast<long double>(x.n), x.e);
    return x.negative ? -magnitude : magnitude;
  };
  for (const uint64_t i : Codes<T>()) {
    const T a = T::FromBits(static_cast<typename T::Bits>(i));
    const Real x = Decode(format, i);
    for (const uint64_t k : Codes<T>()) {
      const T b = T::FromBits(static_cast<typename T::Bits>(k));
      const Real y = Decode(format, k);
      const bool ordered = x.what != Real::kNan && y.what != Real::kNan;
      ASSERT_EQ(QuietLess(a, b), ordered && real(x) < real(y)) << i << ' ' << k;
      ASSERT_EQ(QuietEqual(a, b), ordered && real(x) == real(y))
          << i << ' ' << k;
    }
  }
}

template <class T>
class RoundTest : public ::testing::Test {};
using AllFloats = ::testing::Types<
    Float<ElementType::kF4E2M1FN>, Float<ElementType::kF6E2M3FN>,
    Float<ElementType::kF6E3M2FN>, Float<ElementType::kF8E3M4>,
    Float<ElementType::kF8E4M3>, Float<ElementType::kF8E4M3FN>,
    Float<ElementType::kF8E4M3FNUZ>, Float<ElementType::kF8E4M3B11FNUZ>,
    Float<ElementType::kF8E5M2>, Float<ElementType::kF8E5M2FNUZ>,
    Float<ElementType::kF8E8M0FNU>, Float<ElementType::kBF16>,
    Float<ElementType::kF16>, F32, F64>;
TYPED_TEST_SUITE(RoundTest, AllFloats);

template <class T>
void CheckRound(bool negative, uint64_t significand, int exponent) {
  const Real x{Real::kFinite, negative, significand, 1, exponent};
  const Delivered expected = Deliver(reference::FormatOf(T::kElementType), x);
  const Rounded<T> actual = T::Round(negative, significand, exponent);
  ASSERT_EQ(Difference(actual, expected, true), "")
      << negative << ' ' << std::hex << significand << "p" << std::dec
      << exponent;
  if (actual.unencodable == Unencodable::kOverflow) {
    ASSERT_EQ(actual.negative, negative);
  }
}

// The significands have 1 to 64 random bits, at every distance from the last
// place, or are ties or one unit beside a tie.
TYPED_TEST(RoundTest, FindsTheNearestValueOfAnySignificand) {
  using T = TypeParam;
  std::mt19937_64 random(4);
  const int least = T::kFormat.min_exponent() - T::kFormat.mantissa_bits;
  const int greatest = T::kFormat.max_exponent();
  for (int i = 0; i < 20000; ++i) {
    const int width = 1 + static_cast<int>(random() % 64);
    uint64_t significand = random() >> (64 - width);
    if (i % 3 != 0) {  // ones behind the first few bits, and what follows them
      const int length = static_cast<int>(random() % 64);
      significand |= (uint64_t{1} << length) - 1;
      significand += i % 3 - 1;
    }
    const int place =
        least - 3 + static_cast<int>(random() % (greatest - least + 6));
    CheckRound<T>(random() % 2 != 0, significand, place - width + 1);
    if (this->HasFatalFailure()) return;
  }
  CheckRound<T>(false, 0, 0);
  CheckRound<T>(true, 0, 5);
  CheckRound<T>(false, ~uint64_t{0}, 5000);
  CheckRound<T>(true, ~uint64_t{0}, -5000);
  CheckRound<T>(false, 1, 5000);
  CheckRound<T>(false, 1, -5000);
}

// The values are midpoints of neighbors and the two numbers beside each, up to
// the midpoint after the last value, which is where overflow begins.
TYPED_TEST(RoundTest, GoesToEvenAtMidpointsAndOverflowsBehindTheLast) {
  using T = TypeParam;
  const reference::Format& format = reference::FormatOf(T::kElementType);
  const uint64_t top = format.top();
  const uint64_t step = top / 5000 + 1;
  for (uint64_t code = 0; code <= top;
       code = code == top ? top + 1 : std::min(code + step, top)) {
    const auto [m, f] = reference::MagnitudeOf(format, code);
    for (const uint64_t wide : {16 * m + 8, 16 * m + 7, 16 * m + 9}) {
      CheckRound<T>(false, wide, f - 4);
      CheckRound<T>(true, wide, f - 4);
    }
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(RoundTest, ADoubleIsRoundedAsItsSignificandIs) {
  using T = TypeParam;
  const reference::Format& format = reference::FormatOf(T::kElementType);
  const reference::Format& f64 = reference::FormatOf(ElementType::kF64);
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    uint64_t bits = random();
    // Every second value is near the values of the format.
    if (i % 2 != 0) {
      const uint64_t span = 2 * static_cast<uint64_t>(format.bias) + 40;
      bits = (bits & 0x800fffffffffffff) |
             (1023 - span / 2 + random() % span) % 2047 << 52;
    }
    if (i % 4 == 1) bits &= ~uint64_t{0} << (random() % 53);
    const auto actual = T::Round(std::bit_cast<double>(bits));
    Delivered expected = Deliver(format, Decode(f64, bits));
    // An infinity loses nothing, and no value loses anything in f64.
    const bool is_finite = Decode(f64, bits).what == Real::kFinite;
    if (T::kElementType == ElementType::kF64)
      expected.tininess = Tininess::kNone;
    ASSERT_EQ(Difference(actual, expected, is_finite), "") << std::hex << bits;
  }
}

// A NaN of f64 keeps its bits, because it is an operand here and not a result.
TEST(Round, OfADoubleToF64IsTheDouble) {
  for (const uint64_t bits : {0x7ff0000000000001u, 0xfff8000000000002u})
    EXPECT_EQ(F64::Round(std::bit_cast<double>(bits)).value.ToBits(), bits);
}

// These are constant expressions, in which undefined behavior would not
// compile.
static_assert(F32::Round(false, ~uint64_t{0}, -64).value.ToBits() ==
              0x3f800000);
static_assert(F64::Round(true, 1, -1074).value.ToBits() == 0x8000000000000001);
static_assert(Float<ElementType::kF8E8M0FNU>::Round(false, 3, -1).unencodable ==
              Unencodable::kE8m0Tie);

}  // namespace
}  // namespace assay
