// Tests bitcast_convert between all types whose sizes divide each other,
// against a list of bits.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "backends/simd/elementwise/conversion_test_support.h"

namespace assay::simd_test {
namespace {

// Returns all bits of the elements, lowest first, one element after another.
std::vector<bool> BitsOf(const ElementType& type, const Operand& operand,
                         size_t count) {
  std::vector<bool> bits;
  for (size_t i = 0; i < count; ++i) {
    for (int bit = 0; bit < type.bits; ++bit) {
      bits.push_back((operand.At(i)[bit / 8] >> (bit % 8)) & 1);
    }
  }
  return bits;
}

class BitcastConvertTest : public testing::TestWithParam<ElementType> {};

INSTANTIATE_TEST_SUITE_P(Types, BitcastConvertTest,
                         testing::ValuesIn(AllElements()), NameOfParam);

TEST_P(BitcastConvertTest, ToEveryType) {
  const ElementType& from = GetParam();
  std::mt19937_64 random(2);
  int pairs = 0;
  for (const ElementType& to : AllElements()) {
    if (from.bits % to.bits != 0 && to.bits % from.bits != 0) continue;
    ++pairs;
    const auto ratio = static_cast<size_t>(std::max(from.bits, to.bits) /
                                           std::min(from.bits, to.bits));
    for (const size_t groups : {0, 1, 2, 7, 101}) {
      const size_t from_count = from.bits < to.bits ? groups * ratio : groups;
      const size_t to_count = to.bits < from.bits ? groups * ratio : groups;
      const bool is_last = groups % 2 == 1;
      Operand input(from, from_count, {is_last, 0},
                    from.bits < to.bits ? ratio : 0);
      Operand output(to, to_count, {is_last, 0},
                     to.bits < from.bits ? ratio : 0);
      const uint64_t mask = ~uint64_t{0} >> (64 - PartOf(from).bits);
      for (size_t i = 0; i < from_count; ++i) {
        input.Set(i, {random() & mask, random() & mask});
      }
      std::string message;
      ASSERT_EQ(Call("sse4", {"bitcast_convert"}, input, output, &message),
                ASSAY_OK)
          << from.name << " to " << to.name << ": " << message;
      ASSERT_EQ(BitsOf(to, output, to_count), BitsOf(from, input, from_count))
          << from.name << " to " << to.name;
      ASSERT_TRUE(output.CanariesLive()) << from.name << " to " << to.name;
      for (size_t i = 0; to.bits < 8 && i < to_count; ++i) {
        ASSERT_EQ(*output.At(i) >> to.bits, 0) << to.name;
      }
    }
  }
  EXPECT_GE(pairs, 5);
}

TEST(BitcastConvertShapeTest, SizesMustAgree) {
  const Operand input(ElementOf("i8"), 3, {});
  const Operand output(ElementOf("i16"), 2, {}, 1);
  std::string message;
  EXPECT_EQ(Call("sse4", {"bitcast_convert"}, input, output, &message),
            ASSAY_UNSUPPORTED);
  const Operand f6(ElementOf("f6E2M3FN"), 4, {});
  const Operand bytes(ElementOf("i8"), 3, {});
  EXPECT_EQ(Call("sse4", {"bitcast_convert"}, f6, bytes, &message),
            ASSAY_UNSUPPORTED);
}

}  // namespace
}  // namespace assay::simd_test
