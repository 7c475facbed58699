#include "oracle/reduction/components.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace assay {
namespace {

// Returns the ops that the values rest on, in their order, and adds what these
// use to the values.
std::vector<Op> OpsFor(const Function& body, std::set<std::string>* values) {
  std::vector<Op> ops;
  for (size_t i = body.body.size(); i-- > 0;) {
    const Op& op = body.body[i];
    if (std::ranges::none_of(op.outputs, [&](const Op::Result& output) {
          return values->contains(output.value);
        }))
      continue;
    for (const Op::Operand& input : op.inputs) values->insert(input.value);
    for (const TypedName& capture : Captures(op)) values->insert(capture.name);
    ops.push_back(op);
  }
  std::ranges::reverse(ops);
  return ops;
}

}  // namespace

std::vector<Function> ComponentsOf(const Function& body) {
  const size_t count = body.results.size();
  if (count < 2) return {};
  std::vector<Function> components;
  for (size_t k = 0; k < count; ++k) {
    std::set<std::string> values = {body.results[k].name};
    std::vector<Op> ops = OpsFor(body, &values);
    for (size_t i = 0; i < body.inputs.size(); ++i) {
      if (i % count != k && values.contains(body.inputs[i].name)) return {};
    }
    components.push_back({body.name,
                          {body.inputs[k], body.inputs[count + k]},
                          std::move(ops),
                          {body.results[k]}});
  }
  return components;
}

const OpSpec* WholeOp(const Function& function) {
  if (function.body.size() != 1 || function.inputs.size() != 2) return nullptr;
  const Op& op = function.body[0];
  if (op.inputs.size() != 2 || op.outputs.size() != 1 ||
      function.results[0].name != op.outputs[0].value)
    return nullptr;
  const std::string &a = function.inputs[0].name, &b = function.inputs[1].name;
  const std::string &x = op.inputs[0].value, &y = op.inputs[1].value;
  return (x == a && y == b) || (x == b && y == a) ? FindOp(op.op) : nullptr;
}

}  // namespace assay
