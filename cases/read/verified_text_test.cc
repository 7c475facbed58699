// Tests of chunks that must be refused: what they are about, and how they are
// judged by our own reader.
#include "cases/read/verified_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/read/mlir_cases.h"
#include "cases/run/runner.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A chunk with an error where OP stands.
std::string Chunk(const std::string& name, const std::string& op) {
  return "func.func @" + name +
         "(%a: tensor<2xi8>, %b: tensor<2xi16>) {\n"
         "  // expected-error@+1 {{anything}}\n" +
         op + "\n  func.return\n}\n";
}

constexpr char kWrongAdd[] =
    "  %0 = \"stablehlo.add\"(%a, %a) : (tensor<2xi8>, tensor<2xi8>) -> "
    "tensor<2xi16>";
constexpr char kRightAdd[] = "  %0 = stablehlo.add %a, %a : tensor<2xi8>";

InvalidTextSubject Subject(const std::string& text) {
  return SubjectOf({text, 10});
}

TEST(InvalidText, ACommentMakesItOne) {
  EXPECT_TRUE(ExpectsError({Chunk("f", kWrongAdd), 1}));
  EXPECT_FALSE(ExpectsError({"func.func @f() { func.return }", 1}));
}

TEST(InvalidText, ItsNameSaysWhatIsViolated) {
  const InvalidTextSubject subject = Subject(Chunk("add_c1_i1", kWrongAdd));
  EXPECT_EQ(subject.function, "add_c1_i1");
  EXPECT_EQ(subject.location, (text::Location{10, 1}));
  EXPECT_EQ(subject.op, "add");
  EXPECT_THAT(subject.labels, ElementsAre("C1", "I1"));
  // The op has no such constraint; a word of letters is no label.
  EXPECT_THAT(Subject(Chunk("add_c77_count", kWrongAdd)).labels, IsEmpty());
}

TEST(InvalidText, TheOpIsThatOfTheNameElseTheOneAtTheError) {
  const std::string two = std::string(kRightAdd) + "\n" +
                          "  // expected-error@+1 {{again}}\n"
                          "  %1 = stablehlo.abs %a : tensor<2xi8>\n";
  EXPECT_EQ(Subject(Chunk("abs_c1", two)).op, "abs");
  EXPECT_EQ(Subject(Chunk("f", two)).op, "add");
  // reduce_window is no reduce, though its name begins so.
  EXPECT_EQ(Subject(Chunk("reduce_window_c1",
                          "\"stablehlo.reduce_window\"(%a) ({\n"
                          "  stablehlo.reduce\n}"))
                .op,
            "reduce_window");
  EXPECT_EQ(Subject(Chunk("f", "!stablehlo.token #stablehlo.dot<>")).op, "");
  EXPECT_EQ(Subject(Chunk("f", "stablehlo.conv = 1")).op, "");
}

TEST(InvalidText, PlacesOfErrorsAreRelative) {
  const auto op_at = [](const std::string& place) {
    return Subject("stablehlo.abs\nstablehlo.cosine // expected-error" + place +
                   " {{x}}\nstablehlo.add\nstablehlo.sine\n")
        .op;
  };
  EXPECT_EQ(op_at(""), "cosine");
  EXPECT_EQ(op_at("@-1"), "abs");
  EXPECT_EQ(op_at("@above"), "abs");
  EXPECT_EQ(op_at(" @+1"), "add");
  EXPECT_EQ(op_at("-re@below"), "add");
  EXPECT_EQ(op_at("@+2"), "sine");
}

class InvalidTextTest : public testing::Test {
 protected:
  Verdict Judge(const std::string& text) {
    cases_ = ReadMlirCases("some/add.mlir", text, {}, &left_out_);
    EXPECT_EQ(cases_.size(), 1u) << CountsOf(left_out_);
    return JudgeConstraints(cases_.at(0), Policy::Find("assay"), "");
  }
  std::string LeftOutOf(const std::string& text) {
    cases_ = ReadMlirCases("some/add.mlir", text, {}, &left_out_);
    EXPECT_THAT(cases_, IsEmpty());
    return left_out_.at(0).subject;
  }

  std::vector<Case> cases_;
  std::vector<LeftOut> left_out_;
};

TEST_F(InvalidTextTest, WhatIsRefusedForItsConstraintPasses) {
  const std::string text = Chunk("add_c1", kWrongAdd);
  const Verdict verdict = Judge("// a comment\n// -----\n" + text);
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_EQ(verdict.case_name, "add/add_c1");
  EXPECT_THAT(verdict.violated, ElementsAre("C1"));
  EXPECT_EQ(cases_[0].verified_text->text, text);
  EXPECT_EQ(cases_[0].where, "some/add.mlir:3:1");
  EXPECT_EQ(cases_[0].TypeText(), "");
  RequireConstraints(cases_[0]);
}

