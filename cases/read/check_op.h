// The ops and custom calls by which StableHLO's tests check their results.
#ifndef ASSAY_CASES_READ_CHECK_OP_H_
#define ASSAY_CASES_READ_CHECK_OP_H_

#include <string>
#include <string_view>

#include "cases/near_literal.h"
#include "spec/text/syntax.h"

namespace assay {

// A way to check a result. The op has the literal as an attribute, or as one of
// its two operands.
struct CheckKind {
  std::string_view op;
  bool has_attribute;
  Nearness nearness;  // that holds if the op does not say another
};
// Returns "check.expect_eq" or "@check.expect_eq" if the statement is such an
// op or custom call, else an empty name.
std::string CheckName(const text::Statement& statement);

// Returns the way that has the name, or null: not every check is of a result.
const CheckKind* FindCheckKind(std::string_view name);

// Returns how near a float must be to the literal. Throws SyntaxError.
Nearness NearnessOf(const text::Statement& statement, const CheckKind& kind);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CHECK_OP_H_
