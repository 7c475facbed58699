// Tests the arithmetic of integers against the same arithmetic in __int128
// reduced modulo 2^N by hand: every pair of the types up to 8 bits, and every
// pair of boundary values of the wider ones. __int128 holds every exact result
// except the products of ui64, which are reduced in the unsigned type.
#include "spec/types/element.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace assay {
namespace {

// Returns the integer of N bits that is congruent to `value`, without any
// shift.
template <class T>
__int128 Reduce(__int128 value) {
  const __int128 modulus = static_cast<__int128>(1) << T::kBitWidth;
  __int128 r = value % modulus;
  if (r < 0) r += modulus;
  if (T::kIsSigned && r >= modulus / 2) r -= modulus;
  return r;
}

template <class T>
__int128 Least() {
  return T::kIsSigned ? -(static_cast<__int128>(1) << (T::kBitWidth - 1)) : 0;
}
template <class T>
__int128 Greatest() {
  return Least<T>() + (static_cast<__int128>(1) << T::kBitWidth) - 1;
}
template <class T>
bool InRange(__int128 value) {
  return Least<T>() <= value && value <= Greatest<T>();
}

template <class T>
std::vector<__int128> Values() {
  std::vector<__int128> values;
  if (T::kBitWidth <= 8) {
    for (__int128 v = Least<T>(); v <= Greatest<T>(); ++v) values.push_back(v);
    return values;
  }
  const __int128 half = static_cast<__int128>(1) << (T::kBitWidth / 2);
  for (__int128 center : {Least<T>(), -half, static_cast<__int128>(0), half,
                          Greatest<T>() / 2, Greatest<T>()}) {
    for (int d = -3; d <= 3; ++d) {
      if (InRange<T>(center + d)) values.push_back(center + d);
    }
  }
  return values;
}

template <class T>
T Make(__int128 value) {
  return T::FromBits(static_cast<typename T::Bits>(value));
}

// Returns the product modulo 2^N, and whether the exact product is in range.
template <class T>
std::pair<__int128, bool> Product(__int128 a, __int128 b) {
  if (a >= 0 && b >= 0) {
    using Wide = unsigned __int128;
    const Wide exact = static_cast<Wide>(a) * static_cast<Wide>(b);
    const Wide modulus = static_cast<Wide>(1) << T::kBitWidth;
    return {Reduce<T>(static_cast<__int128>(exact % modulus)),
            exact <= static_cast<Wide>(Greatest<T>())};
  }
  return {Reduce<T>(a * b), InRange<T>(a * b)};
}

// Returns bit i of a two's complement number, by division.
int BitOf(__int128 value, int i) {
  const __int128 power = static_cast<__int128>(1) << i;
  const __int128 floor =
      value / power - (value % power != 0 && value < 0 ? 1 : 0);
  return static_cast<int>(((floor % 2) + 2) % 2);
}

template <class T, class F>
__int128 Bitwise(__int128 a, __int128 b, F f) {
  __int128 bits = 0;
  for (int i = 0; i < T::kBitWidth; ++i) {
    if (f(BitOf(a, i), BitOf(b, i))) bits += static_cast<__int128>(1) << i;
  }
  return Reduce<T>(bits);
}

template <class T>
class IntegerTest : public ::testing::Test {};
using IntegerTypes =
    ::testing::Types<Integer<2, true>, Integer<2, false>, Integer<4, true>,
                     Integer<4, false>, Integer<8, true>, Integer<8, false>,
                     Integer<16, true>, Integer<16, false>, Integer<32, true>,
                     Integer<32, false>, Integer<64, true>, Integer<64, false>>;
TYPED_TEST_SUITE(IntegerTest, IntegerTypes);

TYPED_TEST(IntegerTest, UnaryOperationsAndBitsAreThoseOfTheReference) {
  using T = TypeParam;
  EXPECT_TRUE(T::Min().value() == Least<T>());
  EXPECT_TRUE(T::Max().value() == Greatest<T>());
  EXPECT_TRUE(T().value() == 0);
  for (const __int128 a : Values<T>()) {
    const T x = Make<T>(a);
    SCOPED_TRACE(FormatInteger(a));
    ASSERT_TRUE(x.value() == a);
    ASSERT_TRUE((-x).value() == Reduce<T>(-a));
    ASSERT_TRUE((~x).value() == Reduce<T>(-a - 1));
    const __int128 bits =
        a < 0 ? a + (static_cast<__int128>(1) << T::kBitWidth) : a;
    ASSERT_TRUE(x.ToBits() == bits);  // bits above the width are 0
    ASSERT_EQ(T::FromBits(x.ToBits()), x);
    const __int128 turn = static_cast<__int128>(1) << T::kBitWidth;
    ASSERT_EQ(T::Wrap(a + turn), x);
    ASSERT_EQ(T::Wrap(a - 5 * turn), x);
  }
}

TYPED_TEST(IntegerTest, BinaryOperationsAreThoseOfTheReference) {
  using T = TypeParam;
  const std::vector<__int128> values = Values<T>();
  for (const __int128 a : values) {
    for (const __int128 b : values) {
      const T x = Make<T>(a), y = Make<T>(b);
      const auto [product, product_fits] = Product<T>(a, b);
      const auto both = [](int p, int q) { return p == 1 && q == 1; };
      const auto either = [](int p, int q) { return p + q > 0; };
      const auto one = [](int p, int q) { return p + q == 1; };
      const bool ok =
          (x + y).value() == Reduce<T>(a + b) &&
          (x - y).value() == Reduce<T>(a - b) && (x * y).value() == product &&
          (b == 0 || (x / y).value() == Reduce<T>(a / b)) &&
          (x & y).value() == Bitwise<T>(a, b, both) &&
          (x | y).value() == Bitwise<T>(a, b, either) &&
          (x ^ y).value() == Bitwise<T>(a, b, one) &&
          AddOverflows(x, y) == !InRange<T>(a + b) &&
          SubtractOverflows(x, y) == !InRange<T>(a - b) &&
          MultiplyOverflows(x, y) == !product_fits && (x == y) == (a == b) &&
          (x != y) == (a != b) && (x < y) == (a < b) && (x <= y) == (a <= b) &&
          (x > y) == (a > b) && (x >= y) == (a >= b);
      ASSERT_TRUE(ok) << FormatInteger(a) << ", " << FormatInteger(b);
    }
  }
}

TYPED_TEST(IntegerTest, LeastValueDividedByMinusOneWraps) {
  using T = TypeParam;
  if (!T::kIsSigned) {
    EXPECT_EQ(T::Max() / T::Max(), T::Wrap(1));  // all ones is no -1 here
    return;
  }
  EXPECT_EQ(T::Min() / T::Wrap(-1), T::Min());
  EXPECT_EQ(T::Max() / T::Wrap(-1), -T::Max());
}

TYPED_TEST(IntegerTest, BitsAboveTheWidthAreIgnored) {
  using T = TypeParam;
  using Bits = typename T::Bits;
  constexpr int kStates = 1 << (T::kBitWidth < 8 ? T::kBitWidth : 8);
  if (T::kBitWidth >= 8) {
    EXPECT_EQ(T::FromBits(static_cast<Bits>(-1)), T::Wrap(-1));
    return;
  }
  for (int byte = 0; byte < 256; ++byte) {
    const T x = T::FromBits(static_cast<Bits>(byte));
    EXPECT_TRUE(x.value() == Reduce<T>(byte)) << byte;
    EXPECT_EQ(x.ToBits(), byte % kStates) << byte;
  }
}

// These are constant expressions, in which undefined behavior would not
// compile.
static_assert(Integer<4, true>::Wrap(7) + Integer<4, true>::Wrap(1) ==
              Integer<4, true>::Min());
static_assert(Integer<64, true>::Min() - Integer<64, true>::Wrap(1) ==
              Integer<64, true>::Max());
static_assert(Integer<64, true>::Min() / Integer<64, true>::Wrap(-1) ==
              Integer<64, true>::Min());
static_assert(-Integer<32, true>::Min() == Integer<32, true>::Min());
static_assert(Integer<16, false>::Max() * Integer<16, false>::Max() ==
              Integer<16, false>::Wrap(1));
static_assert(Integer<64, true>::Max() * Integer<64, true>::Max() ==
              Integer<64, true>::Wrap(1));
static_assert(AddOverflows(Integer<2, true>::Max(), Integer<2, true>::Max()));
static_assert(!SubtractOverflows(Integer<2, true>::Max(),
                                 Integer<2, true>::Max()));
static_assert(MultiplyOverflows(Integer<4, true>::Min(),
                                Integer<4, true>::Min()));
static_assert(Boolean(true) > Boolean(false));
static_assert(sizeof(Integer<64, false>) == 8 && sizeof(Integer<2, true>) == 1);

TEST(Boolean, AnyByteOtherThanZeroIsTrue) {
  EXPECT_FALSE(Boolean().value());
  EXPECT_EQ(Boolean::FromBits(0).ToBits(), 0);
  for (int byte : {1, 2, 128, 255}) {
    EXPECT_TRUE(Boolean::FromBits(static_cast<uint8_t>(byte)).value());
    EXPECT_EQ(Boolean::FromBits(static_cast<uint8_t>(byte)).ToBits(), 1);
  }
}

TEST(Visit, ReachesTheScalarTypeOfEveryElementType) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    SCOPED_TRACE(info.name);
    VisitElementType(info.type, [&]<class T>() {
      EXPECT_EQ(T::kKind, info.kind);
      EXPECT_EQ(T::kBitWidth, info.bits);
      EXPECT_EQ(T::kIsBoolean, IsBoolean(info.type));
      EXPECT_EQ(static_cast<int>(sizeof(typename T::Bits)), info.bytes);
      if constexpr (IsFloatType<T> || IsComplexType<T>) {
        EXPECT_EQ(T::kElementType, info.type);
      } else {
        EXPECT_EQ(T::kIsSigned, IsSignedInteger(info.type));
      }
    });
  }
}

