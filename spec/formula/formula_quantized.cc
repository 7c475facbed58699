// These functions of the notation are about quantized types ("Quantization
// computations" of the specification), and about names.
#include <algorithm>
#include <cmath>

#include "spec/formula/formula_node.h"
#include "spec/formula/functions.h"
#include "spec/text/number.h"

namespace assay::functions {

using List = Value::List;
using None = Value::None;
using Quantized = Value::Quantized;

namespace {

// nullptr if it is not quantized.
std::shared_ptr<const Quantization> QuantizationOf(const Value& value) {
  const Value type = ElementTypeOf(value);
  const Quantized* quantized = type.As<Quantized>();
  return quantized ? quantized->quantization : nullptr;
}

int BitsOfType(const Value& element_type) {
  if (const auto* quantized = element_type.As<Quantized>())
    return Info(quantized->quantization->storage_type).bits;
  return Info(*element_type.As<ElementType>()).bits;
}

}  // namespace

Value IsQuantized(const Arguments& a) {
  return QuantizationOf(a[0]) != nullptr;
}

Value IsPerAxisQuantized(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  return quantization != nullptr && quantization->dimension.has_value();
}

Value IsPerTensorQuantized(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  return quantization != nullptr && !quantization->dimension.has_value();
}

Value StorageType(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  return quantization ? Value(quantization->storage_type) : Value(None{});
}

Value ExpressedType(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  return quantization ? Value(quantization->expressed_type) : Value(None{});
}

Value StorageMin(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  return quantization ? Value(quantization->storage_min) : Value(None{});
}

Value StorageMax(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  return quantization ? Value(quantization->storage_max) : Value(None{});
}

Value QuantizationDimension(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  if (quantization == nullptr || !quantization->dimension) return None{};
  return *quantization->dimension;
}

Value Scales(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  if (quantization == nullptr) return None{};
  return List(quantization->scales.begin(), quantization->scales.end());
}

Value ZeroPoints(const Arguments& a) {
  const auto quantization = QuantizationOf(a[0]);
  if (quantization == nullptr) return None{};
  return List(quantization->zero_points.begin(),
              quantization->zero_points.end());
}

Value IsFiniteNumber(const Arguments& a) {
  const double* number = a[0].As<double>();
  return number ? Value(std::isfinite(*number)) : Value(None{});
}

// is_value_of(literal, type): what the text writes type(literal) = type, of a
// number in the text, which has the type if it is one of its values.
Value IsValueOf(const Arguments& a) {
  const ElementType* type = a[1].As<ElementType>();
  if (type == nullptr) return None{};
  if (const int64_t* number = a[0].As<int64_t>())
    return IsInteger(*type) && MinValue(*type) <= *number &&
           *number <= MaxValue(*type);
  const double* number = a[0].As<double>();
  if (number == nullptr || !IsFloat(*type)) return None{};
  // A number is rounded to the type, and is within its range.
  return !std::isfinite(*number) || text::IsInRangeOf(*type, *number);
}

Value LeastValue(const Arguments& a) {
  const ElementType* type = a[0].As<ElementType>();
  if (type == nullptr || !IsInteger(*type)) return None{};
  return static_cast<int64_t>(MinValue(*type));
}

// The greatest value of ui64 is beyond the numbers of formulas, and so are the
// numbers that it is compared with.
Value GreatestValue(const Arguments& a) {
  const ElementType* type = a[0].As<ElementType>();
  if (type == nullptr || !IsInteger(*type)) return None{};
  return static_cast<int64_t>(std::min<__int128>(MaxValue(*type), INT64_MAX));
}

// The parameters of a quantized type are "reset to default values".
Value BaselineType(const Arguments& a) {
  const TensorType* type = TypeOf(a[0]);
  if (type == nullptr) return None{};
  if (type->quantization == nullptr) return *type;
  TensorType baseline = *type;
  auto quantization = std::make_shared<Quantization>(*type->quantization);
  quantization->scales.assign(quantization->scales.size(), 1.0);
  quantization->zero_points.assign(quantization->zero_points.size(), 0);
  baseline.quantization = std::move(quantization);
  return baseline;
}

Value BaselineElementType(const Arguments& a) {
  const Value type = BaselineType(a);
  return type.Is<None>() ? type : ElementTypeOf(type);
}

Value IsPromotable(const Arguments& a) {
  const Value x = ElementTypeOf(a[0]), y = ElementTypeOf(a[1]);
  if (x.Is<None>() || y.Is<None>()) return None{};
  const auto *p = x.As<ElementType>(), *q = y.As<ElementType>();
  const bool is_same_type =
      p != nullptr && q != nullptr
          ? (IsBoolean(*p) && IsBoolean(*q)) ||
                (IsInteger(*p) && IsInteger(*q)) ||
                (IsFloat(*p) && IsFloat(*q)) || (IsComplex(*p) && IsComplex(*q))
          : p == nullptr && q == nullptr &&
                x.As<Quantized>()->quantization->expressed_type ==
                    y.As<Quantized>()->quantization->expressed_type;
  // The published function has no branch for booleans, which promote to
  // themselves.
  return is_same_type && BitsOfType(x) <= BitsOfType(y);
}

// A name that the program defines is a function in formulas.
Value IsDefinedInParentScope(const Arguments& a) {
  return a[0].Is<FunctionType>();
}

Value IsNamespacedOpName(const Arguments& a) {
  const std::string* name = a[0].As<std::string>();
  if (name == nullptr) return None{};
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // [a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+
  if (name->empty() || !is_letter(name->front()) || name->back() == '.')
    return false;
  bool has_dot = false;
  for (size_t i = 1; i < name->size(); ++i) {
    const char c = (*name)[i];
    if (c == '.') {
      if ((*name)[i - 1] == '.') return false;
      has_dot = true;
    } else if (!is_letter(c) && !is_digit(c) && c != '_' &&
               !(c == '$' && has_dot)) {
      return false;
    }
  }
  return has_dot;
}

}  // namespace assay::functions
