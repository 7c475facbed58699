// These are types as the trait Broadcastable sees them: tensors and vectors,
// whose shape may be unknown.
//
// TensorType is the type of a value that exists, so it has a rank. An operand
// of a verified call may be `tensor<*xi32>`, a `vector<4xi32>`, or something
// that the trait forbids (`memref<4xi32>`).
#ifndef ASSAY_SPEC_TYPES_SHAPED_TYPE_H_
#define ASSAY_SPEC_TYPES_SHAPED_TYPE_H_

#include <optional>
#include <string>
#include <string_view>

#include "spec/types/tensor.h"

namespace assay {

struct ShapedType {
  enum class Kind { kTensor, kVector, kOther };
  Kind kind = Kind::kTensor;
  std::optional<Shape> shape;               // nullopt: unranked, or kOther
  std::optional<ElementType> element_type;  // nullopt: kOther
  std::string text;

  bool IsRanked() const { return shape.has_value(); }
};

// Parses "tensor<2x?xi8>", "tensor<*xi8>", "vector<4xi8>" and, as kOther, a
// memref, `index`, `none` or an element type. On failure returns nullopt and
// says why in `*reason`.
std::optional<ShapedType> ParseShapedType(std::string_view text,
                                          std::string* reason);

// Returns "2x?x4", "()" for rank 0, or "*" without a rank.
std::string ShapeTextOrStar(const std::optional<Shape>& shape);
// This is the inverse. Returns false if `text` is no such text.
bool ParseShapeText(std::string_view text, std::optional<Shape>* shape);

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_SHAPED_TYPE_H_
