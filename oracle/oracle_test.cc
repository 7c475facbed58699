// Tests the oracle as its callers see it: the integer examples of the
// specifications, which clauses an evaluation marks, the clauses of a single
// element, and results without elements.
#include "oracle/oracle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace assay {
namespace {

using ::testing::ElementsAre;

using Numbers = std::vector<int64_t>;
using Labels = std::set<std::string>;

Tensor TensorOfNumbers(ElementType type, const Shape& shape,
                       const Numbers& values) {
  Tensor tensor(TensorType{shape, type});
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetBits(static_cast<int64_t>(i), BitsOf(type, values[i]));
  }
  return tensor;
}

struct Call {
  Op op;
  std::vector<Tensor> inputs;
};

// Makes a call on 1-dimensional operands.
Call MakeCall(const std::string& id, ElementType type,
              const std::vector<Numbers>& operands,
              std::vector<Attribute> attributes = {}) {
  Call call;
  call.op.op = id;
  for (size_t k = 0; k < operands.size(); ++k) {
    const bool is_pred = id == "select" && k == 0;
    const std::string& name = FindOp(id)->inputs[k].name;
    call.inputs.push_back(TensorOfNumbers(
        is_pred ? ElementType::kI1 : type,
        {static_cast<int64_t>(operands[k].size())}, operands[k]));
    call.op.inputs.push_back({name, name, call.inputs.back().type()});
  }
  call.op.attributes = std::move(attributes);
  TensorType result = call.inputs.back().type();
  if (id == "compare") result.element_type = ElementType::kI1;
  call.op.outputs.push_back({"result", "result", result});
  return call;
}

Evaluation EvaluationOf(const Call& call, const char* policy = "assay") {
  return Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kCounted);
}

Numbers Result(const Call& call) {
  const Expectation result = EvaluationOf(call).outputs.at(0);
  Numbers values;
  for (int64_t i = 0; i < result.lo.size(); ++i) {
    EXPECT_FALSE(result.IsOpen(i));
    values.push_back(static_cast<int64_t>(
        ValueOf(result.lo.element_type(), result.lo.Bits(i))));
  }
  return values;
}

Attribute IsArithmetic(bool value) {
  return {"is_arithmetic", TensorOfNumbers(ElementType::kI1, {}, {value})};
}

TEST(Examples, OfTheStablehloSpecificationHold) {
  struct Row {
    const char* op;
    ElementType type;
    std::vector<Numbers> operands;
    Numbers result;
  };
  const ElementType i1 = ElementType::kI1, i32 = ElementType::kI32,
                    i64 = ElementType::kI64;
  const Numbers lhs = {1, 2, 3, 4}, rhs = {5, 6, 7, 8};
  const Row rows[] = {
      {"abs", i32, {{-2, 0, 2}}, {2, 0, 2}},
      {"add", i32, {lhs, rhs}, {6, 8, 10, 12}},
      {"and", i32, {lhs, rhs}, {1, 2, 3, 0}},
      {"clamp", i32, {{5, 10, 15}, {3, 13, 23}, {10, 15, 20}}, {5, 13, 20}},
      {"count_leading_zeros", i64, {{0, 1, 128, -1}}, {64, 63, 56, 0}},
      {"maximum", i32, {{1, 2, 7, 8}, {5, 6, 3, 4}}, {5, 6, 7, 8}},
      {"minimum", i32, {{1, 2, 7, 8}, {5, 6, 3, 4}}, {1, 2, 3, 4}},
      {"multiply", i32, {lhs, rhs}, {5, 12, 21, 32}},
      {"negate", i32, {{0, -2}}, {0, 2}},
      {"not", i32, {lhs}, {-2, -3, -4, -5}},
      {"not", i1, {{1, 0}}, {0, 1}},
      {"or", i32, {lhs, rhs}, {5, 6, 7, 12}},
      {"or", i1, {{0, 0, 1, 1}, {0, 1, 0, 1}}, {0, 1, 1, 1}},
      {"popcnt", i64, {{0, 1, 2, 127}}, {0, 1, 1, 7}},
      {"remainder", i64, {{17, -17, 17, -17}, {3, 3, -3, -3}}, {2, -2, 2, -2}},
      {"select", i32, {{0, 1, 1, 0}, lhs, rhs}, {5, 2, 3, 8}},
      {"shift_left", i64, {{-1, 0, 1}, {1, 2, 3}}, {-2, 0, 8}},
      {"shift_right_arithmetic", i64, {{-1, 0, 8}, {1, 2, 3}}, {-1, 0, 1}},
      {"shift_right_logical",
       i64,
       {{-1, 0, 8}, {1, 2, 3}},
       {9223372036854775807, 0, 1}},
      {"xor", i32, {lhs, rhs}, {4, 4, 4, 12}},
      {"xor", i1, {{0, 0, 1, 1}, {0, 1, 0, 1}}, {0, 1, 1, 0}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Result(MakeCall(row.op, row.type, row.operands)), row.result)
        << row.op;
  }
}

