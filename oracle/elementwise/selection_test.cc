// Tests compare, clamp, select and convert of integers against a brute force on
// plain __int128 values, and the operands of rank 0 that clamp and select
// broadcast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace assay {
namespace {

using Int = __int128;

Tensor TensorOf(ElementType type, const Shape& shape,
                const std::vector<Int>& values) {
  Tensor tensor(TensorType{shape, type});
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetBits(static_cast<int64_t>(i), BitsOf(type, values[i]));
  }
  return tensor;
}

Expectation Result(const std::string& id, const std::vector<Tensor>& inputs,
                   const TensorType& result,
                   const std::string& policy = "assay",
                   std::vector<Attribute> attributes = {}) {
  Op op;
  op.op = id;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const std::string& name = FindOp(id)->inputs[k].name;
    op.inputs.push_back({name, name, inputs[k].type()});
  }
  op.attributes = std::move(attributes);
  op.outputs.push_back({"result", "result", result});
  for (const ConstraintResult& r : CheckConstraints(*FindOp(id), op)) {
    EXPECT_EQ(r.truth, Truth::kTrue) << id << ' ' << r.constraint->label;
  }
  const Policy& p = Policy::Find(policy);
  const Evaluation counted = Evaluate(op, inputs, p, Marks::kCounted);
  const Evaluation silent = Evaluate(op, inputs, p, Marks::kNone);
  EXPECT_EQ(silent.marks, 0u);
  for (int64_t i = 0; i < counted.outputs[0].lo.size(); ++i) {
    EXPECT_EQ(counted.outputs[0].lo.Bits(i), silent.outputs[0].lo.Bits(i));
    EXPECT_EQ(counted.outputs[0].IsOpen(i), silent.outputs[0].IsOpen(i));
  }
  return counted.outputs[0];
}

// Returns every value up to 4 bits; the ends, the middle and every 16th up to 8
// bits; the ends and the middle of the wider types.
std::vector<Int> Values(ElementType type) {
  const Int min = MinValue(type), max = MaxValue(type);
  std::vector<Int> values;
  for (Int v = min; Info(type).bits <= 8 && v <= max; ++v) {
    if (max - min <= 16 || v % 16 == 0 || v == min + 1 || v >= max - 1 ||
        v == -1 || v == 1) {
      values.push_back(v);
    }
  }
  if (Info(type).bits <= 8) return values;
  for (const Int v : {min, min + 1, Int{-2}, Int{-1}, Int{0}, Int{1}, max / 2,
                      max / 2 + 1, max - 1, max}) {
    if (v >= min) values.push_back(v);
  }
  return values;
}

std::vector<ElementType> Types() {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (IsBoolean(info.type) || IsInteger(info.type))
      types.push_back(info.type);
  }
  return types;
}

TEST(Compare, IsTheOrderOfTheValuesInEveryDirection) {
  const std::pair<const char*, std::function<bool(Int, Int)>> directions[] = {
      {"EQ", [](Int a, Int b) { return a == b; }},
      {"NE", [](Int a, Int b) { return a != b; }},
      {"GE", [](Int a, Int b) { return a >= b; }},
      {"GT", [](Int a, Int b) { return a > b; }},
      {"LE", [](Int a, Int b) { return a <= b; }},
      {"LT", [](Int a, Int b) { return a < b; }}};
  for (const ElementType type : Types()) {
    std::vector<Int> lhs, rhs;
    for (Int a = MinValue(type); a <= MaxValue(type) && Info(type).bits <= 8;
         ++a) {  // all pairs
      for (Int b = MinValue(type); b <= MaxValue(type); ++b) {
        lhs.push_back(a);
        rhs.push_back(b);
      }
    }
    for (const Int a : lhs.empty() ? Values(type) : std::vector<Int>()) {
      for (const Int b : Values(type)) {
        lhs.push_back(a);
        rhs.push_back(b);
      }
    }
    const Shape shape = {static_cast<int64_t>(lhs.size())};
    const char* compare_type = IsSignedInteger(type) ? "SIGNED" : "UNSIGNED";
    for (const auto& [direction, holds] : directions) {
      SCOPED_TRACE(std::string(Name(type)) + " " + direction);
      const Expectation result = Result(
          "compare", {TensorOf(type, shape, lhs), TensorOf(type, shape, rhs)},
          {shape, ElementType::kI1}, "stablehlo",
          {{"comparison_direction", Symbol{direction}},
           {"compare_type", Symbol{compare_type}}});
      for (size_t i = 0; i < lhs.size(); ++i) {
        ASSERT_EQ(result.lo.Bits(static_cast<int64_t>(i)),
                  holds(lhs[i], rhs[i]) ? 1u : 0u)
            << FormatInteger(lhs[i]) << ", " << FormatInteger(rhs[i]);
      }
      EXPECT_TRUE(result.flags.empty());  // never open
    }
  }
}

TEST(Clamp, IsTheMinimumOfTheMaximumForEveryTriple) {
  for (const ElementType type : Types()) {
    SCOPED_TRACE(Name(type));
    std::vector<Int> mins, operands, maxs;
    for (const Int min : Values(type)) {
      for (const Int operand : Values(type)) {
        for (const Int max : Values(type)) {  // also where max < min
          mins.push_back(min);
          operands.push_back(operand);
          maxs.push_back(max);
        }
      }
    }
    const Shape shape = {static_cast<int64_t>(mins.size())};
    const Expectation result =
        Result("clamp",
               {TensorOf(type, shape, mins), TensorOf(type, shape, operands),
                TensorOf(type, shape, maxs)},
               {shape, type});
    for (size_t i = 0; i < mins.size(); ++i) {
      Int expected = operands[i];
      if (expected < mins[i]) expected = mins[i];
      if (expected > maxs[i]) expected = maxs[i];  // max wins over min
      ASSERT_EQ(result.lo.Bits(static_cast<int64_t>(i)), BitsOf(type, expected))
          << FormatInteger(mins[i]) << ", " << FormatInteger(operands[i])
          << ", " << FormatInteger(maxs[i]);
    }
  }
}

