// Tests that a function on columns of scalars gives what it gives one by one,
// and what values it may give where some are open.
#include "oracle/region.h"

#include <gmock/gmock.h>

#include "oracle/region_test_support.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;
using enum ElementType;

// Applies the region to arguments, which are rows.
struct Applied {
  std::vector<Scalars> results;
  std::vector<OpMarks> marks;
};
Applied Apply(const std::string& text, const std::vector<Scalars>& arguments,
              const std::string& policy = "assay") {
  Op op;
  op.op = "map";
  op.regions.push_back(ReadRegion("test", "computation", text));
  const std::vector<Tensor> none;
  const OpCall call{op, none, Policy::Find(policy), Marks::kCounted};
  Region region(op.regions[0], call);
  Applied applied;
  applied.results = region.Apply(arguments);
  applied.marks = region.marks();
  return applied;
}

// broadcast_in_dim of a scalar to a scalar changes nothing, and is no
// elementwise op, so that the function is evaluated application by application.
std::string OneByOne(const std::string& text, const std::string& type) {
  const size_t at = text.find("stablehlo.return ");
  const size_t end = text.find(' ', at + 17);
  return text.substr(0, at) + "%z = stablehlo.broadcast_in_dim " +
         text.substr(at + 17, end - at - 17) + ", dims = [] : (" + type +
         ") -> " + type + " stablehlo.return %z : " + type;
}