TEST(Examples, OfThePaddleDocumentHold) {
  const char* right = "paddle.bitwise_right_shift";
  const char* left = "paddle.bitwise_left_shift";
  const ElementType i8 = ElementType::kI8, ui8 = ElementType::kUi8;
  // 1001,1010 >> 3 = 0001,0011 and 0001,1010 >> 3 = 0000,0011, logically.
  EXPECT_THAT(Result(MakeCall(right, i8, {{0x9a - 256, 0x1a}, {3, 3}},
                              {IsArithmetic(false)})),
              ElementsAre(0x13, 0x03));
  EXPECT_THAT(
      Result(MakeCall(right, i8,
                      {{-100, -100, -100, -100, 100}, {7, 8, 9, -1, 8}})),
      ElementsAre(-1, -1, -1, -1, 0));
  EXPECT_THAT(Result(MakeCall(right, ui8, {{200, 200, 200}, {8, 7, 255}})),
              ElementsAre(0, 1, 0));
  // The text says "左移1000位时, 实际上需要返回0", so the count is not taken
  // modulo 16.
  EXPECT_THAT(Result(MakeCall(left, ElementType::kI16, {{1, 1}, {1000, -1}})),
              ElementsAre(0, 0));
}

Labels LabelsOf(const Op& op, uint64_t marks) {
  Labels labels;
  for (int n = 0; n < 64; ++n) {
    if ((marks >> n & 1) == 0) continue;
    const ClauseSpec* clause = FindOp(op.op)->Clause(n);
    EXPECT_NE(clause, nullptr) << op.op << " has no clause " << n;
    if (clause) labels.insert(clause->label);
  }
  return labels;
}

