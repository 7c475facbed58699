#include "fuzz/proposals/fitting_functions.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/proposals/control_ops.h"
#include "fuzz/proposals/function_drawer.h"
#include "spec/op_environment.h"

namespace assay {
namespace {

using Types = std::vector<ValueType>;

bool IsFunctionName(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kName && !input.variadic;
}

bool IsPlainScalar(const ValueType& type) {
  return type.IsTensor() && type.tensor().shape.empty() && !type.IsQuantized();
}

Types Scalars(const Types& types) {
  Types scalars;
  for (const ValueType& type : types) {
    if (!type.IsTensor()) continue;
    scalars.push_back(type);
    scalars.back().tensor().shape.clear();
    const auto& quantization = type.tensor().quantization;
    // No tensor of rank 0 is quantized along a dimension; constraints say so.
    if (quantization && quantization->dimension) return {};
  }
  return scalars;
}

// Defines a value that has no arguments: a constant, a token, or a tuple.
void Define(const TypedName& value, Function* function) {
  Op op;
  if (const TensorType* tensor = value.type.AsTensor()) {
    Tensor zeros(*tensor);
    std::fill_n(zeros.data(), zeros.byte_size(), std::byte{0});
    op.op = "constant";
    op.attributes = {{"value", std::move(zeros)}};
    op.outputs = {{"output", value.name, value.type}};
  } else if (const TupleType* tuple = value.type.AsTuple()) {
    op.op = "tuple";
    for (size_t k = 0; k < tuple->types.size(); ++k) {
      const TypedName member = {value.name + "_" + std::to_string(k),
                                tuple->types[k]};
      Define(member, function);
      op.inputs.push_back({"val", member.name, member.type});
    }
    op.outputs = {{"result", value.name, value.type}};
  } else {
    op.op = "after_all";
    op.outputs = {{"result", value.name, value.type}};
  }
  function->body.push_back(std::move(op));
}

// Ops on arguments give the results of scalars.
std::optional<Function> DrawOnScalars(const FunctionType& type,
                                      Choices* choices) {
  FunctionDrawer drawer("", false, choices);
  TypedNames arguments, results;
  for (const ValueType& input : type.inputs)
    arguments.push_back(drawer.AddArgument(input.tensor().element_type));
  for (size_t k = 0; k < type.outputs.size(); ++k) {
    const ElementType element = type.outputs[k].tensor().element_type;
    TypedNames fit;
    for (const TypedName& argument : arguments) {
      if (argument.type == type.outputs[k]) fit.push_back(argument);
    }
    std::vector<const OpSpec*> ops;
    for (const OpSpec* op : OpsOn(element, false)) {
      if (op->inputs.size() == 2) ops.push_back(op);
    }
    if (fit.empty()) return std::nullopt;
    const bool has_op = fit.size() > 1 && !ops.empty() &&
                        !choices->OneIn(Topic::kAttributes, 4);
    results.push_back(has_op
                          ? drawer.Add(choices->Of(Topic::kAttributes, ops)->id,
                                       {fit.front(), fit.back()}, element)
                          : choices->Of(Topic::kAttributes, fit));
  }
  return std::move(drawer).Finish(results);
}

Function DrawOfType(const FunctionType& type, Choices* choices) {
  if (std::ranges::all_of(type.inputs, IsPlainScalar) &&
      std::ranges::all_of(type.outputs, IsPlainScalar)) {
    if (auto drawn = DrawOnScalars(type, choices)) return *std::move(drawn);
  }
  Function function;
  for (size_t k = 0; k < type.inputs.size(); ++k)
    function.inputs.push_back({"a" + std::to_string(k), type.inputs[k]});
  for (size_t k = 0; k < type.outputs.size(); ++k) {
    const auto fit =
        std::ranges::find(function.inputs, type.outputs[k], &TypedName::type);
    TypedName result = {"r" + std::to_string(k), type.outputs[k]};
    if (fit != function.inputs.end())
      result = *fit;
    else
      Define(result, &function);
    function.results.push_back(std::move(result));
  }
  return function;
}

// The types that functions of the call may have.
class FunctionTypes {
 public:
  FunctionTypes(const OpSpec& spec, const Op& call) {
    outputs_.push_back({ValueType(Shape(), ElementType::kI1)});
    for (const OutputSpec& output : spec.outputs)
      Add(call.Outputs(output.name));
    for (const InputSpec& input : spec.inputs) {
      if (input.IsValue()) Add(call.Inputs(input.name));
    }
    inputs_.push_back({});
    outputs_.push_back({});
  }

