// These functions tell which results rest on the bits of a NaN, and not only on
// its being one.
#ifndef ASSAY_ORACLE_NAN_BITS_H_
#define ASSAY_ORACLE_NAN_BITS_H_

#include <algorithm>

#include "oracle/expectation.h"
#include "spec/program.h"

namespace assay {

// Returns whether the op orders its operands by the total order, which has a
// place for every NaN.
inline bool IsTotalOrder(const Op& op) {
  return std::ranges::any_of(op.attributes, [](const Attribute& attribute) {
    const auto* symbol = std::get_if<Symbol>(&attribute.value);
    return symbol != nullptr && symbol->name == "TOTALORDER";
  });
}

// Returns whether the op moves the bits of its operands to `result`, or orders
// its operands by them.
inline bool ReadsNanBits(const Op& op, const Expectation& result) {
  return result.keeps_nans || IsTotalOrder(op);
}

}  // namespace assay

#endif  // ASSAY_ORACLE_NAN_BITS_H_
