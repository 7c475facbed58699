#include "cases/run/whole_program.h"

#include <algorithm>
#include <iterator>
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

namespace {

EntryProgram ProgramOf(Function main) {
  Program program;
  program.functions.push_back(main);
  for (const Function* callee : CalledBy(main))
    program.functions.push_back(*callee);
  return {ProgramText(program),
          std::make_shared<const Function>(std::move(main))};
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
  for (size_t i = 0; i < constants.size(); ++i) {
    Op& op = body.emplace_back();
    op.op = "constant";
    op.attributes.push_back({"value", constants[i]});
    op.outputs.push_back({"output", main.inputs[i].name, main.inputs[i].type});
  }
  std::ranges::move(main.body, std::back_inserter(body));
  main.body = std::move(body);
  main.inputs.clear();
  return ProgramOf(std::move(main));
}

}  // namespace assay
