// Op x kind of walk: which bugs of walks the suite notices, op by op.
#ifndef ASSAY_TOOLS_MUTANTS_WALK_TABLE_H_
#define ASSAY_TOOLS_MUTANTS_WALK_TABLE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/variants/walks.h"

namespace assay {

// What an op's cases of a kind made of the bug of that kind. There is one of
// each operand that lies as the kind says, so an op notices if all do.
struct WalkCell {
  int64_t cases = 0;
  std::vector<std::string> silent;  // those that passed or were declined
};

// A planted bug of a kind, by the ops that have cases of it.
struct WalkResult {
  std::string kind, text;
  std::map<std::string, WalkCell> ops;
};

// A line an op and a letter a kind, the kinds below it, and a last line of
// totals. An op without a case of a kind has the first letter of why. Empty
// without results.
std::string WalkTable(const std::vector<WalkResult>& results,
                      const WalkGaps& gaps);

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_WALK_TABLE_H_