TEST(Visit, ReachesEveryTypeOfTheKindsThatAreAskedFor) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsFloat(info.type) && !IsComplex(info.type)) continue;
    EXPECT_EQ(VisitKinds<kFloats | kComplexes>(
                  info.type, []<class T>() { return T::kBitWidth; }),
              info.bits);
  }
}

TEST(VisitDeathTest, RefusesTypesOutsideOfItsPrecondition) {
  const auto none = []<class T>() {};
  EXPECT_DEATH(VisitKinds<kIntegers>(ElementType::kI1, none), "of the kinds");
  EXPECT_DEATH(VisitKinds<kBooleans | kIntegers>(ElementType::kF32, none),
               "of the kinds");
  EXPECT_DEATH(VisitKinds<kFloats>(ElementType::kComplexF32, none),
               "of the kinds");
}

TEST(Bits, StoredBitsLoadBackAndTouchNoNeighbour) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    SCOPED_TRACE(info.name);
    const ElementBits all =
        info.bits == 128 ? ~ElementBits{0} : (ElementBits{1} << info.bits) - 1;
    for (const ElementBits pattern :
         {ElementBits{0}, ElementBits{1}, all / 3, all}) {
      unsigned char buffer[18];
      std::memset(buffer, 0xa5, sizeof(buffer));
      StoreBits(info.type, pattern, buffer + 1);
      EXPECT_EQ(LoadBits(info.type, buffer + 1), pattern);
      EXPECT_EQ(buffer[0], 0xa5);
      EXPECT_EQ(buffer[1 + info.bytes], 0xa5);
    }
  }
}

