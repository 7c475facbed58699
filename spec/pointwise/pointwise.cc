#include "spec/pointwise/pointwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "spec/error.h"
#include "spec/pointwise/broadcast.h"

namespace assay {
namespace {

constexpr std::string_view kMethodsName = "promotion_methods";

const std::string* MethodsText(const Op& call) {
  const auto it =
      std::ranges::find(call.attributes, kMethodsName, &Attribute::name);
  return it == call.attributes.end() ? nullptr
                                     : std::get_if<std::string>(&it->value);
}

PromotionOperand::Kind KindOf(const Op::Operand& operand) {
  using enum PromotionOperand::Kind;
  if (operand.is_scalar) return kScalar;
  return operand.type.tensor().shape.empty() ? kZeroDim : kTensor;
}

// Predicates are i1 and stay i1.
bool IsPromoted(const OpSpec& spec, const Op::Operand& operand) {
  return !spec.Input(operand.name)->is_predicate;
}

class Analysis {
 public:
  Analysis(const OpSpec& spec, const Op& call) : spec_(spec), call_(call) {}

  PointwiseCall OfOperands() {
    CheckOperands();
    return std::move(result_);
  }

  PointwiseCall OfAll() {
    CheckOperands();
    CheckOutputs();
    return std::move(result_);
  }

 private:
  void Find(std::string_view label, std::string reason) {
    result_.findings.push_back({label, Truth::kFalse, std::move(reason)});
  }

  void ReadMethods() {
    const std::string* text = MethodsText(call_);
    if (text == nullptr)
      return Find("PD-21", "the call has no promotion_methods");
    std::string reason;
    const auto rules = ParsePromotionMethods(*text, &reason);
    if (!rules) {
      const bool is_unknown =
          reason.find("unknown method") != std::string::npos;
      return Find(is_unknown ? "PD-28" : "PD-21", reason);
    }
    if (rules->size() != spec_.outputs.size())
      return Find("PD-21", fmt::format("promotion_methods has {} list(s) for "
                                       "{} output(s)",
                                       rules->size(), spec_.outputs.size()));
    for (const PromotionRule& rule : *rules) {
      for (const int argument : rule.arguments) {
        if (static_cast<size_t>(argument) >= call_.inputs.size())
          return Find("PD-21",
                      fmt::format("there is no argument {}: the call has {}",
                                  argument, call_.inputs.size()));
      }
    }
    result_.rules = *rules;
  }

  void InferShape() {
    std::vector<BroadcastOperand> operands;
    for (const Op::Operand& operand : call_.inputs)
      operands.push_back({operand.name, operand.type.tensor().shape});
    std::string reason;
    result_.shape = BroadcastShapes(operands, &reason);
    if (!result_.shape) Find("PD-03", reason);
  }

  void PromoteBy(const PromotionRule& rule) {
    std::vector<PromotionOperand> operands;
    for (const int argument : rule.arguments) {
      const Op::Operand& operand = call_.inputs[static_cast<size_t>(argument)];
      operands.push_back({operand.type.tensor().element_type, KindOf(operand)});
    }
    std::string reason;
    const auto promotion = Promote(rule.method, operands, &reason);
    if (!promotion) return Find("PD-21", reason);
    for (size_t i = 0; i < call_.inputs.size(); ++i) {
      const Op::Operand& operand = call_.inputs[i];
      const PromotionCategory category =
          CategoryOf(operand.type.tensor().element_type);
      if (!IsPromoted(spec_, operand)) {
        if (!IsBoolean(operand.type.tensor().element_type))
          Find("P1", fmt::format("{} is a predicate and has type {}",
                                 operand.name, operand.type.ToString()));
      } else if (category > CategoryOf(promotion->computation)) {
        Find("P2", fmt::format("{} is {}, and the computation is in {}",
                               operand.name, operand.type.ToString(),
                               Name(promotion->computation)));
      }
    }
    result_.promotions.push_back(*promotion);
  }

