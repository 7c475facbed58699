// Ops that add products: types of results that are wider than those of the
// operands, precisions and algorithms. Most calls have the type of their
// operands, and none but the usual precision.
#include "fuzz/proposals/contractions.h"

#include <vector>

namespace assay {
namespace {

Attribute PrecisionConfig(Choices* choices) {
  AttributeList list;
  const bool is_usual = !choices->OneIn(Topic::kAttributes, 4);
  constexpr const char* kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
  for (int side = 0; side < 2; ++side) {
    const uint32_t drawn = is_usual ? 0 : choices->Below(Topic::kAttributes, 3);
    list.elements.push_back({Symbol{kPrecisions[drawn]}});
  }
  return {"precision_config", std::move(list)};
}

// Adds an algorithm of one component, or of several.
void AddAlgorithm(Choices* choices, Op* op) {
  constexpr const char* kTypes[] = {"bf16", "f16",    "tf32",    "f32",
                                    "f64",  "f8E5M2", "f8E4M3FN"};
  constexpr const char* kSums[] = {"f32", "f32", "f64", "f16", "bf16"};
  const char* const type = choices->Of(Topic::kAttributes, kTypes);
  const bool are_two = choices->OneIn(Topic::kAttributes, 4);
  op->attributes.push_back({"lhs_precision_type", Symbol{type}});
  op->attributes.push_back(
      {"rhs_precision_type",
       Symbol{are_two ? choices->Of(Topic::kAttributes, kTypes) : type}});
  op->attributes.push_back(
      {"accumulation_type", Symbol{choices->Of(Topic::kAttributes, kSums)}});
  const int64_t count = choices->OneIn(Topic::kAttributes, 80) ? 3 : 1;
  for (const char* name : {"lhs_component_count", "rhs_component_count",
                           "num_primitive_operations"})
    op->attributes.push_back(
        {name, IntegerTensor(TensorType{Shape{}, ElementType::kI32}, {count})});
  op->attributes.push_back(
      {"allow_imprecise_accumulation",
       IntegerTensor(TensorType{Shape{}, ElementType::kI1},
                     {choices->OneIn(Topic::kAttributes, 80)})});
}

// Returns whether a type has all numbers of another one, and more bits.
bool IsWider(ElementType type, ElementType other) {
  if (Info(type).kind != Info(other).kind ||
      Info(type).bits <= Info(other).bits)
    return false;
  if (!IsFloat(type)) return true;
  const auto least_exponent = [](const FloatFormat& format) {
    return format.min_exponent() - format.mantissa_bits;
  };
  return FormatOf(type).has_sign &&
         least_exponent(FormatOf(type)) <= least_exponent(FormatOf(other));
}

// Returns the type of a result: a wider one of the same kind in one call of
// four, and any in few, of which the text says nothing.
ElementType DrawResultType(ElementType type, Choices* choices) {
  if (!choices->OneIn(Topic::kAttributes, 4)) return type;
  std::vector<ElementType> others;
  const bool is_any = choices->OneIn(Topic::kAttributes, 64);
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (is_any || IsWider(info.type, type)) others.push_back(info.type);
  }
  return others.empty() ? type : choices->Of(Topic::kAttributes, others);
}

void AddOperandsOfContraction(ElementType type, Op* op) {
  for (const char* name : {"lhs", "rhs"})
    op->inputs.push_back({name, name, {Shape{}, type}});
}

void AddTypesOfDotGeneral(ElementType type, Choices* choices, Op* op) {
  AddOperandsOfContraction(type, op);
  op->outputs.push_back(
      {"result", "result", {Shape{}, DrawResultType(type, choices)}});
  const bool has_algorithm = choices->OneIn(
      Topic::kAttributes, IsFloat(type) && FormatOf(type).has_sign ? 6 : 80);
  if (has_algorithm) {
    op->attributes.push_back(
        {"precision_config",
         AttributeList{{Symbol{"DEFAULT"}, Symbol{"DEFAULT"}}}});
    AddAlgorithm(choices, op);
  } else {
    op->attributes.push_back(PrecisionConfig(choices));
  }
}

void AddTypesOfConvolution(ElementType type, Choices* choices, Op* op) {
  AddOperandsOfContraction(type, op);
  op->outputs.push_back({"result", "result", {Shape{}, type}});
  op->attributes.push_back(PrecisionConfig(choices));
}

void AddTypesOfDynamicConv(ElementType type, Choices* choices, Op* op) {
  AddOperandsOfContraction(type, op);
  constexpr ElementType kIntegers[] = {ElementType::kI64, ElementType::kI32,
                                       ElementType::kI8, ElementType::kUi8};
  op->inputs.push_back({"padding",
                        "padding",
                        {Shape{}, choices->Of(Topic::kAttributes, kIntegers)}});
  op->outputs.push_back({"result", "result", {Shape{}, type}});
  op->attributes.push_back(PrecisionConfig(choices));
}

void AddNoFunction(Choices*, Op*) {}

constexpr Proposal kContractions[] = {
    {"convolution", AddTypesOfConvolution, AddNoFunction, true},
    {"dot_general", AddTypesOfDotGeneral, AddNoFunction, true},
    {"dynamic_conv", AddTypesOfDynamicConv, AddNoFunction, true}};

}  // namespace

std::span<const Proposal> ContractionProposals() { return kContractions; }

}  // namespace assay
