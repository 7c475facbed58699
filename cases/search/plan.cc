#include "cases/search/plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "cases/search/compile.h"
#include "spec/op_environment.h"

namespace assay {
namespace {

using PlanKind = Expression::Kind;

bool IsOfAnyType(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kConstant && !input.type;
}

// Makes the terms of the members of a call, with a slot for each tensor, list
// and number.
class Members {
 public:
  Members(const OpSpec& spec, const Op& call,
          const std::vector<std::string_view>& absent, Plan* plan)
      : spec_(spec),
        call_(call),
        absent_(absent),
        environment_(EnvironmentOf(spec, call, /*with_outputs=*/false)),
        has_types_that_fit_(HasTypesThatFit(spec, call)),
        plan_(*plan) {
    for (const InputSpec& input : spec.inputs) {
      if (input.IsValue())
        AddValues(input.name, input.variadic, &input, call.Inputs(input.name));
    }
    for (const OutputSpec& output : spec.outputs)
      AddValues(output.name, output.variadic, nullptr,
                call.Outputs(output.name));
    plan_.first_constant = next_;
    for (const InputSpec& input : spec.inputs) {
      if (IsOfAnyType(input)) {
        plan_.constants.push_back(&input);
        // It has the element type of some result.
        terms_[input.name] = {Term::Tensor{next_++, std::nullopt}};
      }
    }
    plan_.first_matrix = next_;
    for (const InputSpec& input : spec.inputs) {
      if (!input.IsValue() && !IsOfAnyType(input)) AddAttribute(input);
    }
    AddProcessCounts();
    plan_.shapes = next_;
    plan_.shape_of.resize(next_);
    std::iota(plan_.shape_of.begin(), plan_.shape_of.end(), size_t{0});
  }

  const Terms& terms() const { return terms_; }

 private:
  template <class Values>
  void AddValues(const std::string& name, bool variadic, const InputSpec* input,
                 const Values& values) {
    Term::List list;
    for (const auto& value : values) {
      if (const TensorType* type = value.type.AsTensor()) {
        list.push_back({TensorOf(*type, variadic, input)});
      } else {
        list.push_back(Constant(Value::Placeholder{value.type}));
      }
    }
    // A call whose results are not known yet has none.
    Term& member = terms_[name];
    if (variadic)
      member = ListOf(list);
    else if (!list.empty())
      member = list[0];
  }

  Term::Tensor TensorOf(const TensorType& type, bool variadic,
                        const InputSpec* input) {
    Term::Tensor tensor{next_, std::nullopt};
    if (!variadic || !has_types_that_fit_)
      tensor.type = type.quantization
                        ? Value(Value::Quantized{type.quantization})
                        : Value(type.element_type);
    if (type.quantization && type.quantization->dimension)
      RequireDimension(*type.quantization);
    if (input != nullptr && input->has_known_value && !type.quantization &&
        IsInteger(type.element_type)) {
      tensor.values = AddList(*input, type.element_type, next_);
      tensor.has_rows = HasRows(*input, type.element_type);
    }
    ++next_;
    return tensor;
  }

  // Returns whether the column of the input is one of tensors of rank 2.
  bool HasRows(const InputSpec& input, ElementType type) const {
    Environment environment;
    environment.members.emplace(input.name, TensorType(Shape{1, 1}, type));
    return TruthOf(Evaluate(spec_.Constraint(input.label)->formula,
                            environment)) == Truth::kTrue;
  }

  // A tensor that is quantized along a dimension has as many elements there as
  // there are parameters.
  void RequireDimension(const Quantization& quantization) {
    const Expression dimension = Expression::Number(*quantization.dimension);
    plan_.constraints.push_back(Expression::Of(
        PlanKind::kLess,
        {dimension, Expression::OfSlot(PlanKind::kRank, next_)}));
    plan_.constraints.push_back(Expression::Of(
        PlanKind::kEqual,
        {Expression::Of(
             PlanKind::kElement,
             {Expression::OfSlot(PlanKind::kShape, next_), dimension}),
         Expression::Number(std::ssize(quantization.scales))}));
  }

