#include "fuzz/shrink/program_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "oracle/oracle.h"
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

bool IsDead(const Op& op, const std::set<std::string>& used) {
  return std::ranges::none_of(op.outputs, [&](const Op::Result& result) {
    return used.contains(result.value);
  });
}

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

bool Execute(const Case& c, const Policy& policy, Walk::Values* values) {
  const Function& main = c.program.main();
  for (size_t i = 0; i < main.inputs.size(); ++i)
    (*values)[main.inputs[i].name] = c.inputs[i].data.Materialise();
  return Execute(main, policy, kFuel, values);
}

Function* CalleeOf(Op* op) {
  // Collect has made it, and no other op calls it.
  return const_cast<Function*>(op->callee.get());
}

Op& OpAt(OpPlace place, Program* program) {
  return FunctionsOf(program)[place.function]->body[place.position];
}

std::vector<OpPlace> OpPlacesOf(const Program& program) {
  Program copy = program;
  const std::vector<Function*> functions = FunctionsOf(&copy);
  std::vector<OpPlace> places;
  for (size_t f = 0; f < functions.size(); ++f) {
    for (size_t i = functions[f]->body.size(); i-- > 0;)
      places.push_back({f, i});
  }
  return places;
}

void Replace(const std::string& from, const std::string& to,
             Function* function) {
  for (Op& op : function->body) {
    for (Op::Operand& operand : op.inputs) {
      if (operand.value == from) operand.value = to;
    }
    for (Function& region : op.regions) Replace(from, to, &region);
  }
  for (TypedName& result : function->results) {
    if (result.name == from) result.name = to;
  }
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

std::set<std::string> DeadIn(const std::vector<Function*>& functions) {
  const std::set<std::string> used = UsedIn(functions);
  std::set<std::string> dead;
  for (const Function* function : functions) {
    for (const Op& op : function->body) {
      if (!IsDead(op, used)) continue;
      for (const Op::Result& result : op.outputs) dead.insert(result.value);
    }
  }
  return dead;
}

std::optional<Case> Cleaned(Case c, const std::set<std::string>& kept) {
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
      const auto is_dead = [&](const Op& op) {
        return IsDead(op, used) && !kept.contains(op.outputs[0].value);
      };
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
    main.inputs.erase(main.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    c.inputs.erase(c.inputs.begin() + static_cast<std::ptrdiff_t>(i));
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

Case WithOwnNames(Case c) {
  std::set<std::string> values, functions;
  const auto rename = [](std::string* name, std::set<std::string>* taken) {
    const std::string before = *name;
    for (int n = 2; !taken->insert(*name).second; ++n)
      *name = fmt::format("{}_{}", before, n);
    return *name != before;
  };
  for (Function* function : FunctionsOf(&c.program)) {
    const auto define = [&](std::string* name) {
      const std::string before = *name;
      if (rename(name, &values)) Replace(before, *name, function);
    };
    for (TypedName& input : function->inputs) define(&input.name);
    for (Op& op : function->body) {
      for (Op::Result& result : op.outputs) define(&result.value);
      if (op.callee == nullptr) continue;
      const std::string before = op.callee->name;
      Function* const callee = CalleeOf(&op);
      if (!rename(&callee->name, &functions)) continue;
      for (Attribute& attribute : op.attributes) {
        if (auto* name = std::get_if<FunctionName>(&attribute.value))
          name->name = callee->name;
      }
    }
  }
  return c;
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
      Replace(op.outputs[0].value, made->inputs[member].value,
              &changed.program.functions[0]);
  }
  auto cleaned = Cleaned(std::move(changed), {});
  if (!cleaned || !HasTensorsAlone(cleaned->program.main()))
    return std::nullopt;
  return cleaned;
}

std::optional<Case> OneOp(const Case& c, size_t number, const Policy& policy) {
  const Function& main = c.program.main();
  if (main.body.size() < 2) return std::nullopt;
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < main.inputs.size(); ++i)
    values[main.inputs[i].name] = c.inputs[i].data.Materialise();
  for (size_t i = 0; i < number; ++i) {
    const Op& op = main.body[i];
    std::vector<Tensor> operands;
    for (const Op::Operand& operand : op.inputs)
      operands.push_back(values.at(operand.value));
    for (const TypedName& capture : Captures(op))
      operands.push_back(values.at(capture.name));
    const Evaluation evaluation = Evaluate(op, operands, policy, Marks::kNone);
    for (size_t k = 0; k < op.outputs.size(); ++k)
      values[op.outputs[k].value] = evaluation.outputs[k].lo;
  }
  Case one;
  one.name = c.name;
  Op op = main.body[number];
  one.op = op.op;
  Function& function = one.program.functions.emplace_back();
  function.name = "main";
  const auto add = [&](const TypedName& value, const std::string& name) {
    function.inputs.push_back({name, value.type});
    Layout layout = Layout::RowMajor(value.type.tensor().shape);
    const auto input =
        std::ranges::find(main.inputs, value.name, &TypedName::name);
    if (input != main.inputs.end()) {
      layout =
          c.inputs[static_cast<size_t>(input - main.inputs.begin())].layout;
    } else if (c.output_layouts.contains(value.name)) {
      layout = c.output_layouts.at(value.name);
    }
    one.inputs.push_back({{value.type, values.at(value.name)}, layout});
  };
  const std::vector<TypedName> captures = Captures(op);
  std::map<std::string, size_t> counts;
  for (Op::Operand& operand : op.inputs) {
    // Operands of a variadic input have one name.
    std::string name = operand.name;
    if (const size_t count = counts[operand.name]++; count > 0)
      name += fmt::format("{}", count);
    add({operand.value, operand.type}, name);
    operand.value = name;
  }
  for (const TypedName& capture : captures) add(capture, capture.name);
  std::map<std::string, size_t> result_counts;
  for (Op::Result& result : op.outputs) {
    std::string name = result.name;
    if (const size_t count = result_counts[result.name]++; count > 0)
      name += fmt::format("{}", count);
    if (c.output_layouts.contains(result.value))
      one.output_layouts[name] = c.output_layouts.at(result.value);
    result.value = name;
    function.results.push_back({result.value, result.type});
  }
  function.body.push_back(std::move(op));
  return one;
}

std::optional<Case> FirstOps(const Case& c, size_t count) {
  if (count == 0 || count >= c.program.main().body.size()) return std::nullopt;
  Case first = c;
  Function& main = first.program.functions[0];
  main.body.resize(count);
  first.op = main.body.back().op;
  main.results.clear();
  for (const Op::Result& result : main.body.back().outputs)
    main.results.push_back({result.value, result.type});
  for (size_t i = main.inputs.size(); i-- > 0;) {
    const bool is_used = std::ranges::any_of(main.body, [&](const Op& op) {
      const std::vector<TypedName> captures = Captures(op);
      const std::string& name = main.inputs[i].name;
      return std::ranges::count(op.inputs, name, &Op::Operand::value) +
                 std::ranges::count(captures, name, &TypedName::name) >
             0;
    });
    if (is_used) continue;
    main.inputs.erase(main.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    first.inputs.erase(first.inputs.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::erase_if(first.output_layouts, [&](const auto& layout) {
    return std::ranges::none_of(main.body, [&](const Op& op) {
      return std::ranges::find(op.outputs, layout.first, &Op::Result::value) !=
             op.outputs.end();
    });
  });
  return first;
}

}  // namespace assay
