// Judging a case only fills and compares the bytes of its operands and beside
// them.
#include "cases/run/memory.h"

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

// The C library sets and compares few bytes with masked instructions, and a
// mask that reaches into a protected page costs hundreds of cycles, although
// nothing there is touched. Few bytes, which are mostly beside such a page, are
// copied and compared in words.
constexpr size_t kFewBytes = 64;

// Returns kGuardBytes bytes of one value.
template <std::byte value>
const std::byte* Filled() {
  static const auto bytes = [] {
    std::array<std::byte, GuardedBuffer::kGuardBytes> filled;
    filled.fill(value);
    return filled;
  }();
  return bytes.data();
}

const std::byte* Filled(std::byte value) {
  switch (value) {
    case GuardedBuffer::kCanaryA:
      return Filled<GuardedBuffer::kCanaryA>();
    case GuardedBuffer::kCanaryB:
      return Filled<GuardedBuffer::kCanaryB>();
    case GuardedBuffer::kFillA:
      return Filled<GuardedBuffer::kFillA>();
    default:
      ASSAY_CHECK(value == GuardedBuffer::kFillB);
      return Filled<GuardedBuffer::kFillB>();
  }
}

void Set(std::byte* from, std::byte* to, std::byte value) {
  const auto count = static_cast<size_t>(to - from);
  if (count < kFewBytes) {
    std::memcpy(from, Filled(value), count);
  } else {
    std::memset(from, static_cast<int>(value), count);
  }
}

bool IsSame(const std::byte* a, const std::byte* b, size_t count) {
  if (count >= kFewBytes) return std::memcmp(a, b, count) == 0;
  for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t)) {
    uint64_t of_a, of_b;
    std::memcpy(&of_a, a, sizeof(of_a));
    std::memcpy(&of_b, b, sizeof(of_b));
    if (of_a != of_b) return false;
    a += sizeof(of_a);
    b += sizeof(of_b);
  }
  for (; count > 0; --count) {
    if (*a++ != *b++) return false;
  }
  return true;
}

