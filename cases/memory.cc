// A case only fills and compares the bytes of its operands and beside them.
#include "cases/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include "spec/error.h"

namespace assay {
namespace {

constexpr size_t RoundUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

void Set(std::byte* from, std::byte* to, std::byte value) {
  std::memset(from, static_cast<int>(value), static_cast<size_t>(to - from));
}

// So many bytes of one value.
template <std::byte value>
const std::byte* Filled() {
  static const auto bytes = [] {
    std::array<std::byte, GuardedBuffer::kGuardBytes> filled;
    filled.fill(value);
    return filled;
  }();
  return bytes.data();
}

// The first byte in [from, to) that is not `value`, a canary, or `to`.
const std::byte* FirstOther(const std::byte* from, const std::byte* to,
                            std::byte value) {
  const std::byte* const canary = value == GuardedBuffer::kCanaryA
                                      ? Filled<GuardedBuffer::kCanaryA>()
                                      : Filled<GuardedBuffer::kCanaryB>();
  while (from != to) {
    const auto count =
        std::min(static_cast<size_t>(to - from), GuardedBuffer::kGuardBytes);
    if (std::memcmp(from, canary, count) != 0)
      return std::find_if(from, to, [&](std::byte b) { return b != value; });
    from += count;
  }
  return to;
}

}  // namespace

GuardedBuffer::GuardedBuffer(Arena* arena, const TensorType& type,
                             const Layout& layout, Side side, size_t over_read,
                             size_t shift, size_t guard)
    : arena_(arena),
      canary_(side == Side::kTightBehind ? kCanaryA : kCanaryB),
      type_(type),
      layout_(layout),
      row_major_(layout.offset == 0 && layout.IsRowMajor(type.shape)) {
  const size_t element = static_cast<size_t>(Info(type.element_type).bytes);
  const auto extent = layout.ExtentOf(type.shape);
  ASSAY_CHECK(extent.has_value());
  const bool empty = std::ranges::find(type.shape, 0) != type.shape.end();
  bytes_ =
      empty ? 0
            : static_cast<size_t>(layout.offset + extent->above + 1) * element;
  const size_t slack = RoundUp(over_read, 16) + shift;
  slot_ = arena->Acquire(bytes_ + slack + kGuardBytes);
  std::byte* const end = slot_.data + slot_.bytes;
  begin_ =
      side == Side::kTightBehind ? end - slack - bytes_ : slot_.data + slack;
  element0_ =
      begin_ + (empty ? 0 : static_cast<size_t>(layout.offset) * element);
  checked_begin_ =
      begin_ - std::min(static_cast<size_t>(begin_ - slot_.data), guard);
  checked_end_ = begin_ + bytes_;
  checked_end_ += std::min(static_cast<size_t>(end - checked_end_), guard);
  Set(checked_begin_, row_major_ ? begin_ : checked_end_, canary_);
  Set(begin_ + bytes_, checked_end_, canary_);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : arena_(std::exchange(other.arena_, nullptr)),
      slot_(other.slot_),
      begin_(other.begin_),
      bytes_(other.bytes_),
      element0_(other.element0_),
      checked_begin_(other.checked_begin_),
      checked_end_(other.checked_end_),
      canary_(other.canary_),
      type_(std::move(other.type_)),
      layout_(std::move(other.layout_)),
      row_major_(other.row_major_) {}

GuardedBuffer::~GuardedBuffer() {
  if (arena_ != nullptr) arena_->Release(slot_);
}

namespace {

// f(where an element lies, its row-major position).
template <class F>
void ForEachPlace(const Shape& shape, const Layout& layout, F f) {
  const int64_t count = *ElementCount(shape);
  Index index(shape.size());
  int64_t at = layout.offset;
  for (int64_t i = 0; i < count; ++i) {
    f(at, static_cast<size_t>(i));
    // To the next index: what a dimension went, it goes back when it ends.
    for (size_t d = shape.size(); d-- > 0;) {
      at += layout.strides[d];
      if (++index[d] < shape[d]) break;
      at -= layout.strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

// Where elements lie, from the first to the last; one that stride 0 repeats,
// once.
std::vector<int64_t> Places(const Shape& shape, const Layout& layout) {
  std::vector<std::pair<int64_t, int64_t>> steps;  // distance, size
  Layout ascending{{}, layout.offset};
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t stride = layout.strides[d];
    if (stride != 0 && shape[d] != 1)
      steps.emplace_back(std::abs(stride), shape[d]);
    if (stride < 0) ascending.offset += stride * (shape[d] - 1);
  }
  std::ranges::sort(steps, std::greater());
  Shape sizes;
  for (const auto& [distance, size] : steps) {
    ascending.strides.push_back(distance);
    sizes.push_back(size);
  }
  std::vector<int64_t> places;
  places.reserve(static_cast<size_t>(*ElementCount(sizes)));
  ForEachPlace(sizes, ascending,
               [&](int64_t at, size_t) { places.push_back(at); });
  // Dimensions may lie between those of another.
  if (!std::ranges::is_sorted(places)) std::ranges::sort(places);
  return places;
}

// Calls f(an integer of the size of an element): memory is copied and compared
// in instructions, not in calls of the library.
template <class F>
void WithElement(size_t bytes, F f) {
  switch (bytes) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
    default:
      ASSAY_CHECK(bytes == sizeof(unsigned __int128));
      return f(static_cast<unsigned __int128>(0));
  }
}

}  // namespace

// f(element's address, its row-major position, bytes of an element).
template <class F>
void GuardedBuffer::ForEachElement(F f) const {
  const size_t element = static_cast<size_t>(Info(type_.element_type).bytes);
  ForEachPlace(type_.shape, layout_, [&](int64_t at, size_t i) {
    f(begin_ + static_cast<size_t>(at) * element, i, element);
  });
}

void GuardedBuffer::Fill(std::byte value) {
  if (row_major_) return Set(begin_, begin_ + bytes_, value);
  ForEachElement([&](std::byte* at, size_t, size_t element) {
    std::memset(at, static_cast<int>(value), element);
  });
}

void GuardedBuffer::Write(const Tensor& tensor) {
  if (row_major_) {
    std::memcpy(element0_, tensor.data(),
                static_cast<size_t>(tensor.byte_size()));
    return;
  }
  const auto bytes = static_cast<size_t>(Info(type_.element_type).bytes);
  WithElement(bytes, [&]<class T>(T) {
    ForEachElement([&](std::byte* at, size_t i, size_t) {
      std::memcpy(at, tensor.data() + i * sizeof(T), sizeof(T));
    });
  });
}

Tensor GuardedBuffer::Read() const {
  Tensor tensor(type_);
  if (row_major_) {
    std::memcpy(tensor.data(), element0_,
                static_cast<size_t>(tensor.byte_size()));
    return tensor;
  }
  const auto bytes = static_cast<size_t>(Info(type_.element_type).bytes);
  WithElement(bytes, [&]<class T>(T) {
    ForEachElement([&](const std::byte* at, size_t i, size_t) {
      std::memcpy(tensor.data() + i * sizeof(T), at, sizeof(T));
    });
  });
  return tensor;
}

bool GuardedBuffer::Holds(const Tensor& tensor) const {
  if (row_major_)
    return std::memcmp(element0_, tensor.data(),
                       static_cast<size_t>(tensor.byte_size())) == 0;
  const auto bytes = static_cast<size_t>(Info(type_.element_type).bytes);
  bool same = true;
  WithElement(bytes, [&]<class T>(T) {
    ForEachElement([&](const std::byte* at, size_t i, size_t) {
      T there, expected;
      std::memcpy(&there, at, sizeof(T));
      std::memcpy(&expected, tensor.data() + i * sizeof(T), sizeof(T));
      same = same && there == expected;
    });
  });
  return same;
}

std::string GuardedBuffer::CheckGuards() const {
  // In front, the changed byte nearest to the buffer says most.
  if (FirstOther(checked_begin_, begin_, canary_) != begin_) {
    const std::byte* at = begin_ - 1;
    while (*at == canary_) --at;
    return fmt::format("wrote {} byte(s) in front of the buffer", begin_ - at);
  }
  const std::byte* const behind = begin_ + bytes_;
  if (const std::byte* at = FirstOther(behind, checked_end_, canary_);
      at != checked_end_)
    return fmt::format("wrote {} byte(s) behind the buffer", at - behind + 1);
  if (row_major_) return "";
  // Elements that fill the buffer leave no gaps, if each has its place.
  const auto count = static_cast<size_t>(*ElementCount(type_.shape));
  const bool has_zero_stride =
      std::ranges::find(layout_.strides, 0) != layout_.strides.end();
  const size_t size =
      static_cast<size_t>(Info(type_.element_type).bytes) * count;
  if (size == bytes_ && !has_zero_stride) return "";
  // A tensor of few elements may reach over gigabytes: gaps are found from
  // element to element, not byte by byte.
  const int64_t element = Info(type_.element_type).bytes;
  std::vector<int64_t> places;
  if (count > 0) places = Places(type_.shape, layout_);
  places.push_back((behind - begin_) / element);
  const std::byte* gap = begin_;
  for (const int64_t place : places) {
    const std::byte* const at = begin_ + place * element;
    if (gap < at) {
      const std::byte* const other = FirstOther(gap, at, canary_);
      if (other != at)
        return fmt::format(
            "wrote into a gap, {} byte(s) behind the start of the buffer",
            other - begin_);
    }
    gap = at + element;
  }
  return "";
}

std::string GuardedBuffer::Describe(int64_t distance) const {
  const int64_t from_begin = distance - (begin_ - slot_.data);
  if (from_begin < 0)
    return fmt::format("{} byte(s) in front of the buffer", -from_begin);
  return fmt::format("{} byte(s) behind the buffer",
                     from_begin - static_cast<int64_t>(bytes_) + 1);
}

}  // namespace assay
