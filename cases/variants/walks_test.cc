// Tests that walks are made for every op, as their kinds say, of values that
// tell where they lie.
#include "cases/variants/walks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cases/read/json_schema.h"
#include "cases/run/runner.h"
#include "cases/variants/layout_variants.h"
#include "cases/variants/telling.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

std::vector<Case> Walks(const std::string& kinds,
                        const std::set<std::string>& ops) {
  const std::string text = R"({"walks": [)" + kinds + "]}";
  return ParseCases("w.json", ParseJsonExactly("w.json", text),
                    {INT64_MAX, ops});
}

std::vector<std::string> NamesOf(const std::vector<Case>& cases) {
  std::vector<std::string> names;
  for (const Case& c : cases) names.push_back(c.name);
  return names;
}

const std::vector<Case>& SuiteWalks() {
  static const std::vector<Case> walks = [] {
    std::vector<Case> suite = ReadSuite(DefaultSuite(), {});
    std::erase_if(suite, [](const Case& c) { return c.walk.empty(); });
    return suite;
  }();
  return walks;
}

// An op that is added must have a case of every kind, or a reason that holds.
TEST(Walks, EveryOpHasEveryKindThatItCanShow) {
  std::map<std::string, std::set<std::string>> ops_of;
  for (const Case& c : SuiteWalks()) ops_of[c.walk].insert(c.op);
  WalkGaps gaps = GapsOfWalks(DefaultSuite());
  std::map<std::string, std::set<std::string>> by_types, by_values;
  for (const WalkKind& kind : SuiteWalkKinds()) {
    for (const OpSpec& spec : Ops()) {
      if (!spec.executable) continue;
      SCOPED_TRACE(spec.id + " " + kind.name);
      const WalkGap* gap = gaps[kind.name][spec.id];
      EXPECT_EQ(gap == nullptr, ops_of[kind.name].contains(spec.id));
      if (gap == &kTooFewOperands) {
        EXPECT_LT(OperandsOf(spec).size(), kind.least_operands);
      } else if (gap == &kNoSuchShapes) {
        EXPECT_TRUE(kind.operand_shape);
        EXPECT_TRUE((spec.family != kPointwise && spec.source != "paddle") ||
                    OperandsOf(spec).size() == 1);
      } else if (gap == &kNotWalked) {
        EXPECT_FALSE(CanBeWalked(spec));
      } else if (gap == &kNoSuchTypes) {
        by_types[kind.name].insert(spec.id);
      } else if (gap == &kOneResult) {
        by_values[kind.name].insert(spec.id);
      }
    }
  }
  // These ops have results of another type than any operand's, or operands of
  // f32 and f64 only.
  const std::set<std::string> changing = {"complex", "is_finite",
                                          "pointwise.polar"};
  EXPECT_THAT(by_types,
              testing::UnorderedElementsAre(
                  testing::Pair("in_place", changing),
                  testing::Pair("rows_in_place", changing),
                  testing::Pair("sub_byte", std::set{"complex"s}),
                  testing::Pair("sub_byte_rows", std::set{"complex"s})));
  // No number of 4 or 6 bits is infinite or imaginary.
  const std::set<std::string> constant = {"imag", "is_finite", "pointwise.imag",
                                          "pointwise.is_finite"};
  EXPECT_THAT(by_values, testing::UnorderedElementsAre(
                             testing::Pair("in_place", std::set{"imag"s}),
                             testing::Pair("rows_in_place", std::set{"imag"s}),
                             testing::Pair("sub_byte", constant),
                             testing::Pair("sub_byte_rows", constant)));
}

TEST(Walks, AreValidCallsThatHaveNoLayoutVariants) {
  for (const Case& c : SuiteWalks()) {
    EXPECT_NO_THROW(RequireConstraints(c)) << c.name;
    EXPECT_FALSE(HasVariant(c, "transposed")) << c.name;
  }
}

TEST(Walks, LieAsTheirKindSays) {
  const std::vector<Case> cases = Walks(
      R"({"kind": "rows", "text": "t", "shape": [2, 3], "lies": "operand",
          "strides": [[-5, -1]], "offset": 1})",
      {"subtract", "negate"});
  EXPECT_THAT(NamesOf(cases),
              ElementsAre(HasSubstr("negate/walk_rows_"),
                          HasSubstr("subtract/walk_rows_lhs_"),
                          HasSubstr("subtract/walk_rows_rhs_")));
  const Case& rhs = cases.at(2);
  EXPECT_EQ(rhs.walk, "rows");
  EXPECT_THAT(rhs.where, HasSubstr("w.json#/walks/0"));
  EXPECT_THAT(rhs.inputs[0].layout.strides, ElementsAre(3, 1));
  EXPECT_THAT(rhs.inputs[1].layout.strides, ElementsAre(-5, -1));
  EXPECT_EQ(rhs.inputs[1].layout.offset, 1 + 5 + 2);
  EXPECT_TRUE(rhs.output_layouts.empty());
  const Case result =
      Walks(
          R"({"kind": "r", "text": "t", "shape": [2, 3], "lies": "result",
          "strides": [[1, 2]]})",
          {"negate"})
          .at(0);
  EXPECT_THAT(result.output_layouts.at("result").strides, ElementsAre(1, 2));
  EXPECT_THAT(result.inputs[0].layout.strides, ElementsAre(3, 1));
  const std::vector<Case> in_place =
      Walks(R"({"kind": "p", "text": "t", "shape": [9], "lies": "in_place"})",
            {"select", "is_finite"});
  ASSERT_EQ(in_place.size(), 3u) << "is_finite gives another type";
  EXPECT_EQ(in_place[0].alias.at("result"), "pred");
  EXPECT_EQ(in_place[0].inputs[1].data.type.element_type, ElementType::kI1);
  EXPECT_EQ(in_place[1].alias.at("result"), "on_true");
  EXPECT_EQ(in_place[2].alias.at("result"), "on_false");
}

