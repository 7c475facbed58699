// Tests that operands which no kernel survives are refused with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "backends/backend.h"
#include "backends/cuda/core/calls_test_support.h"

namespace assay::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Run, OperandsThatNoKernelSurvivesAreInvalid) {
  TestOperand<int32_t> a({2}, {1, 2}), b({2}, {3, 4}), out({2}, {0, 0});
  int32_t status;
  const auto run = [&](const AssayTensor& x) {
    return Call("add", {x, b.tensor}, {out.tensor}).Run(&status);
  };
  EXPECT_EQ(run(a.tensor), "");
  EXPECT_EQ(status, ASSAY_OK);
  EXPECT_THAT(out.data, ElementsAre(4, 6));

  AssayTensor bad = a.tensor;
  bad.tensor.data = nullptr;
  EXPECT_THAT(run(bad), HasSubstr("null pointer"));
  EXPECT_EQ(status, ASSAY_INVALID);

  bad = a.tensor;
  bad.tensor.device.device_type = kDLCUDA;
  EXPECT_THAT(run(bad), HasSubstr("not on this device"));
  EXPECT_EQ(status, ASSAY_INVALID);

  const Dims many(65, 1);
  bad = a.tensor;
  bad.tensor.ndim = 65;
  bad.tensor.shape = const_cast<int64_t*>(many.data());
  bad.tensor.strides = const_cast<int64_t*>(many.data());
  EXPECT_THAT(run(bad), HasSubstr("more dimensions"));
  EXPECT_EQ(status, ASSAY_INVALID);

  int64_t negative = -2;
  bad = a.tensor;
  bad.tensor.shape = &negative;
  EXPECT_THAT(run(bad), HasSubstr("negative size"));
  EXPECT_EQ(status, ASSAY_INVALID);
}

TEST(Run, AnEmptyOperandMayBeANullPointer) {
  TestOperand<int32_t> a({0}, {}), out({0}, {});
  a.tensor.tensor.data = out.tensor.tensor.data = nullptr;
  int32_t status;
  EXPECT_EQ(Call("negate", {a.tensor}, {out.tensor}).Run(&status), "");
  EXPECT_EQ(status, ASSAY_OK);
}

TEST(Run, WhatHasNoShapeOrNoStridesIsInvalid) {
  TestOperand<int32_t> a({2}, {1, 2}), out({2}, {0, 0});
  int32_t status;
  AssayTensor bad = a.tensor;
  bad.tensor.shape = nullptr;
  EXPECT_THAT(Call("negate", {bad}, {out.tensor}).Run(&status),
              HasSubstr("no shape or no strides"));
  EXPECT_EQ(status, ASSAY_INVALID);
  bad = out.tensor;
  bad.tensor.strides = nullptr;
  EXPECT_THAT(Call("negate", {a.tensor}, {bad}).Run(&status),
              HasSubstr("no shape or no strides"));
  EXPECT_EQ(status, ASSAY_INVALID);
}

// In one shape the number of elements is 0 modulo 2^64, in the other the extent
// of the strides is.
TEST(Run, WhatIsLargerThanMemoryIsInvalid) {
  TestOperand<int32_t> a({2}, {1, 2}), out({2}, {0, 0});
  const struct {
    Dims shape, strides;
  } huge[] = {{{int64_t{1} << 32, int64_t{1} << 32}, {0, 0}},
              {{int64_t{1} << 62}, {1}},
              {{2, 2}, {int64_t{1} << 62, int64_t{1} << 62}},
              {{3}, {INT64_MIN}}};
  for (const auto& [shape, strides] : huge) {
    AssayTensor bad = a.tensor;
    bad.tensor.ndim = static_cast<int>(shape.size());
    bad.tensor.shape = const_cast<int64_t*>(shape.data());
    bad.tensor.strides = const_cast<int64_t*>(strides.data());
    int32_t status;
    EXPECT_THAT(Call("negate", {bad}, {bad}).Run(&status),
                HasSubstr("larger than there are addresses"));
    EXPECT_EQ(status, ASSAY_INVALID);
  }
}

TEST(Run, AnotherNumberOfOperandsIsAnotherOp) {
  TestOperand<float> a({2}, {1, 2}), out({2}, {0, 0});
  const std::vector<AssayAttribute> bits = {
      {"exponent_bits", "5", nullptr, {}},
      {"mantissa_bits", "10", nullptr, {}}};
  for (const char* op : {"reduce_precision", "negate", "is_finite"}) {
    int32_t status;
    const auto attributes = std::string(op) == "reduce_precision"
                                ? bits
                                : std::vector<AssayAttribute>();
    Call(op, {a.tensor, a.tensor}, {out.tensor}, attributes).Run(&status);
    EXPECT_EQ(status, ASSAY_UNSUPPORTED) << op;
  }
}

}  // namespace
}  // namespace assay::cuda
