// Tests of cases from StableHLO text: what becomes an input, a literal or an
// op, what is left out and why, and what is an error.
#include "cases/read/mlir_cases.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/run/check_literals.h"
#include "cases/run/runner.h"
#include "spec/error.h"
#include "spec/text/syntax.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class MlirCasesTest : public testing::Test {
 protected:
  std::vector<Case> Read(const std::string& text) {
    left_out_.clear();
    return ReadMlirCases("some/add.mlir", text, options_, &left_out_);
  }
  // The case of a function @f with that body.
  Case ReadBody(const std::string& body) {
    std::vector<Case> cases =
        Read("func.func @f() {\n" + body + "\nfunc.return\n}");
    EXPECT_EQ(cases.size(), 1u) << CountsOf(left_out_);
    return std::move(cases.at(0));
  }
  // Why the only function is left out.
  LeftOut LeftOutOf(const std::string& text) {
    const std::vector<Case> cases = Read(text);
    // What is left out may be verified instead.
    for (const Case& c : cases) {
      if (c.verified_text && !c.MustBeRefused())
        return {c.name, c.where, c.unjudged, ""};
    }
    EXPECT_THAT(cases, IsEmpty());
    EXPECT_EQ(left_out_.size(), 1u);
    return left_out_.at(0);
  }
  LeftOut LeftOutBody(const std::string& body) {
    return LeftOutOf("func.func @f() {\n" + body + "\nfunc.return\n}");
  }
  void ExpectError(const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { Read(text); },
                ThrowsMessage<InputError>(HasSubstr(message)))
        << text;
  }

  ReadOptions options_;
  std::vector<LeftOut> left_out_;
};

// Judges the literals of a case under policy `assay`.
Verdict Checked(const Case& c) {
  Values values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  Verdict verdict = VerdictOf(c, "oracle");
  CheckLiterals(c, values, Policy::Find("assay"), &verdict);
  return verdict;
}

const char kSum[] = R"(
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %b = stablehlo.constant dense<[3, -4]> : tensor<2xi8>
  %sum = stablehlo.add %a, %b : tensor<2xi8>
  check.expect_eq_const %sum, dense<[4, -2]> : tensor<2xi8>)";

TEST_F(MlirCasesTest, AFunctionThatChecksIsACase) {
  const Case c = ReadBody(kSum);
  EXPECT_EQ(c.name, "add/f");
  EXPECT_EQ(c.op, "add");
  EXPECT_EQ(c.file, "some/add.mlir");
  EXPECT_EQ(c.where, "some/add.mlir:1:1");
  EXPECT_EQ(c.TypeText(), "tensor<2xi8>");
  ASSERT_EQ(c.inputs.size(), 2u);
  EXPECT_EQ(c.inputs[1].data.Materialise().Bits(1), 0xfcu);
  EXPECT_EQ(c.program.main().body.size(), 1u);
  EXPECT_EQ(c.expect.at("sum").Bits(0), 4u);
  EXPECT_THAT(c.nearness, IsEmpty()) << "integers are compared bit by bit";
  EXPECT_EQ(Checked(c).outcome, Outcome::kPass);
  EXPECT_THAT(left_out_, IsEmpty());
}

TEST_F(MlirCasesTest, AWrongLiteralIsOneOfTheOracle) {
  Case c = ReadBody(kSum);
  c.expect.at("sum").SetBits(1, 0);
  const Verdict verdict = Checked(c);
  EXPECT_EQ(verdict.outcome, Outcome::kOracleSuspect);
  EXPECT_THAT(verdict.message, HasSubstr("the checks of @f"));
}

TEST_F(MlirCasesTest, ALiteralMayRestOnWhatTheTextLeavesOpen) {
  const std::string shift = R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %n = stablehlo.constant dense<COUNT> : tensor<i8>
    %r = stablehlo.shift_left %a, %n : tensor<i8>
    check.expect_eq_const %r, dense<2> : tensor<i8>)";
  const auto by = [&](const std::string& count) {
    std::string text = shift;
    return Checked(ReadBody(text.replace(text.find("COUNT"), 5, count)));
  };
  // A count outside of the width is implementation-defined; `assay` saturates.
  EXPECT_EQ(by("9").outcome, Outcome::kPass);
  EXPECT_EQ(by("9").unchecked_literals, 1);
  EXPECT_EQ(by("1").unchecked_literals, 0);
  EXPECT_EQ(by("2").outcome, Outcome::kOracleSuspect);
}

