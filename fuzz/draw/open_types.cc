#include "fuzz/draw/open_types.h"

#include <algorithm>
#include <array>
#include <vector>

#include "spec/elements.h"

namespace assay {
namespace {

constexpr std::array kStorageTypes = {
    ElementType::kI8,  ElementType::kI4,  ElementType::kI16, ElementType::kI32,
    ElementType::kUi8, ElementType::kUi4, ElementType::kUi16};
constexpr std::array kExpressedTypes = {ElementType::kF32, ElementType::kF64,
                                        ElementType::kF16, ElementType::kBF16};

// Bounds of a storage type that has no others.
void SetStorage(ElementType type, Quantization* quantization) {
  quantization->storage_type = type;
  quantization->storage_min = static_cast<int64_t>(MinValue(type));
  quantization->storage_max = static_cast<int64_t>(MaxValue(type));
}

// Returns the quantization with another of its members.
Quantization Changed(Quantization q, Choices* choices) {
  const auto below = [&](uint32_t n) {
    return choices->Below(Topic::kTypes, n);
  };
  switch (below(8)) {
    case 0:
      SetStorage(choices->Of(Topic::kTypes, kStorageTypes), &q);
      q.zero_points.assign(q.scales.size(), 0);
      break;
    case 1:
      q.expressed_type = choices->Of(Topic::kTypes, kExpressedTypes);
      break;
    case 2:
      ++q.storage_min;
      q.zero_points.assign(q.scales.size(), 0);
      break;
    case 3:
      for (double& scale : q.scales) scale *= 0.5;
      break;
    case 4:
      for (int64_t& point : q.zero_points) point = 1 - point;
      break;
    case 5:
    case 6:
      q.dimension = q.dimension ? std::nullopt : std::optional(below(3));
      q.scales.assign(q.dimension ? 1 + below(3) : 1, 0.5);
      q.zero_points.assign(q.scales.size(), below(2));
      break;
    default:
      if (q.dimension) q.dimension = (*q.dimension + 1 + below(2)) % 3;
      break;
  }
  return q;
}

// Returns a quantized type, unless the specification has no such type.
std::optional<DrawnElement> Quantized(Quantization quantization) {
  DrawnElement element{
      quantization.storage_type,
      std::make_shared<const Quantization>(std::move(quantization))};
  // Shapes are searched, so that the type is asked about one that it may have.
  const Quantization& q = *element.quantization;
  TensorType type = element.Tensor().tensor();
  if (q.dimension)
    type.shape.assign(static_cast<size_t>(*q.dimension) + 1,
                      std::ssize(q.scales));
  if (!CheckQuantizedType(type).results.empty()) return std::nullopt;
  return element;
}

bool IsOfColumn(const std::string& column, const DrawnElement& element) {
  if (element.quantization) {
    return column == "quantized" || (column == "per_tensor_quantized" &&
                                     !element.quantization->dimension);
  }
  const ElementType type = element.type;
  return column == "any" || column == "tensor" || column == Info(type).name ||
         (column == "integer" && IsInteger(type)) ||
         (column == "signed_integer" && IsSignedInteger(type)) ||
         (column == "boolean" && IsBoolean(type)) ||
         (column == "float" && IsFloat(type)) ||
         (column == "complex" && IsComplex(type));
}

bool Takes(const std::vector<std::string>& types, const DrawnElement& element) {
  return types.empty() ||
         std::ranges::any_of(types, [&](const std::string& column) {
           return IsOfColumn(column, element);
         });
}

}  // namespace

ValueType DrawnElement::Tensor() const {
  ValueType tensor;
  tensor.tensor().element_type = type;
  tensor.tensor().quantization = quantization;
  return tensor;
}

bool MayBeQuantized(const OpSpec& spec) {
  const auto may_be = [](const auto& member) {
    return std::ranges::any_of(member.types, [](const std::string& column) {
      return column.ends_with("quantized");
    });
  };
  return std::ranges::any_of(spec.inputs, may_be) ||
         std::ranges::any_of(spec.outputs, may_be);
}

DrawnElement DrawTheme(bool is_quantized, Choices* choices) {
  if (!is_quantized)
    return {choices->Of(Topic::kTypes, ElementTypes()).type, nullptr};
  Quantization quantization;
  SetStorage(ElementType::kI8, &quantization);
  if (choices->OneIn(Topic::kTypes, 3))
    quantization.dimension = choices->Below(Topic::kTypes, 2);
  quantization.scales.assign(quantization.dimension ? 2 : 1, 0.5);
  quantization.zero_points.assign(quantization.scales.size(), 0);
  DrawnElement theme = *Quantized(quantization);
  for (uint32_t left = choices->Below(Topic::kTypes, 3); left > 0; --left) {
    if (auto changed = Quantized(Changed(*theme.quantization, choices)))
      theme = *changed;
  }
  return theme;
}

ValueType OpenTypes::Draw(const InputSpec& input, const Op& call) {
  return DrawOf(input.kind, input.types, call);
}

ValueType OpenTypes::Draw(const OutputSpec& output, const Op& call) {
  return DrawOf(output.kind, output.types, call);
}

ValueType OpenTypes::DrawOf(InputSpec::Kind kind,
                            const std::vector<std::string>& types,
                            const Op& call) {
  if (kind == InputSpec::Kind::kToken) return TokenType();
  if (kind == InputSpec::Kind::kTuple) {
    TupleType tuple;
    for (uint32_t left = 1 + Below(3); left > 0; --left) {
      ValueType member = DrawTensor({}, call);
      // No shape is searched for a member, so it has no dimension to be
      // quantized along.
      const auto& quantization = member.tensor().quantization;
      if (quantization && quantization->dimension)
        member = TensorType({}, quantization->expressed_type);
      tuple.types.push_back(std::move(member));
    }
    return tuple;
  }
  const bool may_be_token =
      kind == InputSpec::Kind::kValue &&
      (types.empty() || std::ranges::find(types, "token") != types.end());
  if (may_be_token && Below(4) == 0) return TokenType();
  if (kind == InputSpec::Kind::kValue && Below(16) == 0) return TupleType();
  return DrawTensor(types, call);
}

ValueType OpenTypes::DrawTensor(const std::vector<std::string>& types,
                                const Op& call) {
  DrawnElement element = theme_;
  switch (Below(8)) {
    case 0:
    case 1:
      element = OfCall(call);
      break;
    case 2:
      element = MadeOf(Below(2) == 0 ? theme_ : OfCall(call));
      break;
    case 3:
      element = DrawTheme(MayBeQuantized(spec_) && Below(4) == 0, &choices_);
      break;
    default:
      break;
  }
  // Few types that no column has are drawn.
  constexpr int kTries = 64;
  const bool keeps = Below(16) == 0;
  for (int left = kTries; left > 0 && !keeps && !Takes(types, element); --left)
    element =
        left == kTries ? MadeOf(element) : DrawTheme(left % 4 == 0, &choices_);
  return element.Tensor();
}

DrawnElement OpenTypes::OfCall(const Op& call) {
  std::vector<DrawnElement> elements = {theme_};
  const auto add = [&](const auto& value) {
    if (const TensorType* tensor = value.type.AsTensor())
      elements.push_back(DrawnElement::Of(*tensor));
  };
  std::ranges::for_each(call.inputs, add);
  std::ranges::for_each(call.outputs, add);
  return choices_.Of(Topic::kTypes, elements);
}

// Returns a type that constraints set beside this one.
DrawnElement OpenTypes::MadeOf(const DrawnElement& element) {
  if (element.quantization) {
    if (Below(3) == 0) return {element.quantization->expressed_type, nullptr};
    return Quantized(Changed(*element.quantization, &choices_))
        .value_or(element);
  }
  if (IsComplex(element.type)) return {PartType(element.type), nullptr};
  if (element.type == ElementType::kF64)
    return {ElementType::kComplexF64, nullptr};
  if (element.type == ElementType::kF32 && Below(2) == 0)
    return {ElementType::kComplexF32, nullptr};
  if (IsFloat(element.type) && MayBeQuantized(spec_)) {
    Quantization quantization = *DrawTheme(true, &choices_).quantization;
    quantization.expressed_type = element.type;
    if (auto quantized = Quantized(std::move(quantization))) return *quantized;
  }
  return element;
}

}  // namespace assay
