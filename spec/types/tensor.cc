// Shapes and layouts are untrusted input: sizes are multiplied with a check,
// and a type whose bytes do not fit 63 bits is not a type.
#include "spec/types/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {

std::optional<int64_t> ElementCount(const Shape& shape) {
  int64_t count = 1;
  bool overflows = false;
  for (const int64_t size : shape) {
    if (size == 0) return 0;
    overflows |= __builtin_mul_overflow(count, size, &count);
  }
  if (overflows) return std::nullopt;
  return count;
}

namespace {

bool IsEmpty(const Shape& shape) {
  return std::ranges::find(shape, 0) != shape.end();
}

// Returns the row-major stride of the dimension around one of `size` and
// `stride`.
int64_t StrideAbove(int64_t stride, int64_t size) {
  // Only shapes without elements can overflow; their strides are never used.
  if (__builtin_mul_overflow(stride, std::max<int64_t>(size, 1), &stride))
    return 0;
  return stride;
}

}  // namespace

Strides RowMajorStrides(const Shape& shape) {
  Strides strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride = StrideAbove(stride, shape[d]);
  }
  return strides;
}

std::string ShapeText(const Shape& shape) {
  std::string text;
  for (int64_t size : shape) {
    if (!text.empty()) text += 'x';
    text += size == kDynamic ? "?" : std::to_string(size);
  }
  return text;
}

bool TensorType::IsStatic() const {
  return std::ranges::find(shape, kDynamic) == shape.end();
}

bool TensorType::IsOfASizeThatExists() const {
  if (!IsStatic()) return true;
  const std::optional<int64_t> count = ElementCount(shape);
  return count && *count <= INT64_MAX / Info(element_type).bytes;
}

int64_t TensorType::ByteSize() const {
  const std::optional<int64_t> count = ElementCount(shape);
  ASSAY_CHECK(IsStatic() && count);
  return *count * Info(element_type).bytes;
}

std::string Quantization::ToString() const {
  std::string parameters;
  for (size_t i = 0; i < scales.size(); ++i) {
    parameters += fmt::format("{}{}", i == 0 ? "" : ", ", scales[i]);
    if (zero_points[i] != 0) parameters += fmt::format(":{}", zero_points[i]);
  }
  const bool is_whole =
      storage_min == MinValue(storage_type) &&
      storage_max == std::min<__int128>(MaxValue(storage_type), INT64_MAX);
  return fmt::format(
      "!quant.uniform<{}{}:{}{}>", Name(storage_type),
      is_whole ? "" : fmt::format("<{}:{}>", storage_min, storage_max),
      Name(expressed_type),
      dimension || scales.size() != 1
          ? fmt::format("{}, {{{}}}",
                        dimension ? fmt::format(":{}", *dimension) : "",
                        parameters)
          : ", " + parameters);
}

std::string TensorType::ToString() const {
  std::string text;
  text.reserve(32);  // of most
  text = "tensor<";
  for (const int64_t size : shape) {
    if (size == kDynamic) {
      text += '?';
    } else {
      const fmt::format_int digits(size);
      text.append(digits.data(), digits.size());
    }
    text += 'x';
  }
  if (quantization) {
    text += quantization->ToString();
  } else {
    text += Name(element_type);
  }
  text += '>';
  return text;
}

bool IsQuantizedType(std::string_view text) {
  return text.find("!quant.") != std::string_view::npos;
}

std::string QuantizedTypeError(std::string_view text) {
  return fmt::format("quantized types are not judged yet: {}", Cut(text));
}

