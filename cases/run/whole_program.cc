#include "cases/run/whole_program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "oracle/control/entry.h"
#include "spec/error.h"
#include "spec/op_spec.h"
#include "spec/text/program_text.h"

namespace assay {

bool HasText(const Function& function) {
  return std::ranges::all_of(function.body, [](const Op& op) {
    const std::string& source = FindOp(op.op)->source;
    return (source == "stablehlo" || source == "func") &&
           std::ranges::all_of(op.regions, HasText) &&
           (op.callee == nullptr || HasText(*op.callee));
  });
}

bool CallsTarget(const Function& function) {
  return std::ranges::any_of(function.body, [](const Op& op) {
    return FindOp(op.op)->Target() != nullptr ||
           std::ranges::any_of(op.regions, CallsTarget) ||
           (op.callee != nullptr && CallsTarget(*op.callee));
  });
}

namespace {

EntryProgram ProgramOf(Function main) {
  Program program;
  program.functions.push_back(main);
  for (const Function* callee : CalledBy(main))
    program.functions.push_back(*callee);
  return {ProgramText(program),
          std::make_shared<const Function>(std::move(main))};
}

Op Constant(const TypedName& value, Tensor elements) {
  Op op;
  op.op = "constant";
  op.attributes.push_back({"value", std::move(elements)});
  op.outputs.push_back({"output", value.name, value.type});
  return op;
}

}  // namespace

EntryProgram MakeEntryProgram(const std::vector<const Function*>& functions) {
  return ProgramOf(MakeEntry(kEntry, functions));
}

EntryProgram MakeEntryProgram(const std::vector<const Function*>& functions,
                              const std::vector<Tensor>& constants) {
  Function main = MakeEntry(kEntry, functions);
  ASSAY_CHECK(constants.size() == main.inputs.size());
  std::vector<Op> body;
  for (size_t i = 0; i < constants.size(); ++i)
    body.push_back(Constant(main.inputs[i], constants[i]));
  std::ranges::move(main.body, std::back_inserter(body));
  main.body = std::move(body);
  main.inputs.clear();
  return ProgramOf(std::move(main));
}

std::string TextToVerify(const Function& function) {
  Function main = MakeEntry(kEntry, {&function});
  std::map<std::string, Tensor> known;
  for (const Op& op : main.body) {
    for (const Op::Operand& operand : op.inputs) {
      if (operand.known) known.emplace(operand.value, *operand.known);
    }
  }
  std::vector<Op> body;
  std::erase_if(main.inputs, [&](const TypedName& input) {
    const auto elements = known.find(input.name);
    if (elements == known.end()) return false;
    body.push_back(Constant(input, elements->second));
    return true;
  });
  std::ranges::move(main.body, std::back_inserter(body));
  main.body = std::move(body);
  return ProgramOf(std::move(main)).text;
}

}  // namespace assay
