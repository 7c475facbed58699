#include "cases/variants/telling.h"

#include <algorithm>

#include "cases/read/data.h"
#include "oracle/judge.h"
#include "oracle/oracle.h"

namespace assay {
namespace {

Tensor MovedByOne(const Tensor& tensor) {
  Tensor moved(tensor.type());
  for (int64_t i = 0; i < tensor.size(); ++i)
    moved.SetBits(i, tensor.Bits((i + 1) % tensor.size()));
  return moved;
}

Expectation ResultOf(const Op& op, const std::vector<Tensor>& operands) {
  return std::move(
      Evaluate(op, operands, Policy::Find("assay"), Marks::kNone).outputs[0]);
}

// Returns whether the element of one result differs from that of the other.
bool IsAnother(const Expectation& sound, const Expectation& moved, int64_t i) {
  return !moved.IsOpen(i) && !Accepts(sound, moved.lo, i);
}

}  // namespace

double Telling(const Op& op) {
  std::vector<Tensor> operands;
  for (size_t k = 0; k < op.inputs.size(); ++k)
    operands.push_back(InputData{op.inputs[k].type,
                                 DrawRandom{k, DrawRandom::Profile::kOrdinary}}
                           .Materialise());
  const Expectation sound = ResultOf(op, operands);
  const int64_t size = sound.lo.size();
  int64_t least = size;
  for (Tensor& operand : operands) {
    const Tensor kept = operand;
    operand = MovedByOne(operand);
    const Expectation moved = ResultOf(op, operands);
    int64_t changed = 0;
    for (int64_t i = 0; i < size; ++i) changed += IsAnother(sound, moved, i);
    least = std::min(least, changed);
    operand = kept;
  }
  return static_cast<double>(least) / static_cast<double>(size);
}

bool TellsFirst(const Op& op, const std::vector<Tensor>& pairs,
                const std::vector<bool>& is_moved) {
  std::vector<Tensor> moved = pairs;
  for (size_t k = 0; k < moved.size(); ++k) {
    if (is_moved[k]) moved[k] = MovedByOne(moved[k]);
  }
  return IsAnother(ResultOf(op, pairs), ResultOf(op, moved), 0);
}

}  // namespace assay
