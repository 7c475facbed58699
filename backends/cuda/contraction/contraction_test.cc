// Tests the kernels of sums, thread after thread on the host.
#include "backends/calls/contraction_backend_test.h"

namespace assay::contraction_test {
namespace {

// The tests above are of matrices; these are sums in the order of the terms.
TEST(CudaHost, ProductsInOrder) {
  char message[200];
  ASSERT_EQ(assay_backend()->configure("products", "ordered", message,
                                       sizeof(message)),
            ASSAY_OK);
  std::mt19937_64 random(9);
  for (const TypePair& types : {TypePair{kF32, kF32},
                                {kF64, kF64},
                                {kI8, kI32},
                                {kBf16, kBf16},
                                {kC64, kC64}}) {
    DotCall dot = MatrixProduct(types.operand, types.result, 5, 40, 7);
    dot.lhs.DrawValues(random);
    dot.rhs.DrawValues(random);
    ExpectRight(dot, dot.Call());
  }
  ASSERT_EQ(assay_backend()->configure("products", "packed", message,
                                       sizeof(message)),
            ASSAY_OK);
}

}  // namespace
}  // namespace assay::contraction_test
