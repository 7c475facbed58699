// Tests that a changed case is consistent and means what the same part of the
// case meant, for every op, shape and layout that is drawn.
#include "fuzz/shrink/edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/fuzz_test_support.h"
#include "fuzz/shrink/axis_edit.h"
#include "fuzz/shrink/program_edit.h"
#include "oracle/oracle.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns calls of one op whose results are exact.
const std::vector<Case>& CasesToEdit() {
  static const std::vector<Case> cases = [] {
    DrawOptions draw;
    draw.ops = {"add",
                "select",
                "clamp",
                "broadcast_in_dim",
                "bitcast_convert",
                "pointwise.maximum",
                "paddle.bitwise_right_shift"};
    draw.violations = draw.programs = draw.enumerates = false;
    Generator generator(draw);
    std::vector<Case> drawn;
    for (uint64_t index = 0; drawn.size() < 250; ++index) {
      Case c = generator.Draw(3, index).c;
      if (*ElementCount(
              c.program.main().body[0].outputs[0].type.tensor().shape) <= 300)
        drawn.push_back(std::move(c));
    }
    return drawn;
  }();
  return cases;
}

Tensor AnswerOf(const Case& c) {
  std::vector<Tensor> operands;
  for (const CaseInput& input : c.inputs)
    operands.push_back(input.data.Materialise());
  return Evaluate(c.program.main().body[0], operands, Policy::Find("assay"),
                  Marks::kNone)
      .outputs[0]
      .lo;
}

// The types of the call must be those of its values, and every element must
// have a place.
void ExpectWhole(const Case& c) {
  const Op& op = c.program.main().body[0];
  EXPECT_THAT(ViolatedBy(c), IsEmpty()) << JsonTextOf(c);
  EXPECT_TRUE(IsAsItSays(c)) << JsonTextOf(c);
  for (size_t k = 0; k < c.inputs.size(); ++k) {
    const auto& [data, layout] = c.inputs[k];
    EXPECT_EQ(data.type, op.inputs[k].type);
    EXPECT_EQ(data.Materialise().type(), data.type);
    ASSERT_EQ(layout.strides.size(), data.type.shape.size());
    EXPECT_GE(layout.offset + layout.ExtentOf(data.type.shape)->below, 0);
  }
  for (const auto& [value, layout] : c.output_layouts) {
    const Shape& shape = TypeOf(c, value).shape;
    ASSERT_EQ(layout.strides.size(), shape.size());
    EXPECT_GE(layout.offset + layout.ExtentOf(shape)->below, 0);
  }
}

TEST(Sliced, MeansThatPartOfTheResult) {
  int count = 0;
  for (const Case& c : CasesToEdit()) {
    const Tensor whole = AnswerOf(c);
    const std::vector<Axis> axes = AxesOf(c);
    for (size_t i = 0; i < axes.size(); ++i) {
      const int64_t size = axes[i].size;
      const auto& [value, d] = axes[i].places[0];
      if (size < 2 || value != c.program.main().body[0].outputs[0].value)
        continue;
      for (const auto& [begin, end] :
           {std::pair(int64_t{0}, int64_t{1}), std::pair(size - 1, size),
            std::pair(size / 3, size / 2 + 1)}) {
        const auto sliced = Sliced(c, axes, i, begin, end);
        ASSERT_EQ(sliced.has_value(), begin != 0 || end != size);
        // The dimension of a bit pattern has the size that its types give it.
        if (!sliced || !IsAsItSays(*sliced)) continue;
        ExpectWhole(*sliced);
        const Tensor part = AnswerOf(*sliced);
        const Strides strides = RowMajorStrides(whole.type().shape);
        Index index;
        int64_t k = 0;
        for (IndexSpace space(part.type().shape); space.Next(&index); ++k) {
          index[d] += begin;
          int64_t at = 0;
          for (size_t e = 0; e < index.size(); ++e) at += index[e] * strides[e];
          index[d] -= begin;
          ASSERT_EQ(part.Bits(k), whole.Bits(at)) << JsonTextOf(c);
        }
        ++count;
      }
    }
    EXPECT_TRUE(axes.empty() || !Sliced(c, axes, 0, 0, axes[0].size));
  }
  EXPECT_GT(count, 500);
}