TEST_F(MlirCasesTest, EveryWayToCheckSaysHowNearAResultIs) {
  const std::string ops = R"(
    %a = stablehlo.constant dense<1.0> : tensor<1xf32>
    %e = stablehlo.constant dense<2.0> : tensor<1xf32>
    %r = stablehlo.add %a, %a : tensor<1xf32>
)";
  const struct {
    std::string check;
    double absolute;
    int64_t ulps;
  } kWays[] = {
      {"check.expect_eq %r, %e : tensor<1xf32>", 0, 0},
      {"check.expect_eq_const %r, dense<2.0> : tensor<1xf32>", 0, 0},
      {"check.expect_almost_eq %r, %e : tensor<1xf32>", 1e-4, 0},
      {"check.expect_almost_eq %r, %e, tolerance = 0.5 : tensor<1xf32>", 0.5,
       0},
      {"check.expect_almost_eq_const %r, dense<2.0> : tensor<1xf32>", 1e-4, 0},
      {"check.expect_close %r, %e, max_ulp_difference = 5 : tensor<1xf32>, "
       "tensor<1xf32>",
       0, 5},
      {R"("check.expect_close"(%r, %e) : (tensor<1xf32>, tensor<1xf32>) -> ())",
       0, 3},
      {"stablehlo.custom_call @check.expect_close(%r, %e) {has_side_effect = "
       "true} : (tensor<1xf32>, tensor<1xf32>) -> ()",
       0, 3},
      {"stablehlo.custom_call @check.expect_almost_eq(%r, %e) : "
       "(tensor<1xf32>, tensor<1xf32>) -> ()",
       1e-3, 0},
  };
  for (const auto& way : kWays) {
    const Case c = ReadBody(ops + way.check);
    ASSERT_TRUE(c.nearness.contains("r")) << way.check;
    EXPECT_EQ(c.nearness.at("r").absolute, way.absolute) << way.check;
    EXPECT_EQ(c.nearness.at("r").ulps, way.ulps) << way.check;
    EXPECT_EQ(c.inputs.size(), 1u) << "what is expected is no input";
    EXPECT_EQ(c.expect.at("r").Bits(0), 0x40000000u);
  }
}

TEST_F(MlirCasesTest, CallsAreReplacedByWhatTheyCall) {
  const std::vector<Case> cases = Read(R"(module @jit {
  func.func public @main() -> (tensor<i8> {jax.result_info = ""}) {
    %0 = call @inputs() : () -> tensor<i8>
    %1 = call @expected() : () -> tensor<i8>
    %2 = call @twice(%0) : (tensor<i8>) -> tensor<i8>
    %3 = call @twice(%2) : (tensor<i8>) -> tensor<i8>
    stablehlo.custom_call @check.expect_eq(%3, %1) : (tensor<i8>, tensor<i8>) -> ()
    return %3 : tensor<i8>
  }
  func.func private @twice(%0: tensor<i8>) -> tensor<i8> {
    %1 = stablehlo.add %0, %0 : tensor<i8>
    return %1 : tensor<i8>
  }
  func.func private @inputs() -> tensor<i8> {
    %c = stablehlo.constant dense<3> : tensor<i8>
    return %c : tensor<i8>
  }
  func.func private @expected() -> tensor<i8> {
    %c = stablehlo.constant dense<12> : tensor<i8>
    return %c : tensor<i8>
  }
})");
  ASSERT_EQ(cases.size(), 1u) << CountsOf(left_out_);
  EXPECT_EQ(cases[0].name, "add/main");
  EXPECT_EQ(cases[0].program.main().body.size(), 2u);
  EXPECT_EQ(cases[0].inputs.size(), 1u);
  EXPECT_EQ(Checked(cases[0]).outcome, Outcome::kPass);
}

