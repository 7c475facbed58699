// The tests of the simd plugin run ops with the types, tensors and calls of
// this header.
//
// All operands lie between inaccessible pages, tight against the first or the
// last one, so that a byte read outside of them ends the test; the remaining
// bytes of the pages around a result are checked for being unchanged.
#ifndef ASSAY_BACKENDS_SIMD_CORE_SIMD_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_CORE_SIMD_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"

namespace assay::simd_test {

__extension__ typedef __int128 Wide;
using Raw = std::vector<uint64_t>;  // Bit patterns, one an element.

// ----------------------------------------------------------------------- Types

struct Type {
  uint8_t code;
  int bits;

  bool is_bool() const { return code == ASSAY_DL_BOOL; }
  bool is_signed() const { return code == kDLInt; }
  int width() const { return is_bool() ? 1 : bits; }  // Bits of the value.
  size_t bytes() const { return bits < 8 ? 1 : static_cast<size_t>(bits) / 8; }
  uint64_t mask() const {
    return width() == 64 ? ~uint64_t{0} : (uint64_t{1} << width()) - 1;
  }
  Wide SignedValue(uint64_t raw) const {
    const Wide value = raw & mask();
    const Wide half = Wide{1} << (width() - 1);
    return value >= half ? value - 2 * half : value;
  }
  Wide Value(uint64_t raw) const {
    return is_signed() ? SignedValue(raw) : static_cast<Wide>(raw & mask());
  }
  uint64_t Wrap(Wide value) const {
    return static_cast<uint64_t>(value) & mask();
  }
};

inline constexpr Type kBool = {ASSAY_DL_BOOL, 8};
inline constexpr Type kIntegers[] = {
    {kDLInt, 2},  {kDLInt, 4},   {kDLInt, 8},   {kDLInt, 16},
    {kDLInt, 32}, {kDLInt, 64},  {kDLUInt, 2},  {kDLUInt, 4},
    {kDLUInt, 8}, {kDLUInt, 16}, {kDLUInt, 32}, {kDLUInt, 64}};

inline std::vector<Type> AllTypes() {
  std::vector<Type> types(std::begin(kIntegers), std::end(kIntegers));
  types.push_back(kBool);
  return types;
}

// Returns all values of types of up to 8 bits, and boundaries and random values
// of wider ones.
inline Raw Interesting(Type type) {
  Raw values;
  if (type.width() <= 8) {
    for (uint64_t v = 0; v <= type.mask(); ++v) values.push_back(v);
    return values;
  }
  const uint64_t top = uint64_t{1} << (type.bits - 1);
  const uint64_t n = static_cast<uint64_t>(type.bits);
  for (const uint64_t v : {uint64_t{0},
                           uint64_t{1},
                           uint64_t{2},
                           uint64_t{3},
                           uint64_t{5},
                           uint64_t{7},
                           uint64_t{8},
                           uint64_t{255},
                           uint64_t{256},
                           n - 1,
                           n,
                           n + 1,
                           top - 2,
                           top - 1,
                           top,
                           top + 1,
                           ~uint64_t{0},
                           ~uint64_t{1},
                           ~uint64_t{2},
                           uint64_t{0x5555555555555555},
                           uint64_t{1} << (n / 2),
                           (uint64_t{1} << (n / 2)) - 1,
                           ~(uint64_t{1} << (n / 2))}) {
    values.push_back(v & type.mask());
  }
  std::mt19937_64 random(n);
  for (int i = 0; i < 24; ++i) {
    values.push_back((random() >> (i * n / 24)) & type.mask());
  }
  return values;
}

// --------------------------------------------------------------------- Tensors

inline constexpr unsigned char kCanary = 0xA5;
inline constexpr size_t kPage = 4096;

class Guarded {
 public:
  explicit Guarded(size_t bytes)
      : inner_((bytes + kPage - 1) / kPage * kPage + kPage),
        map_(static_cast<unsigned char*>(
            mmap(nullptr, inner_ + 2 * kPage, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(begin(), inner_, PROT_READ | PROT_WRITE);
    memset(begin(), kCanary, inner_);
  }
  ~Guarded() { munmap(map_, inner_ + 2 * kPage); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  unsigned char* begin() { return map_ + kPage; }
  unsigned char* end() { return begin() + inner_; }

 private:
  size_t inner_;
  unsigned char* map_;
};

// A tensor lies `skip` elements behind the first page, or tight against the
// last page.
struct Placement {
  bool at_end = false;
  size_t skip = 0;
};

class Tensor {
 public:
  Tensor(Type type, size_t count, Placement placement, bool is_scalar = false)
      : type_(type), count_(count), memory_(count * type.bytes()) {
    first_ = placement.at_end ? memory_.end() - count * type.bytes()
                              : memory_.begin() + placement.skip * type.bytes();
    const auto offset = static_cast<size_t>(first_ - memory_.begin());
    shape_ = static_cast<int64_t>(count);
    DLTensor& t = assay_.tensor;
    t.data = memory_.begin() + offset / 256 * 256;
    t.byte_offset = offset % 256;
    t.device = {kDLCPU, 0};
    t.ndim = is_scalar ? 0 : 1;
    t.dtype = {type.code, static_cast<uint8_t>(type.bits), 1};
    t.shape = &shape_;
    t.strides = &stride_;
  }

  void Fill(const Raw& raw) {
    for (size_t i = 0; i < count_; ++i) {
      memcpy(first_ + i * type_.bytes(), &raw[i % raw.size()], type_.bytes());
    }
  }
  uint64_t At(size_t i) const {
    uint64_t raw = 0;
    memcpy(&raw, first_ + i * type_.bytes(), type_.bytes());
    return raw;
  }
  bool HasPeriod(size_t period) const {
    return memcmp(first_, first_ + period * type_.bytes(),
                  (count_ - period) * type_.bytes()) == 0;
  }
  bool CanariesLive() {
    const unsigned char* last = first_ + count_ * type_.bytes();
    for (const unsigned char* p = memory_.begin(); p < memory_.end(); ++p) {
      if ((p < first_ || p >= last) && *p != kCanary) return false;
    }
    return true;
  }
  AssayTensor& assay() { return assay_; }
  int64_t& stride() { return stride_; }

 private:
  Type type_;
  size_t count_;
  Guarded memory_;
  unsigned char* first_;
  int64_t shape_;
  int64_t stride_ = 1;
  AssayTensor assay_ = {};
};

// ------------------------------------------------------------------------- Ops

struct Op {
  std::string name;
  std::string attribute;
  std::string value;
  std::vector<std::pair<std::string, std::string>> more = {};

  std::string Text() const { return name + " " + value; }
};

inline int32_t RunOp(const Op& op, const std::vector<AssayTensor>& inputs,
                     const AssayTensor& output,
                     std::string* message = nullptr) {
  std::vector<AssayAttribute> attributes;
  const auto add = [&](const std::string& name, const std::string& text) {
    attributes.emplace_back();
    attributes.back().name = name.c_str();
    attributes.back().text = text.c_str();
  };
  if (!op.attribute.empty()) add(op.attribute, op.value);
  for (const auto& [name, text] : op.more) add(name, text);
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op.name.c_str();
  call.num_inputs = static_cast<int32_t>(inputs.size());
  call.inputs = inputs.data();
  call.num_outputs = 1;
  call.outputs = &output;
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  char text[200] = "";
  const int32_t status = assay_backend()->run(&call, text, sizeof(text));
  if (message != nullptr) *message = text;
  return status;
}

struct Input {
  Type type;
  Raw raw;  // Repeated to the tensor's length.
  bool is_scalar = false;
};

// Returns the expected value of element i, or nothing where any value will do.
using Expect = std::function<std::optional<Wide>(size_t)>;

struct Extent {
  size_t count;
  Placement placement = {};
  // The result must repeat itself after this many elements.
  size_t period = SIZE_MAX;
};

inline void Check(const Op& op, const std::vector<Input>& inputs, Type result,
                  const Extent& extent, const Expect& expect) {
  const size_t count = extent.count;
  std::vector<std::unique_ptr<Tensor>> tensors;
  std::vector<AssayTensor> operands;
  for (const Input& input : inputs) {
    tensors.push_back(
        std::make_unique<Tensor>(input.type, input.is_scalar ? 1 : count,
                                 extent.placement, input.is_scalar));
    tensors.back()->Fill(input.raw);
    operands.push_back(tensors.back()->assay());
  }
  Tensor output(result, count, extent.placement);
  std::string message;
  ASSERT_EQ(RunOp(op, operands, output.assay(), &message), ASSAY_OK)
      << op.Text() << ": " << message;
  for (size_t i = 0; i < count && i < extent.period; ++i) {
    const std::optional<Wide> wanted = expect(i);
    if (!wanted) continue;
    ASSERT_EQ(output.At(i), result.Wrap(*wanted))
        << op.Text() << " on " << (result.is_signed() ? "i" : "ui")
        << inputs.back().type.bits << ", element " << i << " of " << count;
  }
  if (count > extent.period) {
    EXPECT_TRUE(output.HasPeriod(extent.period)) << op.Text();
  }
  EXPECT_TRUE(output.CanariesLive()) << op.Text();
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_CORE_SIMD_TEST_SUPPORT_H_
