#include "cases/search/plan.h"

#include <algorithm>
#include <functional>

#include "cases/search/compile.h"
#include "cases/search/plan_members.h"

namespace assay {
namespace {

using PlanKind = Expression::Kind;

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
    if (truth.kind != PlanKind::kIsUnique) continue;
    const Expression& list = truth.children[0];
    const auto mark = [&](const Expression& part) {
      if (part.kind == PlanKind::kVector)
        plan->vectors[part.slot].is_unique = true;
    };
    mark(list);
    if (list.kind == PlanKind::kConcat)
      std::ranges::for_each(list.children, mark);
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

bool LengthRestsOnCounts(const Expression& list, bool violates);

// Whether a number or truth rests on ranks, lengths and numbers alone.
bool RestsOnCounts(const Expression& e, bool violates) {
  switch (e.kind) {
    case PlanKind::kNumber:
    case PlanKind::kRank:
    case PlanKind::kScalar:
      return true;
    case PlanKind::kLength:
      return LengthRestsOnCounts(e.children[0], violates);
    case PlanKind::kSum:
    case PlanKind::kAdd:
    case PlanKind::kSubtract:
    case PlanKind::kMax:
    case PlanKind::kEqual:
    case PlanKind::kLess:
    case PlanKind::kLessOrEqual:
      return std::ranges::all_of(e.children, [&](const Expression& child) {
        return !child.is_list && RestsOnCounts(child, violates);
      });
    default:
      return false;
  }
}

bool LengthRestsOnCounts(const Expression& list, bool violates) {
  const auto number = [&](size_t child) {
    return RestsOnCounts(list.children[child], violates);
  };
  const auto length = [&](size_t child) {
    return LengthRestsOnCounts(list.children[child], violates);
  };
  switch (list.kind) {
    case PlanKind::kShape:
    case PlanKind::kVector:
    case PlanKind::kItems:
      return true;
    case PlanKind::kSlice:
      return number(1) && number(2);
    case PlanKind::kRange:
      return number(0);
    case PlanKind::kWithout:
      // Places that are not different ones are counted by what they are.
      return !violates && length(0) && length(1);
    case PlanKind::kGather:
      return length(1);
    case PlanKind::kMap:
      return length(0);
    case PlanKind::kConditional:
      return number(0) && length(1) && length(2);
    case PlanKind::kArranged:
    case PlanKind::kConcat:
    case PlanKind::kBroadcast:
      return std::ranges::all_of(list.children, [&](const Expression& child) {
        return LengthRestsOnCounts(child, violates);
      });
    default:
      return false;
  }
}

void NumberLengths(Plan* plan) {
  for (Expression& truth : plan->constraints) {
    VisitAll(&truth, [&](Expression* part) {
      if (part->is_list && !part->children.empty() &&
          part->kind != PlanKind::kItems &&
          LengthRestsOnCounts(*part, plan->violates))
        part->remembered = ++plan->remembered_lengths;
    });
  }
}

}  // namespace

bool HasTypesThatFit(const OpSpec& spec, const Op& call) {
  const auto is_quantized = [](const auto& value) {
    return value.type.IsQuantized();
  };
  return spec.executable && std::ranges::none_of(call.inputs, is_quantized) &&
         std::ranges::none_of(call.outputs, is_quantized);
}

bool IsSearched(const InputSpec& input) {
  if (input.kind != InputSpec::Kind::kConstant || !input.type) return false;
  const size_t rank = input.type->shape.size();
  return IsInteger(input.type->element_type)
             ? rank <= 2
             : IsBoolean(input.type->element_type) && rank == 1;
}

Plan MakePlan(const OpSpec& spec, const Op& call, std::string_view violated,
              const std::vector<std::string_view>& absent) {
  Plan plan;
  plan.violates = !violated.empty();
  const Terms members = MembersOf(spec, call, absent, &plan);
  const bool has_functions =
      std::ranges::any_of(spec.inputs, [](const InputSpec& input) {
        return input.kind == InputSpec::Kind::kFunction;
      });
  for (const ConstraintSpec& constraint : spec.constraints) {
    const bool is_violated = constraint.label == violated;
    Term truth;
    try {
      if (constraint.check != nullptr) throw NotUnderstood();
      truth = Compile(constraint.formula, spec, members);
      if (truth.As<Term::List>() != nullptr)
        truth = Conjunction(*truth.As<Term::List>());
      if (truth.As<Expression>() == nullptr && !KnownTruth(truth) &&
          !truth.IsSettled())
        throw NotUnderstood();
    } catch (const NotUnderstood&) {
      // Formulas cannot judge a call that has no functions yet.
      plan.has_opaque |= !has_functions;
      continue;
    }
    const Expression* open = truth.As<Expression>();
    const std::optional<Truth> known = KnownTruth(truth);
    if (known == Truth::kFalse) plan.false_labels.push_back(constraint.label);
    if (is_violated) {
      plan.is_up_to_functions = truth.IsSettled();
      plan.is_feasible &=
          open != nullptr || known == Truth::kFalse || plan.is_up_to_functions;
      if (open != nullptr)
        plan.constraints.push_back(Expression::Of(PlanKind::kNot, {*open}));
    } else if (open != nullptr) {
      AddTruth(*open, &plan.constraints);
    } else if (known) {
      plan.is_feasible &=
          *known == Truth::kTrue || (plan.violates && *known != Truth::kFalse);
    }
  }
  ShareShapes(&plan);
  MarkNumbers(&plan);
  IndexVariables(&plan);
  NumberLengths(&plan);
  return plan;
}

bool CanBeSearched(const OpSpec& spec) {
  return std::ranges::none_of(spec.inputs, [](const InputSpec& input) {
    return input.kind == InputSpec::Kind::kFunction ||
           input.kind == InputSpec::Kind::kShaped ||
           input.kind == InputSpec::Kind::kType ||
           (input.kind == InputSpec::Kind::kEnum && input.variadic);
  });
}

}  // namespace assay
