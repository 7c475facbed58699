// Small products of values are enumerated: chance would need billions of cases
// for what a few thousand calls test completely.
//
//   every value of the types of 16 bits and less, for ops of one operand
//   every pair of boundary values, for ops of two operands and more
//   every count around the width and beyond beside every single bit, for shifts
#ifndef ASSAY_FUZZ_DRAW_ENUMERATE_H_
#define ASSAY_FUZZ_DRAW_ENUMERATE_H_

#include <cstdint>
#include <vector>

#include "cases/variants/op_table.h"
#include "spec/types/tensor.h"

namespace assay {

// An EnumeratedCall has flat tensors that hold a part of the product.
struct EnumeratedCall {
  const OpEntry* entry;
  const Signature* signature;
  bool is_shift = false;
  int64_t begin, end;  // of the product
};

// Returns the calls in the order of the table. Each has a few thousand
// elements.
std::vector<EnumeratedCall> EnumeratedCalls(const std::vector<OpEntry>& table);

// Returns operand number `k` of the call.
Tensor EnumeratedOperand(const EnumeratedCall& call, size_t k);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_ENUMERATE_H_
