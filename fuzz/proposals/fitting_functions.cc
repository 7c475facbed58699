#include "fuzz/proposals/fitting_functions.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/proposals/function_of_type.h"
#include "spec/op_environment.h"

namespace assay {
namespace {

using Types = std::vector<ValueType>;

bool IsFunctionName(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kName && !input.variadic;
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

// The types that functions of the call may have.
class FunctionTypes {
 public:
  FunctionTypes(const OpSpec& spec, const Op& call) {
    ValueType predicate;
    predicate.tensor().element_type = ElementType::kI1;
    outputs_.push_back(Types(1, predicate));
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
      if (block.empty() || std::ranges::find(outputs_, block) != outputs_.end())
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
           (text[at] == '_' ||
            std::isalnum(static_cast<unsigned char>(text[at])));
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

  // Returns how many of them are not as wanted, or `most` if there are more.
  int CountWrong(const Op& call,
                 int most = std::numeric_limits<int>::max()) const {
    const Environment environment =
        EnvironmentOf(spec_, call, /*with_outputs=*/true);
    int wrong = 0;
    for (const ConstraintSpec* constraint : constraints_) {
      if (wrong == most) break;
      const Truth truth = TruthOf(Evaluate(constraint->formula, environment));
      wrong += truth !=
               (constraint->label == violated_ ? Truth::kFalse : Truth::kTrue);
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
      if (types_[k]) SetFunction(k, DrawFunction(*types_[k], choices));
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
      std::swap(types[i - 1],
                types[choices->Below(Topic::kForm, static_cast<uint32_t>(i))]);
  }
  Places places(spec, violated, choices, call);
  const ConstraintsOnFunctions constraints(spec, violated);
  int least = constraints.CountWrong(*call);
  // Functions may have to be of one type.
  for (const FunctionType& type : types) {
    if (least == 0 || places.size() < 2) break;
    const std::vector<std::optional<FunctionType>> before = places.types();
    places.SetAll({places.size(), type});
    if (const int wrong = constraints.CountWrong(*call, least); wrong < least)
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
        const int wrong = constraints.CountWrong(*call, least);
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
