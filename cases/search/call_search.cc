#include "cases/search/call_search.h"

#include <algorithm>
#include <cstring>

#include "cases/search/labelling.h"

namespace assay {
namespace {

// A constraint that the plan does not understand is asked so many times.
constexpr int kTriesOfOpaque = 8;
// Plans are forgotten where types and attributes go together in more ways.
constexpr size_t kMostPlans = 4096;

void AppendAttribute(const Attribute& attribute, std::string* key) {
  *key += attribute.name;
  *key += '\0';
  if (const Symbol* symbol = std::get_if<Symbol>(&attribute.value)) {
    *key += symbol->name;
  } else if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
    key->append(reinterpret_cast<const char*>(tensor->data()),
                static_cast<size_t>(tensor->byte_size()));
  } else {
    *key += AttributeText(attribute.value);
  }
  *key += '\0';
}

void AppendType(const ValueType& type, bool matters, std::string* key) {
  const TensorType* tensor = type.AsTensor();
  if (tensor == nullptr) {
    *key += type.ToString();
  } else if (tensor->quantization) {
    *key += tensor->quantization->ToString();
  } else {
    *key +=
        matters
            ? static_cast<char>(static_cast<char>(tensor->element_type) + 64)
            : '*';
  }
}

void AppendCounts(const ProcessCounts& counts, std::string* key) {
  for (const auto& count : {counts.replicas, counts.partitions}) {
    if (count) *key += "#" + std::to_string(*count);
  }
}

// Gives an operand its elements, where formulas ask for them.
void AddKnown(const Plan& plan, const Labelling& found, size_t tensor,
              Op::Operand* operand) {
  for (size_t list = 0; list < plan.vectors.size(); ++list) {
    const PlannedNumbers& numbers = plan.vectors[list];
    if (numbers.tensor == tensor && numbers.input->IsValue())
      operand->known =
          IntegerTensor(operand->type.tensor(), found.VectorOf(list));
  }
}

// Gives the call the shapes and numbers that were found. Its attributes stand
// in the order of the specification. A constant of any type has that by which
// calls of the op are told apart.
void Write(const OpSpec& spec, const Plan& plan, const Labelling& found,
           Op* call) {
  size_t tensor = 0;
  for (Op::Operand& operand : call->inputs) {
    if (!operand.type.IsTensor()) continue;
    operand.type.tensor().shape = found.ShapeOf(tensor);
    AddKnown(plan, found, tensor++, &operand);
  }
  for (Op::Result& result : call->outputs) {
    if (result.type.IsTensor())
      result.type.tensor().shape = found.ShapeOf(tensor++);
  }
  const auto place_of = [](const auto& list, const InputSpec& input) {
    return static_cast<size_t>(
        std::ranges::find_if(
            list, [&](const auto& other) { return other.input == &input; }) -
        list.begin());
  };
  std::vector<Attribute> attributes;
  for (const InputSpec& input : spec.inputs) {
    if (input.IsValue()) continue;
    if (const Attribute* attribute = call->FindAttribute(input.name)) {
      attributes.push_back(*attribute);
      continue;
    }
    const size_t list = place_of(plan.vectors, input);
    const size_t number = place_of(plan.scalars, input);
    const auto constant = std::ranges::find(plan.constants, &input);
    if (list < plan.vectors.size()) {
      const std::vector<int64_t> numbers = found.VectorOf(list);
      const std::optional<size_t>& rows = plan.vectors[list].tensor;
      const Shape shape = rows ? found.ShapeOf(*rows)
                               : Shape{static_cast<int64_t>(numbers.size())};
      attributes.push_back(
          {input.name,
           IntegerTensor({shape, input.type->element_type}, numbers)});
    } else if (number < plan.scalars.size()) {
      attributes.push_back(
          {input.name, IntegerTensor(*input.type, {found.ScalarOf(number)})});
    } else if (constant != plan.constants.end()) {
      const auto behind =
          static_cast<size_t>(constant - plan.constants.begin());
      Tensor value(TensorType{found.ShapeOf(plan.first_constant + behind),
                              call->FirstType().tensor().element_type});
      std::memset(value.data(), 0, static_cast<size_t>(value.byte_size()));
      attributes.push_back({input.name, std::move(value)});
    }
  }
  call->attributes = std::move(attributes);
}

// Most elementwise ops have one shape, and nothing but it to choose.
bool HasOneShapeAlone(const Plan& plan) {
  return plan.is_feasible && plan.shapes == 1 && plan.constraints.empty() &&
         plan.vectors.empty() && plan.scalars.empty() &&
         plan.constants.empty() && !plan.has_opaque;
}

}  // namespace

