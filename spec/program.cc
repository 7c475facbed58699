// This file prints constants of ops as text, for the plugin ABI and for people.
#include "spec/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace assay {
namespace {

template <class T>
std::span<const T> Named(const std::vector<T>& all, std::string_view name) {
  const auto begin = std::ranges::find(all, name, &T::name);
  const auto end = std::find_if(begin, all.end(),
                                [&](const T& t) { return t.name != name; });
  return {begin, end};
}

std::string TensorText(const Tensor& tensor) {
  if (tensor.type().shape.empty())
    return FormatValue(tensor.element_type(), tensor.Bits(0));
  std::string text = "[";
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (i > 0) text += ", ";
    text += FormatValue(tensor.element_type(), tensor.Bits(i));
  }
  return text + "]";
}

class CaptureFinder {
 public:
  explicit CaptureFinder(std::vector<TypedName>* captures)
      : captures_(captures) {}

  void Visit(const Function& function) {
    std::vector<std::string_view> local;
    const auto define = [&](const std::string& name) {
      if (defined_.insert(name).second) local.push_back(name);
    };
    for (const TypedName& input : function.inputs) define(input.name);
    for (const Op& op : function.body) {
      for (const Op::Operand& operand : op.inputs)
        Use(operand.value, operand.type);
      for (const Function& region : op.regions) Visit(region);
      for (const Op::Result& result : op.outputs) define(result.value);
    }
    for (const TypedName& result : function.results)
      Use(result.name, result.type);
    for (const std::string_view name : local) defined_.erase(name);
  }

 private:
  void Use(const std::string& name, const ValueType& type) {
    if (!defined_.contains(name) && found_.insert(name).second)
      captures_->push_back({name, type});
  }

  std::vector<TypedName>* captures_;
  std::unordered_set<std::string_view> defined_, found_;
};

void AddCalled(const Function& function,
               std::unordered_set<const Function*>* seen,
               std::vector<const Function*>* called) {
  for (const Op& op : function.body) {
    for (const Function& region : op.regions) AddCalled(region, seen, called);
    if (op.callee == nullptr || !seen->insert(op.callee.get()).second) continue;
    AddCalled(*op.callee, seen, called);
    called->push_back(op.callee.get());
  }
}

bool HasOwnTensorsAlone(const Function& function) {
  const auto is_tensor = [](const auto& value) {
    return value.type.IsTensor();
  };
  return std::ranges::all_of(function.inputs, is_tensor) &&
         std::ranges::all_of(function.body, [&](const Op& op) {
           return std::ranges::all_of(op.inputs, is_tensor) &&
                  std::ranges::all_of(op.outputs, is_tensor) &&
                  std::ranges::all_of(op.regions, HasOwnTensorsAlone);
         });
}

}  // namespace

std::string AttributeText(const AttributeValue& value) {
  struct Printer {
    std::string operator()(const Tensor& tensor) const {
      return TensorText(tensor);
    }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const Symbol& symbol) const { return symbol.name; }
    std::string operator()(const FunctionName& function) const {
      return "@" + function.name;
    }
    std::string operator()(const AttributeList& list) const {
      std::string text;
      for (const AttributeValue& element : list.elements) {
        if (!text.empty()) text += ", ";
        text += AttributeText(element);
      }
      return "[" + text + "]";
    }
    std::string operator()(const Dictionary& dictionary) const {
      std::string text;
      for (const Attribute& member : dictionary.members) {
        if (!text.empty()) text += ", ";
        text += member.name + " = " + AttributeText(member.value);
      }
      return "{" + text + "}";
    }
  };
  return std::visit(Printer{}, value);
}

std::string AttributeText(const Attribute& attribute) {
  return AttributeText(attribute.value);
}

std::span<const Op::Operand> Op::Inputs(std::string_view name) const {
  return Named(inputs, name);
}

std::span<const Op::Result> Op::Outputs(std::string_view name) const {
  return Named(outputs, name);
}

std::span<const Function> Op::Regions(std::string_view name) const {
  return Named(regions, name);
}

const Attribute* Op::FindAttribute(std::string_view name) const {
  const auto it = std::ranges::find(attributes, name, &Attribute::name);
  return it == attributes.end() ? nullptr : &*it;
}

const ValueType& Op::FirstType() const {
  return inputs.empty() ? outputs.front().type : inputs.front().type;
}

FunctionType Function::Type() const {
  FunctionType type;
  for (const TypedName& input : inputs) type.inputs.push_back(input.type);
  for (const TypedName& result : results) type.outputs.push_back(result.type);
  return type;
}

std::vector<TypedName> Captures(const Function& function) {
  std::vector<TypedName> captures;
  CaptureFinder(&captures).Visit(function);
  return captures;
}

std::vector<TypedName> Captures(const Op& op) {
  std::vector<TypedName> captures;
  CaptureFinder finder(&captures);
  for (const Function& region : op.regions) finder.Visit(region);
  return captures;
}

std::vector<const Function*> CalledBy(const Function& function) {
  std::unordered_set<const Function*> seen;
  std::vector<const Function*> called;
  AddCalled(function, &seen, &called);
  return called;
}

std::vector<TypedName> MembersOf(const TypedName& tuple) {
  std::vector<TypedName> members;
  for (const ValueType& type : tuple.type.AsTuple()->types)
    members.push_back(
        {fmt::format("{}[{}]", tuple.name, members.size()), type});
  return members;
}

std::vector<TypedName> TensorsOf(const TypedName& value) {
  if (value.type.IsTensor()) return {value};
  std::vector<TypedName> tensors;
  if (value.type.AsTuple() == nullptr) return tensors;
  for (const TypedName& member : MembersOf(value)) {
    for (TypedName& tensor : TensorsOf(member))
      tensors.push_back(std::move(tensor));
  }
  return tensors;
}

bool HasTensorsAlone(const Function& function) {
  return HasOwnTensorsAlone(function) &&
         std::ranges::all_of(CalledBy(function), [](const Function* called) {
           return HasOwnTensorsAlone(*called);
         });
}

const Function* Program::Find(std::string_view name) const {
  const auto it = std::ranges::find(functions, name, &Function::name);
  return it == functions.end() ? nullptr : &*it;
}

}  // namespace assay