TEST_F(MlirCasesTest, WhatIsExpectedMayComeFirst) {
  const std::string check = R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = stablehlo.constant dense<2> : tensor<i8>
    %r = stablehlo.add %a, %a : tensor<i8>
    %t = stablehlo.custom_call @check.eq(%b, %r) : (tensor<i8>, tensor<i8>) -> tensor<i1>)";
  EXPECT_EQ(Checked(ReadBody(check)).outcome, Outcome::kPass);
  EXPECT_EQ(LeftOutBody(check + "\n%n = stablehlo.not %t : tensor<i1>").subject,
            "results of checks");
}

TEST_F(MlirCasesTest, NamesOfAFileAreNumbered) {
  const std::string f =
      "func.func @f() {" + std::string(kSum) + "\n func.return\n}\n";
  const std::vector<Case> cases =
      Read(f + "// -----\n" + f + "// -----\n// a comment\n// -----\n" +
           "func.func @g() {\n func.return\n}\n");
  EXPECT_THAT(cases, ElementsAre(Field(&Case::name, "add/f"),
                                 Field(&Case::name, "add/f.2")));
  EXPECT_EQ(cases[1].where, "some/add.mlir:9:1");
}

TEST_F(MlirCasesTest, TheOpUnderTestIsThatOfTheFileElseTheOneThatIsChecked) {
  const std::string two = R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %n = stablehlo.negate %a : tensor<i8>
    %s = stablehlo.OP %n, %n : tensor<i8>
    %m = stablehlo.not %s : tensor<i8>
    check.expect_eq_const %m, dense<1> : tensor<i8>)";
  const auto with = [&](const std::string& op) {
    return std::string(two).replace(two.find("OP"), 2, op);
  };
  EXPECT_EQ(ReadBody(with("add")).op, "add");
  EXPECT_EQ(ReadBody(with("multiply")).op, "not");
}

TEST_F(MlirCasesTest, WhatCasesDoNotHaveIsLeftOut) {
  const LeftOut op = LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = "stablehlo.no_such_op"(%a) : (tensor<i8>) -> tensor<i8>
    check.expect_eq_const %b, dense<1> : tensor<i8>)");
  EXPECT_EQ(op.name, "add/f");
  EXPECT_EQ(op.subject, "stablehlo.no_such_op");
  EXPECT_EQ(op.where, "some/add.mlir:4:10");
  EXPECT_EQ(LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = stablehlo.add %a, %a : tensor<i8>
    check.expect_serialized_eq %b, probe_id = "p" : tensor<i8>)")
                .subject,
            "check.expect_serialized_eq");
  EXPECT_EQ(LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = stablehlo.add %a, %a : tensor<i8>
    check.expect_eq %b, %b : tensor<i8>)")
                .subject,
            "checks without a constant");
  EXPECT_EQ(LeftOutBody(std::string(kSum) +
                        "\ncheck.expect_eq %sum, %a : tensor<2xi8>")
                .subject,
            "values that are checked twice");
  EXPECT_EQ(LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = "stablehlo.add"(%a, %a) : (tensor<i8>, tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    %c = stablehlo.add %a, %a : tensor<i8>
    check.expect_eq_const %c, dense<2> : tensor<i8>)")
                .subject,
            "quantized types");
  EXPECT_EQ(LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<2xi8>
    %b = "stablehlo.add"(%a, %a) : (tensor<2xi8>, tensor<2xi8>) -> tensor<?xi8>
    %c = "stablehlo.add"(%b, %b) : (tensor<?xi8>, tensor<?xi8>) -> tensor<2xi8>
    check.expect_eq_const %c, dense<1> : tensor<2xi8>)")
                .subject,
            "dynamic shapes");
  EXPECT_EQ(LeftOutOf(R"(func.func @f(%a: tensor<i8>) {
    check.expect_eq_const %a, dense<1> : tensor<i8>
    return
  })")
                .subject,
            "functions with arguments");
  EXPECT_EQ(
      LeftOutOf("func.func @f() {\n chlo.erf %a : tensor<f32>\n}").subject,
      "chlo.erf");
}