std::vector<std::string> TextsOf(const Scalars& scalars) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < scalars.size(); ++i) {
    const Possible possible = scalars.At(i);
    std::string text;
    if (possible.kind == Possible::Kind::kOpen) text = "open";
    if (possible.kind == Possible::Kind::kUndecided) text = "undecided";
    for (const Possible::Range& range : possible.ranges) {
      text += text.empty() ? "" : "|";
      text += HasNan(scalars.type(), range.lo) && possible.any_nan
                  ? "nan"
                  : FormatValue(scalars.type(), range.lo);
      if (range.hi != range.lo)
        text += ".." + FormatValue(scalars.type(), range.hi);
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(Region, ColumnsGiveWhatApplicationsGiveOneByOne) {
  struct Row {
    const char* text;
    ElementType type, result;
    std::vector<std::string> a, b;
  };
  for (const Row& row : {
           Row{"^bb0(%a: tensor<i8>, %b: tensor<i8>): "
               "%0 = stablehlo.add %a, %b : tensor<i8> "
               "%1 = stablehlo.multiply %0, %a : tensor<i8> "
               "stablehlo.return %1 : tensor<i8>",
               kI8,
               kI8,
               {"1", "100", "-7", "127"},
               {"2", "100", "3", "1"}},
           Row{"^bb0(%a: tensor<f32>, %b: tensor<f32>): "
               "%0 = stablehlo.compare LT, %a, %b, TOTALORDER : "
               "(tensor<f32>, tensor<f32>) -> tensor<i1> "
               "%1 = stablehlo.select %0, %a, %b : tensor<i1>, tensor<f32> "
               "%2 = stablehlo.clamp %b, %1, %a : tensor<f32> "
               "stablehlo.return %2 : tensor<f32>",
               kF32,
               kF32,
               {"1", "-0", "nan", "0xffc00001"},
               {"2", "0", "3", "1"}},
           Row{"^bb0(%a: tensor<f32>, %b: tensor<f32>): "
               "%0 = stablehlo.subtract %a, %b : tensor<f32> "
               "%1 = stablehlo.sqrt %0 : tensor<f32> "
               "%2 = stablehlo.compare LT, %1, %b, TOTALORDER : "
               "(tensor<f32>, tensor<f32>) -> tensor<i1> "
               "stablehlo.return %2 : tensor<i1>",
               kF32,
               kI1,
               {"5", "1", "nan", "inf"},
               {"1", "2", "3", "inf"}},
           Row{"^bb0(%a: tensor<f16>, %b: tensor<f16>): "
               "%0 = stablehlo.tanh %a : tensor<f16> "
               "%1 = stablehlo.maximum %0, %b : tensor<f16> "
               "stablehlo.return %1 : tensor<f16>",
               kF16,
               kF16,
               {"0.5", "1", "nan", "-3"},
               {"1", "0.5", "3", "0"}},
       }) {
    const Scalars a(RowOfTexts(row.type, row.a)),
        b(RowOfTexts(row.type, row.b));
    const Applied columns = Apply(row.text, {a, b});
    const std::string type = TensorType(Shape(), row.result).ToString();
    const Applied single = Apply(OneByOne(row.text, type), {a, b});
    SCOPED_TRACE(row.text);
    for (int64_t i = 0; i < a.size(); ++i) {
      // Application by application, an op on what has several values is open.
      const std::string of_columns = TextsOf(columns.results[0])[i];
      const std::string of_single = TextsOf(single.results[0])[i];
      if (of_single != "undecided") {
        EXPECT_EQ(of_columns, of_single) << i;
      }
    }
    for (const OpMarks& of : columns.marks)
      EXPECT_THAT(single.marks, testing::Contains(of)) << of.op->id;
    EXPECT_EQ(single.marks.size(), columns.marks.size() + 1);
  }
}

TEST(Region, AnArgumentMayHaveSeveralValues) {
  Scalars a(RowOfTexts(kI8, {"1", "2", "3"}));
  Possible several = Possible::Value(5);
  several.Add(kI8, Possible::Value(7));
  a.Set(1, several);
  a.Set(2, Possible::Open());
  const Scalars b(RowOfTexts(kI8, {"10", "1", "1"}));
  const Applied applied = Apply(
      "^bb0(%a: tensor<i8>, %b: tensor<i8>): "
      "%0 = stablehlo.add %a, %b : tensor<i8> "
      "%1 = stablehlo.shift_right_logical %0, %b : tensor<i8> "
      "stablehlo.return %1, %a : tensor<i8>, tensor<i8>",
      {a, b});
  EXPECT_THAT(TextsOf(applied.results[0]), ElementsAre("0", "3|4", "open"));
  EXPECT_THAT(TextsOf(applied.results[1]), ElementsAre("1", "5|7", "open"));
}

TEST(Region, ManyValuesBecomeARange) {
  Possible many = Possible::Value(0);
  for (ElementBits i = 1; i < Possible::kMost; ++i)
    many.Add(kI8, Possible::Value(i));
  EXPECT_EQ(many.ranges.size(), Possible::kMost);
  EXPECT_TRUE(many.IsFinite());
  many.Add(kI8, Possible::Value(0xff));
  EXPECT_THAT(many.ranges, ElementsAre(Possible::Range{0xff, 15}));
  EXPECT_FALSE(many.IsFinite());
  many.Add(kI8, Possible::Undecided());
  EXPECT_EQ(many.kind, Possible::Kind::kUndecided);
}

TEST(Region, ConstantsAreEvaluatedOnce) {
  const Applied applied = Apply(
      "^bb0(%a: tensor<i32>): "
      "%0 = \"stablehlo.map\"(%a, %a) <{dimensions = array<i64>}> ({ "
      "^bb0(%x: tensor<i32>, %y: tensor<i32>): "
      "%1 = stablehlo.multiply %x, %a : tensor<i32> "
      "stablehlo.return %1 : tensor<i32> "
      "}) : (tensor<i32>, tensor<i32>) -> tensor<i32> "
      "stablehlo.return %0 : tensor<i32>",
      {Scalars(RowOfTexts(kI32, {"3", "-4"}))});
  EXPECT_THAT(TextsOf(applied.results[0]), ElementsAre("9", "16"));
  std::vector<std::string> ops;
  for (const OpMarks& of : applied.marks) ops.push_back(of.op->id);
  EXPECT_THAT(ops, UnorderedElementsAre("map", "multiply"));
}

}  // namespace
}  // namespace assay
