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
  // reduce asks for a result that its terms may be promoted to.
  const bool is_promotable = Info(operand).kind == Info(result).kind ||
                             (IsInteger(operand) && IsInteger(result));
  is_open |= !is_promotable || Info(operand).bits > Info(result).bits;
  if (is_open) return;
  sums.has_init = op.policy.Get("reduction_init") == "once";
  const bool has_algorithm = precision.accumulation.has_value();
  if (!IsFloat(operand) && !IsComplex(operand)) {
    // An algorithm makes floats of integers.
    has_integer_factors = has_algorithm && IsInteger(operand);
    if (!has_integer_factors) return;
    sums.node = *precision.accumulation;
    sums.wider = true;
    for (size_t side = 0; side < factors.size(); ++side)
      factors[side].format = precision.factors[side];
    sums.factor_error = 1;
    return;
  }
  sums.flushes = op.policy.Get("subnormals") == "flush_uniformly";
  const NodeFormat of_operand = FormatOfPart(operand);
  const NodeFormat of_result = FormatOfPart(result);
  // Which numbers an operand becomes where the result cannot hold it is not
  // said.
  is_open |= operand != result && !of_result.Holds(of_operand);
  if (has_algorithm) {
    sums.node = *precision.accumulation;
    sums.wider = true;
  } else if (operand == result) {
    sums.node = of_result;
    sums.wider = op.policy.Get("accumulation_type") == "wider";
    is_literal =
        IsFloat(result) && (op.policy.Get("contraction_order") == "in_order" ||
                            !IsSignedFloat(result));
  } else {
    sums.node = product_type == ProductType::kResult
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
