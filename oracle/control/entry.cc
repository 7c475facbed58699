#include "oracle/control/entry.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace assay {
namespace {

// Gives the values of a function, and the functions that it calls, other names,
// so that they can stand beside those of others.
class Renamer {
 public:
  explicit Renamer(std::string prefix) : prefix_(std::move(prefix)) {}

  Function Of(Function function) {
    for (TypedName& input : function.inputs) input.name = prefix_ + input.name;
    for (TypedName& result : function.results)
      result.name = prefix_ + result.name;
    for (Op& op : function.body) {
      for (Op::Operand& operand : op.inputs)
        operand.value = prefix_ + operand.value;
      for (Op::Result& result : op.outputs)
        result.value = prefix_ + result.value;
      for (Function& region : op.regions) region = Of(std::move(region));
      if (op.callee == nullptr) continue;
      op.callee = Of(op.callee);
      for (Attribute& attribute : op.attributes) {
        if (auto* name = std::get_if<FunctionName>(&attribute.value))
          name->name = op.callee->name;
      }
    }
    return function;
  }

 private:
  std::shared_ptr<const Function> Of(
      const std::shared_ptr<const Function>& callee) {
    std::shared_ptr<const Function>& renamed = renamed_[callee.get()];
    if (renamed == nullptr) {
      Function made = Of(*callee);
      made.name = prefix_ + made.name;
      renamed = std::make_shared<const Function>(std::move(made));
    }
    return renamed;
  }

  const std::string prefix_;
  std::map<const Function*, std::shared_ptr<const Function>> renamed_;
};

// Makes tuples and tokens of tensors in front of a function, and tensors of
// them behind it.
class Entry {
 public:
  explicit Entry(Function* entry) : entry_(*entry) {}

  void Add(Function function) {
    for (const TypedName& input : function.inputs) {
      if (input.type.IsTensor()) {
        entry_.inputs.push_back(input);
      } else {
        Make(input);
      }
    }
    for (Op& op : function.body) entry_.body.push_back(std::move(op));
    for (const TypedName& result : function.results) TakeApart(result);
  }

 private:
  std::string NewName() { return fmt::format("entry{}", names_++); }

  // Defines a value, of new inputs if it has tensors.
  void Make(const TypedName& value) {
    Op op;
    op.op = value.type.AsTuple() != nullptr ? "tuple" : "after_all";
    op.outputs.push_back({"result", value.name, value.type});
    if (const TupleType* tuple = value.type.AsTuple()) {
      for (const ValueType& type : tuple->types) {
        const TypedName member{NewName(), type};
        if (type.IsTensor()) {
          entry_.inputs.push_back(member);
        } else {
          Make(member);
        }
        op.inputs.push_back({"val", member.name, type});
      }
    }
    entry_.body.push_back(std::move(op));
  }

  // Returns the tensors of a value.
  void TakeApart(const TypedName& value) {
    if (value.type.IsTensor()) {
      entry_.results.push_back(value);
      return;
    }
    const TupleType* const tuple = value.type.AsTuple();
    if (tuple == nullptr) return;
    for (size_t i = 0; i < tuple->types.size(); ++i) {
      const TypedName member{NewName(), tuple->types[i]};
      Op op;
      op.op = "get_tuple_element";
      op.inputs.push_back({"operand", value.name, value.type});
      Tensor index(TensorType{{}, ElementType::kI32});
      index.SetBits(0, i);
      op.attributes.push_back({"index", std::move(index)});
      op.outputs.push_back({"result", member.name, member.type});
      entry_.body.push_back(std::move(op));
      TakeApart(member);
    }
  }

  Function& entry_;
  int64_t names_ = 0;
};

}  // namespace

Function MakeEntry(const std::string& name,
                   const std::vector<const Function*>& functions) {
  Function made;
  made.name = name;
  Entry entry(&made);
  for (size_t i = 0; i < functions.size(); ++i)
    entry.Add(Renamer(fmt::format("c{}_", i)).Of(*functions[i]));
  return made;
}

Op CallOf(const std::shared_ptr<const Function>& function) {
  Op call;
  call.op = "func.call";
  call.attributes.push_back({"callee", FunctionName{function->name}});
  for (const TypedName& input : function->inputs)
    call.inputs.push_back({"operands", input.name, input.type});
  for (const TypedName& result : function->results)
    call.outputs.push_back({"results", result.name, result.type});
  call.callee = function;
  return call;
}

}  // namespace assay
