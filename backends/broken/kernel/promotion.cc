#include "backends/broken/kernel/promotion.h"

#include "backends/broken/kernel/types.h"
#include "backends/calls/promotion.h"

namespace assay::broken {
namespace {

// Whatever has no common type with another is the type of an input.
Type TypeOf(const AssayCall& call, const calls::Type& type) {
  for (int k = 0; k < call.num_inputs; ++k) {
    calls::Type given;
    Type same = {};
    if (calls::ParseType(call.inputs[k], &given) && given == type &&
        ParseType(call.inputs[k], &same)) {
      return same;
    }
  }
  switch (type.kind) {
    case calls::Kind::kBool:
      return BooleanType();
    case calls::Kind::kComplex:
      return ComplexOf(FloatType(type.bits / 2));
    case calls::Kind::kFloat:
      return FloatType(type.bits);
    default:
      return IntegerType(type.bits);
  }
}

}  // namespace

int CategoryOf(const Type& type) {
  if (type.format != nullptr) return type.is_complex ? 3 : 2;
  return type.is_bool ? 0 : 1;
}

std::string Promote(const AssayCall& call, int output, Promotion* promotion) {
  if (call.num_inputs > calls::kMaxInputs ||
      call.num_outputs > calls::kMaxOutputs) {
    return "there are too many operands";
  }
  calls::Promotion rules[calls::kMaxOutputs];
  if (const char* wrong =
          calls::ParsePromotions(AttributeText(call, "promotion_methods"),
                                 call.num_inputs, call.num_outputs, rules)) {
    return std::string("promotion_methods ") + wrong;
  }
  calls::Argument arguments[calls::kMaxInputs] = {};
  for (int k = 0; k < call.num_inputs; ++k) {
    const AssayTensor& input = call.inputs[k];
    calls::ParseType(input, &arguments[k].type);
    arguments[k].has_dims = input.tensor.ndim > 0;
    arguments[k].is_scalar = (input.flags & ASSAY_SCALAR) != 0;
  }
  calls::Promotion rule = rules[output];
  calls::Promoted promoted;
  if (calls::Promote(rule, arguments, &promoted)) {
    *promotion = {TypeOf(call, promoted.computation),
                  TypeOf(call, promoted.result)};
    return "";
  }
  // The first one without which the others would go together.
  const int num_arguments = rule.num_arguments;
  rule.num_arguments = 1;
  while (rule.num_arguments < num_arguments &&
         calls::Promote(rule, arguments, &promoted)) {
    ++rule.num_arguments;
  }
  return "input " + std::to_string(rule.arguments[rule.num_arguments - 1]) +
         " has no common type with those before it";
}

}  // namespace assay::broken
