// Tests reductions by one op, thread after thread on the host: of every number
// of terms around the parts of threads, blocks and columns.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/core/calls_test_support.h"

namespace assay::cuda {
namespace {

using testing::Each;

// The sizes of [outer, terms, inner].
struct Sizes {
  int64_t outer, terms, inner;
};

std::vector<Sizes> SizesAroundParts() {
  std::vector<Sizes> sizes;
  for (const int64_t terms : {1, 2, 15, 16, 17, 63, 64, 65, 255, 257, 511, 512,
                              513, 1024, 4097, 8209})
    for (const Sizes& others :
         {Sizes{1, 0, 1}, {3, 0, 1}, {1, 0, 5}, {2, 0, 3}})
      sizes.push_back({others.outer, terms, others.inner});
  return sizes;
}

// Runs a reduction of the middle dimension by a monoid. Elements are of T, or
// of the type that is given.
template <class T>
std::vector<T> Reduce(const char* monoid, const Sizes& sizes,
                      const std::vector<T>& terms, T init,
                      std::optional<DLDataType> type = std::nullopt) {
  TestOperand<T> operand({sizes.outer, sizes.terms, sizes.inner}, terms),
      initial({}, {init}),
      result({sizes.outer, sizes.inner},
             std::vector<T>(static_cast<size_t>(sizes.outer * sizes.inner)));
  for (TestOperand<T>* of : {&operand, &initial, &result})
    of->tensor.tensor.dtype = type.value_or(of->tensor.tensor.dtype);
  AssayAttribute dimensions = {};
  dimensions.name = "dimensions";
  dimensions.text = "[1]";
  Call call("reduce", {operand.tensor, initial.tensor}, {result.tensor},
            {dimensions});
  AssayFunction function = {};
  function.num_arguments = 2;
  function.monoid = monoid;
  call.abi.functions = &function;
  call.abi.num_regions = 1;
  char message[256] = "";
  EXPECT_EQ(assay_backend()->run(&call.abi, message, sizeof(message)), ASSAY_OK)
      << message;
  return result.data;
}

// Terms are 1, 2, 3 and so on, and wrap.
TEST(PlainReduce, EveryTermCountsOnce) {
  for (const Sizes& sizes : SizesAroundParts()) {
    std::vector<int16_t> terms;
    for (int64_t i = 0; i < sizes.outer * sizes.terms * sizes.inner; ++i)
      terms.push_back(static_cast<int16_t>(i + 1));
    const std::vector<int16_t> sums = Reduce<int16_t>("add", sizes, terms, 7);
    for (int64_t o = 0; o < sizes.outer; ++o) {
      for (int64_t i = 0; i < sizes.inner; ++i) {
        int64_t sum = 7;
        for (int64_t t = 0; t < sizes.terms; ++t)
          sum += (o * sizes.terms + t) * sizes.inner + i + 1;
        ASSERT_EQ(sums[static_cast<size_t>(o * sizes.inner + i)],
                  static_cast<int16_t>(sum))
            << o << " " << sizes.terms << " " << i;
      }
    }
  }
}

// A number among zeros is found wherever it stands.
TEST(PlainReduce, TheGreatestIsFoundAtEveryPlace) {
  for (const int64_t terms : {17, 64, 65, 513, 1025}) {
    for (int64_t place = 0; place < terms; ++place) {
      std::vector<float> numbers(static_cast<size_t>(terms), -2);
      numbers[static_cast<size_t>(place)] = -1;
      ASSERT_THAT(Reduce<float>("maximum", {1, terms, 1}, numbers, -3),
                  Each(-1.0F))
          << place;
      numbers[static_cast<size_t>(place)] = -4;
      ASSERT_THAT(Reduce<float>("minimum", {1, terms, 1}, numbers, 0),
                  Each(-4.0F))
          << place;
    }
  }
}

TEST(PlainReduce, NanAndZerosAreThoseOfIeee754) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const char* monoid : {"maximum", "minimum"}) {
    for (size_t place = 0; place < 70; ++place) {
      std::vector<float> numbers(70, 1);
      numbers[place] = kNan;
      EXPECT_TRUE(
          std::isnan(Reduce<float>(monoid, {1, 70, 1}, numbers, 2).front()));
    }
    const float zero =
        Reduce<float>(monoid, {1, 2, 1}, {-0.0F, 0.0F}, -0.0F).front();
    EXPECT_EQ(std::signbit(zero), std::string(monoid) == "minimum");
  }
}

// Halves of the last unit of 1 are lost one by one, but not together: the sums
// of neighbours come first.
TEST(PlainReduce, SumsAreOfNeighbours) {
  std::vector<float> terms(32, 0x1p-24F);
  terms[0] = 1;
  EXPECT_EQ(Reduce<float>("add", {1, 32, 1}, terms, 0).front(),
            1 + 16 * 0x1p-24F);
}

// A short float to which ones are added as if they were nothing, because it is
// rounded after each of them, beside their sum.
struct ShortFloatSum {
  DLDataType type;
  int16_t one, large, sum, nan;
};

TEST(PlainReduce, ShortFloatsAreRoundedAfterEachOp) {
  for (const ShortFloatSum& of :
       {ShortFloatSum{{kDLBfloat, 16, 1}, 0x3F80, 0x4380, 0x4388, 0x7FC0},
        ShortFloatSum{{kDLFloat, 16, 1}, 0x3C00, 0x6800, 0x6808, 0x7E00}}) {
    for (const int64_t inner : {1, 3}) {
      const Sizes sizes = {2, inner > 1 ? 80 : 32, inner};
      std::vector<int16_t> terms(static_cast<size_t>(2 * sizes.terms * inner),
                                 of.one);
      for (int64_t o = 0; o < 2; ++o) {
        for (int64_t i = 0; i < inner; ++i)
          terms[static_cast<size_t>(o * sizes.terms * inner + i)] = of.large;
      }
      EXPECT_THAT(Reduce<int16_t>("add", sizes, terms, 0, of.type),
                  Each(of.sum));
      EXPECT_THAT(Reduce<int16_t>("maximum", sizes, terms, 0, of.type),
                  Each(of.large));
      EXPECT_THAT(Reduce<int16_t>("minimum", sizes, terms, of.large, of.type),
                  Each(of.one));
      EXPECT_THAT(Reduce<int16_t>("minimum", sizes, terms, of.nan, of.type),
                  Each(of.nan));
    }
  }
}

}  // namespace
}  // namespace assay::cuda