  // Adds a list that has as many elements as a tensor.
  size_t AddList(const InputSpec& input, ElementType type, size_t tensor) {
    const size_t list = plan_.vectors.size();
    plan_.vectors.push_back({&input, type, tensor});
    plan_.constraints.push_back(Expression::Of(
        PlanKind::kEqual,
        {Expression::Of(PlanKind::kLength,
                        {Expression::OfSlot(PlanKind::kVector, list)}),
         Expression::OfSlot(PlanKind::kSize, tensor)}));
    return list;
  }

  void AddAttribute(const InputSpec& input) {
    const Attribute* attribute = call_.FindAttribute(input.name);
    Term& term = terms_[input.name];  // settled, if it stays as it is
    const bool is_absent = std::ranges::find(absent_, input.name) !=
                               absent_.end() ||
                           !IsSearched(input);
    if (attribute != nullptr) {
      // What a call has of its functions is settled.
      if (input.kind != InputSpec::Kind::kName)
        term = {environment_.members.at(input.name)};
    } else if (is_absent) {
      if (input.absent_value)
        term = Constant(Evaluate(*input.absent_value, Environment()));
    } else {
      AddSearched(input, &term);
    }
  }

  void AddSearched(const InputSpec& input, Term* term) {
    const ElementType type = input.type->element_type;
    switch (input.type->shape.size()) {
      case 0:
        *term = {
            Expression::OfSlot(PlanKind::kScalar, plan_.scalars.size())};
        plan_.scalars.push_back({&input, type});
        break;
      case 1:
        *term = {
            Expression::OfSlot(PlanKind::kVector, plan_.vectors.size())};
        plan_.vectors.push_back({&input, type});
        break;
      default: {
        const size_t shape = next_++;
        plan_.constraints.push_back(Expression::Of(
            PlanKind::kEqual, {Expression::OfSlot(PlanKind::kRank, shape),
                               Expression::Number(2)}));
        *term = {Term::Matrix{shape, AddList(input, type, shape)}};
      }
    }
  }

  void AddProcessCounts() {
    const ProcessCounts& counts = call_.processes;
    if (counts.replicas) terms_["num_replicas"] = Constant(*counts.replicas);
    if (counts.partitions)
      terms_["num_partitions"] = Constant(*counts.partitions);
    if (counts.replicas && counts.partitions)
      terms_["num_processes"] =
          Constant(*counts.replicas * *counts.partitions);
  }

  const OpSpec& spec_;
  const Op& call_;
  const std::vector<std::string_view>& absent_;
  const Environment environment_;
  const bool has_types_that_fit_;
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
    if (truth.kind != PlanKind::kIsUnique) continue;
    const Expression& list = truth.children[0];
    const auto mark = [&](const Expression& part) {
      if (part.kind == PlanKind::kVector)
        plan->vectors[part.slot].is_unique = true;
    };
    mark(list);
    if (list.kind == PlanKind::kConcat) std::ranges::for_each(list.children, mark);
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
  const Members members(spec, call, absent, &plan);
  const bool has_functions =
      std::ranges::any_of(spec.inputs, [](const InputSpec& input) {
        return input.kind == InputSpec::Kind::kFunction;
      });
  for (const ConstraintSpec& constraint : spec.constraints) {
    const bool is_violated = constraint.label == violated;
    Term truth;
    try {
      if (constraint.check != nullptr) throw NotUnderstood();
      truth = Compile(constraint.formula, spec, members.terms());
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
      plan.is_feasible &= open != nullptr || known == Truth::kFalse ||
                          plan.is_up_to_functions;
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
  return plan;
}

bool CanBeSearched(const OpSpec& spec) {
  return std::ranges::none_of(spec.inputs, [](const InputSpec& input) {
    return input.kind == InputSpec::Kind::kFunction ||
           input.kind == InputSpec::Kind::kShaped;
  });
}

}  // namespace assay
