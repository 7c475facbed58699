// Breaking one constraint, or a clause that code of spec/ decides by, on
// purpose, in builds with ASSAY_BREAK_CLAUSES (preset dev): what
// oracle/broken_clause.h is for clauses of the oracle.
#ifndef ASSAY_SPEC_BROKEN_CONSTRAINT_H_
#define ASSAY_SPEC_BROKEN_CONSTRAINT_H_

#include <string>
#include <string_view>

#include "spec/formula/formula.h"

namespace assay {

#ifdef ASSAY_BREAK_CLAUSES

// While it lives, CheckConstraints negates the constraint `label` of `op`:
// false becomes true, and everything else false. Deferred and undefined do,
// too, since a verdict depends only on which constraints are false. A clause
// that code of spec/ takes decisions by (broadcast.cc) decides otherwise. One
// at a time.
class ScopedBrokenConstraint {
 public:
  ScopedBrokenConstraint(std::string op, std::string label);
  ~ScopedBrokenConstraint();
  ScopedBrokenConstraint(const ScopedBrokenConstraint&) = delete;
  ScopedBrokenConstraint& operator=(const ScopedBrokenConstraint&) = delete;
};

// `truth`, or its negation if the constraint is the broken one.
Truth MaybeBroken(std::string_view op, std::string_view label, Truth truth);
// Whether it is the broken one.
bool IsBroken(std::string_view op, std::string_view label);

#else

inline Truth MaybeBroken(std::string_view, std::string_view, Truth truth) {
  return truth;
}
constexpr bool IsBroken(std::string_view, std::string_view) { return false; }

#endif

}  // namespace assay

#endif  // ASSAY_SPEC_BROKEN_CONSTRAINT_H_