  void CheckOperands() {
    ReadMethods();
    InferShape();
    for (const PromotionRule& rule : result_.rules) PromoteBy(rule);
    if (result_.promotions.size() != spec_.outputs.size())
      result_.promotions.clear();
  }

  void CheckOutputs() {
    if (!result_.findings.empty() || result_.promotions.empty()) return;
    for (size_t k = 0; k < call_.outputs.size(); ++k) {
      const TensorType expected{*result_.shape, result_.promotions[k].result};
      const Op::Result& output = call_.outputs[k];
      if (output.type.tensor().shape != expected.shape) {
        Find("PD-16", fmt::format("{} is {}, and the operands are broadcast to "
                                  "{}",
                                  output.name, output.type.ToString(),
                                  expected.ToString()));
      } else if (output.type != expected) {
        Find("PD-16",
             fmt::format("{} is {}, and promotion gives {}", output.name,
                         output.type.ToString(), expected.ToString()));
      }
    }
    if (!result_.findings.empty()) return;
    for (size_t k = 0; k < call_.outputs.size(); ++k) CheckSteps(k);
    for (const Op::Result& output : call_.outputs) CheckInPlace(output);
  }

  // An output takes the memory of an operand as it is, element for element. If
  // one of them has no elements, no memory is shared.
  void CheckInPlace(const Op::Result& output) {
    if (!output.in_place) return;
    const Op::Operand* operand = &call_.inputs[*output.in_place];
    if (operand->type == output.type) return;
    if (ElementCount(operand->type.tensor().shape) == 0 ||
        ElementCount(output.type.tensor().shape) == 0)
      return;
    Find("PD-32", fmt::format("{} is {} and lies in the memory of {}, which is "
                              "{}",
                              output.name, output.type.ToString(),
                              operand->name, operand->type.ToString()));
  }

  // Checks the ops' own constraints on the types that they are applied to.
  void CheckSteps(size_t output) {
    for (const Op& op : Desugar(spec_, call_, result_, output)) {
      for (const ConstraintResult& result :
           CheckConstraints(*FindOp(op.op), op)) {
        if (result.truth != Truth::kFalse) continue;
        return Find("P1", fmt::format("{}/{} is false: {}", op.op,
                                      result.constraint->label,
                                      result.constraint->Text()));
      }
    }
  }

  const OpSpec& spec_;
  const Op& call_;
  PointwiseCall result_;
};

// Builds the program of one output.
class Desugarer {
 public:
  Desugarer(const OpSpec& spec, const Op& call, const PointwiseCall& analysed,
            size_t output)
      : spec_(spec),
        call_(call),
        shape_(*analysed.shape),
        promotion_(analysed.promotions.at(output)),
        output_(call.outputs[output]),
        prefix_(fmt::format("{}.", output)) {}

  std::vector<Op> Run() {
    std::map<std::string, TypedName, std::less<>> values;
    for (size_t i = 0; i < call_.inputs.size(); ++i)
      values[call_.inputs[i].name] = Prepare(i);
    TypedName last = values[spec_.inputs[0].name];
    for (const OpSpec::Step& step : spec_.steps) {
      Op op;
      op.op = step.op;
      const OpSpec& base = *FindOp(step.op);
      for (size_t i = 0; i < step.inputs.size(); ++i) {
        const TypedName& value = values.at(step.inputs[i]);
        op.inputs.push_back({base.inputs[i].name, value.name, value.type});
      }
      for (const Attribute& attribute : call_.attributes) {
        if (attribute.name != kMethodsName) op.attributes.push_back(attribute);
      }
      last = Add(std::move(op), prefix_ + step.output);
      values[step.output] = last;
      if (step.output == output_.name) break;
    }
    Finish(last);
    return std::move(ops_);
  }