TEST(Bits, HighBitsOfASubByteElementAreIgnoredAndThoseOfABooleanAreNot) {
  const unsigned char byte = 0xf9;
  EXPECT_EQ(LoadBits(ElementType::kI2, &byte), 0x1u);
  EXPECT_EQ(LoadBits(ElementType::kUi4, &byte), 0x9u);
  EXPECT_EQ(LoadBits(ElementType::kF6E2M3FN, &byte), 0x39u);
  EXPECT_EQ(LoadBits(ElementType::kI1, &byte), 0xf9u);
}

// The parts of a complex number are in memory one after the other, the real one
// first.
TEST(Bits, PartsOfAComplexNumberStandInTheOrderOfMemory) {
  const double parts[] = {1.5, -0.0};
  const ElementBits bits = LoadBits(ElementType::kComplexF64, parts);
  EXPECT_EQ(PartCount(ElementType::kComplexF64), 2);
  EXPECT_EQ(PartType(ElementType::kComplexF64), ElementType::kF64);
  EXPECT_EQ(PartOf(ElementType::kComplexF64, bits, 0), 0x3ff8000000000000u);
  EXPECT_EQ(PartOf(ElementType::kComplexF64, bits, 1), 0x8000000000000000u);
  const float small[] = {-2, 0.5f};
  const ElementBits pair = LoadBits(ElementType::kComplexF32, small);
  EXPECT_EQ(PartType(ElementType::kComplexF32), ElementType::kF32);
  EXPECT_EQ(PartOf(ElementType::kComplexF32, pair, 0), 0xc0000000u);
  EXPECT_EQ(PartOf(ElementType::kComplexF32, pair, 1), 0x3f000000u);
  EXPECT_EQ(PartCount(ElementType::kF64), 1);
  EXPECT_EQ(PartType(ElementType::kF64), ElementType::kF64);
  EXPECT_EQ(PartOf(ElementType::kI8, 0x9c, 0), 0x9cu);
}

