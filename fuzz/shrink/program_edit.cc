#include "fuzz/shrink/program_edit.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "oracle/program.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

void Collect(Function* function, std::vector<Function*>* all) {
  all->push_back(function);
  for (Op& op : function->body) {
    for (Function& region : op.regions) Collect(&region, all);
    if (op.callee == nullptr) continue;
    auto copy = std::make_shared<Function>(*op.callee);
    op.callee = copy;
    Collect(copy.get(), all);
  }
}

Function* CalleeOf(Op* op) {
  // Collect has made it, and no other op calls it.
  return const_cast<Function*>(op->callee.get());
}

// Puts one value in the place of another wherever it is used.
void Replace(const std::string& from, const std::string& to,
             Function* function) {
  for (Op& op : function->body) {
    for (Op::Operand& operand : op.inputs) {
      if (operand.value == from) operand.value = to;
    }
    for (Function& region : op.regions) Replace(from, to, &region);
    if (op.callee != nullptr) Replace(from, to, CalleeOf(&op));
  }
  for (TypedName& result : function->results) {
    if (result.name == from) result.name = to;
  }
}

void ReplaceAll(const std::string& from, const std::string& to, Case* c) {
  Replace(from, to, &c->program.functions[0]);
}

template <class List>
void EraseAt(size_t k, List* list) {
  list->erase(list->begin() + static_cast<std::ptrdiff_t>(k));
}

std::set<std::string> UsedIn(const std::vector<Function*>& functions) {
  std::set<std::string> used;
  for (const Function* function : functions) {
    for (const Op& op : function->body) {
      for (const Op::Operand& operand : op.inputs) used.insert(operand.value);
    }
    for (const TypedName& result : function->results) used.insert(result.name);
  }
  return used;
}

bool IsDead(const Op& op, const std::set<std::string>& used) {
  return std::ranges::none_of(op.outputs, [&](const Op::Result& result) {
    return used.contains(result.value);
  });
}

// Removes what nobody needs: ops, inputs, layouts. Returns nothing if no op is
// left, or no result that an op computes.
std::optional<Case> Cleaned(Case c) {
  Function& main = c.program.functions[0];
  c.program.functions.resize(1);
  std::set<std::string> inputs;
  for (const TypedName& input : main.inputs) inputs.insert(input.name);
  std::set<std::string> returned;
  std::erase_if(main.results, [&](const TypedName& result) {
    return inputs.contains(result.name) || !returned.insert(result.name).second;
  });
  for (bool again = true; again;) {
    again = false;
    const std::vector<Function*> functions = FunctionsOf(&c.program);
    const std::set<std::string> used = UsedIn(functions);
    for (Function* function : functions) {
      const auto is_dead = [&](const Op& op) { return IsDead(op, used); };
      if (std::ranges::none_of(function->body, is_dead)) continue;
      std::erase_if(function->body, is_dead);
      again = true;
      break;  // Functions inside of the erased ops are gone.
    }
  }
  if (main.body.empty() || main.results.empty()) return std::nullopt;
  const std::set<std::string> used = UsedIn(FunctionsOf(&c.program));
  for (size_t i = main.inputs.size(); i-- > 0;) {
    if (used.contains(main.inputs[i].name)) continue;
    EraseAt(i, &main.inputs);
    EraseAt(i, &c.inputs);
  }
  std::set<std::string> defined;
  for (const Op& op : main.body) {
    for (const Op::Result& result : op.outputs) defined.insert(result.value);
  }
  std::erase_if(c.output_layouts, [&](const auto& layout) {
    return !defined.contains(layout.first);
  });
  c.op = main.body.back().op;
  return c;
}

class Simpler {
 public:
  Simpler(const Case& c, const Policy& policy) : c_(c) {
    ProgramEvaluator evaluator(policy);
    const Function& main = c.program.main();
    for (size_t i = 0; i < main.inputs.size(); ++i)
      evaluator.Define(main.inputs[i].name, c.inputs[i].data.Materialise());
    for (const Op& op : main.body) {
      const ProgramEvaluator::OpResults results = evaluator.Evaluate(op);
      evaluator.Keep(op, results);
      auto& values = values_.emplace_back();
      for (const Expectation& output : results.evaluation.outputs)
        values.push_back(output.lo);
    }
  }

  std::vector<Case> All() && {
    ReturnOneValue();
    MakeInputs();
    ForEachOp([&](size_t f, size_t i) { ReplaceByFunction(f, i); });
    ForEachOp([&](size_t f, size_t i) { ReplaceByOperand(f, i); });
    ForEachOp([&](size_t f, size_t i) { DropValues(f, i); });
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
    if (auto cleaned = Cleaned(std::move(c)))
      found_.push_back(*std::move(cleaned));
  }