TEST(Marks, AreExactlyTheClausesThatDecidedAnElement) {
  struct Row {
    const char* op;
    ElementType type;
    std::vector<Numbers> operands;
    Labels labels;
  };
  const ElementType i1 = ElementType::kI1, i2 = ElementType::kI2,
                    i8 = ElementType::kI8, ui8 = ElementType::kUi8;
  const char* left = "paddle.bitwise_left_shift";
  const char* right = "paddle.bitwise_right_shift";
  const Row rows[] = {
      {"abs", i8, {{-127, -128}}, {"S1", "S5"}},
      {"add", i1, {{1}, {1}}, {"S1"}},
      {"add", i8, {{127}, {-128}}, {"S2"}},
      {"add", i8, {{127}, {1}}, {"S6"}},
      {"subtract", ui8, {{1, 0}, {1, 1}}, {"S1", "S5"}},
      {"multiply", i1, {{1}, {0}}, {"S1"}},
      {"multiply", i8, {{-16, 16}, {8, 8}}, {"S2", "S6"}},
      {"negate", i8, {{127, -128}}, {"S1", "S6"}},
      {"negate", ui8, {{127, 128, 129}}, {"S2", "S6"}},
      {"divide", i8, {{-128, -128}, {1, -1}}, {"S1", "S5"}},
      {"divide", i8, {{-128, 0}, {0, 0}}, {"S6"}},
      {"divide", ui8, {{128}, {255}}, {"S1"}},
      {"remainder", i8, {{7}, {-3}}, {"S2"}},
      {"remainder", i8, {{-128}, {-1}}, {"S1"}},
      {"remainder", i8, {{7}, {0}}, {"S6"}},
      {"power", i8, {{-2, 2, 0, -1}, {7, 6, 0, 127}}, {"S1"}},
      {"power", i8, {{2, 16, -2}, {7, 2, 8}}, {"S5"}},
      {"power", i8, {{2, -1, 0}, {-1, -1, -1}}, {"S6"}},
      {"sign", i8, {{-128, 1}}, {"S1", "S3"}},
      {"sign", i8, {{0}}, {"S2"}},
      {"and", i1, {{1}, {1}}, {"S1"}},
      {"and", ui8, {{1}, {1}}, {"S2"}},
      {"or", i1, {{1}, {1}}, {"S1"}},
      {"or", i8, {{1}, {1}}, {"S2"}},
      {"xor", i1, {{1}, {1}}, {"S1"}},
      {"xor", i8, {{1}, {1}}, {"S2"}},
      {"not", i1, {{1}}, {"S1"}},
      {"not", i8, {{1}}, {"S2"}},
      {"popcnt", i8, {{-1}}, {"S1"}},
      {"popcnt", i2, {{-2, -1}}, {"S1", "S2"}},
      {"count_leading_zeros", i2, {{1, 0}}, {"S1", "S2"}},
      {"maximum", i1, {{1}, {1}}, {"S1"}},
      {"maximum", i8, {{1}, {1}}, {"S2"}},
      {"minimum", i1, {{1}, {1}}, {"S1"}},
      {"minimum", i8, {{1}, {1}}, {"S2"}},
      {"clamp", i8, {{1}, {2}, {3}}, {"S1"}},
      {"select", i8, {{1}, {2}, {3}}, {"S1"}},
      {"shift_left", i8, {{1}, {7}}, {"S1"}},
      {"shift_left", i8, {{1, 1}, {8, -1}}, {"S2"}},
      {"shift_right_logical", ui8, {{1, 1}, {7, 128}}, {"S1", "S2"}},
      {"shift_right_arithmetic", i8, {{-1, -1}, {7, 8}}, {"S1", "S2"}},
      {"shift_right_arithmetic", ui8, {{255}, {7}}, {"S3"}},
      {left, i8, {{1}, {1}}, {"SH-01", "SH-04", "SH-07"}},
      {left, i8, {{1}, {8}}, {"SH-01", "SH-04", "SH-06", "SH-22"}},
      {left, i8, {{1}, {-1}}, {"SH-01", "SH-04", "SH-05", "SH-06"}},
      {left, ui8, {{1}, {128}}, {"SH-01", "SH-04", "SH-06", "SH-23"}},
      {right, i8, {{1}, {7}}, {"SH-01", "SH-04", "SH-09"}},
      {right, i8, {{1}, {-8}}, {"SH-01", "SH-04", "SH-05", "SH-08"}},
      {right, ui8, {{1}, {7}}, {"SH-01", "SH-04", "SH-11"}},
      {right, ui8, {{1}, {8}}, {"SH-01", "SH-04", "SH-10", "SH-22"}},
  };
  for (const Row& row : rows) {
    const Call call = MakeCall(row.op, row.type, row.operands);
    EXPECT_EQ(LabelsOf(call.op, EvaluationOf(call).marks), row.labels)
        << row.op << ' ' << Name(row.type) << ' '
        << ::testing::PrintToString(row.operands);
  }
  const char* directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  for (int i = 0; i < 6; ++i) {
    const Call call = MakeCall("compare", i8, {{1}, {1}},
                               {{"comparison_direction", Symbol{directions[i]}},
                                {"compare_type", Symbol{"SIGNED"}}});
    EXPECT_EQ(LabelsOf(call.op, EvaluationOf(call).marks),
              Labels{fmt::format("S{}", i + 1)});
  }
}

