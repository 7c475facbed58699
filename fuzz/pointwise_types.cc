#include "fuzz/pointwise_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/error.h"
#include "spec/pointwise.h"

namespace assay {
namespace {

using enum ElementType;

// Those that promote with one another: the order of promotion.h.
constexpr std::array kPromoted = {kI1,  kI8,  kUi8,        kI16,
                                  kI32, kI64, kF16,        kBF16,
                                  kF32, kF64, kComplexF32, kComplexF64};
constexpr std::array kMethods = {
    PromotionMethod::kDefault,        PromotionMethod::kNoOpmath,
    PromotionMethod::kIntToFloat,     PromotionMethod::kAlwaysBool,
    PromotionMethod::kComplexToFloat, PromotionMethod::kBoolToLong};

Attribute Methods(const OpSpec& spec, PromotionMethod method,
                  const std::vector<int>& arguments) {
  const std::vector<PromotionRule> rules(spec.outputs.size(),
                                         {arguments, method});
  return {"promotion_methods", ToString(rules)};
}

// Arguments that take part: those that are no predicates.
std::vector<int> Promoted(const std::vector<const InputSpec*>& operands) {
  std::vector<int> arguments;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k]->is_predicate) arguments.push_back(static_cast<int>(k));
  }
  return arguments;
}

Op CallOf(const OpEntry& entry, const PointwiseTypes& types) {
  Op op;
  op.op = entry.spec->id;
  const std::vector<const InputSpec*> operands = OperandsOf(*entry.spec);
  for (size_t k = 0; k < operands.size(); ++k) {
    const bool is_tensor = types.kinds[k] == PointwiseTypes::Kind::kTensor;
    op.inputs.push_back({operands[k]->name,
                         operands[k]->name,
                         {is_tensor ? Shape{2} : Shape{}, types.operands[k]},
                         types.kinds[k] == PointwiseTypes::Kind::kScalar});
  }
  op.attributes = types.attributes;
  for (const DrawnNumber& number : entry.numbers) {
    Tensor one(number.type);
    one.SetBits(0, BitsOf(number.type.element_type, 1));
    op.attributes.push_back({number.name, one});
  }
  return op;
}

}  // namespace

const PointwiseDrawer::Results& PointwiseDrawer::ResultsOf(
    const OpEntry& entry, const PointwiseTypes& types) {
  key_ = entry.spec->id;
  for (size_t k = 0; k < types.operands.size(); ++k) {
    key_ += static_cast<char>(1 + static_cast<int>(types.operands[k]));
    key_ += static_cast<char>(types.kinds[k]);
  }
  for (const Attribute& attribute : types.attributes)
    key_ += AttributeText(attribute);
  const auto known = known_.find(key_);
  if (known != known_.end()) return known->second;
  Results results;
  Op op = CallOf(entry, types);
  const std::vector<InferredType> inferred = InferResultTypes(*entry.spec, op);
  const bool has_types = std::ranges::all_of(
      inferred,
      [](const InferredType& type) { return type.shape && type.element_type; });
  if (has_types) {
    std::vector<ElementType> element_types;
    for (size_t i = 0; i < inferred.size(); ++i) {
      const std::string& name = entry.spec->outputs[i].name;
      op.outputs.push_back(
          {name, name, {*inferred[i].shape, *inferred[i].element_type}});
      element_types.push_back(*inferred[i].element_type);
    }
    if (AnalysePointwise(*entry.spec, op).findings.empty())
      results = std::move(element_types);
  }
  return known_.emplace(key_, std::move(results)).first->second;
}

PointwiseTypes PointwiseDrawer::Draw(const OpEntry& entry, Choices* choices) {
  const std::vector<const InputSpec*> operands = OperandsOf(*entry.spec);
  const std::vector<int> promoted = Promoted(operands);
  PointwiseTypes types;
  types.operands.resize(operands.size());
  types.kinds.resize(operands.size());
  const auto is_valid = [&] {
    const Results& results = ResultsOf(entry, types);
    if (results) types.results = *results;
    return results.has_value();
  };
  const auto set_types = [&](auto type_of) {
    for (size_t k = 0; k < operands.size(); ++k)
      types.operands[k] = operands[k]->is_predicate ? kI1 : type_of();
  };
  const auto set_attributes = [&](const std::vector<Attribute>& attributes,
                                  PromotionMethod method,
                                  const std::vector<int>& arguments) {
    types.attributes = attributes;
    types.attributes.push_back(Methods(*entry.spec, method, arguments));
  };
  for (auto& kind : types.kinds) {
    const uint32_t drawn = choices->Below(Topic::kTypes, 8);
    kind = drawn < 6    ? PointwiseTypes::Kind::kTensor
           : drawn == 6 ? PointwiseTypes::Kind::kZeroDim
                        : PointwiseTypes::Kind::kScalar;
  }
  constexpr int kTries = 4;
  for (int left = kTries; left > 0; --left) {
    // Types outside of the order promote with themselves only.
    const ElementType type =
        choices->OneIn(Topic::kTypes, 8)
            ? ElementTypes()[choices->Below(
                                 Topic::kTypes,
                                 static_cast<uint32_t>(ElementTypes().size()))]
                  .type
            : choices->Of(Topic::kTypes, kPromoted);
    const bool mixes = choices->OneIn(Topic::kTypes, 3);
    set_types([&] {
      return mixes && choices->OneIn(Topic::kTypes, 2)
                 ? choices->Of(Topic::kTypes, kPromoted)
                 : type;
    });
    std::vector<int> arguments = promoted;
    if (arguments.size() > 1 && choices->OneIn(Topic::kAttributes, 8))
      arguments.pop_back();
    set_attributes(choices->Of(Topic::kAttributes, entry.attributes),
                   choices->Of(Topic::kAttributes, kMethods), arguments);
    if (is_valid()) return types;
  }
  // What an op is usually called with.
  for (const ElementType type : kPromoted) {
    for (const PromotionMethod method : kMethods) {
      for (const std::vector<Attribute>& attributes : entry.attributes) {
        set_types([&] { return type; });
        set_attributes(attributes, method, promoted);
        if (is_valid()) return types;
      }
    }
  }
  ASSAY_CHECK(false && "every pointwise op has a valid call");
  return types;
}

}  // namespace assay
