// Tests in which order windows are folded: elements say where they are, and
// what is combined says from where to where it reaches.
#include "backends/calls/window_fold.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

namespace assay::calls {
namespace {

constexpr char kType[] = "tensor<i32>";

int32_t* At(const DimsView& view, int64_t i) {
  auto* at = reinterpret_cast<int32_t*>(view.first);
  for (size_t d = view.shape.size(); d-- > 0; i /= view.shape[d])
    at += i % view.shape[d] * view.strides[d];
  return at;
}

// A machine that copies i32.
class CopyMachine : public Machine {
 public:
  const char* Run(const AssayCall& call) override {
    if (std::string_view(call.op) != "reshape") return "this op";
    const DimsView from = DimsView::Of(call.inputs[0].tensor);
    const DimsView to = DimsView::Of(call.outputs[0].tensor);
    for (int64_t i = 0; i < CountOf(to.shape); ++i) *At(to, i) = *At(from, i);
    return nullptr;
  }
  void* Memory(size_t bytes) override {
    return memory_.emplace_back(new unsigned char[bytes]).get();
  }
  const char* Read(const AssayTensor&, std::vector<int64_t>*) override {
    return "reading";
  }
  const char* Move(const void*, const std::vector<int64_t>&, void*,
                   const std::vector<int64_t>&, size_t) override {
    return "moves of elements";
  }

 private:
  std::vector<std::unique_ptr<unsigned char[]>> memory_;
};

// The first and the last of the elements that were combined, 8 bits for each
// dimension of two.
int32_t Reach(int32_t first, int32_t last) { return first << 16 | last; }
int32_t FirstOf(int32_t reach) { return reach >> 16; }
int32_t LastOf(int32_t reach) { return reach & 0xffff; }

class Folded {
 public:
  // Folds windows of a tensor whose elements are where they are. A window of
  // two dimensions is not dilated.
  Folded(const std::vector<SlidingDim>& dims, const Columns::Shape& shape)
      : shape_(shape), dims_(dims) {
    AssayTensor output = {};
    call_.outputs = &output;
    Columns columns(call_, &machine_);
    Column tensor = columns.New(kType, shape);
    const int64_t rows = shape.size() > 1 ? shape[0] : 1;
    const int64_t row = shape.back();
    for (int64_t i = 0; i < rows * row; ++i) {
      const auto at = static_cast<int32_t>(i / row << 8 | i % row);
      *At(tensor.view, i) = Reach(at, at);
    }
    const Column padding = columns.New(kType, {});
    *At(padding.view, 0) = 0;
    const CombinePairs combine = [&](const std::vector<Column>& lhs,
                                     const std::vector<Column>& rhs,
                                     const std::vector<Column>& to) {
      combined_ += CountOf(to[0].view.shape);
      for (int64_t i = 0; i < CountOf(to[0].view.shape); ++i) {
        const int32_t a = *At(lhs[0].view, i), b = *At(rhs[0].view, i);
        if (!Follows(LastOf(a), FirstOf(b))) are_in_order_ = false;
        *At(to[0].view, i) = Reach(FirstOf(a), LastOf(b));
      }
    };
    const Column folded =
        FoldWindows(dims, {tensor}, {padding}, combine, &columns)[0];
    EXPECT_EQ(columns.failure(), nullptr);
    for (int64_t i = 0; i < CountOf(folded.view.shape); ++i)
      reaches_.push_back(*At(folded.view, i));
  }

  bool are_in_order() const { return are_in_order_; }
  int64_t combined() const { return combined_; }
  const std::vector<int32_t>& reaches() const { return reaches_; }

 private:
  // Returns whether an element comes behind another in a window, and none
  // between them.
  bool Follows(int32_t a, int32_t b) const {
    if (a >> 8 == b >> 8) return b - a == dims_.back().dilation;
    return (b >> 8) - (a >> 8) == 1 &&
           (a & 0xff) - (b & 0xff) == dims_.back().size - 1;
  }

  CopyMachine machine_;
  AssayCall call_ = {};
  Columns::Shape shape_;
  std::vector<SlidingDim> dims_;
  bool are_in_order_ = true;
  int64_t combined_ = 0;
  std::vector<int32_t> reaches_;
};

TEST(WindowFold, KeepsTheOrderOfARow) {
  constexpr int64_t kRow = 100;
  for (int64_t size = 1; size <= 40; ++size) {
    for (const int64_t stride : {1, 2, 7, 50}) {
      for (const int64_t dilation : {1, 2}) {
        const int64_t extent = (size - 1) * dilation + 1;
        const int64_t windows = (kRow - extent) / stride + 1;
        const Folded folded({{size, stride, dilation, 1, 0, windows}}, {kRow});
        EXPECT_TRUE(folded.are_in_order()) << size << " " << stride;
        ASSERT_EQ(std::ssize(folded.reaches()), windows);
        for (int64_t i = 0; i < windows; ++i) {
          const auto first = static_cast<int32_t>(i * stride);
          EXPECT_EQ(folded.reaches()[static_cast<size_t>(i)],
                    Reach(first, first + static_cast<int32_t>(extent) - 1))
              << size << " " << stride << " " << dilation;
        }
      }
    }
  }
}

TEST(WindowFold, KeepsTheOrderOfRows) {
  for (const int64_t stride : {1, 2}) {
    const int64_t down = (12 - 3) / stride + 1, right = (20 - 5) / stride + 1;
    const Folded folded(
        {{3, stride, 1, 1, 0, down}, {5, stride, 1, 1, 0, right}}, {12, 20});
    EXPECT_TRUE(folded.are_in_order());
    ASSERT_EQ(std::ssize(folded.reaches()), down * right);
    for (int64_t i = 0; i < down * right; ++i) {
      const auto first =
          static_cast<int32_t>(i / right * stride << 8 | i % right * stride);
      EXPECT_EQ(folded.reaches()[static_cast<size_t>(i)],
                Reach(first, first + (2 << 8) + 4));
    }
  }
}

// Windows that overlap do not take each element as often as there are windows
// with it.
TEST(WindowFold, SharesWorkAmongWindowsThatOverlap) {
  const Folded overlapping({{64, 1, 1, 1, 0, 137}}, {200});
  EXPECT_LT(overlapping.combined(), 200 * 6);
  const Folded apart({{50, 50, 1, 1, 0, 4}}, {200});
  EXPECT_EQ(apart.combined(), 4 * 49);
}

// One element of i32 behind 2^26 of padding takes more than 2^28 bytes.
TEST(WindowFold, IsNotOverMuchMorePaddingThanTensor) {
  class NoMemory : public CopyMachine {
   public:
    void* Memory(size_t bytes) override {
      EXPECT_LT(bytes, size_t{1} << 20);
      return CopyMachine::Memory(bytes);
    }
  };
  NoMemory machine;
  AssayTensor output = {};
  AssayCall call = {};
  call.outputs = &output;
  Columns columns(call, &machine);
  const Column tensor = columns.New(kType, {1});
  const Column padding = columns.New(kType, {});
  constexpr int64_t kPadding = int64_t{1} << 26;
  FoldWindows(
      {{kPadding + 1, 1, 1, 1, kPadding, 1}}, {tensor}, {padding},
      [](const auto&, const auto&, const auto&) {}, &columns);
  EXPECT_STREQ(columns.failure(),
               "windows over a padded tensor as large as this");
}

}  // namespace
}  // namespace assay::calls
