// Tests the ops that move elements by indices that are operands, and by shapes
// that are.
#include <gmock/gmock.h>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/movement/movement_test_support.h"
#include "oracle/program.h"

namespace assay {
namespace {

using enum ElementType;
using testing::ElementsAre;

Attribute IntegerList(const std::string& name,
                      const std::vector<int64_t>& values) {
  return {name, IntegerTensor({{std::ssize(values)}, kI64}, values)};
}

Tensor Integer(ElementType type, int64_t value) {
  return IntegerTensor({{}, type}, {value});
}

FloatCall SliceAt(const Tensor& operand, const Tensor& start, int64_t size) {
  FloatCall call;
  call.op.op = "dynamic_slice";
  call.inputs = {operand, start};
  call.op.inputs = {{"operand", "operand", operand.type()},
                    {"start_indices", "start", start.type()}};
  call.op.attributes = {IntegerList("slice_sizes", {size})};
  call.op.outputs = {
      {"result", "result", TensorType({size}, operand.element_type())}};
  return call;
}

TEST(DynamicSlice, ClampsIndicesAsTheNumbersThatTheyAre) {
  const Tensor operand = Counted({4}, 10);
  const auto at = [&](ElementType type, int64_t start) {
    return ValuesIn(
        EvaluateCall(SliceAt(operand, Integer(type, start), 2)).outputs[0].lo);
  };
  EXPECT_THAT(at(kI64, 1), ElementsAre(11, 12));
  EXPECT_THAT(at(kI8, -1), ElementsAre(10, 11));
  EXPECT_THAT(at(kUi8, 200), ElementsAre(12, 13));
  EXPECT_THAT(at(kI64, INT64_MIN), ElementsAre(10, 11));
  // 2^64 - 1 as a number without a sign.
  Tensor most(TensorType({}, kUi64));
  most.SetBits(0, UINT64_MAX);
  EXPECT_THAT(ValuesIn(EvaluateCall(SliceAt(operand, most, 2)).outputs[0].lo),
              ElementsAre(12, 13));
}

TEST(DynamicSlice, AnElementRestsOnTheIndicesToo) {
  const FloatCall call = SliceAt(Counted({4}, 10), Integer(kI64, 1), 2);
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 1),
              ElementsAre(Source{0, 2}, Source{1, 0}));
}

TEST(DynamicSlice, AnIndexOfSeveralValuesGivesOneOfTheElementsThere) {
  const FloatCall call = SliceAt(Counted({4}, 10), Integer(kI8, 0), 1);
  const Policy& policy = Policy::Find("assay");
  ProgramEvaluator evaluator(policy);
  evaluator.Define("operand", call.inputs[0]);
  Possible index = Possible::Value(1);
  index.Add(kI8, Possible::Value(2));
  index.Add(kI8, Possible::Value(100));
  evaluator.Define("start", TensorType({}, kI8), index);
  evaluator.Keep(call.op, evaluator.Evaluate(call.op));
  const Possible result = evaluator.At("result", 0);
  ASSERT_TRUE(result.IsFinite());
  std::vector<int64_t> values;
  for (const Possible::Range& range : result.ranges)
    values.push_back(static_cast<int64_t>(range.lo));
  EXPECT_THAT(values, ElementsAre(11, 12, 13));
}

}  // namespace
}  // namespace assay