TEST(Walks, TypesAndOperandsTakeTurns) {
  std::set<int> widths;
  std::string kinds;
  for (int i = 0; i < 10; ++i)
    kinds += std::string(i > 0 ? "," : "") + R"({"kind": "k)" +
             std::to_string(i) +
             R"(", "text": "t", "shape": [9], "lies": "contiguous"})";
  for (const Case& c : Walks(kinds, {"add"}))
    widths.insert(Info(c.inputs[0].data.type.element_type).bits);
  EXPECT_THAT(widths, ElementsAre(8, 16, 32, 64, 128));
  const Case narrow =
      Walks(
          R"({"kind": "n", "text": "t", "shape": [9], "lies": "contiguous",
          "types": "sub_byte"})",
          {"add"})
          .at(0);
  EXPECT_LT(Info(narrow.inputs[0].data.type.element_type).bits, 8);
}

// For a single element in a tail, it is not left to chance that a mistake
// shows.
TEST(Walks, ValuesAreDrawnUntilTheLastElementShows) {
  for (const Case& c : Walks(R"({"kind": "t", "text": "t", "shape": [3],
                                 "lies": "contiguous", "shows": "last"})",
                             {"is_finite", "pointwise.sign", "popcnt"})) {
    const Tensor tensor = c.inputs[0].data.Materialise();
    Tensor pair({{2}, tensor.element_type()});
    pair.SetBits(0, tensor.Bits(2));
    pair.SetBits(1, tensor.Bits(1));
    Op op = c.program.main().body[0];
    op.inputs[0].type.tensor().shape = op.outputs[0].type.tensor().shape = {2};
    EXPECT_TRUE(TellsFirst(op, {pair}, {true})) << c.name;
    EXPECT_FALSE(TellsFirst(op, {pair}, {false})) << c.name;
  }
}

// Two elements in one place are equal, and other places have other values.
TEST(Walks, ElementsAreThoseOfTheirPlaces) {
  const Case c =
      Walks(
          R"({"kind": "w", "text": "t", "shape": [4, 26], "lies": "operand",
          "strides": [[1, 1]]})",
          {"negate"})
          .at(0);
  const Tensor tensor = c.inputs[0].data.Materialise();
  std::set<ElementBits> values;
  for (int64_t i = 0; i < 104; ++i) {
    const int64_t row = i / 26, column = i % 26;
    values.insert(tensor.Bits(i));
    if (row > 0 && column < 25) {
      EXPECT_EQ(tensor.Bits(i), tensor.Bits(i - 25));
    }
  }
  EXPECT_GT(values.size(), 15u);
}

TEST(Walks, TheSchemaAcceptsTheKindsOfTheSuite) {
  const JsonSchema schema("walks.schema.json",
                          ParseJson("walks.schema.json", kWalksSchema));
  const std::string file = ASSAY_SOURCE_DIR "/cases/walks/walks.json";
  EXPECT_TRUE(schema.Check(ReadJsonFile(file)).empty());
  EXPECT_FALSE(schema.Check(ParseJson("w", R"({"walks": [{}]})")).empty());
}

TEST(Walks, RefusesWhatIsNoKind) {
  const auto error = [](const std::string& kind) -> std::string {
    try {
      Walks(kind, {"negate"});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string head = R"({"kind": "k", "text": "t", )";
  EXPECT_THAT(error(head + R"("shape": [2, 3], "lies": "operand",
                              "strides": [[1]]})"),
              HasSubstr("#/walks/0/strides/0: 1 stride(s) for rank 2"));
  EXPECT_THAT(error(head + R"("shape": [2], "lies": "result"})"),
              HasSubstr("no 'strides'"));
  EXPECT_THAT(error(head + R"("shape": [2], "lies": "aside"})"),
              HasSubstr("expected \"contiguous\""));
  EXPECT_THAT(error(head + R"("shape": [2], "lies": "contiguous"},)" + head +
                    R"("shape": [2], "lies": "contiguous"})"),
              HasSubstr("the kind 'k' stands twice"));
  EXPECT_THAT(error(R"({"kind": "K", "text": "t", "shape": [],
                        "lies": "contiguous"})"),
              HasSubstr("no name of small letters"));
  EXPECT_THAT(error(head + R"("shape": [2], "lies": "contiguous",
                              "operand_shape": [1]})"),
              HasSubstr("is of an operand in turn"));
  EXPECT_THAT(error(head + R"("shape": [1], "lies": "contiguous",
                              "shows": "last"})"),
              HasSubstr("no two elements along a first dimension"));
  EXPECT_THAT(error(head + R"("shape": [2], "lies": "contiguous",
                              "shows": "first"})"),
              HasSubstr("expected \"last\""));
  const std::string large =
      R"({"walks": [{"kind": "k", "text": "t", "shape": [1000],
                     "lies": "contiguous"}]})";
  EXPECT_THROW(
      ParseCases("w.json", ParseJson("w.json", large), {1000, {"negate"}}),
      InputError);
}

}  // namespace
}  // namespace assay
