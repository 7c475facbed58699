#include "oracle/control/walk.h"

#include <utility>

#include "oracle/control/selected_branch.h"
#include "spec/op_spec.h"

namespace assay {

Walk::Walk(const Function &function, Values *values, int64_t fuel)
    : values_(values), frames_{{&function, nullptr}}, fuel_(fuel) {}

const Op *Walk::Next() {
  // The op that was handed out is done.
  if (ops_ > 0 && !frames_.empty()) ++frames_.back().position;
  while (!frames_.empty()) {
    if (--fuel_ < 0) {
      was_cut_ = true;
      return nullptr;
    }
    const Frame &frame = frames_.back();
    if (frame.position == frame.function->body.size()) {
      Leave();
      continue;
    }
    const Op &op = frame.function->body[frame.position];
    if (!FindOp(op.op)->control) {
      ++ops_;
      return &op;
    }
    Enter(op);
  }
  return nullptr;
}

std::vector<Tensor> Walk::OperandsOf(const Op &op) {
  std::vector<Tensor> operands;
  for (const Op::Operand &operand : op.inputs)
    operands.push_back(values()->at(operand.value));
  return operands;
}

void Walk::Push(const Op &caller, const Function &function,
                const std::vector<Tensor> &arguments, bool is_condition) {
  for (size_t k = 0; k < arguments.size(); ++k)
    (*values())[function.inputs[k].name] = arguments[k];
  frames_.push_back({&function, &caller, is_condition});
}

void Walk::Finish(const Op &op, std::vector<Tensor> results) {
  for (size_t k = 0; k < op.outputs.size(); ++k)
    (*values())[op.outputs[k].value] = std::move(results[k]);
  ++frames_.back().position;
}

void Walk::Enter(const Op &op) {
  std::vector<Tensor> operands = OperandsOf(op);
  if (op.op == "while") {
    states_.push_back(operands);
    Push(op, op.Regions("cond")[0], operands, true);
  } else if (op.callee != nullptr) {
    calls_.emplace_back();
    Push(op, *op.callee, operands, false);
  } else if (op.regions.empty()) {
    Finish(op, std::move(operands));
  } else {
    Push(op, SelectedBranch(op, operands[0]), {}, false);
  }
}

void Walk::Leave() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.caller == nullptr) return;
  std::vector<Tensor> results;
  for (const TypedName &result : frame.function->results)
    results.push_back(values()->at(result.name));
  const Op &op = *frame.caller;
  if (op.callee != nullptr) calls_.pop_back();
  if (op.op != "while") return Finish(op, std::move(results));
  if (!frame.is_condition) {
    states_.back() = std::move(results);
    Push(op, op.Regions("cond")[0], states_.back(), true);
  } else if (results[0].Bits(0) != 0) {
    Push(op, op.Regions("body")[0], states_.back(), false);
  } else {
    Finish(op, std::move(states_.back()));
    states_.pop_back();
  }
}

}  // namespace assay
