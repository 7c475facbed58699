#include "cases/run/row_slices.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cases/case.h"
#include "oracle/oracle.h"

namespace assay {
namespace {

struct SlicedCall {
  Op op;
  std::vector<Tensor> inputs;
};

SlicedCall CallOf(const std::string& op, const std::string& inputs) {
  const std::string text = R"({"op": ")" + op +
                           R"(", "cases": [{"id": "a", "inputs": {)" + inputs +
                           "}}]}";
  const Case c =
      ParseCases("t.json", ParseJsonExactly("t.json", text), {}).at(0);
  SlicedCall call{c.program.main().body[0], {}};
  for (const CaseInput& input : c.inputs)
    call.inputs.push_back(input.data.Materialise());
  return call;
}

constexpr const char* kBoth = R"(, "promotion_methods": [[0, 1, "DEFAULT"]])";
constexpr const char* kColumnAndRow =
    R"("lhs": {"type": "tensor<3x1xi8>", "data": [1, 2, 3]},
       "rhs": {"type": "tensor<4xi16>", "data": [10, 20, 30, 40]})";
constexpr const char* kMatrix =
    R"({"type": "tensor<3x2xi8>", "data": [1, -2, 3, 4, 5, 6]})";

// Returns a call, and how many bytes a row of its result has.
const std::pair<SlicedCall, int64_t>& Sliceable(size_t i) {
  static const std::vector<std::pair<SlicedCall, int64_t>> calls = {
      {CallOf("negate", std::string(R"("operand": )") + kMatrix), 2},
      {CallOf("clamp",
              std::string(R"("min": {"type": "tensor<i8>", "data": [0]},
                             "operand": )") +
                  kMatrix + R"(, "max": {"type": "tensor<i8>", "data": [4]})"),
       2},
      {CallOf("pointwise.add", std::string(kColumnAndRow) + kBoth), 8},
      {CallOf("pointwise.subtract",
              std::string(R"("lhs": )") + kMatrix +
                  R"(, "rhs": {"type": "tensor<i8>", "data": [9]})" + kBoth),
       2},
      {CallOf("broadcast_in_dim", R"(
          "operand": {"type": "tensor<3xi8>", "data": [1, 2, 3]},
          "broadcast_dimensions": [0]}, "outputs": {
          "result": {"type": "tensor<3x2xi8>"})"),
       2},
      {CallOf("broadcast_in_dim", R"(
          "operand": {"type": "tensor<2xi8>", "data": [1, 2]},
          "broadcast_dimensions": [1]}, "outputs": {
          "result": {"type": "tensor<3x2xi8>"})"),
       2},
      {CallOf("broadcast_in_dim", R"(
          "operand": {"type": "tensor<1x2xi8>", "data": [1, 2]},
          "broadcast_dimensions": [0, 1]}, "outputs": {
          "result": {"type": "tensor<3x2xi8>"})"),
       2},
  };
  return calls.at(i);
}

class RowSlices : public testing::TestWithParam<size_t> {};

TEST_P(RowSlices, GiveTheRowsOfTheWhole) {
  const auto& [call, row_bytes] = Sliceable(GetParam());
  const Policy& policy = Policy::Find("assay");
  const Tensor whole =
      Evaluate(call.op, call.inputs, policy, Marks::kNone).outputs[0].lo;
  for (const int64_t rows : {1, 2}) {
    EXPECT_EQ(RowsAtATime(call.op, rows * row_bytes), rows);
    for (int64_t begin = 0; begin < 3; begin += rows) {
      const int64_t end = std::min<int64_t>(begin + rows, 3);
      const RowSlice slice = SliceRows(call.op, call.inputs, begin, end);
      const Tensor part =
          Evaluate(slice.op, slice.inputs, policy, Marks::kNone).outputs[0].lo;
      const Tensor expected = whole.Rows(begin, end);
      ASSERT_EQ(part.type(), expected.type());
      EXPECT_EQ(std::memcmp(part.data(), expected.data(),
                            static_cast<size_t>(part.type().ByteSize())),
                0);
    }
  }
  EXPECT_EQ(RowsAtATime(call.op, 3 * row_bytes), 0) << "small";
  EXPECT_EQ(RowsAtATime(call.op, 1), 1) << "a row is the least";
}

INSTANTIATE_TEST_SUITE_P(Each, RowSlices, testing::Range(size_t{0}, size_t{7}));

TEST(RowSlicesOf, WhatHasNoRowsIsWhole) {
  const SlicedCall transposed = CallOf("broadcast_in_dim", R"(
      "operand": {"type": "tensor<2x3xi8>", "data": [1, 2, 3, 4, 5, 6]},
      "broadcast_dimensions": [1, 0]}, "outputs": {
      "result": {"type": "tensor<3x2xi8>"})");
  EXPECT_EQ(RowsAtATime(transposed.op, 1), 0);
  const SlicedCall scalar =
      CallOf("negate", R"("operand": {"type": "tensor<i64>", "data": [1]})");
  EXPECT_EQ(RowsAtATime(scalar.op, 1), 0);
  const SlicedCall bits = CallOf("bitcast_convert", R"(
      "operand": {"type": "tensor<2x2xi8>", "data": [1, 2, 3, 4]}},
      "outputs": {"result": {"type": "tensor<2xi16>"})");
  EXPECT_EQ(RowsAtATime(bits.op, 1), 0);
}

}  // namespace
}  // namespace assay
