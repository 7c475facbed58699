// Tests complex functions whose text has steps that are exact, or coarse: a
// number on an axis has an exact modulus and sign, and a subnormal modulus has
// few digits.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;

bool Accepted(const std::string& op, ElementType type, const std::string& z,
              const std::string& result) {
  const ElementType result_type = op == "abs" ? PartType(type) : type;
  const FloatCall call =
      MakeFloatCall(op, {RowOfTexts(type, {z})}, TensorType{{1}, result_type});
  const Evaluation evaluation =
      Evaluate(call.op, call.inputs, Policy::Find("assay"), Marks::kNone);
  const Tensor actual = RowOfTexts(result_type, {result});
  const bool accepted = Accepts(evaluation.outputs[0], actual, 0);
  // An exact result does not depend on a budget.
  if (z.ends_with(" 0") || z.starts_with("0 ")) {
    EXPECT_NE(BasisOf(call.op, call.inputs, Policy::Find("assay"),
                      evaluation.outputs[0], 0, &actual)
                  .text,
              "budget")
        << op << " " << z;
  }
  return accepted;
}

TEST(ComplexExact, OnAnAxisSignIsOneAndNothingElse) {
  for (const ElementType type : {kComplexF32, kComplexF64}) {
    for (const char* x :
         {"0x1p-149", "0x1.8p-140", "0x1p-126", "0x1.234p0", "0x1.8p127"}) {
      SCOPED_TRACE(x);
      const std::string real(x);
      const auto accepts = [&](const std::string& z, const char* result) {
        return Accepted("sign", type, z, result);
      };
      EXPECT_TRUE(accepts(real + " 0", "1 0"));
      EXPECT_TRUE(accepts(real + " 0", "1 -0"));
      EXPECT_FALSE(accepts(real + " 0", "-1 0"));
      EXPECT_FALSE(accepts(real + " 0", "0x1.000002p0 0"));
      EXPECT_FALSE(accepts(real + " 0", "1 0x1p-149"));
      EXPECT_TRUE(accepts("-" + real + " 0", "-1 0"));
      EXPECT_FALSE(accepts("-" + real + " 0", "1 0"));
      EXPECT_TRUE(accepts("0 " + real, "0 1"));
      EXPECT_TRUE(accepts("0 -" + real, "0 -1"));
      EXPECT_FALSE(accepts("0 -" + real, "0 1"));
      EXPECT_TRUE(Accepted("abs", type, "-" + real + " 0", real));
      EXPECT_TRUE(Accepted("abs", type, "0 -" + real, real));
    }
    EXPECT_FALSE(Accepted("abs", type, "1 0", "0x1.000002p0"));
    EXPECT_FALSE(Accepted("abs", type, "0x1p-149 0", "0"));
    EXPECT_TRUE(Accepted("abs", type, "3 4", "5"));
  }
}

TEST(ComplexExact, ACoarseModulusLeavesItsOwnErrorAndNoMore) {
  const auto accepts = [](const char* z, const char* result) {
    return Accepted("sign", kComplexF32, z, result);
  };
  // A modulus of 1.41 least values may be 1, 2 or 3 of them.
  const char* least = "0x1p-149 0x1p-149";
  for (const char* right : {"1 1", "0.5 0.5", "0.34 0.34",
                            "0x1.6a09e6p-1 "
                            "0x1.6a09e6p-1"})
    EXPECT_TRUE(accepts(least, right)) << right;
  for (const char* wrong : {"-1 1", "0.2 0.2", "0 0", "1.5 1.5"})
    EXPECT_FALSE(accepts(least, wrong)) << wrong;
  // With 3, 4 and 5 least values the modulus is exact, so only units are
  // allowed.
  const char* whole = "0x1.8p-148 0x1p-147";
  EXPECT_TRUE(accepts(whole, "0.6 0.8"));
  EXPECT_FALSE(accepts(whole, "0.5999 0.8"));
  // A modulus of a million least values has an error of a millionth.
  const char* many = "0x1p-129 0x1p-129";
  EXPECT_TRUE(accepts(many, "0x1.6a09e6p-1 0x1.6a09e6p-1"));
  EXPECT_FALSE(accepts(many, "0x1.6a0ae6p-1 0x1.6a09e6p-1"));
}

}  // namespace
}  // namespace assay
