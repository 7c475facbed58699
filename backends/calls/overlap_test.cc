// Tests which tensors share bytes with others, and with themselves.
#include "backends/calls/overlap.h"

#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <vector>

namespace assay::calls {
namespace {

TEST(OverlapTest, AgreesWithTheListOfBytes) {
  unsigned seed = 1;
  const auto next = [&seed](int64_t below) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<int64_t>((seed >> 8) % static_cast<unsigned>(below));
  };
  int overlapping = 0;
  unsigned char base[4096];
  for (int i = 0; i < 3000; ++i) {
    std::vector<int> count(sizeof(base));
    int64_t shape[2][3];
    int64_t strides[2][3];
    DLTensor tensors[2] = {};
    const size_t bytes[] = {size_t{1} << next(3), size_t{1} << next(3)};
    bool itself[2] = {};
    bool both = false;
    for (int t = 0; t < 2; ++t) {
      const auto size = static_cast<int64_t>(bytes[t]);
      for (int d = 0; d < 3; ++d) {
        shape[t][d] = 1 + next(4);
        strides[t][d] = next(19) - 9;
      }
      const int64_t first = 1024 / size + next(20);
      tensors[t] = {base,
                    {kDLCPU, 0},
                    3,
                    {},
                    shape[t],
                    strides[t],
                    static_cast<uint64_t>(first * size)};
      std::vector<int> own(sizeof(base));
      for (int64_t e = 0; e < shape[t][0] * shape[t][1] * shape[t][2]; ++e) {
        int64_t at = first;
        int64_t rest = e;
        for (int d = 0; d < 3; ++d) {
          at += rest % shape[t][d] * strides[t][d];
          rest /= shape[t][d];
        }
        for (int64_t j = 0; j < size; ++j) {
          const auto byte = static_cast<size_t>(at * size + j);
          itself[t] |= ++own[byte] > 1;
          both |= t == 1 && count[byte] > 0;
          if (t == 0) count[byte] = 1;
        }
      }
      ASSERT_EQ(OverlapsItself(tensors[t], bytes[t]), itself[t]) << i;
    }
    ASSERT_EQ(Overlap(tensors[0], bytes[0], tensors[1], bytes[1]), both) << i;
    overlapping += both;
  }
  EXPECT_GT(overlapping, 300);
  EXPECT_LT(overlapping, 2700);
}

}  // namespace
}  // namespace assay::calls
