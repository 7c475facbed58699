// Mappings are made once and grow; a case only fills and compares the bytes
// beside its operands.
#include "cases/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "spec/error.h"

namespace assay {
namespace {

// Address space, not memory: large enough that far misses fault as well.
constexpr size_t kProtectedBytes = size_t{16} << 20;
constexpr size_t kPageBytes = 4096;

constexpr size_t RoundUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr)
    munmap(mapping_, payload_bytes_ + 2 * kProtectedBytes);
}

void GuardedBuffer::Reserve(size_t bytes) {
  if (bytes <= payload_bytes_) return;
  if (mapping_ != nullptr)
    munmap(mapping_, payload_bytes_ + 2 * kProtectedBytes);
  mapping_ = nullptr;
  payload_bytes_ = 0;
  const size_t payload =
      RoundUp(std::max(bytes, size_t{256} << 10), kPageBytes);
  void* mapping = mmap(nullptr, payload + 2 * kProtectedBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapping);
  payload_bytes_ = payload;
  if (mprotect(mapping_ + kProtectedBytes, payload, PROT_READ | PROT_WRITE) !=
      0)
    throw std::bad_alloc();
}

void GuardedBuffer::Place(const TensorType& type, const Layout& layout,
                          Side side, size_t over_read, std::byte fill) {
  const size_t element = static_cast<size_t>(Info(type.element_type).bytes);
  const auto extent = layout.ExtentOf(type.shape);
  ASSAY_CHECK(extent.has_value());
  type_ = type;
  layout_ = layout;
  row_major_ = layout.IsRowMajor(type.shape);
  const bool empty = ElementCount(type.shape) == 0;
  bytes_ =
      empty ? 0
            : static_cast<size_t>(layout.offset + extent->above + 1) * element;
  const size_t slack = RoundUp(over_read, 16);
  Reserve(bytes_ + slack + kGuardBytes);
  std::byte* const payload = mapping_ + kProtectedBytes;
  std::byte* const end = payload + payload_bytes_;
  begin_ = side == Side::kTightBehind ? end - slack - bytes_ : payload + slack;
  element0_ =
      begin_ + (empty ? 0 : static_cast<size_t>(layout.offset) * element);
  checked_begin_ = std::max(
      payload,
      begin_ - std::min(static_cast<size_t>(begin_ - payload), kGuardBytes));
  checked_end_ = begin_ + bytes_ +
                 std::min(static_cast<size_t>(end - begin_ -
                                              static_cast<ptrdiff_t>(bytes_)),
                          kGuardBytes);
  canary_ = side == Side::kTightBehind ? kCanaryA : kCanaryB;
  const auto set = [](std::byte* from, std::byte* to, std::byte value) {
    std::memset(from, static_cast<int>(value), static_cast<size_t>(to - from));
  };
  set(checked_begin_, begin_, canary_);
  set(begin_ + bytes_, checked_end_, canary_);
  if (row_major_) {
    set(begin_, begin_ + bytes_, fill);
    return;
  }
  set(begin_, begin_ + bytes_, canary_);
  Index index;
  for (IndexSpace space(type_.shape); space.Next(&index);) {
    std::memset(begin_ + static_cast<size_t>(layout_.At(index)) * element,
                static_cast<int>(fill), element);
  }
}

void GuardedBuffer::Write(const Tensor& tensor) {
  const size_t element = static_cast<size_t>(Info(type_.element_type).bytes);
  if (row_major_) {
    std::memcpy(element0_, tensor.data(),
                static_cast<size_t>(type_.ByteSize()));
    return;
  }
  Index index;
  int64_t i = 0;
  for (IndexSpace space(type_.shape); space.Next(&index); ++i) {
    std::memcpy(begin_ + static_cast<size_t>(layout_.At(index)) * element,
                tensor.data() + static_cast<size_t>(i) * element, element);
  }
}

Tensor GuardedBuffer::Read() const {
  Tensor tensor(type_);
  const size_t element = static_cast<size_t>(Info(type_.element_type).bytes);
  if (row_major_) {
    std::memcpy(tensor.data(), element0_,
                static_cast<size_t>(type_.ByteSize()));
    return tensor;
  }
  Index index;
  int64_t i = 0;
  for (IndexSpace space(type_.shape); space.Next(&index); ++i) {
    std::memcpy(tensor.data() + static_cast<size_t>(i) * element,
                begin_ + static_cast<size_t>(layout_.At(index)) * element,
                element);
  }
  return tensor;
}

std::string GuardedBuffer::CheckGuards() const {
  const auto changed = [&](const std::byte* from,
                           const std::byte* to) -> const std::byte* {
    const std::byte* at =
        std::find_if(from, to, [&](std::byte b) { return b != canary_; });
    return at == to ? nullptr : at;
  };
  // In front, the changed byte nearest to the buffer says most.
  for (const std::byte* at = begin_; at != checked_begin_;) {
    if (*--at != canary_)
      return fmt::format("wrote {} byte(s) in front of the buffer",
                         begin_ - at);
  }
  if (const std::byte* at = changed(begin_ + bytes_, checked_end_))
    return fmt::format("wrote {} byte(s) behind the buffer",
                       at - (begin_ + bytes_) + 1);
  if (row_major_) return "";
  std::vector<bool> is_element(bytes_, false);
  const size_t element = static_cast<size_t>(Info(type_.element_type).bytes);
  Index index;
  for (IndexSpace space(type_.shape); space.Next(&index);) {
    const size_t at = static_cast<size_t>(layout_.At(index)) * element;
    for (size_t b = 0; b < element; ++b) is_element[at + b] = true;
  }
  for (size_t b = 0; b < bytes_; ++b) {
    if (!is_element[b] && begin_[b] != canary_)
      return fmt::format(
          "wrote into a gap, {} byte(s) behind the start of the buffer", b);
  }
  return "";
}

std::optional<std::string> GuardedBuffer::Describe(const void* address) const {
  const std::byte* at = static_cast<const std::byte*>(address);
  const std::byte* const payload = mapping_ + kProtectedBytes;
  if (mapping_ == nullptr || at < mapping_ ||
      at >= payload + payload_bytes_ + kProtectedBytes)
    return std::nullopt;
  if (at < payload)
    return fmt::format("{} byte(s) in front of the buffer", begin_ - at);
  if (at >= payload + payload_bytes_)
    return fmt::format("{} byte(s) behind the buffer",
                       at - (begin_ + bytes_) + 1);
  return std::nullopt;
}

}  // namespace assay