CallSearch::CallSearch(const OpSpec& spec)
    : spec_(spec),
      has_variadic_(std::ranges::any_of(spec.inputs, &InputSpec::variadic) ||
                    std::ranges::any_of(spec.outputs, &OutputSpec::variadic)) {}

const Plan& CallSearch::PlanOf(const Op& call, const SearchGoal& goal) {
  key_ = goal.violated;
  key_ += '\0';
  const bool fit = has_variadic_ && HasTypesThatFit(spec_, call);
  const auto append_type = [&](const auto& members, const auto& value) {
    const bool is_variadic =
        fit && std::ranges::find(members, value.name, [](const auto& member) {
                 return member.name;
               })->variadic;
    AppendType(value.type, !is_variadic, &key_);
  };
  for (const Op::Operand& operand : call.inputs)
    append_type(spec_.inputs, operand);
  key_ += '\0';
  for (const Op::Result& result : call.outputs)
    append_type(spec_.outputs, result);
  for (const Attribute& attribute : call.attributes)
    AppendAttribute(attribute, &key_);
  for (const std::string_view name : goal.absent) (key_ += '-') += name;
  AppendCounts(call.processes, &key_);
  const auto it = plans_.find(key_);
  if (it != plans_.end()) return it->second;
  if (plans_.size() == kMostPlans) plans_.clear();
  return plans_.emplace(key_, MakePlan(spec_, call, goal.violated, goal.absent))
      .first->second;
}

CallSearch::ByTypes CallSearch::Judge(const Op& call, const SearchGoal& goal) {
  const Plan& plan = PlanOf(call, goal);
  return {plan.false_labels, plan.is_feasible};
}

bool CallSearch::Complete(const SearchGoal& goal, Choices* choices, Op* call) {
  const Plan& plan = PlanOf(*call, goal);
  if (!plan.is_feasible || (plan.is_up_to_functions && !goal.finish))
    return false;
  if (HasOneShapeAlone(plan) && goal.given.empty() &&
      goal.seed.size() <= kMostSearchedRank && !goal.finish) {
    for (Op::Operand& operand : call->inputs)
      operand.type.tensor().shape = goal.seed;
    for (Op::Result& result : call->outputs)
      result.type.tensor().shape = goal.seed;
    return true;
  }
  const bool is_asked = plan.has_opaque || plan.violates || goal.finish;
  for (int left = is_asked ? kTriesOfOpaque : 1; left > 0; --left) {
    // Where shapes follow from drawn numbers, many would have no elements.
    const bool may_be_empty = !goal.given.empty() ||
                              std::ranges::count(goal.seed, 0) > 0 ||
                              choices->OneIn(Topic::kShape, 6);
    std::optional<Labelling> labelling;
    labelling.emplace(plan, goal, choices);
    if (!labelling->Run(may_be_empty)) {
      if (may_be_empty) return false;
      labelling.emplace(plan, goal, choices);
      if (!labelling->Run(true)) return false;
    }
    Op found = *call;
    Write(spec_, plan, *labelling, &found);
    if (goal.finish) goal.finish(&found);
    if (is_asked && !SatisfiesAllBut(spec_, found, goal.violated)) continue;
    *call = std::move(found);
    return true;
  }
  return false;
}

bool SatisfiesAllBut(const OpSpec& spec, const Op& call,
                     std::string_view violated) {
  return std::ranges::all_of(
      CheckConstraints(spec, call), [&](const ConstraintResult& result) {
        if (result.constraint->label == violated)
          return result.truth == Truth::kFalse;
        return result.truth == Truth::kTrue ||
               (!violated.empty() && result.truth != Truth::kFalse);
      });
}

}  // namespace assay