void ExpectSameElements(const Case& a, const Case& b) {
  const Tensor one = AnswerOf(a), other = AnswerOf(b);
  ASSERT_EQ(one.size(), other.size());
  for (int64_t i = 0; i < one.size(); ++i)
    ASSERT_EQ(one.Bits(i), other.Bits(i)) << JsonTextOf(a) << JsonTextOf(b);
}

TEST(WithoutAxis, HasTheSameElements) {
  int count = 0;
  for (const Case& c : CasesToEdit()) {
    const std::vector<Axis> axes = AxesOf(c);
    for (size_t i = 0; i < axes.size(); ++i) {
      EXPECT_TRUE(axes[i].size == 1 || !WithoutAxis(c, axes, i));
      if (axes[i].size == 0) continue;
      const Case one = Sliced(c, axes, i, 0, 1).value_or(c);
      const auto without = WithoutAxis(one, AxesOf(one), i);
      if (!without) continue;
      const std::string& value = axes[i].places[0].value;
      EXPECT_LT(TypeOf(*without, value).shape.size(),
                TypeOf(one, value).shape.size());
      ExpectWhole(*without);
      // A tensor of rank 0 promotes differently.
      if (AnswerOf(*without).type().element_type ==
          AnswerOf(one).type().element_type)
        ExpectSameElements(*without, one);
      ++count;
    }
  }
  EXPECT_GT(count, 300);
}

TEST(Merged, HasTheSameElements) {
  int count = 0;
  for (const Case& c : CasesToEdit()) {
    const std::vector<Axis> axes = AxesOf(c);
    for (size_t i = 0; i + 1 < axes.size(); ++i) {
      const auto merged = Merged(c, axes[i], axes[i + 1]);
      if (!merged || !IsAsItSays(*merged)) continue;
      ExpectWhole(*merged);
      ExpectSameElements(*merged, c);
      EXPECT_EQ(AxesOf(*merged).size(), axes.size() - 1);
      ++count;
    }
  }
  EXPECT_GT(count, 30);
}

constexpr const char* kThreeOps = R"({"id": "p", "inputs": {
  "x": {"type": "tensor<3xi8>", "data": [1, 2, 100], "strides": [2], "offset": 1},
  "y": {"type": "tensor<3xi8>", "data": [10, 20, 30]}},
  "program": [
    {"op": "add", "inputs": {"lhs": "x", "rhs": "x"}, "outputs": {"result": {"name": "t", "strides": [-1], "offset": 2}}},
    {"op": "multiply", "inputs": {"lhs": "t", "rhs": "y"}, "outputs": {"result": {"name": "u", "offset": 4}}},
    {"op": "negate", "inputs": {"operand": "u"}, "outputs": {"result": {"name": "v"}}}]})";

std::vector<int> NumbersIn(const Case& c, size_t k) {
  const Tensor values = c.inputs.at(k).data.Materialise();
  std::vector<int> numbers;
  for (int64_t i = 0; i < values.size(); ++i)
    numbers.push_back(
        static_cast<int>(ValueOf(values.element_type(), values.Bits(i))));
  return numbers;
}

