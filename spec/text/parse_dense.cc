// dense<..> and array<..>: literals whose meaning their type decides, though it
// comes behind them. So the literal is skipped first and read when its type is
// known, at once into a tensor: a list of a million numbers is no million
// attributes.
//
// Blobs ("0x..") are the elements as bytes, little-endian and row-major, or one
// element for all. MLIR changed what a blob of i1 is: up to LLVM 19 eight
// elements a byte, since then a byte an element. The length says which one it
// is; where it does not, and the two differ, the text is refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "spec/text/number.h"
#include "spec/text/parser.h"

namespace assay::text {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<int8_t, 256> kHexValues = [] {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (int i = 0; i < 10; ++i)
    values[static_cast<size_t>('0' + i)] = static_cast<int8_t>(i);
  for (int i = 0; i < 6; ++i)
    values[static_cast<size_t>('a' + i)] =
        values[static_cast<size_t>('A' + i)] = static_cast<int8_t>(10 + i);
  return values;
}();

// Returns whether all digits are hexadecimal.
bool DecodeHex(std::string_view digits, std::byte* bytes) {
  int bad = 0;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = kHexValues[static_cast<unsigned char>(digits[i])];
    const int low = kHexValues[static_cast<unsigned char>(digits[i + 1])];
    bad |= high | low;
    *bytes++ = static_cast<std::byte>(high << 4 | low);
  }
  return bad >= 0;
}

// Bits beyond the type's width are not the element's.
void MaskElements(Tensor* tensor) {
  const int bits = Info(tensor->element_type()).bits;
  if (bits >= 8) return;
  const std::byte mask{static_cast<uint8_t>((1 << bits) - 1)};
  std::byte* const data = tensor->data();
  for (int64_t i = 0; i < tensor->size(); ++i) data[i] &= mask;
}

void FillWithFirst(Tensor* tensor) {
  const int64_t bytes = Info(tensor->element_type()).bytes;
  for (int64_t filled = bytes; filled < tensor->byte_size();) {
    const int64_t more = std::min(filled, tensor->byte_size() - filled);
    std::memcpy(tensor->data() + filled, tensor->data(),
                static_cast<size_t>(more));
    filled += more;
  }
}

// Bytes of i1, by their number: one for each element, one for eight, or one
// for all. False: none of them, or two that differ.
bool ReadBooleans(std::span<const std::byte> bytes, Tensor* tensor) {
  const auto count = static_cast<size_t>(tensor->size());
  std::byte* const data = tensor->data();
  const auto packed = [&](size_t i) {
    return std::byte{(bytes[i / 8] >> (i % 8) & std::byte{1})};
  };
  const auto whole = [&](size_t i) {
    return std::byte{bytes[bytes.size() == 1 ? 0 : i] != std::byte{0}};
  };
  const bool is_packed = bytes.size() == (count + 7) / 8;
  const bool is_whole = bytes.size() == count || bytes.size() == 1;
  for (size_t i = 0; i < count; ++i) {
    data[i] = is_whole ? whole(i) : packed(i);
    if (is_whole && is_packed && whole(i) != packed(i)) return false;
  }
  return is_packed || is_whole;
}

// Literals that cannot be read violate this constraint of a kind of constants.
template <class F>
auto AsConstant(const char* kind, const char* label, F parse) {
  try {
    return parse();
  } catch (const ConstraintsViolated&) {
    throw;
  } catch (const SyntaxError& e) {
    throw ConstraintsViolated(e.location(), e.message(), kind, {label});
  }
}

const char* KindOfConstant(const TensorType& type) {
  return type.quantization ? "quantized_tensor_constant" : "tensor_constant";
}

}  // namespace