std::vector<int> Row(const Expectation& expectation) {
  std::vector<int> values;
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    values.push_back(static_cast<int>(
        ValueOf(expectation.lo.element_type(), expectation.lo.Bits(i))));
  }
  return values;
}

TEST(Clamp, BroadcastsABoundOfRankZero) {
  using ::testing::ElementsAre;
  const ElementType type = ElementType::kI8;
  const Tensor operand = TensorOf(type, {2, 2}, {-9, 0, 5, 9});
  const TensorType result{{2, 2}, type};
  const Tensor one = TensorOf(type, {}, {1}), six = TensorOf(type, {}, {6});
  const Tensor mins = TensorOf(type, {2, 2}, {-10, 1, 6, -1});
  const Tensor maxs = TensorOf(type, {2, 2}, {-10, 1, 6, -1});
  EXPECT_THAT(Row(Result("clamp", {one, operand, six}, result)),
              ElementsAre(1, 1, 5, 6));
  EXPECT_THAT(Row(Result("clamp", {mins, operand, six}, result)),
              ElementsAre(-9, 1, 6, 6));
  EXPECT_THAT(Row(Result("clamp", {one, operand, maxs}, result)),
              ElementsAre(-10, 1, 5, -1));
  EXPECT_THAT(
      Row(Result("clamp", {one, TensorOf(type, {}, {-3}), six}, {{}, type})),
      ElementsAre(1));
}

TEST(Select, TakesTheElementThatPredNames) {
  using ::testing::ElementsAre;
  const ElementType i1 = ElementType::kI1;
  for (const ElementType type : Types()) {
    SCOPED_TRACE(Name(type));
    const std::vector<Int> values = Values(type);
    const std::vector<Int> reversed(values.rbegin(), values.rend());
    const Shape shape = {static_cast<int64_t>(values.size())};
    const Tensor on_true = TensorOf(type, shape, values);
    const Tensor on_false = TensorOf(type, shape, reversed);
    for (int phase = 0; phase < 4; ++phase) {  // 2 and 3: pred has rank 0
      const bool scalar = phase >= 2;
      std::vector<Int> pred;
      for (size_t i = 0; i < (scalar ? 1 : values.size()); ++i) {
        pred.push_back((i + static_cast<size_t>(phase)) % 2);
      }
      const Expectation result = Result(
          "select",
          {TensorOf(i1, scalar ? Shape{} : shape, pred), on_true, on_false},
          {shape, type});
      for (size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(result.lo.Bits(static_cast<int64_t>(i)),
                  BitsOf(type, pred[scalar ? 0 : i] ? values[i] : reversed[i]));
      }
    }
  }
}

TEST(Convert, KeepsWhatTheDestinationHasAndLeavesTheRestToThePolicy) {
  for (const ElementType from : Types()) {
    for (const ElementType to : Types()) {
      SCOPED_TRACE(std::string(Name(from)) + " to " + Name(to));
      const std::vector<Int> values = Values(from);
      const Shape shape = {static_cast<int64_t>(values.size())};
      const Tensor operand = TensorOf(from, shape, values);
      const Expectation wrap =
          Result("convert", {operand}, {shape, to}, "assay");
      const Expectation any =
          Result("convert", {operand}, {shape, to}, "stablehlo");
      for (size_t k = 0; k < values.size(); ++k) {
        const int64_t i = static_cast<int64_t>(k);
        Int value = values[k];
        bool open = false;
        if (IsBoolean(to)) {
          value = value == 0 ? 0 : 1;
        } else if (value < MinValue(to) || value > MaxValue(to)) {
          const Int modulus = static_cast<Int>(1) << Info(to).bits;
          value %= modulus;
          if (value < MinValue(to)) value += modulus;
          if (value > MaxValue(to)) value -= modulus;
          open = true;
        }
        EXPECT_FALSE(wrap.IsOpen(i));
        EXPECT_EQ(wrap.lo.Bits(i), BitsOf(to, value))
            << FormatInteger(values[k]);
        EXPECT_EQ(any.IsOpen(i), open) << FormatInteger(values[k]);
        if (!open) {
          EXPECT_EQ(any.lo.Bits(i), BitsOf(to, value));
        }
      }
    }
  }
}

TEST(Convert, MarksTheClauseThatApplied) {
  struct Row {
    ElementType from, to;
    Int value;
    int clause;
  };
  const ElementType i1 = ElementType::kI1, i8 = ElementType::kI8,
                    ui8 = ElementType::kUi8;
  for (const Row& row :
       {Row{i1, i8, 1, 1}, Row{i8, i1, 5, 2}, Row{i1, i1, 1, 2},
        Row{i8, ui8, 127, 3}, Row{i8, ui8, -1, 4}, Row{ui8, i8, 128, 4}}) {
    Op op;
    op.op = "convert";
    op.inputs = {{"operand", "operand", {{1}, row.from}}};
    op.outputs = {{"result", "result", {{1}, row.to}}};
    EXPECT_EQ(Evaluate(op, {TensorOf(row.from, {1}, {row.value})},
                       Policy::Find("assay"), Marks::kCounted)
                  .marks,
              uint64_t{1} << row.clause)
        << Name(row.from) << " to " << Name(row.to);
  }
}

}  // namespace
}  // namespace assay
