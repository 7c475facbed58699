// A baseline says what is known to fail, why, and until when; and how much was
// judged. A gate passes when a run is as its baseline says.
//
// baseline.schema.json documents the file. It is meant to be reviewed and
// merged like code: sorted, one entry a line where it fits.
#ifndef ASSAY_REPORTS_BASELINE_H_
#define ASSAY_REPORTS_BASELINE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"

namespace assay {

struct BaselineEntry {
  std::string pattern;         // cases/read/pattern.h
  std::set<Outcome> outcomes;  // that are expected
  // If a verdict has an error_ulps, it must lie in this range, ends included.
  std::optional<std::pair<double, double>> error_ulps;
  std::string reason;
  std::string issue, owner;  // may be empty
  std::string expires;       // the last day, "2027-01-31"; may be empty

  // Returns whether the entry says that this verdict is expected. The pattern
  // is not checked.
  bool Expects(const Verdict& verdict) const;
};

// These are numbers of judged cases, by op and by element type of the first
// input.
using JudgedCounts = std::map<std::string, std::map<std::string, int64_t>>;

struct BackendBaseline {
  std::string policy;
  JudgedCounts judged;
  std::vector<BaselineEntry> entries;
  // These are the values of --op that it was recorded with. Empty means the
  // whole suite.
  std::set<std::string> selection = {};
  // These are reasons, by op and type, why no one way of flushing subnormals
  // explains all results.
  std::map<std::string, std::string> flush = {};
};

struct Baseline {
  std::string file;                                 // for messages
  std::map<std::string, BackendBaseline> backends;  // by the name of --backend
};

// Throws InputError with file and JSON pointer.
Baseline ReadBaseline(const std::string& file);
Baseline ParseBaseline(const std::string& file, const std::string& text);
// Returns the canonical text: entries are sorted by pattern and indented by two
// spaces, and a value that fits in 120 columns is on one line.
std::string BaselineText(const Baseline& baseline);
// Replaces the file as a whole or not at all. Throws InputError.
void WriteBaseline(const std::string& file, const Baseline& baseline);

// Returns "i8" for "tensor<2x?xi8>", and "none" for an op without inputs.
std::string ElementTypeText(const std::string& type);

// Returns today's date in UTC, in the form of `expires`.
std::string Today();

// An EntryMatcher finds the entries that match a verdict: it looks up those
// that name one case in a table, and tries the others one after the other.
class EntryMatcher {
 public:
  // `entries` must outlive the object.
  explicit EntryMatcher(const std::vector<BaselineEntry>& entries);
  // Sets `*found` to the positions of the matching entries, ascending. An entry
  // for a case holds for it in every layout.
  void Find(const Verdict& verdict, std::vector<size_t>* found) const;

 private:
  const std::vector<BaselineEntry>& entries_;
  std::unordered_map<std::string, std::vector<size_t>> exact_;
  std::vector<size_t> globs_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_BASELINE_H_
