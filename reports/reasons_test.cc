// Tests that one reason is one row, whatever shapes it was given for.
#include "reports/reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Reasons, ShapesAreFolded) {
  const std::map<std::string, std::string> expected = {
      {"unsupported: add of tensor<2x3xf32>",
       "unsupported: add of tensor<..xf32>"},
      {"tensor<?x5xcomplex<f64>>", "tensor<..xcomplex<f64>>"},
      {"tensor<f8E4M3FN>", "tensor<f8E4M3FN>"},
      {"tensor<0x3xi8>", "tensor<..xi8>"},
      {"shape (2, 3) and strides [-1, 0]", "shape (..) and strides [..]"},
      {"of shape 2x3x4 here", "of shape ..x.. here"},
      {"rank 3 of i8, f32 and 16", "rank 3 of i8, f32 and 16"},
      {"(rank 3) [a, 2] 1.5", "(rank 3) [a, 2] 1.5"},
      {"[", "["},
      {"[]", "[]"},
      {"5x", "5x"},
      {"", ""}};
  for (const auto& [reason, folded] : expected)
    EXPECT_EQ(FoldedReason(reason, 1), folded);
}

TEST(Reasons, OtherNumbersAreFoldedWhereTheyAreAskedFor) {
  EXPECT_EQ(FoldedReason("rank 3 of i8, f32 and 16", 2),
            "rank N of i8, f32 and N");
  EXPECT_EQ(FoldedReason("0x1f 1.5 7", 2), "0x1f 1.5 N");
}

TEST(Reasons, NamesOfOpsAndTypesAreFoldedLast) {
  EXPECT_EQ(FoldedReason("power: not implemented: tensor<2x3xbf16>, f32", 3),
            "..: not implemented: tensor<..xbf16>, ..");
  EXPECT_EQ(FoldedReason("paddle.bitwise_left_shift of ui8. Adding 2", 3),
            ".. of ... Adding N");
}

TEST(Reasons, AreFoldedUntilTheyAreFew) {
  EXPECT_THAT(FoldedReasons({{"no tensor<2xi8>", 3},
                             {"no tensor<4xi8>", 4},
                             {"rank 3", 9},
                             {"rank 4", 1}},
                            kMaxReasons),
              ElementsAre(Pair(9, "rank 3"), Pair(7, "no tensor<..xi8>"),
                          Pair(1, "rank 4")));
  std::map<std::string, int64_t> many;
  for (int i = 0; i < 30; ++i) many["rank " + std::to_string(i)] = 2;
  EXPECT_THAT(FoldedReasons(many, kMaxReasons),
              ElementsAre(Pair(60, "rank N")));
}

}  // namespace
}  // namespace assay