TEST_F(MlirCasesTest, AConstantThatIsCheckedIsAnOp) {
  const std::vector<Case> cases = Read(R"(func.func @f() {
    %a = stablehlo.constant dense<1> : tensor<i8>
    check.expect_eq_const %a, dense<1> : tensor<i8>
    return
  })");
  EXPECT_EQ(
      cases.empty() ? left_out_.at(0).subject : "stablehlo." + cases.at(0).op,
      "stablehlo.constant");
}

// A check may stand in a region, which no case has, or in what is called.
TEST_F(MlirCasesTest, ChecksAreFoundWhereverTheyStand) {
  const LeftOut in_region = LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<i8>
    %p = stablehlo.constant dense<true> : tensor<i1>
    "stablehlo.if"(%p) ({
      check.expect_eq_const %a, dense<9> : tensor<i8>
      stablehlo.return
    }, { stablehlo.return }) : (tensor<i1>) -> ())");
  EXPECT_EQ(in_region.where, "some/add.mlir:6:7");
  const std::vector<Case> cases = Read(R"(
    func.func @main() {
      %a = stablehlo.constant dense<1> : tensor<i8>
      func.call @c(%a) : (tensor<i8>) -> ()
      func.return
    }
    func.func private @c(%x: tensor<i8>) {
      %y = stablehlo.add %x, %x : tensor<i8>
      check.expect_eq_const %y, dense<2> : tensor<i8>
      func.return
    })");
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].name, "add/main");
}

TEST_F(MlirCasesTest, WhatIsLeftOutIsCounted) {
  EXPECT_EQ(
      CountsOf({{"a", "", "x", ""}, {"b", "", "y", ""}, {"c", "", "y", ""}}),
      "y 2, x 1");
  EXPECT_EQ(CountsOf({}), "");
}

TEST_F(MlirCasesTest, WhatIsNoStableHloIsAnError) {
  ExpectError(
      "func.func @f() {\n  check.expect_eq_const %a, dense<1> : tensor<i8>\n"
      "  return\n}",
      "some/add.mlir:2:");
  const std::string sum = kSum;
  ExpectError("func.func @main() {" + sum + "\nreturn}\nfunc.func @main() {" +
                  sum + "\nreturn}",
              "some/add.mlir:7:1: there is a function @main already");
  ExpectError("func.func @\"a b\"() {" + sum + "\nreturn}",
              "some/add.mlir:1:1: 'add/a b' is no name of a case");
  ExpectError("func.func @f() {" + sum + "\n}", "a function ends with");
  ExpectError("func.func @f() -> tensor<i8> {" + sum + "\nreturn}",
              "@f returns other types than it declares");
  ExpectError("func.func @f() {\n" + sum + "\n call @g() : () -> ()\nreturn}",
              "some/add.mlir:7:2: there is no function of the name");
  ExpectError("func.func @f() {" + sum + "\n call @f() : () -> ()\nreturn}",
              "calls nest more than 64 deep");
  ExpectError("func.func private @g()\nfunc.func @f() {" + sum +
                  "\n call @g() : () -> ()\nreturn}",
              "the function @g has no body");
  ExpectError("func.func @g(%a: tensor<i8>) { return }\nfunc.func @f() {" +
                  sum + "\n call @g() : () -> ()\nreturn}",
              "@g has other types than its call");
  // C1 of add.
  ExpectError(R"(func.func @f() {
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = "stablehlo.add"(%a, %a) : (tensor<i8>, tensor<i8>) -> tensor<i16>
    check.expect_eq_const %b, dense<1> : tensor<i16>
    return})",
              "some/add.mlir:3:10: add violates C1");
  const std::string ops = R"(func.func @f() {
    %a = stablehlo.constant dense<1.0> : tensor<f32>
    %b = stablehlo.add %a, %a : tensor<f32>
    )";
  for (
      const char* check :
      {R"("check.expect_eq_const"(%b) : (tensor<f32>) -> ())",
       R"("check.expect_eq_const"(%b) {value = dense<1.0> : tensor<f64>} : (tensor<f32>) -> ())",
       R"("check.expect_eq_const"(%b) {value = 1.0 : f32} : (tensor<f32>) -> ())",
       R"("check.expect_eq_const"(%b, %a) {value = dense<1.0> : tensor<f32>} : (tensor<f32>, tensor<f32>) -> ())",
       R"("check.expect_eq"(%b) : (tensor<f32>) -> ())",
       R"("check.expect_almost_eq"(%b, %a) {tolerance = -1.0 : f64} : (tensor<f32>, tensor<f32>) -> ())",
       R"("check.expect_almost_eq"(%b, %a) {tolerance = 0x7FF8000000000000 : f64} : (tensor<f32>, tensor<f32>) -> ())",
       R"("check.expect_close"(%b, %a) {max_ulp_difference = "3"} : (tensor<f32>, tensor<f32>) -> ())"})
    ExpectError(ops + check + "\nreturn}", "some/add.mlir:4:");
}

