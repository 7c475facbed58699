// Op x kind of walk: which bugs of walks the suite notices, op by op.
#ifndef ASSAY_TOOLS_WALK_TABLE_H_
#define ASSAY_TOOLS_WALK_TABLE_H_

#include <map>
#include <string>
#include <vector>

namespace assay {

// A planted bug of a kind, by the ops that can show it: the first case that
// noticed it, empty if none did.
struct WalkResult {
  std::string kind, text;
  std::map<std::string, std::string> ops;

  // Ops with a case of the kind that noticed it, with another one, and with
  // none.
  struct Counts {
    int64_t own = 0, other = 0, none = 0;
  };
  Counts Count() const;
};

// Whether a case is one of the kind.
bool IsOfKind(const std::string& case_name, const std::string& kind);

// A line an op and a letter a kind, the kinds below it, and a last line of
// totals. Empty without results.
std::string WalkTable(const std::vector<WalkResult>& results);

}  // namespace assay

#endif  // ASSAY_TOOLS_WALK_TABLE_H_
