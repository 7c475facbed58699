// Tests ops of every element size over many layouts against the contiguous
// result. A difference is a fault of the loop nest, whatever the op computes.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backends/simd/core/layouts_test_support.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/core/strided_tensor_test_support.h"

namespace assay::simd_test {
namespace {

constexpr Type kI4 = {kDLInt, 4};
constexpr Type kI8 = {kDLInt, 8};
constexpr Type kI16 = {kDLInt, 16};
constexpr Type kI32 = {kDLInt, 32};
constexpr Type kI64 = {kDLInt, 64};
constexpr Type kBF16 = {kDLBfloat, 16};
constexpr Type kF32 = {kDLFloat, 32};
constexpr Type kF64 = {kDLFloat, 64};
constexpr Type kC64 = {kDLComplex, 64};
constexpr Type kC128 = {kDLComplex, 128};

struct TypedOp {
  Op op;
  std::vector<Type> inputs;
  Type output;
};

// The ops are rows, conversions, and ops that are not a row, with results of
// the operands' size, smaller and larger ones.
const std::vector<TypedOp>& LayoutOps() {
  static const std::vector<TypedOp> ops = {
      {{"not", "", ""}, {kI4}, kI4},
      {{"add", "", ""}, {kI8, kI8}, kI8},
      {{"subtract", "", ""}, {kI16, kI16}, kI16},
      {{"subtract", "", ""}, {kI32, kI32}, kI32},
      {{"xor", "", ""}, {kI64, kI64}, kI64},
      {{"add", "", ""}, {kBF16, kBF16}, kBF16},
      {{"subtract", "", ""}, {kC128, kC128}, kC128},
      {{"compare", "comparison_direction", "LT"}, {kI8, kI8}, kBool},
      {{"compare", "comparison_direction", "LT"}, {kF64, kF64}, kBool},
      {{"select", "", ""}, {kBool, kI64, kI64}, kI64},
      {{"clamp", "", ""}, {kI16, kI16, kI16}, kI16},
      {{"exponential", "", ""}, {kF32}, kF32},
      {{"convert", "", ""}, {kI8}, kI64},
      {{"convert", "", ""}, {kF64}, kBF16},
      {{"convert", "", ""}, {kF32}, kC128},
      {{"complex", "", ""}, {kF32, kF32}, kC64},
      {{"imag", "", ""}, {kC128}, kF64},
      {{"multiply", "", ""}, {kC64, kC64}, kC64},
      {{"reduce_precision", "exponent_bits", "5", {{"mantissa_bits", "3"}}},
       {kF32},
       kF32},
      {{"bitcast_convert", "", ""}, {kF64}, kI64}};
  return ops;
}

// The extents are around those of vectors, tiles, buffers and rows that are
// read where they lie. Some rows are short; ranks go from 0 to 8; one tensor is
// empty.
const std::vector<Dims>& LayoutShapes() {
  static const std::vector<Dims> shapes = {{},
                                           {1},
                                           {7},
                                           {1031},
                                           {2050},
                                           {8209},
                                           {3, 5},
                                           {701, 3},
                                           {3, 701},
                                           {16, 64},
                                           {65, 67},
                                           {130, 33},
                                           {17, 1, 9},
                                           {40, 3, 3},
                                           {4, 5, 6, 7},
                                           {300, 1, 2},
                                           {2, 3, 1, 2, 2, 1, 3, 2},
                                           {0, 5},
                                           {5, 0, 2},
                                           {33, 2, 130},
                                           {9, 520}};
  return shapes;
}

// ------------------------------------------------------------------------ Runs

struct Place {
  bool at_end;
  size_t skip;
};

// Runs `op` on operands whose layouts are `inputs`, with the result in
// `output`, or in the place of input `in_place` unless that is -1.
void CheckLayouts(const TypedOp& op, const Dims& shape,
                  const std::vector<size_t>& inputs, size_t output,
                  const Place& place, int in_place = -1) {
  std::vector<std::unique_ptr<StridedTensor>> strided;
  std::vector<std::unique_ptr<StridedTensor>> plain;
  std::vector<AssayTensor> operands;
  std::vector<AssayTensor> plain_operands;
  std::string what = op.op.Text() + " on";
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    const Type type = op.inputs[k];
    what += std::string(" ") + kLayouts[inputs[k]];
    strided.push_back(std::make_unique<StridedTensor>(
        type, shape, StridesOf(inputs[k], shape), place.at_end, place.skip));
    strided[k]->Fill(PatternFor(type, k));
    plain.push_back(
        std::make_unique<StridedTensor>(type, shape, RowMajor(shape)));
    const std::vector<unsigned char> elements = strided[k]->Elements();
    if (!elements.empty()) plain[k]->Fill(elements);
    operands.push_back(strided[k]->assay());
    plain_operands.push_back(plain[k]->assay());
  }
  what += std::string(" to ") + kLayouts[output] + " of";
  for (const int64_t size : shape) what += " " + std::to_string(size);
  StridedTensor wanted(op.output, shape, RowMajor(shape));
  ASSERT_EQ(RunOp(op.op, plain_operands, wanted.assay()), ASSAY_OK) << what;
  StridedTensor apart(op.output, shape, StridesOf(output, shape), place.at_end,
                      place.skip);
  StridedTensor& result =
      in_place < 0 ? apart : *strided[static_cast<size_t>(in_place)];
  std::string message;
  ASSERT_EQ(RunOp(op.op, operands, result.assay(), &message), ASSAY_OK)
      << what << ": " << message;
  ASSERT_TRUE(result.Elements() == wanted.Elements()) << what;
  ASSERT_TRUE(result.CanariesLive()) << what;
}

class StridedTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    char message[200];
    if (assay_backend()->configure("target", GetParam(), message,
                                   sizeof(message)) != ASSAY_OK) {
      GTEST_SKIP() << message;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Targets, StridedTest,
                         testing::Values("sse4", "avx2", "avx512"),
                         [](const auto& test) { return test.param; });

TEST_P(StridedTest, OneLayoutForAllInputs) {
  for (const TypedOp& op : LayoutOps()) {
    for (const Dims& shape : LayoutShapes()) {
      for (size_t layout = 0; layout < kNumLayouts; ++layout) {
        const std::vector<size_t> inputs(op.inputs.size(), layout);
        const bool odd = layout % 2 == 1;
        CheckLayouts(op, shape, inputs, 0, {odd, odd ? 0u : 1u});
        if (layout == kBroadcast0) continue;
        CheckLayouts(op, shape, inputs, layout, {!odd, 0});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(StridedTest, EachOperandInItsOwnLayout) {
  std::mt19937 random(7);
  for (const TypedOp& op : LayoutOps()) {
    for (const Dims& shape : LayoutShapes()) {
      for (int i = 0; i < 6; ++i) {
        std::vector<size_t> inputs(op.inputs.size());
        for (size_t& layout : inputs) layout = random() % kNumLayouts;
        CheckLayouts(op, shape, inputs, random() % kBroadcast0,
                     {i % 2 == 0, random() % 3});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(StridedTest, InPlaceOfAnInput) {
  for (const TypedOp& op : LayoutOps()) {
    for (const Dims& shape : LayoutShapes()) {
      for (size_t layout = 0; layout < kBroadcast0; ++layout) {
        for (size_t k = 0; k < op.inputs.size(); ++k) {
          if (op.inputs[k].code != op.output.code ||
              op.inputs[k].bits != op.output.bits) {
            continue;
          }
          // The other operands take this layout and kBroadcast0 by turns,
          // because all combinations would take a minute.
          const size_t turn = layout + k + shape.size();
          for (const size_t other : {turn % 2 == 0 ? layout : kBroadcast0}) {
            std::vector<size_t> inputs(op.inputs.size(), other);
            inputs[k] = layout;
            CheckLayouts(op, shape, inputs, 0, {layout % 2 == 0, 0},
                         static_cast<int>(k));
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// ------------------------------------------------------------------ Large ones

std::string ConfigureThreads(const char* threads) {
  char message[200] = "";
  assay_backend()->configure("threads", threads, message, sizeof(message));
  return message;
}

// The tensors have enough elements to be shared among threads and moved past
// the caches. They begin within a cache line, along both dimensions. Without
// the elements in front of the first line, 517 * 8217 elements are whole
// vectors up to the inaccessible page.
TEST(ThreadedTest, ResultsDependOnNeitherThreadsNorLayouts) {
  const TypedOp add = {{"subtract", "", ""}, {kI32, kI32}, kI32};
  struct Run {
    Dims shape;  // More than 4 Mi elements.
    std::vector<size_t> inputs;
    size_t other_output;  // Used besides the contiguous one.
  };
  for (const auto& [shape, inputs, other_output] :
       {Run{{2053, 2049}, {0, 4}, 4}, Run{{2053, 2049}, {8, 5}, 4},
        Run{{517, 8217}, {5, 2}, 1}, Run{{517, 8217}, {6, 0}, 1}}) {
    for (const size_t output : {size_t{0}, other_output}) {
      StridedTensor a(kI32, shape, StridesOf(inputs[0], shape), false, 1);
      StridedTensor b(kI32, shape, StridesOf(inputs[1], shape), true, 0);
      a.Fill(PatternFor(kI32, 1));
      b.Fill(PatternFor(kI32, 2));
      StridedTensor plain_a(kI32, shape, RowMajor(shape));
      StridedTensor plain_b(kI32, shape, RowMajor(shape));
      StridedTensor plain(kI32, shape, RowMajor(shape));
      plain_a.Fill(a.Elements());
      plain_b.Fill(b.Elements());
      ASSERT_EQ(
          RunOp(add.op, {plain_a.assay(), plain_b.assay()}, plain.assay()),
          ASSAY_OK);
      const std::vector<unsigned char> wanted = plain.Elements();
      for (const char* threads : {"1", "3"}) {
        ASSERT_EQ(ConfigureThreads(threads), "");
        StridedTensor result(kI32, shape, StridesOf(output, shape), false, 3);
        ASSERT_EQ(RunOp(add.op, {a.assay(), b.assay()}, result.assay()),
                  ASSAY_OK);
        EXPECT_TRUE(result.Elements() == wanted) << threads;
        EXPECT_TRUE(result.CanariesLive()) << threads;
      }
    }
  }
}

// One element in one thread's part whose result cannot be determined fails the
// whole call.
TEST(ThreadedTest, FailuresOfEveryThreadCount) {
  ASSERT_EQ(ConfigureThreads("2"), "");
  const int64_t count = int64_t{4} << 20;
  const Dims base_strides = {1};
  StridedTensor base(kC128, {count}, {0});
  StridedTensor exponent(kC128, {count}, base_strides);
  StridedTensor result(kC128, {count}, base_strides);
  const double unit[] = {0.6, 0.8};
  memcpy(base.At(0), unit, sizeof(unit));
  memset(exponent.At(0), 0, static_cast<size_t>(count) * 16);
  const double large[] = {0x1p60, 0};
  memcpy(exponent.At(static_cast<size_t>(count) - 1), large, sizeof(large));
  std::string message;
  EXPECT_EQ(RunOp({"power", "", ""}, {base.assay(), exponent.assay()},
                  result.assay(), &message),
            ASSAY_UNSUPPORTED);
  EXPECT_NE(message.find("angle"), std::string::npos) << message;
}

// The two rows are more than 4 GiB apart, and only one page of each is ever
// touched.
TEST(LargeOffsetTest, OffsetsBeyond32Bits) {
  constexpr int64_t kApart = (int64_t{1} << 32) + 5;
  constexpr size_t kBytes = static_cast<size_t>(kApart) + 4096;
  auto* memory = static_cast<unsigned char*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  for (int i = 0; i < 100; ++i) {
    memory[i] = static_cast<unsigned char>(i);
    memory[kApart + i] = static_cast<unsigned char>(100 + i);
  }
  const Dims shape = {2, 100};
  for (const bool is_last : {false, true}) {
    StridedTensor view(kI8, shape, RowMajor(shape));
    int64_t strides[] = {is_last ? -kApart : kApart, 1};
    view.assay().tensor.data = memory;
    view.assay().tensor.byte_offset = is_last ? kApart : 0;
    view.assay().tensor.strides = strides;
    StridedTensor result(kI8, shape, RowMajor(shape));
    ASSERT_EQ(RunOp({"not", "", ""}, {view.assay()}, result.assay()), ASSAY_OK);
    for (size_t i = 0; i < 200; ++i) {
      ASSERT_EQ(*result.At(i), 255 - (is_last ? (i + 100) % 200 : i)) << i;
    }
  }
  munmap(memory, kBytes);
}

}  // namespace
}  // namespace assay::simd_test