  std::vector<FunctionType> All() const {
    std::vector<FunctionType> all;
    for (const Types& inputs : inputs_) {
      for (const Types& outputs : outputs_) all.push_back({inputs, outputs});
    }
    return all;
  }

 private:
  void Add(const auto& values) {
    Types types;
    for (const auto& value : values) types.push_back(value.type);
    const Types scalars = Scalars(types);
    const Types first(scalars.begin(),
                      scalars.begin() + (scalars.empty() ? 0 : 1));
    for (const Types& block : {scalars, first, types}) {
      if (block.empty() ||
          std::ranges::find(outputs_, block) != outputs_.end())
        continue;
      outputs_.push_back(block);
      Types twice = block, pairs;
      twice.insert(twice.end(), block.begin(), block.end());
      for (const ValueType& type : block) pairs.insert(pairs.end(), 2, type);
      inputs_.push_back(twice);
      if (pairs != twice) inputs_.push_back(pairs);
      inputs_.push_back(block);
    }
  }

  std::vector<Types> inputs_, outputs_;
};

// Functions of a type alone.
Function OfType(const FunctionType& type) {
  Function function;
  for (const ValueType& input : type.inputs)
    function.inputs.push_back({"", input});
  for (const ValueType& output : type.outputs)
    function.results.push_back({"", output});
  return function;
}

bool HasWord(const std::string& text, const std::string& word) {
  const auto is_part = [&](size_t at) {
    return at < text.size() &&
           (text[at] == '_' || std::isalnum(static_cast<unsigned char>(text[at])));
  };
  for (size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size()))
      return true;
  }
  return false;
}

// The constraints that a function of the call decides, by themselves or by a
// definition.
class ConstraintsOnFunctions {
 public:
  ConstraintsOnFunctions(const OpSpec& spec, std::string_view violated)
      : spec_(spec), violated_(violated) {
    std::vector<std::string> names;
    for (const InputSpec& input : spec.inputs) {
      if (input.kind == InputSpec::Kind::kFunction || IsFunctionName(input))
        names.push_back(input.name);
    }
    const auto mentions = [&](const Formula& formula) {
      return std::ranges::any_of(names, [&](const std::string& name) {
        return HasWord(formula.text(), name);
      });
    };
    for (const auto& [name, formula] : spec.where) {
      if (mentions(formula)) names.push_back(name);
    }
    for (const ConstraintSpec& constraint : spec.constraints) {
      if (mentions(constraint.formula)) constraints_.push_back(&constraint);
    }
  }

  // Returns how many of them are not as wanted.
  int CountWrong(const Op& call) const {
    const Environment environment =
        EnvironmentOf(spec_, call, /*with_outputs=*/true);
    int wrong = 0;
    for (const ConstraintSpec* constraint : constraints_) {
      const Truth truth = TruthOf(Evaluate(constraint->formula, environment));
      wrong += truth != (constraint->label == violated_ ? Truth::kFalse
                                                        : Truth::kTrue);
    }
    return wrong;
  }

 private:
  const OpSpec& spec_;
  std::string_view violated_;
  std::vector<const ConstraintSpec*> constraints_;
};