Attribute Parser::ParseDense() {
  if (!token_.Is('<')) Expected("'<'");
  const Lexer begin = lexer_;
  const Token open = token_;
  // Literals have no '<' or '>' but in strings, which are tokens.
  while (!token_.Is('>')) {
    if (At(TokenKind::kEnd)) Expected("'>'");
    Take();
  }
  Take();
  if (!Accept(':')) Expected("':' and the type of the elements");
  const Location type_location = token_.location;
  const TypePtr type = ParseType();
  if (type->kind != Type::Kind::kTensor)
    Fail(type_location, "the elements of 'dense' have a tensor type");
  if (!type->tensor.IsStatic())
    Fail(type_location, "the elements of 'dense' have a static shape");

  const Lexer end = lexer_;
  const Token behind = token_;
  lexer_ = begin;
  token_ = open;
  Take();
  DenseAttribute dense;
  if (At(TokenKind::kString)) {
    const Token blob = Take();
    dense.elements = ParseBlob(type, blob);
  } else {
    dense.elements = ParseElements(type);
  }
  Expect('>');
  lexer_ = end;
  token_ = behind;
  return {std::move(dense)};
}

Tensor Parser::ParseBlob(const TypePtr& type, const Token& blob) {
  const std::string_view text = blob.text.substr(1, blob.text.size() - 2);
  if (!text.starts_with("0x") || text.size() % 2 != 0)
    Fail(blob.location,
         "a string of elements is \"0x..\" with two digits a byte");
  const std::string_view digits = text.substr(2);
  const auto length = static_cast<int64_t>(digits.size() / 2);
  const int64_t size = *ElementCount(type->tensor.shape);
  const int64_t element_bytes = Info(type->tensor.element_type).bytes;
  const bool is_boolean = IsBoolean(type->tensor.element_type);
  const bool is_splat = length == element_bytes;
  const bool is_whole = length == size * element_bytes;
  if (!is_splat && !is_whole &&
      !(is_boolean && length == size / 8 + (size % 8 != 0)))
    Fail(blob.location,
         fmt::format("the string has {} bytes, which is neither {} elements of "
                     "{} nor one",
                     length, size, Name(type->tensor.element_type)));
  SpendElements(size * element_bytes, blob.location);
  Tensor tensor(type->tensor);
  bool is_hexadecimal;
  if (is_boolean) {
    std::vector<std::byte> bytes(static_cast<size_t>(length));
    is_hexadecimal = DecodeHex(digits, bytes.data());
    if (is_hexadecimal && !ReadBooleans(bytes, &tensor))
      Fail(blob.location,
           "one byte for several i1 is eight of them or one for all, depending "
           "on the version of MLIR that wrote it");
  } else if (is_whole || size > 0) {
    is_hexadecimal = DecodeHex(digits, tensor.data());
    if (!is_whole) FillWithFirst(&tensor);
  } else {
    std::array<std::byte, 16> unused;
    is_hexadecimal = DecodeHex(digits, unused.data());
  }
  if (!is_hexadecimal)
    Fail(blob.location, "a string of elements has hexadecimal digits");
  MaskElements(&tensor);
  return tensor;
}