 private:
  // Returns an operand in the computation type and the shape of the task space.
  TypedName Prepare(size_t i) {
    const Op::Operand& operand = call_.inputs[i];
    TypedName value = {operand.value, operand.type};
    if (IsPromoted(spec_, operand))
      value = Convert(value, promotion_.computation,
                      prefix_ + operand.name + ".converted");
    if (value.type.tensor().shape == shape_) return value;
    return BroadcastAs(value, prefix_ + operand.name + ".broadcast");
  }

  TypedName BroadcastAs(const TypedName& value, const std::string& name) {
    ops_.push_back(BroadcastOp(value, shape_, name));
    return {name, ops_.back().outputs[0].type};
  }

  // The last op defines the output; a copy without a conversion moves its bits.
  void Finish(const TypedName& value) {
    if (value.type.tensor().element_type != promotion_.result) {
      Convert(value, promotion_.result, output_.value);
    } else if (!ops_.empty() && ops_.back().outputs[0].value == value.name) {
      ops_.back().outputs[0].value = output_.value;
    } else {
      BroadcastAs(value, output_.value);
    }
  }

  TypedName Convert(const TypedName& value, ElementType to,
                    const std::string& name) {
    if (value.type.tensor().element_type == to) return value;
    Op op;
    op.op = "convert";
    op.inputs.push_back({"operand", value.name, value.type});
    return Add(std::move(op), name, TensorType{value.type.tensor().shape, to});
  }

  TypedName Add(Op op, const std::string& name,
                std::optional<TensorType> type = std::nullopt) {
    const OpSpec& spec = *FindOp(op.op);
    if (!type) {
      const InferredType inferred = InferResultTypes(spec, op).at(0);
      type = TensorType{inferred.shape.value_or(shape_),
                        inferred.element_type.value_or(promotion_.computation)};
    }
    op.outputs.push_back({spec.outputs[0].name, name, *type});
    ops_.push_back(std::move(op));
    return {name, *type};
  }

  const OpSpec& spec_;
  const Op& call_;
  const Shape& shape_;
  const Promotion& promotion_;
  const Op::Result& output_;
  std::string prefix_;
  std::vector<Op> ops_;
};

}  // namespace

PointwiseCall AnalysePointwise(const OpSpec& spec, const Op& call) {
  return Analysis(spec, call).OfAll();
}

PointwiseCall AnalyseOperands(const OpSpec& spec, const Op& call) {
  return Analysis(spec, call).OfOperands();
}

std::vector<BuiltinFinding> CheckPointwise(const OpSpec& spec, const Op& call,
                                           const Policy&) {
  return AnalysePointwise(spec, call).findings;
}

std::vector<InferredType> InferPointwiseTypes(const OpSpec& spec,
                                              const Op& call) {
  const PointwiseCall analysed = AnalyseOperands(spec, call);
  std::vector<InferredType> types(spec.outputs.size());
  for (size_t k = 0; k < types.size(); ++k) {
    types[k].output = spec.outputs[k].name;
    types[k].shape = analysed.shape;
    if (k < analysed.promotions.size())
      types[k].element_type = analysed.promotions[k].result;
  }
  return types;
}

Op BroadcastOp(const TypedName& value, const Shape& shape,
               const std::string& result) {
  Op op;
  op.op = "broadcast_in_dim";
  op.inputs = {{"operand", value.name, value.type}};
  const auto rank = static_cast<int64_t>(value.type.tensor().shape.size());
  const int64_t first = static_cast<int64_t>(shape.size()) - rank;
  Tensor dimensions(TensorType{{rank}, ElementType::kI64});
  for (int64_t d = 0; d < rank; ++d)
    dimensions.SetBits(d, BitsOf(ElementType::kI64, first + d));
  op.attributes = {{"broadcast_dimensions", dimensions}};
  op.outputs = {{"result", result, {shape, value.type.tensor().element_type}}};
  return op;
}

std::vector<Op> Desugar(const OpSpec& spec, const Op& call,
                        const PointwiseCall& analysed, size_t output) {
  ASSAY_CHECK(analysed.shape && !analysed.promotions.empty());
  return Desugarer(spec, call, analysed, output).Run();
}

}  // namespace assay