TEST_F(MlirCasesTest, SizesAreLimited) {
  // Each function calls the next one twice.
  std::string text = "func.func @f0() {" + std::string(kSum) + "\nreturn}\n";
  text.insert(text.find("\nreturn"), "\ncall @f1() : () -> ()");
  for (int i = 1; i < 40; ++i)
    text += fmt::format(
        "func.func @f{}() {{\n call @f{} () : () -> ()\n call @f{} () : () -> "
        "()\n return\n}}\n",
        i, i + 1, i + 1);
  text += "func.func @f40() { return }";
  EXPECT_EQ(LeftOutOf(text).subject, "functions of too many statements");

  const std::string large = R"(
    %a = stablehlo.constant dense<1> : tensor<1000x1000xi8>
    %b = stablehlo.add %a, %a : tensor<1000x1000xi8>
    %r = stablehlo.constant dense<2> : tensor<1000x1000xi8>
    check.expect_eq %b, %r : tensor<1000x1000xi8>)";
  options_.memory_limit = 2'000'000;
  EXPECT_THAT(ReadBody(large), Field(&Case::op, "add"));
  options_.memory_limit = 1'999'999;
  EXPECT_EQ(LeftOutBody(large).subject, text::kTooLarge);
  // What does not fit the limit is not even made.
  EXPECT_EQ(LeftOutBody(R"(
    %a = stablehlo.constant dense<1> : tensor<1000000x1000000xi8>
    check.expect_eq %a, %a : tensor<1000000x1000000xi8>)")
                .subject,
            text::kTooLarge);
  // All chunks of a file together have a limit.
  options_.memory_limit = 5'000'000;
  std::string chunk = "func.func @f() {" + large + "\nreturn}\n// -----\n";
  EXPECT_EQ(Read(chunk + chunk + chunk).size(), 2u);
  EXPECT_EQ(CountsOf(left_out_), fmt::format("{} 1", text::kTooLarge));
}

TEST_F(MlirCasesTest, NamesThatLookLikeASecondOneAreOthers) {
  std::string text;
  for (const char* name : {"f", "f", "f.2"})
    text += std::string("func.func @\"") + name + R"("() {
      %a = stablehlo.constant dense<1> : tensor<i8>
      %b = stablehlo.add %a, %a : tensor<i8>
      check.expect_eq_const %b, dense<2> : tensor<i8>
      func.return
    }
// -----
)";
  std::set<std::string> names;
  for (const Case& c : Read(text)) names.insert(c.name);
  EXPECT_EQ(names.size(), 3) << CountsOf(left_out_);
}

TEST_F(MlirCasesTest, OpsOutsideOfFunctionsAreCounted) {
  EXPECT_EQ(LeftOutOf("stablehlo.constant dense<1> : tensor<i8>\n").subject,
            "ops outside of functions");
}

TEST_F(MlirCasesTest, CallsNestAsDeepAsTheTextIsLong) {
  std::string text = "func.func @f0() { func.return }\n";
  for (int i = 1; i < 60000; ++i)
    text += fmt::format(
        "func.func @f{}() {{ func.call @f{}() : () -> () func.return }}\n", i,
        i - 1);
  EXPECT_THAT(Read(text), IsEmpty());
}

}  // namespace
}  // namespace assay