TEST(Bits, ValuesRoundTripThroughTheirBits) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsInteger(info.type) && !IsBoolean(info.type)) continue;
    SCOPED_TRACE(info.name);
    const __int128 min = MinValue(info.type), max = MaxValue(info.type);
    for (const __int128 value : {min, min + 1, max / 2, max - 1, max}) {
      const ElementBits bits = BitsOf(info.type, value);
      EXPECT_TRUE(ValueOf(info.type, bits) == value);
      if (info.bits < 64) {
        EXPECT_EQ(bits >> info.bits, 0u);
      }
    }
  }
  EXPECT_EQ(BitsOf(ElementType::kI8, -100), 0x9cu);
  EXPECT_EQ(BitsOf(ElementType::kI2, -2), 0x2u);
}

TEST(BitsDeathTest, BitsOfRefusesAValueOutsideOfTheType) {
  EXPECT_DEATH(BitsOf(ElementType::kI8, 128), "MaxValue");
  EXPECT_DEATH(BitsOf(ElementType::kUi8, -1), "MinValue");
  EXPECT_DEATH(BitsOf(ElementType::kI1, 2), "MaxValue");
}

TEST(Format, ValuesAreDecimalAndBitsHaveExactlyTheDigitsOfTheType) {
  struct Row {
    ElementType type;
    ElementBits bits;
    const char *value, *text;
  };
  const Row rows[] = {
      {ElementType::kI8, 0x9c, "-100", "0x9c"},
      {ElementType::kUi8, 0x9c, "156", "0x9c"},
      {ElementType::kI2, 2, "-2", "0x2"},
      {ElementType::kI4, 0xf, "-1", "0xf"},
      {ElementType::kI16, 5, "5", "0x0005"},
      {ElementType::kI32, 0x80000000, "-2147483648", "0x80000000"},
      {ElementType::kUi64, ~uint64_t{0}, "18446744073709551615",
       "0xffffffffffffffff"},
      {ElementType::kI64, uint64_t{1} << 63, "-9223372036854775808",
       "0x8000000000000000"},
      {ElementType::kI1, 0, "false", "0x0"},
      {ElementType::kI1, 1, "true", "0x1"},
      {ElementType::kI1, 2, "byte 2", "0x2"},
      {ElementType::kF32, 0x3dcccccd, "0.1", "0x3dcccccd"},
      {ElementType::kF32, 0x00000001, "1e-45", "0x00000001"},
      {ElementType::kF64, 0x3fb999999999999a, "0.1", "0x3fb999999999999a"},
      {ElementType::kF64, 0x0000000000000001, "5e-324", "0x0000000000000001"},
      {ElementType::kF32, 0x80000000, "-0", "0x80000000"},
      {ElementType::kF32, 0x7f800000, "inf", "0x7f800000"},
      {ElementType::kF32, 0xff800000, "-inf", "0xff800000"},
      {ElementType::kF32, 0x7fc00000, "nan", "0x7fc00000"},
      {ElementType::kF32, 0xffc00001, "-nan", "0xffc00001"},
      {ElementType::kF16, 0x2e66, "0.1", "0x2e66"},
      {ElementType::kF16, 0x0001, "6e-08", "0x0001"},
      {ElementType::kBF16, 0x7f7f, "3.39e+38", "0x7f7f"},
      {ElementType::kF8E4M3FN, 0x7e, "448", "0x7e"},
      {ElementType::kF8E4M3FN, 0xff, "-nan", "0xff"},
      {ElementType::kF8E4M3FNUZ, 0x80, "nan", "0x80"},
      {ElementType::kF8E8M0FNU, 0x00, "6e-39", "0x00"},
      {ElementType::kF8E8M0FNU, 0xff, "nan", "0xff"},
      {ElementType::kF6E3M2FN, 0x3f, "-28", "0x3f"},
      {ElementType::kF4E2M1FN, 0x1, "0.5", "0x1"},
      {ElementType::kComplexF32, ElementBits{0x8000000000000000} | 0x3fc00000,
       "[1.5, -0]", "0x800000003fc00000"},
      {ElementType::kComplexF64, ElementBits{0x7ff0000000000000} << 64 | 1,
       "[5e-324, inf]", "0x7ff00000000000000000000000000001"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(FormatValue(row.type, row.bits), row.value);
    EXPECT_EQ(FormatBits(row.type, row.bits), row.text);
  }
}

}  // namespace
}  // namespace assay
