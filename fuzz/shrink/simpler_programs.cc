#include "fuzz/shrink/simpler_programs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "fuzz/shrink/program_edit.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

template <class List>
void EraseAt(size_t k, List* list) {
  list->erase(list->begin() + static_cast<std::ptrdiff_t>(k));
}

bool IsScalarInteger(const ValueType& type) {
  const TensorType* const tensor = type.AsTensor();
  return tensor != nullptr && tensor->shape.empty() &&
         IsInteger(tensor->element_type);
}

class Simpler {
 public:
  Simpler(const Case& c, const Policy& policy) : c_(c) {
    Case copy = c;
    dead_ = DeadIn(FunctionsOf(&copy.program));
    Execute(c, policy, &values_);
  }

  std::vector<Case> All() && {
    RemoveDead();
    ReturnOneValue();
    const std::vector<OpPlace> places = OpPlacesOf(c_.program);
    for (const OpPlace place : places) MakeInputs(place);
    for (const OpPlace place : places) ReplaceByFunction(place);
    for (const OpPlace place : places) ReplaceByValue(place);
    for (const OpPlace place : places) DropValues(place);
    for (const OpPlace place : places) DropFunctions(place);
    DropResults();
    return std::move(found_);
  }

 private:
  // Makes a change in a copy of the case.
  template <class Change>
  void Try(const Change& change) {
    Case c = c_;
    const std::vector<Function*> functions = FunctionsOf(&c.program);
    if (!change(&c, functions)) return;
    if (auto cleaned = Cleaned(std::move(c), dead_))
      found_.push_back(*std::move(cleaned));
  }

  // Removes what nobody uses: all of it at once, then each op alone.
  void RemoveDead() {
    const auto nothing_else = [](Case*, const auto&) { return true; };
    const std::set<std::string> all = std::exchange(dead_, {});
    if (!all.empty()) Try(nothing_else);
    dead_ = all;
    for (const std::string& value : all) {
      dead_.erase(value);
      Try(nothing_else);
      dead_.insert(value);
    }
  }

  void ReturnOneValue() {
    for (const Op& op : c_.program.main().body) {
      for (const Op::Result& result : op.outputs) {
        Try([&](Case* c, const auto&) {
          c->program.functions[0].results = {{result.value, result.type}};
          return true;
        });
      }
    }
  }

  // Makes the results of an op inputs. Inside of a loop they have the values of
  // its last execution.
  void MakeInputs(OpPlace place) {
    Try([&](Case* c, const auto& functions) {
      std::vector<Op>& body = functions[place.function]->body;
      const Op op = body[place.position];
      for (const Op::Result& result : op.outputs) {
        const auto values = values_.find(result.value);
        if (values == values_.end()) return false;
        c->program.functions[0].inputs.push_back({result.value, result.type});
        const Shape& shape = result.type.tensor().shape;
        c->inputs.push_back(
            {{result.type.tensor(), values->second}, Layout::RowMajor(shape)});
        c->output_layouts.erase(result.value);
      }
      EraseAt(place.position, &body);
      return true;
    });
  }

  // An operand is tried first. Inside of another function it may be any value,
  // so that a loop loses what only leads to its end.
  void ReplaceByValue(OpPlace place) {
    Case copy = c_;
    const std::vector<Function*> functions = FunctionsOf(&copy.program);
    const Function& function = *functions[place.function];
    const Op& op = function.body[place.position];
    std::vector<TypedName> others;
    for (const Op::Operand& operand : op.inputs)
      others.push_back({operand.value, operand.type});
    for (const TypedName& input : function.inputs) {
      if (place.function > 0) others.push_back(input);
    }
    for (size_t i = 0; i < place.position && place.function > 0; ++i) {
      for (const Op::Result& result : function.body[i].outputs)
        others.push_back({result.value, result.type});
    }
    std::set<std::string> tried;
    for (const TypedName& other : others) {
      if (tried.insert(other.name).second) ReplaceByValue(place, op, other);
    }
  }

  void ReplaceByValue(OpPlace place, const Op& op, const TypedName& other) {
    const auto replace = [&](const auto& functions) {
      bool replaces = false;
      for (const Op::Result& result : op.outputs) {
        if (result.type != other.type) continue;
        Replace(result.value, other.name, functions[place.function]);
        replaces = true;
      }
      // An op with results of other types stays for these, as it was.
      if (replaces)
        functions[place.function]->body[place.position].inputs = op.inputs;
      return replaces;
    };
    Try([&](Case*, const auto& functions) { return replace(functions); });
    if (place.function == 0 || !IsScalarInteger(other.type)) return;
    // A loop that counts by another value may need another beginning to end.
    for (size_t k = 0; k < c_.inputs.size(); ++k) {
      if (c_.program.main().inputs[k].type != other.type) continue;
      Tensor one(other.type.tensor());
      one.SetBits(0, 1);
      Try([&](Case* c, const auto& functions) {
        c->inputs[k].data.source = one;
        c->inputs[k].data.window.reset();
        return replace(functions);
      });
    }
  }

