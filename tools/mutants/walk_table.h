// The table of ops and kinds of walks shows which bugs of walks the suite
// notices, op by op.
#ifndef ASSAY_TOOLS_MUTANTS_WALK_TABLE_H_
#define ASSAY_TOOLS_MUTANTS_WALK_TABLE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/variants/walks.h"

namespace assay {

// This says how an op's cases of one kind judged the bug of that kind. There is
// a case for each operand that can lie as the kind says, so an op notices the
// bug if all of its cases do.
struct WalkCell {
  int64_t cases = 0;
  std::vector<std::string> silent;  // those that passed or were declined
};

// This is a planted bug of one kind, with the ops that have cases of it.
struct WalkResult {
  std::string kind, text;
  std::map<std::string, WalkCell> ops;
};

// Returns a line for each op with a letter for each kind, the kinds below it,
// and a last line of totals. Where an op has no case of a kind, the letter is
// the first of the reason. Returns "" without results.
std::string WalkTable(const std::vector<WalkResult>& results,
                      const WalkGaps& gaps);

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_WALK_TABLE_H_
