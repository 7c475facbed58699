#include "fuzz/draw/enumerate.h"

#include <algorithm>

#include "cases/read/data.h"

namespace assay {
namespace {

constexpr int64_t kElements = 4096;  // of a call
// Counts go from below zero to past twice the width.
constexpr int64_t kLeastCount = -8, kCountsOverWidth = 72;

int64_t CountsOf(ElementType type) {
  return Info(type).bits - kLeastCount + kCountsOverWidth;
}

bool IsShift(const OpSpec& spec) {
  return spec.id.find("shift") != std::string::npos;
}

// FactorOf returns the number of values of operand `k`, and ValueAt the one at
// `i`.
int64_t FactorOf(const EnumeratedCall& call, size_t k) {
  const ElementType type = call.signature->operands[k];
  if (call.is_shift) return k == 0 ? Info(type).bits : CountsOf(type);
  if (call.signature->operands.size() == 1)
    return int64_t{1} << (IsBoolean(type) ? 1 : Info(type).bits);
  return static_cast<int64_t>(BoundaryBits(type).size());
}

ElementBits ValueAt(const EnumeratedCall& call, size_t k, int64_t i) {
  const ElementType type = call.signature->operands[k];
  if (call.is_shift) {
    if (k == 0) return ElementBits{1} << i;
    const ElementBits mask = (ElementBits{1} << Info(type).bits) - 1;
    return static_cast<ElementBits>(i + kLeastCount) & mask;
  }
  if (call.signature->operands.size() == 1) return static_cast<ElementBits>(i);
  return BoundaryBits(type)[static_cast<size_t>(i)];
}

void Append(EnumeratedCall call, std::vector<EnumeratedCall>* calls) {
  int64_t product = FactorOf(call, 0);
  // A third operand changes along with the pairs, because the product of all
  // triples is not small.
  if (call.signature->operands.size() > 1) product *= FactorOf(call, 1);
  for (int64_t begin = 0; begin < product; begin += kElements) {
    call.begin = begin;
    call.end = std::min(begin + kElements, product);
    calls->push_back(call);
  }
}

}  // namespace

std::vector<EnumeratedCall> EnumeratedCalls(const std::vector<OpEntry>& table) {
  std::vector<EnumeratedCall> calls;
  for (const OpEntry& entry : table) {
    if (!entry.spec->elementwise) continue;
    for (const Signature& signature : entry.signatures) {
      const EnumeratedCall call{&entry, &signature, false, 0, 0};
      const ElementType type = signature.operands[0];
      if (signature.operands.size() == 1 && Info(type).bits > 16) continue;
      Append(call, &calls);
      if (!IsShift(*entry.spec)) continue;
      EnumeratedCall shift = call;
      shift.is_shift = true;
      Append(shift, &calls);
    }
  }
  return calls;
}

Tensor EnumeratedOperand(const EnumeratedCall& call, size_t k) {
  const int64_t size = call.end - call.begin;
  Tensor tensor(TensorType{{size}, call.signature->operands[k]});
  const int64_t first = FactorOf(call, 0);
  const int64_t factor = FactorOf(call, k);
  for (int64_t i = 0; i < size; ++i) {
    const int64_t at = call.begin + i;
    // The first operand goes through its values fastest; the third in steps
    // that meet neither of the others'.
    const int64_t which = k == 0   ? at % first
                          : k == 1 ? at / first % factor
                                   : at * 7 % factor;
    tensor.SetBits(i, ValueAt(call, k, which));
  }
  return tensor;
}

}  // namespace assay
