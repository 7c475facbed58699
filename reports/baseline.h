// Baseline: what is known to fail, why, and until when; and how much was
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
  // Of verdicts that have an error: in which range it lies, ends included.
  std::optional<std::pair<double, double>> error_ulps;
  std::string reason;
  std::string issue, owner;  // may be empty
  std::string expires;       // the last day, "2027-01-31"; may be empty

  // Whether it says that this verdict is as expected; the pattern is not
  // looked at.
  bool Expects(const Verdict& verdict) const;
};

// How many cases were judged: by op, by element type of the first input.
using JudgedCounts = std::map<std::string, std::map<std::string, int64_t>>;

struct BackendBaseline {
  std::string policy;
  JudgedCounts judged;
  std::vector<BaselineEntry> entries;
  // The values of --op that it was recorded with; empty: the whole suite.
  std::set<std::string> selection = {};
};

struct Baseline {
  std::string file;                                 // for messages
  std::map<std::string, BackendBaseline> backends;  // by the name of --backend
};

// Throws InputError with file and JSON pointer.
Baseline ReadBaseline(const std::string& file);
Baseline ParseBaseline(const std::string& file, const std::string& text);
// Canonical: entries by pattern, two spaces, what fits in 120 columns in one
// line.
std::string BaselineText(const Baseline& baseline);
// Replaces the file as a whole or not at all. Throws InputError.
void WriteBaseline(const std::string& file, const Baseline& baseline);

// "i8" of "tensor<2x?xi8>"; "none" of an op without inputs.
std::string ElementTypeText(const std::string& type);

// Today in UTC, as in `expires`.
std::string Today();

// Finds the entries that match a verdict: those that name one case by a table,
// the others one after the other.
class EntryMatcher {
 public:
  // `entries` must outlive it.
  explicit EntryMatcher(const std::vector<BaselineEntry>& entries);
  // Appends the positions of the entries, ascending, to the emptied `*found`.
  // What is said of a case holds for it in every layout.
  void Find(const Verdict& verdict, std::vector<size_t>* found) const;

 private:
  const std::vector<BaselineEntry>& entries_;
  std::unordered_map<std::string, std::vector<size_t>> exact_;
  std::vector<size_t> globs_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_BASELINE_H_