std::optional<TensorType> ParseTensorType(std::string_view text,
                                          std::string* reason) {
  if (IsQuantizedType(text)) {
    *reason = QuantizedTypeError(text);
    return std::nullopt;
  }
  const auto fail = [&](std::string why) {
    *reason = fmt::format("'{}' is not a tensor type: {}", Cut(text), why);
    return std::nullopt;
  };
  if (!text.starts_with("tensor<") || !text.ends_with(">"))
    return fail("expected tensor<..>");
  std::string_view rest = text.substr(7, text.size() - 8);
  TensorType type;
  while (!rest.empty() &&
         (rest[0] == '?' || (rest[0] >= '0' && rest[0] <= '9'))) {
    const size_t x = rest.find('x');
    if (x == std::string_view::npos)
      return fail("expected 'x' behind a dimension size");
    int64_t size = kDynamic;
    const std::string_view digits = rest.substr(0, x);
    if (digits != "?") {
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), size);
      if (error == std::errc::result_out_of_range)
        return fail(
            fmt::format("dimension size {} does not fit 63 bits", Cut(digits)));
      if (error != std::errc() || end != digits.data() + digits.size())
        return fail(fmt::format("bad dimension size '{}'", Cut(digits)));
    }
    type.shape.push_back(size);
    rest.remove_prefix(x + 1);
  }
  if (type.shape.size() > kMaxRank)
    return fail(
        fmt::format("rank {} is above {}", type.shape.size(), kMaxRank));
  const std::optional<ElementType> element_type = ParseElementType(rest);
  if (!element_type)
    return fail(fmt::format("unknown element type '{}'", Cut(rest)));
  type.element_type = *element_type;
  if (!type.IsOfASizeThatExists()) return fail("its size overflows 63 bits");
  return type;
}

bool IndexSpace::Next(Index* index) {
  if (!started_) {
    started_ = true;
    index->assign(shape_.size(), 0);
    return std::ranges::find(shape_, 0) == shape_.end();
  }
  for (size_t d = shape_.size(); d-- > 0;) {
    if (++(*index)[d] < shape_[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

Index Unflatten(const Shape& shape, int64_t linear) {
  Index index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = linear % shape[d];
    linear /= shape[d];
  }
  return index;
}

Tensor::Tensor(TensorType type)
    : type_(std::move(type)), size_(*ElementCount(type_.shape)) {
  ASSAY_CHECK(type_.IsStatic());
  data_ = std::make_shared_for_overwrite<std::byte[]>(
      static_cast<size_t>(std::max<int64_t>(byte_size(), 1)));
}

Tensor Tensor::Rows(int64_t begin, int64_t end) const {
  Tensor rows;
  rows.type_ = type_;
  const int64_t row = type_.shape[0] == 0 ? 0 : size_ / type_.shape[0];
  rows.type_.shape[0] = end - begin;
  rows.size_ = row * (end - begin);
  rows.data_ = std::shared_ptr<std::byte[]>(
      data_, data_.get() + begin * row * Info(type_.element_type).bytes);
  return rows;
}

ElementBits Tensor::Bits(int64_t linear) const {
  return LoadBits(type_.element_type,
                  data_.get() + linear * Info(type_.element_type).bytes);
}

void Tensor::Unshare() {
  if (data_.use_count() <= 1) return;
  Tensor own(type_);
  if (size_ > 0)
    std::memcpy(own.data(), data(), static_cast<size_t>(byte_size()));
  *this = std::move(own);
}

void Tensor::SetBits(int64_t linear, ElementBits bits) {
  StoreBits(type_.element_type, bits,
            data_.get() + linear * Info(type_.element_type).bytes);
}

int64_t Layout::At(const Index& index) const {
  int64_t at = offset;
  for (size_t d = 0; d < index.size(); ++d) at += index[d] * strides[d];
  return at;
}

std::optional<Layout::Extent> Layout::ExtentOf(const Shape& shape) const {
  Extent extent;
  if (IsEmpty(shape)) return extent;
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t reach;
    if (__builtin_mul_overflow(shape[d] - 1, strides[d], &reach))
      return std::nullopt;
    int64_t& side = reach < 0 ? extent.below : extent.above;
    if (__builtin_add_overflow(side, reach, &side)) return std::nullopt;
  }
  return extent;
}

bool Layout::IsRowMajor(const Shape& shape) const {
  int64_t expected = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != expected) return IsEmpty(shape);
    expected = StrideAbove(expected, shape[d]);
  }
  return true;
}

Tensor IntegerTensor(const TensorType& type,
                     const std::vector<int64_t>& numbers) {
  Tensor tensor(type);
  ASSAY_CHECK(std::ssize(numbers) == tensor.size());
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.SetBits(i,
                   BitsOf(type.element_type, numbers[static_cast<size_t>(i)]));
  return tensor;
}

}  // namespace assay