TEST(OneOp, HasTheOperandsThatTheProgramGave) {
  const Case c = ParsedFrom("negate", kThreeOps);
  const Policy& policy = Policy::Find("assay");
  const Case multiply = OneOp(c, 1, policy).value();
  EXPECT_EQ(multiply.op, "multiply");
  ExpectWhole(multiply);
  EXPECT_THAT(NumbersIn(multiply, 0), ElementsAre(2, 4, -56));
  EXPECT_THAT(NumbersIn(multiply, 1), ElementsAre(10, 20, 30));
  EXPECT_THAT(multiply.inputs[0].layout.strides, ElementsAre(-1));
  EXPECT_EQ(multiply.output_layouts.at("result").offset, 4);
  const Case add = OneOp(c, 0, policy).value();
  EXPECT_THAT(NumbersIn(add, 1), ElementsAre(1, 2, 100)) << "x twice";
  EXPECT_THAT(add.inputs[1].layout.strides, ElementsAre(2));
  EXPECT_THAT(NumbersIn(OneOp(c, 2, policy).value(), 0),
              ElementsAre(20, 80, 112));
  EXPECT_FALSE(OneOp(add, 0, policy)) << "it is one op";
  EXPECT_EQ(JsonTextOf(ParsedFrom("add", JsonTextOf(add))), JsonTextOf(add));
}

TEST(FirstOps, DropsWhatTheOthersUsed) {
  const Case c = ParsedFrom("negate", kThreeOps);
  const Case two = FirstOps(c, 2).value();
  EXPECT_EQ(two.op, "multiply");
  EXPECT_THAT(two.program.main().results,
              ElementsAre(testing::Field(&TypedName::name, "u")));
  EXPECT_EQ(two.inputs.size(), 2u);
  const Case one = FirstOps(c, 1).value();
  EXPECT_EQ(one.op, "add");
  EXPECT_EQ(one.inputs.size(), 1u) << "y is used no more";
  EXPECT_EQ(one.output_layouts.size(), 1u);
  EXPECT_FALSE(FirstOps(c, 0));
  EXPECT_FALSE(FirstOps(c, 3));
}

TEST(WithElementType, ChangesEveryTensorOfTheType) {
  const Case c = ParsedFrom("negate", kThreeOps);
  const Case wide =
      WithElementType(c, ElementType::kI8, ElementType::kI32).value();
  EXPECT_THAT(NumbersIn(wide, 0), ElementsAre(1, 2, 100));
  for (const char* value : {"x", "y", "t", "u", "v"})
    EXPECT_EQ(TypeOf(wide, value).ToString(), "tensor<3xi32>") << value;
  EXPECT_TRUE(IsAsItSays(wide));
  EXPECT_EQ(JsonTextOf(ParsedFrom("negate", JsonTextOf(wide))),
            JsonTextOf(wide));
}

TEST(IsAsItSays, IsNoWhereItIsNot) {
  const auto with = [](const std::string& lhs, const std::string& more = "") {
    return IsAsItSays(ParsedFrom(
        "add", R"({"id": "a", "inputs": {"lhs": {)" + lhs +
                   R"(}, "rhs": {"type": "tensor<2xi8>", "data": [1, 2]}})" +
                   more + "}"));
  };
  EXPECT_TRUE(with(R"("type": "tensor<2xi8>", "data": [1, 2])"));
  EXPECT_TRUE(
      with(R"("type": "tensor<2xi8>", "data": [3, 3], "strides": [0])"));
  Case c = ParsedFrom("negate", kThreeOps);
  EXPECT_TRUE(IsAsItSays(c));
  SetType("y", {{3}, ElementType::kI16}, &c);
  EXPECT_FALSE(IsAsItSays(c));
  c.violates = {"C1"};
  EXPECT_TRUE(IsAsItSays(c));
  // Two values share a place.
  Case shared = ParsedFrom("negate", kThreeOps);
  shared.inputs[1].layout.strides = {0};
  EXPECT_FALSE(IsAsItSays(shared));
  // A part of a transposition in place is not in place.
  const Case moved =
      ParsedFrom("broadcast_in_dim",
                 R"({"id": "a", "inputs": {"operand": {"type": "tensor<2x2xi8>",
          "data": [1, 2, 3, 4]}, "broadcast_dimensions": [1, 0]},
          "outputs": {"result": {"type": "tensor<2x2xi8>"}}, "alias": {"result": "operand"}})");
  EXPECT_TRUE(IsAsItSays(moved));
  EXPECT_FALSE(IsAsItSays(Sliced(moved, AxesOf(moved), 0, 0, 1).value()));
}

}  // namespace
}  // namespace assay