  // A branch, the body of a loop, or a called function is executed once where
  // the op was.
  void ReplaceByFunction(OpPlace place) {
    Case copy = c_;
    const Op op = OpAt(place, &copy.program);
    if (!FindOp(op.op)->control) return;
    const size_t count = op.callee != nullptr ? 1 : op.regions.size();
    for (size_t r = 0; r < count; ++r) {
      // The condition of a loop returns something else.
      const Function& executed =
          op.callee != nullptr ? *op.callee : op.regions[r];
      if (!std::ranges::equal(executed.results, op.outputs, {},
                              &TypedName::type, &Op::Result::type))
        continue;
      Try([&](Case*, const auto& functions) {
        Function inside = executed;
        std::vector<Op>& body = functions[place.function]->body;
        Function only;
        only.body = std::move(inside.body);
        only.results = inside.results;
        for (size_t k = 0; k < inside.inputs.size(); ++k)
          Replace(inside.inputs[k].name, op.inputs[k].value, &only);
        EraseAt(place.position, &body);
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(place.position),
                    only.body.begin(), only.body.end());
        for (size_t k = 0; k < op.outputs.size(); ++k)
          Replace(op.outputs[k].value, only.results[k].name,
                  functions[place.function]);
        return true;
      });
    }
  }

  // Removes one result of an op that executes functions, with what belongs to
  // it.
  void DropValues(OpPlace place) {
    Case copy = c_;
    const Op op = OpAt(place, &copy.program);
    if (!FindOp(op.op)->control) return;
    const bool is_loop = IsLoop(op);
    for (size_t k = 0; k < op.outputs.size() && op.outputs.size() > 1; ++k) {
      Try([&](Case*, const auto& functions) {
        if (!is_loop && UsedIn(functions).contains(op.outputs[k].value))
          return false;
        Op& changed = functions[place.function]->body[place.position];
        if (op.callee != nullptr) EraseAt(k, &CalleeOf(&changed)->results);
        for (Function& region : changed.regions) {
          if (region.results.size() == op.outputs.size())
            EraseAt(k, &region.results);
          if (!is_loop) continue;
          Replace(region.inputs[k].name, op.inputs[k].value, &region);
          EraseAt(k, &region.inputs);
        }
        EraseAt(k, &changed.outputs);
        const bool passes_on = op.regions.empty() && op.callee == nullptr;
        if (is_loop || passes_on) EraseAt(k, &changed.inputs);
        if (is_loop)
          Replace(op.outputs[k].value, op.inputs[k].value,
                  functions[place.function]);
        return true;
      });
    }
    for (size_t k = 0; op.callee != nullptr && k < op.inputs.size(); ++k) {
      Try([&](Case*, const auto& functions) {
        Op& changed = functions[place.function]->body[place.position];
        Function* callee = CalleeOf(&changed);
        if (UsedIn(functions).contains(callee->inputs[k].name)) return false;
        EraseAt(k, &callee->inputs);
        EraseAt(k, &changed.inputs);
        return true;
      });
    }
  }

  // Removes one of any number of functions.
  void DropFunctions(OpPlace place) {
    Case copy = c_;
    const Op op = OpAt(place, &copy.program);
    for (size_t r = 0; r < op.regions.size(); ++r) {
      const bool is_one_of_many =
          FindOp(op.op)->Input(op.regions[r].name)->variadic &&
          op.regions.size() > 1;
      Try([&](Case*, const auto& functions) {
        if (is_one_of_many)
          EraseAt(r, &functions[place.function]->body[place.position].regions);
        return is_one_of_many;
      });
    }
  }

  void DropResults() {
    const size_t count = c_.program.main().results.size();
    for (size_t k = 0; k < count && count > 1; ++k) {
      Try([&](Case* c, const auto&) {
        EraseAt(k, &c->program.functions[0].results);
        return true;
      });
    }
  }

  const Case& c_;
  // These are the values of the program, without those of called functions.
  Walk::Values values_;
  // What nobody uses stays when something else is changed: a compiler may be
  // wrong only because it is there.
  std::set<std::string> dead_;
  std::vector<Case> found_;
};

}  // namespace

std::vector<Case> SimplerPrograms(const Case& c, const Policy& policy) {
  return Simpler(c, policy).All();
}

}  // namespace assay
