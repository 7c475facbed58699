// Tests what `assay explain` prints about an inference, line by line.
#include "spec/pointwise/broadcast_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/op_spec.h"
#include "spec/pointwise/broadcast_test_support.h"

namespace assay {
namespace {

TEST(InferenceText, ShowsEveryDimensionWithItsRule) {
  const Verification verification = Verify(MadeBroadcastCall(
      {"tensor<4xi8>", "tensor<2x1x?xi8>", "tensor<*xi8>", "tensor<3x1xi8>"},
      {"tensor<?x3x4xi8>"}));
  EXPECT_EQ(
      InferenceText(verification.inference),
      R"(  operands[0]  4 as 1x1x4, by BC-20 (1s on the left make the ranks equal)
  operands[1]  2x1x?
  operands[2]  *  ignored, by BC-25 (an operand without a rank is ignored)
  operands[3]  3x1 as 1x3x1, by BC-20 (1s on the left make the ranks equal)
  dimension 0: (1, 2) -> 2  by BC-14 (1 is broadcast)
  dimension 0: (2, 1) -> 2  by BC-14 (1 is broadcast)
  dimension 1: (1, 1) -> 1  by BC-13 (both 1)
  dimension 1: (1, 3) -> 3  by BC-14 (1 is broadcast)
  dimension 2: (4, ?) -> 4  by BC-12 (an open size is 1 or the other)
  dimension 2: (4, 1) -> 4  by BC-14 (1 is broadcast)
  inferred     2x3x4
)");
  EXPECT_EQ(
      VerificationText(verification),
      R"(  dimension 0: inferred 2, in the result ?: ok  by BC-36 (the result may be open where a size is known)
  dimension 1: inferred 3, in the result 3: ok  by BC-37 (known sizes must be equal)
  dimension 2: inferred 4, in the result 4: ok  by BC-37 (known sizes must be equal)
)");
}

TEST(InferenceText, ShowsWhereItFailsAndWhereItEnds) {
  const Verification failed = Verify(
      MadeBroadcastCall({"tensor<3xi8>", "tensor<2xi8>"}, {"tensor<?xi8>"}));
  EXPECT_EQ(InferenceText(failed.inference),
            R"(  operands[0]  3
  operands[1]  2
  dimension 0: (3, 2) -> error  by BC-15 (sizes above 1 are equal)
  error: dimension 0 is 3 in operands[0] and 2 in operands[1]  (BC-15)
)");
  EXPECT_EQ(VerificationText(failed),
            "  ends by BC-30 (inference failed, so verification fails)\n");
  const Verification none =
      Verify(MadeBroadcastCall({"tensor<*xi8>"}, {"tensor<2xi8>"}));
  EXPECT_EQ(InferenceText(none.inference),
            "  operands[0]  *\n  inferred     *, by BC-23 (without a ranked "
            "operand nothing is inferred)\n");
  const Verification rank =
      Verify(MadeBroadcastCall({"tensor<2xi8>"}, {"tensor<1x2xi8>"}));
  EXPECT_EQ(VerificationText(rank),
            "  error: the result tensor<1x2xi8> has rank 2, the inferred shape "
            "2 has rank 1  by BC-33 (the ranks must be equal)\n");
  EXPECT_EQ(VerificationText(
                Verify(MadeBroadcastCall({"tensor<i8>"}, {"tensor<i8>"}))),
            "  rank 0, as inferred\n");
}

// A rule without words would be shown with empty parentheses.
TEST(BroadcastRuleText, IsThereForEveryRuleOfADimension) {
  for (const int64_t dim0 : {int64_t{-1}, int64_t{0}, int64_t{1}, int64_t{5}}) {
    for (const int64_t dim1 :
         {int64_t{-1}, int64_t{0}, int64_t{1}, int64_t{5}, int64_t{6}})
      EXPECT_NE(BroadcastRuleText(InferDim(dim0, dim1).clause), "");
  }
  EXPECT_EQ(BroadcastRuleText("BC-99"), "");
}

}  // namespace
}  // namespace assay
