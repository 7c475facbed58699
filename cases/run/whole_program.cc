#include "cases/run/whole_program.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "oracle/control/entry.h"
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

EntryProgram MakeEntryProgram(const std::vector<const Function*>& functions) {
  Function main = MakeEntry(kEntry, functions);
  Program program;
  program.functions.push_back(main);
  for (const Function* callee : CalledBy(main))
    program.functions.push_back(*callee);
  return {ProgramText(program),
          std::make_shared<const Function>(std::move(main))};
}

}  // namespace assay
