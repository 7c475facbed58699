// These functions break one constraint, or a clause that code of spec/ decides
// by, on purpose, in builds with ASSAY_BREAK_CLAUSES (preset dev).
// oracle/broken_clause.h does the same for clauses of the oracle.
#ifndef ASSAY_SPEC_BROKEN_CONSTRAINT_H_
#define ASSAY_SPEC_BROKEN_CONSTRAINT_H_

#include <string>
#include <string_view>

#include "spec/formula/formula.h"

namespace assay {

#ifdef ASSAY_BREAK_CLAUSES

// While the object exists, CheckConstraints negates the constraint `label` of
// `op`: false becomes true, and everything else becomes false. This includes
// deferred and undefined, since a verdict depends only on which constraints are
// false. A clause by which code of spec/ makes decisions (broadcast.cc) decides
// otherwise. Only one such object may exist at a time.
class ScopedBrokenConstraint {
 public:
  ScopedBrokenConstraint(std::string op, std::string label);
  ~ScopedBrokenConstraint();
  ScopedBrokenConstraint(const ScopedBrokenConstraint&) = delete;
  ScopedBrokenConstraint& operator=(const ScopedBrokenConstraint&) = delete;
};

// Returns `truth`, or its negation if the constraint is the broken one.
Truth MaybeBroken(std::string_view op, std::string_view label, Truth truth);
// Returns whether the constraint is the broken one.
bool IsBroken(std::string_view op, std::string_view label);

#else

inline Truth MaybeBroken(std::string_view, std::string_view, Truth truth) {
  return truth;
}
constexpr bool IsBroken(std::string_view, std::string_view) { return false; }

#endif

}  // namespace assay

#endif  // ASSAY_SPEC_BROKEN_CONSTRAINT_H_