TEST(Marks, AnAttributeThatIsGivenIsNotLeftOut) {
  struct Row {
    const char* op;
    ElementType type;
    int64_t x, y;
    bool arithmetic;
    Labels labels;
  };
  const char* left = "paddle.bitwise_left_shift";
  const char* right = "paddle.bitwise_right_shift";
  const ElementType i8 = ElementType::kI8, ui8 = ElementType::kUi8;
  for (const Row& row : {
           Row{left, i8, 1, 1, true, {"SH-04", "SH-07"}},
           Row{left, i8, 1, 1, false, {"SH-04", "SH-13"}},
           Row{left, i8, 1, -1, false, {"SH-04", "SH-05", "SH-12"}},
           Row{right, i8, 1, 1, true, {"SH-04", "SH-09"}},
           Row{right, i8, 1, 1, false, {"SH-04", "SH-15"}},
           Row{right, i8, 1, -1, false, {"SH-04", "SH-05", "SH-14"}},
           Row{right, ui8, 1, 1, false, {"SH-04", "SH-16"}},
       }) {
    const Call call = MakeCall(row.op, row.type, {{row.x}, {row.y}},
                               {IsArithmetic(row.arithmetic)});
    EXPECT_EQ(LabelsOf(call.op, EvaluationOf(call).marks), row.labels);
  }
}

Labels LabelsAt(const Call& call, int64_t index) {
  Labels labels;
  for (const DecidingClause& decides :
       ClausesOf(call.op, call.inputs, Policy::Find("assay"), index))
    labels.insert(decides.clause->label);
  return labels;
}

TEST(ClausesOf, AreThoseOfTheOneElement) {
  const Call call =
      MakeCall("add", ElementType::kI8, {{1, 127, -128}, {1, 1, -1}});
  EXPECT_THAT(LabelsAt(call, 0), ElementsAre("S2"));
  EXPECT_THAT(LabelsAt(call, 1), ElementsAre("S6"));
  EXPECT_THAT(LabelsAt(call, 2), ElementsAre("S6"));
}

TEST(ClausesOf, KeepTheRankOfAnOperandOfRankZero) {
  Call call = MakeCall("clamp", ElementType::kI8, {{0}, {1, 2, 3}, {9, 9, 9}});
  const Tensor scalar = TensorOfNumbers(ElementType::kI8, {}, {2});
  call.inputs[0] = scalar;
  call.op.inputs[0].type = scalar.type();
  EXPECT_THAT(LabelsAt(call, 2), ElementsAre("S1", "S2"));
  call.inputs = {scalar, scalar, scalar};
  for (auto& input : call.op.inputs) input.type = scalar.type();
  call.op.outputs[0].type = scalar.type();
  EXPECT_THAT(LabelsAt(call, 0), ElementsAre("S1", "S2", "S3"));
}

TEST(Evaluate, WithoutElementsMarksNothing) {
  const Evaluation evaluation =
      EvaluationOf(MakeCall("divide", ElementType::kI32, {{}, {}}));
  ASSERT_EQ(evaluation.outputs.size(), 1u);
  EXPECT_EQ(evaluation.outputs[0].lo.size(), 0);
  EXPECT_EQ(evaluation.marks, 0u);
}

TEST(Evaluate, AcceptsAnythingWhereThePolicyDoes) {
  const Call call = MakeCall("shift_left", ElementType::kI8, {{1, 1}, {1, 8}});
  const Expectation open = EvaluationOf(call, "stablehlo").outputs.at(0);
  EXPECT_FALSE(open.IsOpen(0));
  EXPECT_TRUE(open.IsOpen(1));
  EXPECT_EQ(open.lo.Bits(0), 2u);
}

TEST(EvaluateDeathTest, RefusesAnOpThatHasNoFunction) {
  Call call = MakeCall("add", ElementType::kI8, {{1}, {1}});
  call.op.op = "nonsense";
  EXPECT_DEATH(EvaluationOf(call), "kOracle");
}

}  // namespace
}  // namespace assay
