// The broken clause is one variable of the process, because judging is done by
// one thread, and the switch is for tests.
#include "oracle/broken_clause.h"

#ifdef ASSAY_BREAK_CLAUSES

#include <utility>

#include "spec/error.h"

namespace assay {
namespace {

std::string broken_op;  // empty: none
int broken_clause = -1;

}  // namespace

ScopedBrokenClause::ScopedBrokenClause(std::string op, int clause) {
  ASSAY_CHECK(broken_op.empty() && !op.empty());
  broken_op = std::move(op);
  broken_clause = clause;
}

ScopedBrokenClause::~ScopedBrokenClause() { broken_op.clear(); }

int BrokenClauseOf(std::string_view op) {
  return op == broken_op ? broken_clause : -1;
}

}  // namespace assay

#endif
