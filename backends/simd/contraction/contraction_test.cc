// Tests the products of packed panels, for every instruction set.
#include <gtest/gtest.h>

#include "backends/calls/contraction_backend_test.h"

namespace assay::contraction_test {
namespace {

void Configure(const char* key, const char* value) {
  char message[200];
  ASSERT_EQ(assay_backend()->configure(key, value, message, sizeof(message)),
            ASSAY_OK)
      << message;
}

// Returns whether the processor has the target, which is used from now on.
bool HasTarget(const char* target) {
  char message[200];
  return assay_backend()->configure("target", target, message,
                                    sizeof(message)) == ASSAY_OK;
}
constexpr const char* kTargets[] = {"sse4", "avx2", "avx512"};

// Returns so many products of matrices.
DotCall Products(const TypePair& types, int64_t batch, int64_t rows,
                 int64_t terms, int64_t columns) {
  return {TestTensor(types.operand, {batch, rows, terms}),
          TestTensor(types.operand, {batch, terms, columns}),
          TestTensor(types.result, {batch, rows, columns}),
          {0},
          {0},
          {2},
          {1}};
}

void DrawInexact(std::mt19937_64& random, TestTensor* tensor) {
  ForEach(tensor->shape, [&](const Numbers& index) {
    tensor->Set(index, {0, ldexp(static_cast<double>(random()), -60) - 8});
  });
}

// Results of sums that are not exact depend on neither the layout of operands
// nor the number of threads.
TEST(Simd, SumsAreRepeatable) {
  std::mt19937_64 random(7);
  for (DotCall dot : {Products({kF32, kF32}, 1, 301, 300, 303),
                      Products({kF32, kF32}, 71, 40, 41, 42)}) {
    for (TestTensor* tensor : {&dot.lhs, &dot.rhs}) DrawInexact(random, tensor);
    ASSERT_EQ(dot.Call().status, ASSAY_OK);
    for (const char* threads : {"1", "2", "3"}) {
      Configure("threads", threads);
      DotCall other = dot;
      for (TestTensor* tensor : {&other.lhs, &other.rhs, &other.result}) {
        TestTensor from = *tensor;
        tensor->DrawLayout(random);
        ForEach(tensor->shape, [&](const Numbers& index) {
          memcpy(tensor->At(index), from.At(index), tensor->type.bytes());
        });
      }
      ASSERT_EQ(other.Call().status, ASSAY_OK);
      ForEach(dot.result.shape, [&](const Numbers& index) {
        ASSERT_EQ(memcmp(other.result.At(index), dot.result.At(index), 4), 0)
            << threads << TextOf(index);
      });
    }
  }
}

// Draws values and layouts, of which half lie in order. Returns whether what
// the call gives is right.
bool IsRight(const char* target, DotCall& dot, std::mt19937_64& random) {
  for (TestTensor* tensor : {&dot.lhs, &dot.rhs, &dot.result}) {
    if (random() % 2 == 0) tensor->DrawLayout(random);
  }
  dot.lhs.DrawValues(random);
  dot.rhs.DrawValues(random);
  SCOPED_TRACE(std::string(target) + " " + dot.lhs.text + " " + dot.rhs.text);
  ExpectRight(dot, dot.Call());
  return !testing::Test::HasFailure();
}

// Rows and columns end within, at and after those that are computed together.
TEST(Simd, SmallProductsOfManySizes) {
  std::mt19937_64 random(9);
  for (const char* target : kTargets) {
    if (!HasTarget(target)) continue;
    for (const auto& [operand, result] : {TypePair{kF32, kF32},
                                          {kF64, kF64},
                                          {kI32, kI32},
                                          {kUi64, kUi64},
                                          {kBf16, kBf16},
                                          {kI8, kI32},
                                          {kI4, kI8},
                                          {kI16, kI16},
                                          {kI1, kI1},
                                          {kF32, kF64}}) {
      for (const int64_t rows : {1, 3, 4, 7, 8, 9, 17}) {
        for (const int64_t columns : {1, 2, 3, 5, 8, 15, 16, 17, 33, 50}) {
          DotCall dot = Products({operand, result}, 2, rows,
                                 static_cast<int64_t>(random() % 7), columns);
          if (!IsRight(target, dot, random)) return;
        }
      }
    }
  }
}

// The sums of small products are those of the same matrices in a product that
// is not small, bit by bit.
TEST(Simd, SmallSumsAreThoseOfLargeOnes) {
  std::mt19937_64 random(10);
  for (const char* target : kTargets) {
    if (!HasTarget(target)) continue;
    for (const TypePair& types :
         {TypePair{kF32, kF32}, {kBf16, kBf16}, {kF64, kF64}}) {
      DotCall small = Products(types, 3, 9, 300, 13);
      for (TestTensor* tensor : {&small.lhs, &small.rhs})
        DrawInexact(random, tensor);
      ASSERT_EQ(small.Call().status, ASSAY_OK);
      for (int64_t b = 0; b < 3; ++b) {
        DotCall large = MatrixProduct(types.operand, types.result, 9, 300, 13);
        const auto copy = [&](TestTensor& from, TestTensor* to) {
          ForEach(to->shape, [&](const Numbers& at) {
            memcpy(to->At(at), from.At({b, at[0], at[1]}), to->type.bytes());
          });
        };
        copy(small.lhs, &large.lhs);
        copy(small.rhs, &large.rhs);
        ASSERT_EQ(large.Call().status, ASSAY_OK);
        ForEach(large.result.shape, [&](const Numbers& at) {
          ASSERT_EQ(
              memcmp(large.result.At(at), small.result.At({b, at[0], at[1]}),
                     types.result.bytes()),
              0)
              << target << " " << types.result.name << TextOf(at);
        });
      }
    }
  }
}

TEST(Simd, SpecialValuesOfSmallProducts) {
  const double values[] = {0,         -0.0, 1,        INFINITY,
                           -INFINITY, NAN,  0x1p-149, 0x1p63};
  for (const char* target : kTargets) {
    if (!HasTarget(target)) continue;
    for (const ElementType& type : {kF32, kBf16, kF64}) {
      // A product for each pair of values, and a second term that is one value.
      DotCall dot = Products({type, type}, 8, 8, 2, 17);
      ForEach(dot.lhs.shape, [&](const Numbers& at) {
        dot.lhs.Set(at, {0, at[2] == 0 ? values[at[1]] : 1.0});
      });
      ForEach(dot.rhs.shape, [&](const Numbers& at) {
        dot.rhs.Set(at, {0, at[1] == 0 ? values[at[0]] : values[at[2] % 8]});
      });
      SCOPED_TRACE(std::string(target) + " " + type.name);
      ExpectRight(dot, dot.Call());
    }
  }
}

// Terms end within, at and after those of a lane, of a block and of two, rows
// and columns within and after those of a panel.
TEST(Simd, IntegersOf8BitsOrLess) {
  std::mt19937_64 random(11);
  for (const char* target : kTargets) {
    if (!HasTarget(target)) continue;
    for (const TypePair& types : {TypePair{kI8, kI32},
                                  {kUi8, kUi32},
                                  {kUi8, kI16},
                                  {kI8, kI8},
                                  {kI4, kI32},
                                  {kUi2, kI32}}) {
      for (const auto& [rows, terms, columns] :
           {std::array<int64_t, 3>{5, 1, 31},
            {6, 2, 32},
            {7, 3, 33},
            {1, 4, 64},
            {13, 5, 1},
            {20, 9, 64},
            {2, 1023, 3},
            {6, 1024, 32},
            {3, 1025, 2},
            {2, 2051, 35}}) {
        DotCall dot =
            MatrixProduct(types.operand, types.result, rows, terms, columns);
        if (!IsRight(target, dot, random)) return;
      }
    }
  }
}

// No sum of extreme numbers saturates, neither of two or four products nor of
// all, which wrap.
TEST(Simd, SumsOfExtremesWrap) {
  struct Extreme {
    TypePair types;
    uint64_t lhs, rhs;
    int64_t terms;
  };
  constexpr auto kLowest = static_cast<uint64_t>(-128);
  for (const char* target : kTargets) {
    if (!HasTarget(target)) continue;
    for (const auto& [types, lhs, rhs, terms] :
         {Extreme{{kI8, kI32}, kLowest, kLowest, 6},
          {{kI8, kI32}, kLowest, 127, 7},
          {{kI8, kI32}, 127, kLowest, 8},
          {{kI8, kI32}, 127, 127, 9},
          {{kI8, kI32}, kLowest, kLowest, 131073},
          {{kI8, kI32}, kLowest, 127, 140001},
          {{kI8, kI32}, 127, 127, 140001},
          {{kI8, kI32}, 127, kLowest, 140001},
          {{kI8, kI32}, kLowest, kLowest, 262145},
          {{kUi8, kUi32}, 255, 255, 5},
          {{kUi8, kUi32}, 255, 0, 5},
          {{kUi8, kUi32}, 255, 255, 66054},
          {{kUi8, kI32}, 255, 255, 33027},
          {{kUi8, kI16}, 255, 255, 7},
          {{kI8, kI8}, kLowest, 127, 11}}) {
      for (const int64_t batch : {1, 2}) {
        DotCall dot = Products(types, batch, 2, terms, 2);
        ForEach(dot.lhs.shape, [&](const Numbers& at) {
          dot.lhs.Set(at, {lhs, 0});
        });
        ForEach(dot.rhs.shape, [&](const Numbers& at) {
          dot.rhs.Set(at, {at[2] == 0 ? rhs : lhs, 0});
        });
        SCOPED_TRACE(std::string(target) + " " + dot.lhs.text);
        ExpectRight(dot, dot.Call());
      }
    }
  }
}

// The tests above run with the best target of the processor; this one repeats
// a few sums with every other one.
TEST(Simd, EveryTarget) {
  for (const char* target : kTargets) {
    if (!HasTarget(target)) continue;
    std::mt19937_64 random(8);
    for (const TypePair& types : {TypePair{kF32, kF32},
                                  {kI8, kI32},
                                  {kC64, kC64},
                                  {kI64, kI64},
                                  {kF64, kF64},
                                  {kI32, kI32},
                                  {kBf16, kBf16}}) {
      // Sums of columns that fill panels are written to the result at once.
      for (DotCall dot :
           {Products(types, 1, 19, 71, 67), Products(types, 1, 20, 9, 64),
            Products(types, 3, 65, 5, 64)}) {
        dot.lhs.DrawValues(random);
        dot.rhs.DrawValues(random);
        SCOPED_TRACE(std::string(target) + " " + dot.lhs.text);
        ExpectRight(dot, dot.Call());
        dot.result.DrawLayout(random);
        ExpectRight(dot, dot.Call());
      }
    }
  }
}

}  // namespace
}  // namespace assay::contraction_test
