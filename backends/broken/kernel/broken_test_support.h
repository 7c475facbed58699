// Tests make calls through the ABI on buffers between protected pages, and
// check everything that a call can leave behind: results, inputs, surroundings,
// floating-point environment.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_BROKEN_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_BROKEN_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <sys/mman.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

using Bytes = std::vector<unsigned char>;
using Values = std::vector<int64_t>;

// A Page, or several pages, lie between two pages that must not be touched.
class Page {
 public:
  static constexpr size_t kBytes = 4096;
  Page() : Page(1) {}
  explicit Page(size_t pages) : bytes_(pages * kBytes) {
    base_ = static_cast<unsigned char*>(
        mmap(nullptr, bytes_ + 2 * kBytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(begin(), bytes_, PROT_READ | PROT_WRITE);
    std::memset(begin(), 0xa5, bytes_);
  }
  ~Page() { munmap(base_, bytes_ + 2 * kBytes); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  unsigned char* begin() { return base_ + kBytes; }
  unsigned char* end() { return begin() + bytes_; }
  Bytes Content() { return Bytes(begin(), end()); }

 private:
  size_t bytes_;
  unsigned char* base_;
};

inline unsigned ControlRegister() {
#if defined(__SSE__)
  return _mm_getcsr();
#else
  return 0;
#endif
}

// Values are those of integers or the bits of floats. A complex number is two
// values.
struct Call {
  std::string op;
  DLDataType type = {};
  std::vector<Values> inputs = {};
  std::map<std::string, std::string> attributes = {};
  DLDataType result = type;
};

inline constexpr DLDataType kI1 = {ASSAY_DL_BOOL, 8, 1}, kI4 = {kDLInt, 4, 1},
                            kI8 = {kDLInt, 8, 1}, kI32 = {kDLInt, 32, 1},
                            kI64 = {kDLInt, 64, 1}, kUi8 = {kDLUInt, 8, 1},
                            kUi64 = {kDLUInt, 64, 1}, kF16 = {kDLFloat, 16, 1},
                            kF32 = {kDLFloat, 32, 1}, kF64 = {kDLFloat, 64, 1},
                            kBf16 = {kDLBfloat, 16, 1},
                            kF4E2M1FN = {ASSAY_DL_FLOAT4_E2M1FN, 4, 1},
                            kF8E3M4 = {ASSAY_DL_FLOAT8_E3M4, 8, 1},
                            kF8E4M3FN = {ASSAY_DL_FLOAT8_E4M3FN, 8, 1},
                            kF8E5M2FNUZ = {ASSAY_DL_FLOAT8_E5M2FNUZ, 8, 1},
                            kF8E8M0FNU = {ASSAY_DL_FLOAT8_E8M0FNU, 8, 1},
                            kC64 = {kDLComplex, 64, 1},
                            kC128 = {kDLComplex, 128, 1};

inline size_t PartsOf(const DLDataType& type) {
  return type.code == kDLComplex ? 2 : 1;
}
// Returns the bits of a part.
inline int BitsOf(const DLDataType& type) {
  return type.bits / static_cast<int>(PartsOf(type));
}
inline size_t BytesOf(const DLDataType& type) { return (BitsOf(type) + 7) / 8; }
inline size_t SizeOf(const DLDataType& type) {
  return PartsOf(type) * BytesOf(type);
}

enum class Side { kTightBehind, kTightInFront };

// This is what a call left behind.
struct Left {
  std::vector<Bytes> pages;  // inputs, then the output
  Values result;
  int rounding;
  int flags;
  unsigned control;  // of the vector unit, where there is one
  int32_t status = ASSAY_OK;
  std::string message = {};
  bool operator==(const Left&) const = default;
};

inline int64_t ReadValue(const DLDataType& type, const unsigned char* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, BytesOf(type));
  const int unused = 64 - BitsOf(type);
  if (type.code == kDLInt)
    return static_cast<int64_t>(bits << unused) >> unused;
  return static_cast<int64_t>(bits << unused >> unused);
}

inline void WriteValue(const DLDataType& type, int64_t value,
                       unsigned char* at) {
  const uint64_t bits = static_cast<uint64_t>(value) << (64 - BitsOf(type)) >>
                        (64 - BitsOf(type));
  std::memcpy(at, &bits, BytesOf(type));
}

// An operand of a call is a vector, a scalar, or, for a bitcast_convert that
// changes the number of elements, a matrix.
struct Operand {
  DLDataType type;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t first;
  Page page = {};

  Operand(const DLDataType& type, std::vector<int64_t> shape, int64_t stride,
          int64_t first)
      : type(type), shape(std::move(shape)), first(first) {
    for (size_t d = this->shape.size(); d-- > 0; stride *= this->shape[d])
      strides.insert(strides.begin(), stride);
  }

  int64_t Count() const {
    int64_t count = 1;
    for (const int64_t size : shape) count *= size;
    return count;
  }
  int64_t Step() const { return strides.empty() ? 1 : strides.back(); }

  unsigned char* Element0(Side side) {
    const int64_t last = first + (Count() - 1) * Step();
    const size_t span =
        (static_cast<size_t>(std::max(first, last)) + 1) * SizeOf(type);
    return page.begin() +
           (side == Side::kTightBehind ? Page::kBytes - span : 0) +
           first * static_cast<int64_t>(SizeOf(type));
  }
  // Returns one part of one element.
  unsigned char* At(Side side, int64_t element, size_t part) {
    return Element0(side) +
           element * Step() * static_cast<int64_t>(SizeOf(type)) +
           part * BytesOf(type);
  }

  AssayTensor ToTensor(Side side) {
    AssayTensor tensor = {};
    tensor.tensor.data = page.begin() - Page::kBytes;
    tensor.tensor.byte_offset = static_cast<uint64_t>(
        Element0(side) - static_cast<unsigned char*>(tensor.tensor.data));
    tensor.tensor.ndim = static_cast<int>(shape.size());
    tensor.tensor.dtype = type;
    tensor.tensor.shape = shape.data();
    tensor.tensor.strides = strides.data();
    return tensor;
  }
};

inline AssayCall CallOf(const char* op, const AssayTensor* tensors,
                        int inputs) {
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op;
  call.num_inputs = inputs;
  call.inputs = tensors;
  call.num_outputs = 1;
  call.outputs = tensors + inputs;
  return call;
}

inline AssayTensor TensorOf(void* data, const DLDataType& type, int64_t* shape,
                            int rank, int64_t* strides) {
  AssayTensor tensor = {};
  tensor.tensor = {data, {kDLCPU, 0}, rank, type, shape, strides, 0};
  return tensor;
}

// Returns how many elements of the type correspond to one of the other type in
// a call.
inline int64_t PartsOf(const Call& call, const DLDataType& type,
                       const DLDataType& other) {
  const auto bits = [](const DLDataType& t) {
    return t.code == ASSAY_DL_BOOL ? 1 : t.bits;
  };
  return call.op == "bitcast_convert" ? std::max(1, bits(other) / bits(type))
                                      : 1;
}

inline std::vector<int64_t> ShapeOf(int64_t count, int64_t parts) {
  if (parts > 1) return {count, parts};
  return {count};
}

// Runs a call on vectors, or on scalars where an input has one value only, with
// the active hooks. `stride` and `first` place the elements of all inputs.
inline Left RunCall(const Call& call, Side side, int64_t stride = 1,
                    int64_t first = 0) {
  int64_t count = 1;
  for (const Values& values : call.inputs)
    count = std::max(count, static_cast<int64_t>(values.size()));
  const int64_t in_parts = PartsOf(call, call.type, call.result),
                out_parts = PartsOf(call, call.result, call.type);
  count /= static_cast<int64_t>(PartsOf(call.type)) * in_parts;
  std::list<Operand> operands;
  std::vector<AssayTensor> tensors;
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    const bool is_predicate = call.op == "select" && k == 0;
    const DLDataType& type = is_predicate ? kI1 : call.type;
    const Values& values = call.inputs[k];
    const bool is_scalar = values.size() == PartsOf(type) && count > 1;
    Operand& operand = operands.emplace_back(
        type, is_scalar ? std::vector<int64_t>() : ShapeOf(count, in_parts),
        stride, is_scalar ? 0 : first);
    for (size_t i = 0; i < values.size(); ++i) {
      WriteValue(type, values[i],
                 operand.At(side, static_cast<int64_t>(i / PartsOf(type)),
                            i % PartsOf(type)));
    }
    tensors.push_back(operand.ToTensor(side));
  }
  Operand& output =
      operands.emplace_back(call.result, ShapeOf(count, out_parts), 1, 0);
  tensors.push_back(output.ToTensor(side));
  std::vector<AssayAttribute> attributes;
  for (const auto& [name, text] : call.attributes)
    attributes.push_back({name.c_str(), text.c_str(), nullptr, {}});
  AssayCall abi = {};
  abi.struct_size = sizeof(abi);
  abi.op = call.op.c_str();
  abi.num_inputs = static_cast<int32_t>(call.inputs.size());
  abi.inputs = tensors.data();
  abi.num_outputs = 1;
  abi.outputs = &tensors.back();
  abi.num_attributes = static_cast<int32_t>(attributes.size());
  abi.attributes = attributes.data();
  char message[256] = "";
  const int32_t status = assay_backend()->run(&abi, message, sizeof(message));
  Left left = {.pages = {},
               .result = {},
               .rounding = std::fegetround(),
               .flags = std::fetestexcept(FE_ALL_EXCEPT),
               .control = ControlRegister()};
  EXPECT_EQ(status, ASSAY_OK) << message;
  for (Operand& operand : operands)
    left.pages.push_back(operand.page.Content());
  for (int64_t i = 0; i < output.Count(); ++i) {
    for (size_t part = 0; part < PartsOf(call.result); ++part)
      left.result.push_back(ReadValue(call.result, output.At(side, i, part)));
  }
  return left;
}

inline Values ResultOf(const Call& call, int64_t stride = 1,
                       int64_t first = 0) {
  ActiveHooks() = SoundHooks();
  return RunCall(call, Side::kTightBehind, stride, first).result;
}

inline Values CompareOf(const DLDataType& type, const Values& x,
                        const Values& y, const std::string& direction,
                        const std::string& how) {
  return ResultOf({"compare",
                   type,
                   {x, y},
                   {{"comparison_direction", direction}, {"compare_type", how}},
                   kI1});
}

// Returns a vector of n elements: 1, 2, ..
inline Values Iota(int n) {
  Values values(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<size_t>(i)] = i + 1;
  return values;
}

inline Call AddOf(int n) { return {"add", kI8, {Iota(n), Iota(n)}}; }

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_BROKEN_TEST_SUPPORT_H_
