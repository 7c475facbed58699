#include "fuzz/draw/pointwise_types.h"

#include <fmt/format.h>

#include <array>

#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

using enum ElementType;

// These types promote with one another, in the order of promotion.h.
constexpr std::array kPromoted = {kI1,  kI8,  kUi8,        kI16,
                                  kI32, kI64, kF16,        kBF16,
                                  kF32, kF64, kComplexF32, kComplexF64};
constexpr std::array kMethods = {
    PromotionMethod::kDefault,        PromotionMethod::kNoOpmath,
    PromotionMethod::kIntToFloat,     PromotionMethod::kAlwaysBool,
    PromotionMethod::kComplexToFloat, PromotionMethod::kBoolToLong};

// A drawn list has at most so many arguments.
constexpr size_t kMostArguments = 4;

// Returns a small call of the types, without results.
Op CallOf(const OpEntry& entry, const PointwiseTypes& types) {
  Op op;
  op.op = entry.spec->id;
  const std::vector<const InputSpec*>& operands = entry.operands;
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

// Gives the call its results, and returns whether it is valid.
bool Complete(const OpSpec& spec, Op* op) {
  const std::vector<InferredType> inferred = InferResultTypes(spec, *op);
  for (size_t i = 0; i < inferred.size(); ++i) {
    if (!inferred[i].shape || !inferred[i].element_type) return false;
    const std::string& name = spec.outputs[i].name;
    op->outputs.push_back(
        {name, name, {*inferred[i].shape, *inferred[i].element_type}});
  }
  return AnalysePointwise(spec, *op).findings.empty();
}

}  // namespace

PointwiseDrawer::Function::Function(const OpEntry& e, size_t n)
    : entry(e), number(n), operands(e.operands) {
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k]->is_predicate) promoted.push_back(static_cast<int>(k));
  }
}

const PointwiseDrawer::Function& PointwiseDrawer::FunctionOf(
    const OpEntry& entry) {
  return functions_.try_emplace(&entry, entry, functions_.size() + 1)
      .first->second;
}

PointwiseDrawer::Answer PointwiseDrawer::Analyse(const Question& question) {
  const OpSpec& spec = *question.function->entry.spec;
  Op op = CallOf(question.function->entry, types_);
  Answer answer;
  answer.is_valid = Complete(spec, &op);
  if (!answer.is_valid) return answer;
  ASSAY_CHECK(op.outputs.size() <= answer.results.size());
  for (size_t i = 0; i < op.outputs.size(); ++i)
    answer.results[i] = op.outputs[i].type.tensor().element_type;
  return answer;
}

bool PointwiseDrawer::Ask(const Question& question) {
  const Function& function = *question.function;
  uint64_t key = 0;
  const auto add = [&](uint64_t part, int bits) {
    ASSAY_CHECK(part >> bits == 0 && key >> (64 - bits) == 0);
    key = key << bits | part;
  };
  add(function.number, 8);
  add(question.attributes, 8);
  for (const PromotionRule& rule : question.rules) {
    add(static_cast<uint64_t>(rule.method), 3);
    ASSAY_CHECK(rule.arguments.size() <= kMostArguments);
    for (size_t k = 0; k < kMostArguments; ++k)
      add(k < rule.arguments.size()
              ? static_cast<uint64_t>(rule.arguments[k]) + 1
              : 0,
          2);
  }
  for (size_t k = 0; k < types_.operands.size(); ++k) {
    add(static_cast<uint64_t>(types_.operands[k]), 5);
    add(static_cast<uint64_t>(types_.kinds[k]), 2);
  }
  Answer& answer = answers_[key * 0x9e3779b97f4a7c15 >> 32 & (kAnswers - 1)];
  const bool is_known = answer.question == key;
  if (is_known && !answer.is_valid) return false;
  types_.attributes = function.entry.attributes[question.attributes];
  types_.attributes.push_back({"promotion_methods", ToString(question.rules)});
  if (!is_known) answer = Analyse(question);
  answer.question = key;
  types_.results.assign(
      answer.results.begin(),
      answer.results.begin() +
          static_cast<ptrdiff_t>(function.entry.spec->outputs.size()));
  return answer.is_valid;
}

std::vector<int> PointwiseDrawer::DrawArguments(const Function& function,
                                                Choices* choices) {
  if (!choices->OneIn(Topic::kAttributes, 8)) return function.promoted;
  std::vector<int> arguments;
  const auto operands = static_cast<uint32_t>(function.operands.size());
  const uint32_t size = 1 + choices->Below(Topic::kAttributes, kMostArguments);
  for (uint32_t k = 0; k < size; ++k)
    arguments.push_back(
        static_cast<int>(choices->Below(Topic::kAttributes, operands)));
  return arguments;
}

const PointwiseTypes& PointwiseDrawer::Draw(const OpEntry& entry,
                                            Choices* choices) {
  const Function& function = FunctionOf(entry);
  const std::vector<const InputSpec*>& operands = function.operands;
  types_.operands.resize(operands.size());
  types_.kinds.resize(operands.size());
  const auto set_types = [&](auto type_of) {
    for (size_t k = 0; k < operands.size(); ++k)
      types_.operands[k] = operands[k]->is_predicate ? kI1 : type_of();
  };
  for (auto& kind : types_.kinds) {
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
    Question question{&function, 0, {}};
    for (size_t i = 0; i < entry.spec->outputs.size(); ++i) {
      const bool is_as_before = i > 0 && !choices->OneIn(Topic::kAttributes, 4);
      if (is_as_before) {
        question.rules.push_back(question.rules.back());
        continue;
      }
      question.rules.push_back({DrawArguments(function, choices),
                                choices->Of(Topic::kAttributes, kMethods)});
    }
    question.attributes = choices->Below(
        Topic::kAttributes, static_cast<uint32_t>(entry.attributes.size()));
    if (Ask(question)) return types_;
  }
  // An op is usually called with operands of one of these types.
  for (const ElementType type : kPromoted) {
    set_types([&] { return type; });
    if (AskUsual(function)) return types_;
  }
  ASSAY_CHECK(false && "every pointwise op has a valid call");
}

bool PointwiseDrawer::AskUsual(const Function& function) {
  const OpEntry& entry = function.entry;
  for (const PromotionMethod method : kMethods) {
    for (size_t i = 0; i < entry.attributes.size(); ++i) {
      const std::vector<PromotionRule> rules(entry.spec->outputs.size(),
                                             {function.promoted, method});
      if (Ask({&function, i, rules})) return true;
    }
  }
  return false;
}

const PointwiseTypes* PointwiseDrawer::FindUsual(
    const OpEntry& entry, const std::vector<ElementType>& operands) {
  types_.operands = operands;
  types_.kinds.assign(operands.size(), PointwiseTypes::Kind::kTensor);
  return AskUsual(FunctionOf(entry)) ? &types_ : nullptr;
}

}  // namespace assay
