// The broken constraint is one variable of the process, like that of
// oracle/broken_clause.cc.
#include "spec/broken_constraint.h"

#ifdef ASSAY_BREAK_CLAUSES

#include <utility>

#include "spec/error.h"

namespace assay {
namespace {

std::string broken_op;  // empty: none
std::string broken_label;

}  // namespace

ScopedBrokenConstraint::ScopedBrokenConstraint(std::string op,
                                               std::string label) {
  ASSAY_CHECK(broken_op.empty() && !op.empty());
  broken_op = std::move(op);
  broken_label = std::move(label);
}

ScopedBrokenConstraint::~ScopedBrokenConstraint() { broken_op.clear(); }

Truth MaybeBroken(std::string_view op, std::string_view label, Truth truth) {
  if (!IsBroken(op, label)) return truth;
  return truth == Truth::kFalse ? Truth::kTrue : Truth::kFalse;
}

bool IsBroken(std::string_view op, std::string_view label) {
  return op == broken_op && label == broken_label;
}

}  // namespace assay

#endif