  template <class Visit>
  void ForEachOp(const Visit& visit) {
    Case copy = c_;
    const std::vector<Function*> functions = FunctionsOf(&copy.program);
    for (size_t f = 0; f < functions.size(); ++f) {
      for (size_t i = functions[f]->body.size(); i-- > 0;) visit(f, i);
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

  void MakeInputs() {
    for (size_t i = values_.size(); i-- > 0;) {
      Try([&](Case* c, const auto&) {
        Function& main = c->program.functions[0];
        const Op op = main.body[i];
        for (size_t k = 0; k < op.outputs.size(); ++k) {
          const Op::Result& result = op.outputs[k];
          main.inputs.push_back({result.value, result.type});
          const TensorType& type = result.type.tensor();
          c->inputs.push_back(
              {{type, values_[i][k]}, Layout::RowMajor(type.shape)});
          c->output_layouts.erase(result.value);
        }
        EraseAt(i, &main.body);
        return true;
      });
    }
  }

  void ReplaceByOperand(size_t f, size_t i) {
    Case copy = c_;
    const Op op = FunctionsOf(&copy.program)[f]->body[i];
    for (const Op::Operand& operand : op.inputs) {
      Try([&](Case* c, const auto& functions) {
        bool replaces = false;
        for (const Op::Result& result : op.outputs) {
          if (result.type != operand.type) continue;
          ReplaceAll(result.value, operand.value, c);
          replaces = true;
        }
        // An op with results of other types stays for these, as it was.
        if (replaces) functions[f]->body[i].inputs = op.inputs;
        return replaces;
      });
    }
  }

  // A branch, the body of a loop, or a called function is executed once where
  // the op was.
  void ReplaceByFunction(size_t f, size_t i) {
    Case copy = c_;
    const Op op = FunctionsOf(&copy.program)[f]->body[i];
    if (!FindOp(op.op)->control) return;
    const size_t count = op.callee != nullptr ? 1 : op.regions.size();
    for (size_t r = 0; r < count; ++r) {
      if (op.callee == nullptr &&
          op.regions[r].results.size() != op.outputs.size())
        continue;
      Try([&](Case* c, const auto& functions) {
        Function inside = op.callee != nullptr ? *op.callee : op.regions[r];
        std::vector<Op>& body = functions[f]->body;
        Function only;
        only.body = std::move(inside.body);
        only.results = inside.results;
        for (size_t k = 0; k < inside.inputs.size(); ++k)
          Replace(inside.inputs[k].name, op.inputs[k].value, &only);
        EraseAt(i, &body);
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(i),
                    only.body.begin(), only.body.end());
        for (size_t k = 0; k < op.outputs.size(); ++k)
          ReplaceAll(op.outputs[k].value, only.results[k].name, c);
        return true;
      });
    }
  }

  // Removes one result of an op that executes functions, with what belongs to
  // it.
  void DropValues(size_t f, size_t i) {
    Case copy = c_;
    const Op op = FunctionsOf(&copy.program)[f]->body[i];
    if (!FindOp(op.op)->control) return;
    const bool is_loop = !op.regions.empty() && !op.regions[0].inputs.empty();
    for (size_t k = 0; k < op.outputs.size() && op.outputs.size() > 1; ++k) {
      Try([&](Case* c, const auto& functions) {
        if (!is_loop && UsedIn(functions).contains(op.outputs[k].value))
          return false;
        Op& changed = functions[f]->body[i];
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
        if (is_loop) ReplaceAll(op.outputs[k].value, op.inputs[k].value, c);
        return true;
      });
    }
    for (size_t k = 0; op.callee != nullptr && k < op.inputs.size(); ++k) {
      Try([&](Case*, const auto& functions) {
        Op& changed = functions[f]->body[i];
        Function* callee = CalleeOf(&changed);
        if (UsedIn(functions).contains(callee->inputs[k].name)) return false;
        EraseAt(k, &callee->inputs);
        EraseAt(k, &changed.inputs);
        return true;
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
  std::vector<std::vector<Tensor>> values_;  // by op and result
  std::vector<Case> found_;
};

}  // namespace

std::vector<Function*> FunctionsOf(Program* program) {
  std::vector<Function*> functions;
  Collect(&program->functions[0], &functions);
  return functions;
}

int64_t CountOps(const Function& function) {
  int64_t count = 0;
  for (const Op& op : function.body) {
    ++count;
    for (const Function& region : op.regions) count += CountOps(region);
    if (op.callee != nullptr) count += CountOps(*op.callee);
  }
  return count;
}

std::optional<Case> WithoutTuples(const Case& c) {
  if (HasTensorsAlone(c.program.main())) return std::nullopt;
  Case changed = c;
  FunctionsOf(&changed.program);
  const std::vector<Op> body = changed.program.main().body;
  for (const Op& op : body) {
    if (op.inputs.size() != 1 || op.inputs[0].type.IsTensor()) continue;
    const auto made = std::ranges::find_if(body, [&](const Op& other) {
      return other.outputs[0].value == op.inputs[0].value;
    });
    const Attribute* index = op.FindAttribute("index");
    if (made == body.end() || index == nullptr) continue;
    const auto member =
        static_cast<size_t>(std::get<Tensor>(index->value).Bits(0));
    if (member < made->inputs.size())
      ReplaceAll(op.outputs[0].value, made->inputs[member].value, &changed);
  }
  auto cleaned = Cleaned(std::move(changed));
  if (!cleaned || !HasTensorsAlone(cleaned->program.main()))
    return std::nullopt;
  return cleaned;
}

std::vector<Case> SimplerPrograms(const Case& c, const Policy& policy) {
  return Simpler(c, policy).All();
}

}  // namespace assay