// Returns the first byte in [from, to) that is not `value`, a canary, or `to`
// if there is none.
const std::byte* FirstOther(const std::byte* from, const std::byte* to,
                            std::byte value) {
  const std::byte* const canary = Filled(value);
  while (from != to) {
    const auto count =
        std::min(static_cast<size_t>(to - from), GuardedBuffer::kGuardBytes);
    if (!IsSame(from, canary, count))
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

// Calls f(where an element lies, its row-major position).
template <class F>
void ForEachPlace(const Shape& shape, const Layout& layout, F f) {
  const int64_t count = *ElementCount(shape);
  if (shape.empty()) return f(layout.offset, size_t{0});
  const size_t last = shape.size() - 1;
  const int64_t row = shape[last], step = layout.strides[last];
  Index index(last);
  int64_t at = layout.offset;
  for (int64_t i = 0; i < count;) {
    for (const int64_t end = i + row; i < end; ++i, at += step)
      f(at, static_cast<size_t>(i));
    at -= step * row;
    // To go to the next row, the distance moved along each dimension that ended
    // is taken back.
    for (size_t d = last; d-- > 0;) {
      at += layout.strides[d];
      if (++index[d] < shape[d]) break;
      at -= layout.strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

// Places are where the elements of a tensor lie, from the first to the last; an
// element that stride 0 repeats counts once.
class Places {
 public:
  Places(const Shape& shape, const Layout& layout) : from_(layout.offset) {
    std::vector<std::pair<int64_t, int64_t>> steps;  // distance, size
    for (size_t d = 0; d < shape.size(); ++d) {
      const int64_t stride = layout.strides[d];
      if (stride != 0 && shape[d] != 1)
        steps.emplace_back(std::abs(stride), shape[d]);
      if (stride < 0) from_ += stride * (shape[d] - 1);
    }
    std::ranges::sort(steps, std::greater());
    // Neighbouring elements form one run.
    for (; !steps.empty() && steps.back().first == run_; steps.pop_back())
      run_ *= steps.back().second;
    for (const auto& [distance, size] : steps) {
      strides_.push_back(distance);
      sizes_.push_back(size);
    }
  }

  // Calls f(the first of elements that are neighbours, how many they are).
  template <class F>
  void ForEach(F f) const {
    const Layout ascending{strides_, from_};
    if (!DimensionsMix())
      return ForEachPlace(sizes_, ascending,
                          [&](int64_t at, size_t) { f(at, run_); });
    std::vector<int64_t> places;
    places.reserve(static_cast<size_t>(*ElementCount(sizes_)));
    ForEachPlace(sizes_, ascending,
                 [&](int64_t at, size_t) { places.push_back(at); });
    std::ranges::sort(places);
    for (const int64_t at : places) f(at, run_);
  }

 private:
  // Returns whether elements of a dimension lie between those of another.
  bool DimensionsMix() const {
    int64_t reach = run_;
    for (size_t d = sizes_.size(); d-- > 0;) {
      if (strides_[d] < reach) return true;
      reach += strides_[d] * (sizes_[d] - 1);
    }
    return false;
  }

  int64_t from_;
  int64_t run_ = 1;
  Shape sizes_;      // of the dimensions that are not in a run,
  Strides strides_;  // the widest first
};

}  // namespace

// Calls f(element's address, its row-major position, an integer of its size).
// Memory is copied and compared in instructions, not in calls of the library.
template <class F>
void GuardedBuffer::ForEachElement(F f) const {
  WithWord(type_.element_type, [&]<class T>(T word) {
    ForEachPlace(type_.shape, layout_, [&](int64_t at, size_t i) {
      f(begin_ + static_cast<size_t>(at) * sizeof(T), i, word);
    });
  });
}

void GuardedBuffer::Fill(std::byte value) {
  if (row_major_) return Set(begin_, begin_ + bytes_, value);
  ForEachElement([&](std::byte* at, size_t, auto word) {
    std::memset(&word, static_cast<int>(value), sizeof(word));
    std::memcpy(at, &word, sizeof(word));
  });
}

void GuardedBuffer::Write(const Tensor& tensor) {
  if (row_major_) {
    std::memcpy(element0_, tensor.data(),
                static_cast<size_t>(tensor.byte_size()));
    return;
  }
  ForEachElement([&](std::byte* at, size_t i, auto word) {
    std::memcpy(at, tensor.data() + i * sizeof(word), sizeof(word));
  });
}

Tensor GuardedBuffer::Read() const {
  Tensor tensor(type_);
  if (row_major_) {
    std::memcpy(tensor.data(), element0_,
                static_cast<size_t>(tensor.byte_size()));
    return tensor;
  }
  ForEachElement([&](const std::byte* at, size_t i, auto word) {
    std::memcpy(tensor.data() + i * sizeof(word), at, sizeof(word));
  });
  return tensor;
}

bool GuardedBuffer::Holds(const Tensor& tensor) const {
  if (row_major_)
    return IsSame(element0_, tensor.data(),
                  static_cast<size_t>(tensor.byte_size()));
  bool same = true;
  ForEachElement([&](const std::byte* at, size_t i, auto word) {
    auto expected = word;
    std::memcpy(&word, at, sizeof(word));
    std::memcpy(&expected, tensor.data() + i * sizeof(word), sizeof(word));
    same = same && word == expected;
  });
  return same;
}

std::string GuardedBuffer::CheckGuards() const {
  // In front, the changed byte nearest to the buffer is the most informative
  // one.
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
  // Elements that fill the buffer leave no gaps, if each has a place of its
  // own.
  const auto count = static_cast<size_t>(*ElementCount(type_.shape));
  const bool has_zero_stride =
      std::ranges::find(layout_.strides, 0) != layout_.strides.end();
  const size_t size =
      static_cast<size_t>(Info(type_.element_type).bytes) * count;
  if (size == bytes_ && !has_zero_stride) return "";
  // A tensor of few elements may reach over gigabytes, so gaps are searched
  // from element to element, not byte by byte.
  const int64_t element = Info(type_.element_type).bytes;
  const std::byte* gap = begin_;
  const std::byte* other = nullptr;  // the first that was changed
  const auto check_up_to = [&](const std::byte* at) {
    if (other != nullptr || gap >= at) return;
    const std::byte* const found = FirstOther(gap, at, canary_);
    if (found != at) other = found;
  };
  if (count > 0) {
    Places(type_.shape, layout_).ForEach([&](int64_t place, int64_t run) {
      check_up_to(begin_ + place * element);
      gap = begin_ + (place + run) * element;
    });
  }
  check_up_to(behind);
  if (other == nullptr) return "";
  return fmt::format(
      "wrote into a gap, {} byte(s) behind the start of the buffer",
      other - begin_);
}

std::string GuardedBuffer::Describe(int64_t distance) const {
  const int64_t from_begin = distance - (begin_ - slot_.data);
  if (from_begin < 0)
    return fmt::format("{} byte(s) in front of the buffer", -from_begin);
  return fmt::format("{} byte(s) behind the buffer",
                     from_begin - static_cast<int64_t>(bytes_) + 1);
}

}  // namespace assay