// Where functions stand in a call: its regions, and the function that it calls
// by its name. They have types alone until they are drawn.
class Places {
 public:
  Places(const OpSpec& spec, std::string_view violated, Choices* choices,
         Op* call)
      : call_(*call) {
    call_.regions.clear();
    call_.callee = nullptr;
    for (const InputSpec& input : spec.inputs) {
      if (IsFunctionName(input)) {
        calls_ = true;
        SetName(spec, input);
      }
      if (input.kind != InputSpec::Kind::kFunction) continue;
      uint32_t count = 1;
      if (input.variadic)
        count = (violated.empty() ? 1 : 0) + choices->Below(Topic::kForm, 3);
      for (; count > 0; --count) {
        call_.regions.push_back(OfType({}));
        call_.regions.back().name = input.name;
      }
    }
    types_.resize(call_.regions.size() + (calls_ ? 1 : 0));
    for (size_t k = 0; k < call_.regions.size(); ++k)
      types_[k] = FunctionType();
  }

  size_t size() const { return types_.size(); }
  const std::optional<FunctionType>& operator[](size_t k) const {
    return types_[k];
  }

  void Set(size_t k, const std::optional<FunctionType>& type) {
    types_[k] = type;
    SetFunction(k, type ? std::optional(OfType(*type)) : std::nullopt);
  }

  const std::vector<std::optional<FunctionType>>& types() const {
    return types_;
  }
  void SetAll(const std::vector<std::optional<FunctionType>>& types) {
    for (size_t k = 0; k < types.size(); ++k) Set(k, types[k]);
  }

  void DrawAll(Choices* choices) {
    for (size_t k = 0; k < size(); ++k) {
      if (types_[k]) SetFunction(k, DrawOfType(*types_[k], choices));
    }
  }

 private:
  // Attributes stand in the order of the specification.
  void SetName(const OpSpec& spec, const InputSpec& input) {
    std::vector<Attribute> attributes;
    for (const InputSpec& other : spec.inputs) {
      if (&other == &input)
        attributes.push_back({input.name, FunctionName{"callee"}});
      else if (const Attribute* given = call_.FindAttribute(other.name))
        attributes.push_back(*given);
    }
    call_.attributes = std::move(attributes);
  }

  void SetFunction(size_t k, std::optional<Function> function) {
    if (k < call_.regions.size()) {
      function->name = call_.regions[k].name;
      call_.regions[k] = *std::move(function);
    } else if (function) {
      function->name = "callee";
      call_.callee = std::make_shared<const Function>(*std::move(function));
    } else {
      call_.callee = nullptr;
    }
  }

  Op& call_;
  bool calls_ = false;
  std::vector<std::optional<FunctionType>> types_;
};

}  // namespace

bool TakesFunctions(const OpSpec& spec) {
  return std::ranges::any_of(spec.inputs, [](const InputSpec& input) {
    return input.kind == InputSpec::Kind::kFunction || IsFunctionName(input);
  });
}

void FitFunctions(const OpSpec& spec, std::string_view violated,
                  Choices* choices, Op* call) {
  std::vector<FunctionType> types = FunctionTypes(spec, *call).All();
  // A constraint on functions is violated by one of several types.
  if (!violated.empty()) {
    for (size_t i = types.size(); i > 1; --i)
      std::swap(types[i - 1], types[choices->Below(
                                  Topic::kForm, static_cast<uint32_t>(i))]);
  }
  Places places(spec, violated, choices, call);
  const ConstraintsOnFunctions constraints(spec, violated);
  int least = constraints.CountWrong(*call);
  // Functions may have to be of one type.
  for (const FunctionType& type : types) {
    if (least == 0 || places.size() < 2) break;
    const std::vector<std::optional<FunctionType>> before = places.types();
    places.SetAll({places.size(), type});
    if (const int wrong = constraints.CountWrong(*call); wrong < least)
      least = wrong;
    else
      places.SetAll(before);
  }
  // Two functions may have to fit one another.
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t k = 0; k < places.size(); ++k) {
      for (const FunctionType& type : types) {
        if (least == 0) break;
        const std::optional<FunctionType> before = places[k];
        places.Set(k, type);
        const int wrong = constraints.CountWrong(*call);
        if (wrong < least) {
          least = wrong;
          break;
        }
        places.Set(k, before);
      }
    }
  }
  places.DrawAll(choices);
}

}  // namespace assay
