// A ranked type is read as a tensor type, so sizes and element types are
// checked in one place.
#include "spec/types/shaped_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr std::string_view kTensorPrefix = "tensor<";
constexpr std::string_view kUnrankedPrefix = "tensor<*x";
constexpr std::string_view kVectorPrefix = "vector<";

bool IsOtherType(std::string_view text) {
  return text == "index" || text == "none" || ParseElementType(text) ||
         (text.starts_with("memref<") && text.ends_with('>') &&
          text.find(',') == std::string_view::npos);
}

}  // namespace

std::optional<ShapedType> ParseShapedType(std::string_view text,
                                          std::string* reason) {
  ShapedType type;
  type.text = text;
  const auto fail = [&](std::string_view why) {
    *reason = fmt::format("'{}' is not a type: {}", Cut(text), why);
    return std::nullopt;
  };
  if (IsOtherType(text)) {
    type.kind = ShapedType::Kind::kOther;
    return type;
  }
  if (IsQuantizedType(text)) {
    *reason = QuantizedTypeError(text);
    return std::nullopt;
  }
  std::string ranked(text);
  if (text.starts_with(kUnrankedPrefix)) {
    ranked = fmt::format("tensor<{}", text.substr(kUnrankedPrefix.size()));
  } else if (text.starts_with(kVectorPrefix)) {
    type.kind = ShapedType::Kind::kVector;
    ranked = fmt::format("tensor<{}", text.substr(kVectorPrefix.size()));
  } else if (!text.starts_with(kTensorPrefix)) {
    return fail("expected tensor<..>, vector<..>, memref<..> or a scalar");
  }
  std::string why;
  const std::optional<TensorType> parsed = ParseTensorType(ranked, &why);
  if (!parsed) return fail(why);
  type.element_type = parsed->element_type;
  if (text.starts_with(kUnrankedPrefix)) {
    if (!parsed->shape.empty()) return fail("sizes behind '*'");
    return type;
  }
  type.shape = parsed->shape;
  // MLIR has no vectors with such sizes.
  const auto is_size = [](int64_t size) { return size > 0; };
  if (type.kind == ShapedType::Kind::kVector &&
      !std::ranges::all_of(*type.shape, is_size))
    return fail("the sizes of a vector are 1 or more");
  return type;
}

std::string ShapeTextOrStar(const std::optional<Shape>& shape) {
  if (!shape) return "*";
  return shape->empty() ? "()" : ShapeText(*shape);
}

bool ParseShapeText(std::string_view text, std::optional<Shape>* shape) {
  if (text == "*" || text == "()") {
    *shape = text == "*" ? std::nullopt : std::optional<Shape>(Shape());
    return true;
  }
  std::string unused;
  const std::optional<TensorType> type =
      ParseTensorType(fmt::format("tensor<{}xi1>", text), &unused);
  if (!type || ShapeText(type->shape) != text) return false;
  *shape = type->shape;
  return true;
}

}  // namespace assay
