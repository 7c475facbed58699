// Calls through the ABI on buffers between protected pages, and all that a call
// can leave behind: results, inputs, surroundings, rounding mode.
#ifndef ASSAY_BACKENDS_BROKEN_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <string>
#include <vector>

#include "backends/broken/kernel.h"

namespace assay::broken {

using Bytes = std::vector<unsigned char>;
using Values = std::vector<int64_t>;

// A page between two that must not be touched.
class Page {
 public:
  static constexpr size_t kBytes = 4096;
  Page() {
    base_ = static_cast<unsigned char*>(mmap(
        nullptr, 3 * kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(begin(), kBytes, PROT_READ | PROT_WRITE);
    std::memset(begin(), 0xa5, kBytes);
  }
  ~Page() { munmap(base_, 3 * kBytes); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  unsigned char* begin() { return base_ + kBytes; }
  Bytes Content() { return Bytes(begin(), begin() + kBytes); }

 private:
  unsigned char* base_;
};

struct Call {
  std::string op;
  DLDataType type = {};
  std::vector<Values> inputs = {};
  std::string attribute = "", text = "";
  DLDataType result = type;
};

inline constexpr DLDataType kI1 = {ASSAY_DL_BOOL, 8, 1}, kI4 = {kDLInt, 4, 1},
                            kI8 = {kDLInt, 8, 1}, kI32 = {kDLInt, 32, 1},
                            kI64 = {kDLInt, 64, 1}, kUi8 = {kDLUInt, 8, 1},
                            kUi64 = {kDLUInt, 64, 1};

inline size_t SizeOf(const DLDataType& type) { return (type.bits + 7) / 8; }

enum class Side { kTightBehind, kTightInFront };

// What a call left behind.
struct Left {
  std::vector<Bytes> pages;  // inputs, then the output
  Values result;
  int rounding;
  bool operator==(const Left&) const = default;
};

inline int64_t ReadValue(const DLDataType& type, const unsigned char* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, SizeOf(type));
  const int unused = 64 - type.bits;
  if (type.code == kDLInt)
    return static_cast<int64_t>(bits << unused) >> unused;
  return static_cast<int64_t>(bits << unused >> unused);
}

// Runs a call on vectors, or on scalars where an input has one value only, with
// the hooks as they are. `stride` and `first` place the elements of all inputs.
inline Left RunCall(const Call& call, Side side, int64_t stride = 1,
                    int64_t first = 0) {
  int64_t count = 1, one = 1;
  for (const Values& values : call.inputs)
    count = std::max(count, static_cast<int64_t>(values.size()));
  std::vector<Page> pages(call.inputs.size() + 1);
  std::vector<AssayTensor> tensors(pages.size());
  for (size_t k = 0; k < pages.size(); ++k) {
    const bool is_output = k == call.inputs.size();
    const bool is_predicate = call.op == "select" && k == 0;
    const DLDataType type = is_output      ? call.result
                            : is_predicate ? kI1
                                           : call.type;
    const bool is_scalar = !is_output && call.inputs[k].size() == 1;
    const int64_t step = is_output ? 1 : stride, start = is_output ? 0 : first;
    const size_t span =
        (static_cast<size_t>((is_scalar ? 0 : count - 1) * std::abs(step)) +
         1) *
        SizeOf(type);
    unsigned char* begin =
        pages[k].begin() +
        (side == Side::kTightBehind ? Page::kBytes - span : 0);
    unsigned char* element0 =
        begin + (is_scalar ? 0 : start) * static_cast<int64_t>(SizeOf(type));
    for (int64_t i = 0; !is_output && i < (is_scalar ? 1 : count); ++i) {
      const uint64_t low =
          static_cast<uint64_t>(call.inputs[k][static_cast<size_t>(i)]);
      const uint64_t bits = type.bits < 8 ? low & 15 : low;
      std::memcpy(element0 + i * step * static_cast<int64_t>(SizeOf(type)),
                  &bits, SizeOf(type));
    }
    DLTensor& tensor = tensors[k].tensor;
    tensor.data = pages[k].begin() - Page::kBytes;
    tensor.byte_offset = static_cast<uint64_t>(
        element0 - static_cast<unsigned char*>(tensor.data));
    tensor.ndim = is_scalar && count > 1 ? 0 : 1;
    tensor.dtype = type;
    tensor.shape = &count;
    tensor.strides = is_output ? &one : &stride;
  }
  const AssayAttribute attribute = {
      call.attribute.c_str(), call.text.c_str(), nullptr, {}};
  AssayCall abi = {};
  abi.struct_size = sizeof(abi);
  abi.op = call.op.c_str();
  abi.num_inputs = static_cast<int32_t>(call.inputs.size());
  abi.inputs = tensors.data();
  abi.num_outputs = 1;
  abi.outputs = &tensors.back();
  abi.num_attributes = call.attribute.empty() ? 0 : 1;
  abi.attributes = &attribute;
  char message[256] = "";
  EXPECT_EQ(assay_backend()->run(&abi, message, sizeof(message)), ASSAY_OK)
      << message;
  Left left;
  left.rounding = std::fegetround();
  for (Page& page : pages) left.pages.push_back(page.Content());
  const DLTensor& output = tensors.back().tensor;
  for (int64_t i = 0; i < count; ++i) {
    left.result.push_back(ReadValue(
        call.result, static_cast<unsigned char*>(output.data) +
                         output.byte_offset +
                         static_cast<size_t>(i) * SizeOf(call.result)));
  }
  return left;
}

inline Values ResultOf(const Call& call, int64_t stride = 1,
                       int64_t first = 0) {
  ActiveHooks() = SoundHooks();
  return RunCall(call, Side::kTightBehind, stride, first).result;
}

// A vector of n elements: 1, 2, ..
inline Values Iota(int n) {
  Values values(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<size_t>(i)] = i + 1;
  return values;
}

inline Call AddOf(int n) { return {"add", kI8, {Iota(n), Iota(n)}}; }

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_TEST_SUPPORT_H_
