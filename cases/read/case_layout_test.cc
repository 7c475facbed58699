// Tests which layouts of files are read, and which are refused with their
// place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/case.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;

Case NegateCase(const std::string& operand, const std::string& rest = "") {
  const std::string file = R"({"op": "negate", "cases": [{"id": "a", "inputs": {
    "operand": {"type": "tensor<2x2xi8>", )" +
                           operand + "}}" + rest + "}]}";
  return ParseCases("t.json", ParseJsonExactly("t.json", file),
                    {.memory_limit = 1 << 20})
      .at(0);
}

std::string RefusalOf(const std::string& operand,
                      const std::string& rest = "") {
  try {
    NegateCase(operand, rest);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

constexpr const char* kData = R"("data": [1, 2, 3, 4])";

std::string WithData(const std::string& layout) {
  return kData + (", " + layout);
}

TEST(CaseLayout, StaysInItsStorage) {
  EXPECT_EQ(RefusalOf(WithData(R"("strides": [2, 1], "storage": 4)")),
            "accepted");
  EXPECT_THAT(RefusalOf(WithData(R"("strides": [3, 1], "storage": 4)")),
              HasSubstr("#/cases/0/inputs/operand: the strides leave the "
                        "storage of 4 element(s), the farthest along dimension "
                        "0 (size 2, stride 3)"));
  EXPECT_THAT(RefusalOf(WithData(R"("offset": 4, "storage": 4)")),
              HasSubstr("#/cases/0/inputs/operand/offset: the offset 4 is "
                        "outside of a storage of 4 element(s)"));
  EXPECT_THAT(RefusalOf(WithData(R"("strides": [2, -1])")),
              HasSubstr("in front of the buffer, the farthest along dimension "
                        "1 (size 2, stride -1)"));
  EXPECT_THAT(RefusalOf(WithData(R"("strides": [2000000, 1])")),
              HasSubstr("farther than --memory allows"));
  EXPECT_THAT(RefusalOf(WithData(R"("strides": [1])")),
              HasSubstr("1 stride(s) for rank 2"));
}

TEST(CaseLayout, APlaceHasOneValue) {
  EXPECT_EQ(RefusalOf(R"("data": [1, 2, 1, 2], "strides": [0, 1])"),
            "accepted");
  EXPECT_THAT(RefusalOf(WithData(R"("strides": [0, 1])")),
              HasSubstr("elements 0 and 2 (in row-major order) have different "
                        "values and lie in one place"));
}

TEST(CaseLayout, DimensionsMayInterleave) {
  // Elements [0, 1] and [1, 0] share a place.
  EXPECT_EQ(RefusalOf(R"("data": [1, 2, 2, 3], "strides": [1, 1])"),
            "accepted");
  EXPECT_THAT(RefusalOf(R"("data": [1, 2, 4, 3], "strides": [1, 1])"),
              HasSubstr("elements 1 and 2 (in row-major order) have different "
                        "values and lie in one place, 1 element(s)"));
  EXPECT_THAT(
      RefusalOf(R"("data": [1, 2, 4, 3], "strides": [-1, -1], "offset": 5)"),
      HasSubstr("elements 1 and 2 (in row-major order) have different "
                "values and lie in one place, 4 element(s)"));
  EXPECT_EQ(RefusalOf(R"("data": [1, 2, 3, 4], "strides": [1, -2],
                         "offset": 2)"),
            "accepted");
  // Drawn elements are compared some at a time.
  EXPECT_THAT(
      [] {
        ParseCases("t.json", ParseJson("t.json", R"({"op": "negate", "cases":
            [{"id": "a", "inputs": {"operand": {"type": "tensor<70000x2xi8>",
            "strides": [1, 0], "draw": {"every": "bits", "dimension": 1}}}}]})"),
                   {});
      },
      testing::ThrowsMessage<InputError>(HasSubstr("elements 0 and 1 ")));
}

// The memory of a tensor is that of its elements and that of its buffer.
TEST(CaseLayout, BuffersCountAgainstTheMemory) {
  const std::string wide = R"("strides": [600000, 1])";
  const std::string result = R"(, "outputs": {"result": {)" + wide + "}}";
  EXPECT_EQ(RefusalOf(WithData(wide)), "accepted");
  EXPECT_EQ(RefusalOf(kData, result), "accepted");
  EXPECT_THAT(RefusalOf(WithData(wide), result),
              HasSubstr("take 1200012 bytes or more; --memory allows 1048576"));
}

std::string Result(const std::string& layout) {
  return R"(, "outputs": {"result": {)" + layout + "}}";
}

TEST(CaseLayout, ResultsHaveLayoutsToo) {
  const Case c =
      NegateCase(kData, Result(R"("strides": [1, -4], "offset": 4)"));
  EXPECT_THAT(c.output_layouts.at("result").strides,
              testing::ElementsAre(1, -4));
  EXPECT_THAT(
      RefusalOf(kData, Result(R"("strides": [1, 1])")),
      HasSubstr("#/cases/0/outputs/result: two elements of a result lie "
                "in one place, 1 element(s) into the buffer"));
  EXPECT_THAT(RefusalOf(kData, Result(R"("strides": [0, 1])")),
              HasSubstr("two elements of a result"));
}

TEST(CaseLayout, AResultMayLieWhereAnOperandDoes) {
  const std::string in_place = R"(, "alias": {"result": "operand"})";
  EXPECT_EQ(NegateCase(kData, in_place).alias.at("result"), "operand");
  EXPECT_THAT(RefusalOf(R"("data": [1, 1, 1, 1], "strides": [0, 0])", in_place),
              HasSubstr("two elements of a result lie in one place"));
  EXPECT_THAT(RefusalOf(kData, Result(R"("offset": 1)") + in_place),
              HasSubstr("has no layout of its own"));
  EXPECT_THAT(RefusalOf(kData, R"(, "alias": {"result": "other"})"),
              HasSubstr("'other' is no operand of negate"));
  EXPECT_THAT(RefusalOf(kData, R"(, "alias": {"other": "operand"})"),
              HasSubstr("'other' is no result of negate"));
}

TEST(CaseLayout, AnAliasHasTheTypeOfItsOperand) {
  const std::string file = R"({"op": "is_finite", "cases": [{"id": "a",
    "inputs": {"x": {"type": "tensor<1xf32>", "data": [1]}},
    "alias": {"y": "x"}}]})";
  try {
    ParseCases("t.json", ParseJsonExactly("t.json", file), {});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(),
                HasSubstr("'y' is tensor<1xi1>, which the memory of 'x', "
                          "tensor<1xf32>, cannot be"));
  }
}

TEST(CaseLayout, AnInputThatTheOpDoesNotTakeIsNoPlace) {
  const std::string file = R"({"op": "negate", "cases": [{"id": "a",
    "inputs": {"x": {"type": "tensor<1xi8>", "data": [1]},
               "y": {"type": "tensor<1xi8>", "data": [1]}},
    "program": [{"op": "negate", "inputs": {"operand": "x"},
                 "outputs": {"result": {"name": "r"}}}],
    "alias": {"r": ")";
  const auto parse = [&](const std::string& input) {
    const std::string text = file + input + R"("}}]})";
    return ParseCases("t.json", ParseJsonExactly("t.json", text), {}).at(0);
  };
  EXPECT_EQ(parse("x").program.main().body[0].outputs[0].in_place, 0u);
  EXPECT_THROW(parse("y"), InputError);
}

TEST(CaseLayout, AScalarHasRankZero) {
  EXPECT_THAT(
      RefusalOf(WithData(R"("scalar": true)")),
      HasSubstr("'operand' is tensor<2x2xi8>, and a scalar has rank 0"));
}

}  // namespace
}  // namespace assay
