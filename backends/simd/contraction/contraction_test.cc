// Tests the products of packed panels, for every instruction set.
#include <gtest/gtest.h>

#include "backends/calls/contraction_backend_test.h"

namespace assay::contraction_test {
namespace {

// Results of sums that are not exact depend on neither the layout of operands
// nor the number of threads.
TEST(Simd, SumsAreRepeatable) {
  std::mt19937_64 random(7);
  DotCall dot = MatrixProduct(kF32, kF32, 301, 300, 303);
  for (TestTensor* tensor : {&dot.lhs, &dot.rhs}) {
    ForEach(tensor->shape, [&](const Numbers& index) {
      tensor->Set(index, {0, ldexp(static_cast<double>(random()), -60) - 8});
    });
  }
  ASSERT_EQ(dot.Call().status, ASSAY_OK);
  for (const char* threads : {"1", "2", "3"}) {
    char message[200];
    ASSERT_EQ(assay_backend()->configure("threads", threads, message,
                                         sizeof(message)),
              ASSAY_OK);
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

// The tests above run with the best target of the processor; this one repeats
// a few sums with every other one.
TEST(Simd, EveryTarget) {
  for (const char* target : {"sse4", "avx2", "avx512"}) {
    char message[200];
    if (assay_backend()->configure("target", target, message,
                                   sizeof(message)) != ASSAY_OK)
      continue;
    std::mt19937_64 random(8);
    for (const TypePair& types : {TypePair{kF32, kF32},
                                  {kI8, kI32},
                                  {kC64, kC64},
                                  {kI64, kI64},
                                  {kF64, kF64},
                                  {kI32, kI32},
                                  {kBf16, kBf16}}) {
      DotCall dot = MatrixProduct(types.operand, types.result, 19, 71, 67);
      dot.lhs.DrawValues(random);
      dot.rhs.DrawValues(random);
      SCOPED_TRACE(std::string(target) + " " + types.operand.name);
      ExpectRight(dot, dot.Call());
    }
  }
}

}  // namespace
}  // namespace assay::contraction_test