TEST_F(InvalidTextTest, AnotherReasonIsNoPass) {
  const Verdict verdict = Judge(Chunk("add_c1", "  %0 = stablehlo.add oops"));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.message, HasSubstr("some/add.mlir:3:22: "));
  EXPECT_THAT(verdict.message, HasSubstr("violates add/C1"));
  // Without a label, any reason will do.
  EXPECT_EQ(Judge(Chunk("f", "  %0 = stablehlo.add oops")).outcome,
            Outcome::kPass);
}

// C1 of an op is not C1 of another.
TEST_F(InvalidTextTest, AConstraintIsOfItsOp) {
  const std::string other =
      "  %0 = \"stablehlo.abs\"(%b) : (tensor<2xi16>) -> tensor<2xi8>\n";
  const Verdict verdict = Judge(Chunk("add_c1", other + kRightAdd));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.violated, IsEmpty());
}

TEST_F(InvalidTextTest, WhatIsAcceptedFails) {
  const Verdict verdict = Judge(Chunk("add_c1", kRightAdd));
  EXPECT_EQ(verdict.outcome, Outcome::kAcceptedInvalid);
  EXPECT_EQ(verdict.basis, "text");
  EXPECT_THAT(verdict.replay, HasSubstr("--op 'add/add_c1'"));
}

TEST_F(InvalidTextTest, WhatIsNotJudgedIsLeftOut) {
  EXPECT_EQ(LeftOutOf(Chunk("f", "  stablehlo.no_such_op")),
            "stablehlo.no_such_op");
  left_out_.clear();
  EXPECT_EQ(LeftOutOf(Chunk("f", "")), "chunks without an op");
  left_out_.clear();
  EXPECT_EQ(LeftOutOf(Chunk("add_c1",
                            "  %0 = \"stablehlo.add\"(%a, %a) : "
                            "(tensor<2xi8>, tensor<2xi8>) -> "
                            "tensor<2xi8, #stablehlo.bounds<2>>")),
            "types with an encoding");
}

TEST_F(InvalidTextTest, OpsAndTypesThatAreNotJudgedAreVerified) {
  EXPECT_EQ(Judge(Chunk("add_c2",
                        "  %0 = \"stablehlo.add\"(%a, %a) : "
                        "(tensor<2xi8>, tensor<2xi8>) -> "
                        "tensor<2x!quant.uniform<i8:f32, 0.5>>"))
                .outcome,
            Outcome::kPass);
  EXPECT_EQ(Judge(Chunk("cholesky_c3",
                        "  %0 = stablehlo.cholesky %a : tensor<2x3xf32>"))
                .outcome,
            Outcome::kFail)
      << "the operand has another type";
}

// A text that must be accepted, and of which nothing is judged.
TEST_F(InvalidTextTest, WhatIsNotJudgedMustBeAccepted) {
  const auto function = [](const std::string& type) {
    return "func.func @f(%a: tensor<2x2xf32>) -> " + type +
           " {\n  %0 = \"stablehlo.cholesky\"(%a) : (tensor<2x2xf32>) -> " +
           type + "\n  return %0 : " + type + "\n}\n";
  };
  Verdict verdict = Judge(function("tensor<2x2xf32>"));
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_FALSE(cases_[0].MustBeRefused());
  EXPECT_EQ(cases_[0].unjudged, "stablehlo.cholesky");
  verdict = Judge(function("tensor<2x2xf64>"));
  EXPECT_EQ(verdict.outcome, Outcome::kRejectedValid);
  EXPECT_THAT(verdict.violated, ElementsAre("C1"));
  EXPECT_THAT(verdict.message,
              testing::HasSubstr("some/add.mlir:2:8: cholesky violates C1"));
}

TEST(InvalidText, OnlyACommentWithAMessageMakesItOne) {
  EXPECT_FALSE(ExpectsError({"// There is no expected-error here.\n", 1}));
  EXPECT_FALSE(ExpectsError({"\"expected-error {{x}}\"\n", 1}));
  EXPECT_TRUE(ExpectsError({"\n// expected-error-re@+1 {{x}}\n", 1}));
}

TEST(InvalidText, APlaceMayBeAnyNumber) {
  for (const char* offset : {"+2147483647", "-2147483648", "+99999999999999"})
    EXPECT_EQ(SubjectOf({std::string("// expected-error@") + offset +
                             " {{x}}\nfunc.func @add_c1() { stablehlo.add }\n",
                         7})
                  .op,
              "add")
        << offset;
}

}  // namespace
}  // namespace assay