// The lists are walked by a counter for each dimension, not by recursion.
Tensor Parser::ParseElements(const TypePtr& type) {
  const Shape& shape = type->tensor.shape;
  const Location begin = token_.location;
  const int64_t size = *ElementCount(shape);
  const ElementType element_type = type->tensor.element_type;
  const char* const kind = KindOfConstant(type->tensor);
  const auto wrong_shape = [&](Location location) {
    throw ConstraintsViolated(location,
                              fmt::format("the lists do not have the shape of "
                                          "{}",
                                          type->tensor.ToString()),
                              kind, {"C2"});
  };
  const auto parse_element = [&] {
    return AsConstant(kind, "C1", [&] { return ParseElement(element_type); });
  };
  if (token_.Is('>')) {
    if (size != 0) Expected("elements");
    return Tensor(type->tensor);
  }
  if (!token_.Is('[')) {
    const ElementBits bits = parse_element();
    SpendElements(size * Info(element_type).bytes, begin);
    Tensor tensor(type->tensor);
    if (size > 0) {
      tensor.SetBits(0, bits);
      FillWithFirst(&tensor);
    }
    return tensor;
  }
  // Two bytes of text are needed for each element.
  if (size > static_cast<int64_t>(text_.size())) wrong_shape(begin);
  SpendElements(size * Info(element_type).bytes, begin);
  Tensor tensor(type->tensor);
  std::vector<int64_t> counts;  // of each list that is open
  int64_t next = 0;
  for (;;) {
    const size_t depth = counts.size();
    if (token_.Is('[')) {
      if (depth == shape.size()) wrong_shape(token_.location);
      counts.push_back(0);
      Take();
      if (!token_.Is(']')) continue;
    } else if (depth != shape.size()) {
      wrong_shape(token_.location);
    } else {
      if (next == size) wrong_shape(token_.location);
      tensor.SetBits(next++, parse_element());
      ++counts.back();
    }
    // Behind an element or in front of the ']' of an empty list.
    while (token_.Is(']')) {
      if (counts.back() != shape[counts.size() - 1])
        wrong_shape(token_.location);
      counts.pop_back();
      Take();
      if (counts.empty()) return tensor;
      ++counts.back();
    }
    Expect(',');
  }
}

ElementBits Parser::ParseElement(ElementType type) {
  if (!IsComplex(type)) return ParsePart(type);
  const ElementType part = PartType(type);
  Expect('(');
  const ElementBits real =
      AsConstant("complex_constant", "C1", [&] { return ParsePart(part); });
  Expect(',');
  const ElementBits imaginary =
      AsConstant("complex_constant", "C2", [&] { return ParsePart(part); });
  Expect(')');
  return real | imaginary << Info(part).bits;
}

ElementBits Parser::ParsePart(ElementType type) {
  const Location begin = token_.location;
  if (At(TokenKind::kWord) &&
      (token_.text == "true" || token_.text == "false")) {
    if (!IsBoolean(type)) Expected(fmt::format("a value of {}", Name(type)));
    return Take().text == "true" ? 1 : 0;
  }
  const bool is_negative = Accept('-');
  const bool is_decimal_float = At(TokenKind::kFloat) && IsFloat(type);
  if (!At(TokenKind::kInteger) && !At(TokenKind::kHexInteger) &&
      !is_decimal_float)
    Expected(fmt::format("a value of {}", Name(type)));
  const Token number = Take();
  const auto out_of_range = [&] {
    Fail(begin, fmt::format("{}{} is no value of {}", is_negative ? "-" : "",
                            number.text, Name(type)));
  };
  if (IsFloat(type) && number.kind != TokenKind::kHexInteger) {
    const double magnitude = ParseDouble(number.text);
    if (std::isinf(magnitude)) out_of_range();
    return FloatBits(type, is_negative ? -magnitude : magnitude);
  }
  const std::optional<uint64_t> digits = ParseDigits(number.text);
  if (!digits) out_of_range();
  if (IsFloat(type)) {
    if (is_negative || !AreBitsOf(type, number.text, *digits)) out_of_range();
    return *digits;
  }
  const std::optional<ElementBits> bits =
      IntegerBits(type, is_negative, *digits);
  if (!bits) out_of_range();
  return *bits;
}

Attribute Parser::ParseArray() {
  Expect('<');
  const Location begin = token_.location;
  const ElementType type = ParseElementType();
  if (IsComplex(type)) Fail(begin, "an array has no complex elements");
  std::vector<ElementBits> elements;
  if (Accept(':')) {
    do elements.push_back(ParsePart(type));
    while (Accept(','));
  }
  Expect('>');
  SpendElements(static_cast<int64_t>(elements.size() * sizeof(ElementBits)),
                begin);
  DenseAttribute array{Tensor({{static_cast<int64_t>(elements.size())}, type}),
                       true};
  for (size_t i = 0; i < elements.size(); ++i)
    array.elements.SetBits(static_cast<int64_t>(i), elements[i]);
  return {std::move(array)};
}

}  // namespace assay::text
