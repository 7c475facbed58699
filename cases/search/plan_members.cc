#include "cases/search/plan_members.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "spec/op_environment.h"

namespace assay {
namespace {

using MemberKind = Expression::Kind;

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
        MemberKind::kLess,
        {dimension, Expression::OfSlot(MemberKind::kRank, next_)}));
    plan_.constraints.push_back(Expression::Of(
        MemberKind::kEqual,
        {Expression::Of(
             MemberKind::kElement,
             {Expression::OfSlot(MemberKind::kShape, next_), dimension}),
         Expression::Number(std::ssize(quantization.scales))}));
  }

  // Adds a list that has as many elements as a tensor.
  size_t AddList(const InputSpec& input, ElementType type, size_t tensor) {
    const size_t list = plan_.vectors.size();
    plan_.vectors.push_back({&input, type, tensor});
    plan_.constraints.push_back(Expression::Of(
        MemberKind::kEqual,
        {Expression::Of(MemberKind::kLength,
                        {Expression::OfSlot(MemberKind::kVector, list)}),
         Expression::OfSlot(MemberKind::kSize, tensor)}));
    return list;
  }

  void AddAttribute(const InputSpec& input) {
    const Attribute* attribute = call_.FindAttribute(input.name);
    Term& term = terms_[input.name];  // settled, if it stays as it is
    const bool is_absent =
        std::ranges::find(absent_, input.name) != absent_.end() ||
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
        *term = {Expression::OfSlot(MemberKind::kScalar, plan_.scalars.size())};
        plan_.scalars.push_back({&input, type});
        break;
      case 1:
        *term = {Expression::OfSlot(MemberKind::kVector, plan_.vectors.size())};
        plan_.vectors.push_back({&input, type});
        break;
      default: {
        const size_t shape = next_++;
        plan_.constraints.push_back(Expression::Of(
            MemberKind::kEqual, {Expression::OfSlot(MemberKind::kRank, shape),
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
      terms_["num_processes"] = Constant(*counts.replicas * *counts.partitions);
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

}  // namespace

Terms MembersOf(const OpSpec& spec, const Op& call,
                const std::vector<std::string_view>& absent, Plan* plan) {
  return Members(spec, call, absent, plan).terms();
}

}  // namespace assay
