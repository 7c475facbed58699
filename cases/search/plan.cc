#include "cases/search/plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "cases/search/compile.h"

namespace assay {
namespace {

using PlanKind = Expression::Kind;

bool IsSearched(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kConstant && input.type &&
         IsInteger(input.type->element_type) && input.type->shape.size() <= 1;
}

bool IsOfAnyType(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kConstant && !input.type;
}

// Makes the terms of the members of a call, with a slot for each tensor, list
// and number.
class Members {
 public:
  Members(const OpSpec& spec, const Op& call, Plan* plan)
      : call_(call), plan_(*plan) {
    for (const InputSpec& input : spec.inputs) {
      if (input.IsValue())
        AddTensors(input.name, input.variadic, call.Inputs(input.name));
    }
    for (const OutputSpec& output : spec.outputs)
      AddTensors(output.name, output.variadic, call.Outputs(output.name));
    for (const InputSpec& input : spec.inputs) {
      if (!input.IsValue()) AddAttribute(input);
    }
    plan_.shapes = next_;
    plan_.shape_of.resize(next_);
    std::iota(plan_.shape_of.begin(), plan_.shape_of.end(), size_t{0});
  }

  const Terms& terms() const { return terms_; }

 private:
  template <class Tensors>
  void AddTensors(const std::string& name, bool variadic,
                  const Tensors& tensors) {
    Term::List list;
    for (const auto& tensor : tensors) {
      Term::Tensor term{next_++, std::nullopt};
      if (!variadic) term.type = tensor.type.tensor().element_type;
      list.push_back({term});
    }
    // A call whose results are not known yet has none.
    Term& member = terms_[name];
    if (variadic)
      member = {list};
    else if (!list.empty())
      member = list[0];
  }

  void AddAttribute(const InputSpec& input) {
    const Attribute* attribute = call_.FindAttribute(input.name);
    Term& term = terms_[input.name];  // settled, if it stays as it is
    if (IsOfAnyType(input)) {
      plan_.constants.push_back(&input);
      // It has the element type of some result.
      term = {Term::Tensor{next_++, std::nullopt}};
    } else if (attribute != nullptr) {
      if (const Tensor* tensor = std::get_if<Tensor>(&attribute->value))
        term = {Value::FromTensor(*tensor)};
      if (const Symbol* symbol = std::get_if<Symbol>(&attribute->value))
        term = {Value(*symbol)};
    } else if (IsSearched(input)) {
      const bool is_list = !input.type->shape.empty();
      std::vector<PlannedNumbers>& numbers =
          is_list ? plan_.vectors : plan_.scalars;
      term = {Expression::OfSlot(
          is_list ? PlanKind::kVector : PlanKind::kScalar, numbers.size())};
      numbers.push_back({&input});
    }
  }

