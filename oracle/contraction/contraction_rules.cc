#include "oracle/contraction/contraction_rules.h"

#include "spec/types/element.h"

namespace assay {
namespace {

NodeFormat FormatOfPart(ElementType type) {
  return NodeFormat::Of(FormatOf(PartType(type)));
}

ProductType ProductTypeOf(const Policy& policy) {
  const std::string& value = policy.Get("dot_product_type");
  return value == "operand"  ? ProductType::kOperand
         : value == "result" ? ProductType::kResult
                             : ProductType::kEither;
}

// Returns the format to which an f32 may be rounded where the precision is not
// the highest one.
std::optional<NodeFormat> RoundedTo(const std::string& config,
                                    const Policy& policy) {
  const std::string& value = policy.Get("dot_precision");
  if (value == "full" || config == "HIGHEST") return std::nullopt;
  return value == "bf16" && config == "DEFAULT"
             ? NodeFormat::Of(FormatOf(ElementType::kBF16))
             : NodeFormat::Tf32();
}

bool IsSignedFloat(ElementType type) {
  return IsFloat(type) && FormatOf(type).has_sign;
}

}  // namespace

NodeFormat FormatOfPrecision(std::string_view type) {
  if (type == "tf32") return NodeFormat::Tf32();
  return FormatOfPart(*ParseElementType(type));
}

ContractionRules::ContractionRules(const OpCall& op,
                                   const ContractionPrecision& precision)
    : op(op),
      operand(op.inputs[0].element_type()),
      result(op.ResultType().element_type),
      sums{op.policy, {}, false, false},
      product_type(ProductTypeOf(op.policy)),
      wraps(op.policy.Get("integer_overflow") == "wrap"),
      is_open(precision.is_open) {
  const bool has_algorithm = precision.accumulation.has_value();
  const bool is_float = IsFloat(operand) && IsFloat(result);
  const bool is_complex = IsComplex(operand) && IsComplex(result);
  if (!is_float && !is_complex) {
    const bool is_of_integers = IsInteger(operand) && IsInteger(result);
    has_integer_factors = (IsInteger(operand) && IsSignedFloat(result)) ||
                          (has_algorithm && is_of_integers);
    const bool is_integral =
        (IsInteger(operand) || IsBoolean(operand)) &&
        (IsInteger(result) || (IsBoolean(operand) && IsBoolean(result)));
    is_open |= !is_integral && !has_integer_factors;
    if (!has_integer_factors || is_open) return;
    const NodeFormat of_result =
        IsFloat(result) ? FormatOfPart(result) : *precision.accumulation;
    sums.node = has_algorithm ? *precision.accumulation : of_result;
    sums.wider = true;
    long double changed = 1;
    for (size_t side = 0; side < factors.size(); ++side) {
      factors[side].format =
          has_algorithm ? precision.factors[side] : of_result;
      changed *= 1 + 2 * factors[side].format->unit();
    }
    sums.factor_error = changed - 1;
    sums.has_init = op.policy.Get("reduction_init") == "once";
    return;
  }
  if (operand != result &&
      !(IsSignedFloat(PartType(operand)) && IsSignedFloat(PartType(result))))
    is_open = true;
  if (is_open) return;
  sums.has_init = op.policy.Get("reduction_init") == "once";
  sums.flushes = op.policy.Get("subnormals") == "flush_uniformly";
  const NodeFormat of_operand = FormatOfPart(operand);
  const NodeFormat of_result = FormatOfPart(result);
  if (has_algorithm) {
    sums.node = *precision.accumulation;
    sums.wider = true;
  } else if (operand == result) {
    sums.node = of_result;
    sums.wider = op.policy.Get("accumulation_type") == "wider";
    is_literal =
        is_float && (op.policy.Get("contraction_order") == "in_order" ||
                     !IsSignedFloat(result));
  } else {
    const bool holds = of_result.precision >= of_operand.precision &&
                       of_result.min_exponent <= of_operand.min_exponent &&
                       of_result.max_exponent >= of_operand.max_exponent;
    sums.node = holds && product_type == ProductType::kResult
                    ? of_result
                    : NodeFormat::Coarser(of_operand, of_result);
    sums.wider = true;
  }
  long double changed = 1;
  for (size_t side = 0; side < factors.size(); ++side) {
    FactorRounding& rounding = factors[side];
    if (has_algorithm) {
      rounding.format = precision.factors[side];
      rounding.is_nearest =
          op.policy.Get("inexact_conversion") == "nearest_even";
    } else if (PartType(operand) == ElementType::kF32) {
      rounding.format = RoundedTo(precision.config[side], op.policy);
    }
    // Either neighbour may take the place of a factor.
    if (rounding.format && !rounding.is_nearest)
      changed *= 1 + 2 * rounding.format->unit();
  }
  sums.factor_error = changed - 1;
}

}  // namespace assay
