// Tests complex numbers: the order of their parts, and arithmetic part by part.
#include "spec/types/complex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "spec/types/element.h"

namespace assay {
namespace {

template <class C>
class ComplexTest : public ::testing::Test {
 protected:
  using E = typename C::Part;
  using Native = typename E::Native;
  static E Part(Native value) {
    return E::FromBits(std::bit_cast<typename E::Bits>(value));
  }
  static C Number(Native re, Native im) { return C(Part(re), Part(im)); }
};
using ComplexTypes = ::testing::Types<ComplexF32, ComplexF64>;
TYPED_TEST_SUITE(ComplexTest, ComplexTypes);

TYPED_TEST(ComplexTest, BitsAreThoseOfAPairInMemory) {
  using Native = typename TestFixture::Native;
  const std::complex<Native> pair(Native{-1.5}, Native{2.25});
  typename TypeParam::Bits bits;
  static_assert(sizeof(bits) == sizeof(pair));
  std::memcpy(&bits, &pair, sizeof(pair));
  const TypeParam number = TypeParam::FromBits(bits);
  EXPECT_EQ(number.real().ToNative(), Native{-1.5});
  EXPECT_EQ(number.imag().ToNative(), Native{2.25});
  EXPECT_TRUE(number.ToBits() == bits);
  EXPECT_TRUE(this->Number(Native{-1.5}, Native{2.25}).ToBits() == bits);
  EXPECT_EQ(Info(TypeParam::kElementType).bits, TypeParam::kBitWidth);
}

TYPED_TEST(ComplexTest, SumsAndDifferencesAreThoseOfTheParts) {
  using Native = typename TestFixture::Native;
  const auto number = [](Native re, Native im) {
    return TestFixture::Number(re, im);
  };
  const Native inf = HUGE_VAL, zero = 0;
  const auto same = [](TypeParam a, TypeParam b) {
    return a.ToBits() == b.ToBits();
  };
  EXPECT_TRUE(same(number(1, 2) + number(4, -8), number(5, -6)));
  EXPECT_TRUE(same(number(1, 2) - number(4, -8), number(-3, 10)));
  EXPECT_TRUE(same(-number(1, -zero), number(-1, zero)));
  EXPECT_TRUE(
      same(number(-zero, zero) + number(-zero, -zero), number(-zero, zero)));
  // A NaN in one part does not affect the other part.
  const TypeParam mixed = number(inf, 1) - number(inf, 3);
  EXPECT_TRUE(mixed.real().IsNan());
  EXPECT_EQ(mixed.imag().ToNative(), Native{-2});
  EXPECT_TRUE(mixed.IsNan());
  EXPECT_TRUE(number(1, NAN).IsNan());
  EXPECT_FALSE(number(inf, -inf).IsNan());
}

TYPED_TEST(ComplexTest, NegationKeepsThePayloadOfANan) {
  using E = typename TypeParam::Part;
  const E nan = E::FromBits(
      static_cast<typename E::Bits>(E::kFormat.infinity_code() | 5));
  const TypeParam negated = -TypeParam(nan, E::Zero(false));
  EXPECT_EQ(negated.real().magnitude(), nan.magnitude());
  EXPECT_TRUE(negated.real().SignBit());
  EXPECT_TRUE(negated.imag().SignBit());
}

}  // namespace
}  // namespace assay
