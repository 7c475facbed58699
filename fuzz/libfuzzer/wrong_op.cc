#include "fuzz/libfuzzer/wrong_op.h"

#include <cstdlib>
#include <map>

#include "spec/op_spec.h"

namespace assay {
namespace {

#define ASSAY_OP(id, Function, FunctionSources) \
  [[noreturn, gnu::noinline]] void Function##IsWrong() { std::abort(); }
#include "ops.inc"
#undef ASSAY_OP

}  // namespace

void AbortWrong(const std::string& op) {
  static const std::map<std::string, void (*)()> functions = {
#define ASSAY_OP(id, Function, FunctionSources) {id, &Function##IsWrong},
#include "ops.inc"
#undef ASSAY_OP
  };
  const OpSpec& spec = *FindOp(op);
  const auto it =
      functions.find(spec.steps.empty() ? op : spec.steps.back().op);
  if (it != functions.end()) it->second();
  std::abort();
}

}  // namespace assay