  const Op& call_;
  Plan& plan_;
  Terms terms_;
  size_t next_ = 0;
};

// Adds a truth to the constraints, as several where it is a conjunction.
void AddTruth(const Expression& truth, std::vector<Expression>* constraints) {
  if (truth.kind == PlanKind::kAnd) {
    for (const Expression& child : truth.children) AddTruth(child, constraints);
  } else {
    constraints->push_back(truth);
  }
}

bool IsEqualityOfShapes(const Expression& truth) {
  return truth.kind == PlanKind::kEqual &&
         truth.children[0].kind == PlanKind::kShape &&
         truth.children[1].kind == PlanKind::kShape;
}

void VisitAll(Expression* expression,
              const std::function<void(Expression*)>& visit) {
  visit(expression);
  for (Expression& child : expression->children) VisitAll(&child, visit);
}

// Puts shapes that are equal together, and drops the constraints that say so.
void ShareShapes(Plan* plan) {
  std::vector<size_t>& shape_of = plan->shape_of;
  for (const Expression& truth : plan->constraints) {
    if (!IsEqualityOfShapes(truth)) continue;
    const size_t a = shape_of[truth.children[0].slot];
    const size_t b = shape_of[truth.children[1].slot];
    std::ranges::replace(shape_of, std::max(a, b), std::min(a, b));
  }
  std::erase_if(plan->constraints, IsEqualityOfShapes);
  std::vector<size_t> slots(shape_of);
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  for (size_t& slot : shape_of)
    slot = static_cast<size_t>(std::ranges::lower_bound(slots, slot) -
                               slots.begin());
  plan->shapes = slots.size();
  for (Expression& truth : plan->constraints) {
    VisitAll(&truth, [&](Expression* part) {
      if (part->kind == PlanKind::kShape || part->kind == PlanKind::kRank ||
          part->kind == PlanKind::kSize)
        part->slot = shape_of[part->slot];
    });
  }
}

// Marks the lists and numbers that are terms of a sum in an equation.
void MarkTerms(const Expression& side, Plan* plan) {
  if (side.kind == PlanKind::kVector) plan->vectors[side.slot].is_given = true;
  if (side.kind == PlanKind::kScalar) plan->scalars[side.slot].is_given = true;
  if (side.kind == PlanKind::kAdd || side.kind == PlanKind::kSubtract) {
    for (const Expression& child : side.children) MarkTerms(child, plan);
  }
}

void MarkNumbers(Plan* plan) {
  for (const Expression& truth : plan->constraints) {
    if (truth.kind == PlanKind::kEqual) {
      for (const Expression& side : truth.children) MarkTerms(side, plan);
    }
    if (truth.kind == PlanKind::kIsUnique &&
        truth.children[0].kind == PlanKind::kVector)
      plan->vectors[truth.children[0].slot].is_unique = true;
  }
}

// Notes which constraints have a variable in them, and which an alternative.
void IndexVariables(Plan* plan) {
  const size_t lists = plan->shapes, scalars = lists + plan->vectors.size();
  plan->constraints_with.assign(scalars + plan->scalars.size(), 0);
  const size_t count = std::min(plan->constraints.size(), kMostMasked);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    VisitAll(&plan->constraints[i], [&](Expression* part) {
      switch (part->kind) {
        case PlanKind::kShape:
        case PlanKind::kRank:
        case PlanKind::kSize:
          plan->constraints_with[part->slot] |= bit;
          break;
        case PlanKind::kVector:
          plan->constraints_with[lists + part->slot] |= bit;
          break;
        case PlanKind::kScalar:
          plan->constraints_with[scalars + part->slot] |= bit;
          break;
        case PlanKind::kOr:
          plan->constraints_with_or |= bit;
          break;
        default:
          break;
      }
    });
  }
}

}  // namespace

Plan MakePlan(const OpSpec& spec, const Op& call, std::string_view violated) {
  Plan plan;
  plan.violates = !violated.empty();
  const Members members(spec, call, &plan);
  for (const ConstraintSpec& constraint : spec.constraints) {
    const bool is_violated = constraint.label == violated;
    Term truth;
    try {
      if (constraint.check != nullptr) throw NotUnderstood();
      truth = Compile(constraint.formula, spec, members.terms());
    } catch (const NotUnderstood&) {
      // Formulas cannot judge a call that has no functions yet.
      plan.has_opaque |=
          std::ranges::none_of(spec.inputs, [](const InputSpec& input) {
            return input.kind == InputSpec::Kind::kFunction;
          });
      plan.is_feasible &= !is_violated;
      continue;
    }
    const Expression* open = truth.As<Expression>();
    if (is_violated) {
      plan.is_feasible &= open != nullptr;
      if (open != nullptr)
        plan.constraints.push_back(Expression::Of(PlanKind::kNot, {*open}));
    } else if (open != nullptr) {
      AddTruth(*open, &plan.constraints);
    } else if (const Value* value = truth.As<Value>()) {
      plan.is_feasible &= TruthOf(*value) == Truth::kTrue;
    }
  }
  ShareShapes(&plan);
  MarkNumbers(&plan);
  IndexVariables(&plan);
  return plan;
}

bool CanBeSearched(const OpSpec& spec) {
  return std::ranges::all_of(spec.inputs, [](const InputSpec& input) {
    switch (input.kind) {
      case InputSpec::Kind::kTensor:
      case InputSpec::Kind::kEnum:
        return true;
      case InputSpec::Kind::kConstant:
        return IsSearched(input) || IsOfAnyType(input) ||
               (IsBoolean(input.type->element_type) &&
                input.type->shape.empty());
      default:
        return false;
    }
  });
}

}  // namespace assay
