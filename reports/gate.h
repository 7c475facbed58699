// A gate decides whether a run is as expected, and the exit code that says so.
//
// Without a baseline, every judged case must pass. With one, its entries say
// which failures are expected; a waived failure that now passes, an entry past
// its day or without a case, and a case that is no longer judged fail the gate
// too, so that a baseline cannot rot. Verdicts come one by one, and memory does
// not grow with the cases that pass.
#ifndef ASSAY_REPORTS_GATE_H_
#define ASSAY_REPORTS_GATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/baseline.h"
#include "reports/exit_code.h"
#include "reports/flush_survivors.h"
#include "reports/results.h"
#include "reports/run_header.h"

namespace assay {

// This is what the baseline says about one verdict.
struct Expectedness {
  enum class Kind {
    kPass,            // and nothing else was expected
    kNotJudged,       // unsupported or skipped
    kExpected,        // a failure with an entry, or a pass that its entry lists
    kUnexpected,      // a failure without an entry
    kUnexpectedPass,  // every entry that matches waives a failure
  } kind = Kind::kPass;
  // This entry decides, or is null if there is none. It belongs to the gate,
  // and lives as long.
  const BaselineEntry* entry = nullptr;
};

struct GateOptions {
  const Baseline* baseline = nullptr;  // null: there is none
  std::vector<std::string> require;    // patterns of --require
  std::string today = Today();
  // For each backend, this percentage of elements must be judged.
  std::optional<double> require_judged = std::nullopt;
};

struct GateResult {
  int64_t cases = 0, judged = 0;
  int64_t expected = 0, unexpected = 0, unexpected_passes = 0;
  int64_t expired = 0, stale = 0;  // entries
  // These are pairs of op and type with fewer cases judged than recorded.
  int64_t lost = 0;
  int64_t required_not_judged = 0;  // cases, and patterns that match none
  // Too few elements of these backends were judged.
  int64_t unseen = 0;
  // For these ops and types, no single way of flushing subnormals explains the
  // results.
  int64_t contradictions = 0;
  bool is_part = false;  // The run is a shard.
  std::string text;  // for the terminal; empty without baseline and --require

  // Returns 1, 5, 4 or 0; 2 and 3 take precedence.
  ExitCode exit_code() const;
  // Returns the reason for the exit code in half a line: "the baseline is
  // stale: ..".
  std::string Headline() const;
};

class Gate {
 public:
  // Throws InputError if a pattern is wrong, or if the baseline of a backend
  // was recorded under another policy. `options.baseline` must outlive it.
  Gate(const GateOptions& options, const RunHeader& header);

  // Adds every verdict of the run, once. Returns what Of() returns.
  Expectedness Add(const Verdict& verdict);
  // Precondition of Add and Of: the header has the verdict's backend.
  Expectedness Of(const Verdict& verdict) const;
  // `flush` is what the same verdicts say of flushing.
  GateResult Finish(const FlushSurvivors& flush = {}) const;
  // Returns whether there is a baseline, or something is required.
  bool is_asked() const {
    return options_.baseline != nullptr || !options_.require.empty() ||
           options_.require_judged;
  }

 private:
  struct Backend {
    std::string name;
    const BackendBaseline* baseline;
    // The run has all cases that the baseline was recorded with.
    bool is_whole = false;
    std::optional<EntryMatcher> matcher = {};
    std::vector<int64_t> matched = {};  // cases, by entry
    JudgedCounts judged = {};
    int64_t elements = 0, open = 0;
  };
  struct Requirement {
    std::string pattern;
    int64_t matched = 0;
  };

  // Also sets `*found` to the entries that match.
  Expectedness Decide(const Backend& backend, const Verdict& verdict,
                      std::vector<size_t>* found) const;
  void CheckRequired(const Verdict& verdict);
  void CheckEntries(const Backend& backend, const FlushSurvivors& flush,
                    GateResult* result) const;
  void CheckJudged(const Backend& backend, GateResult* result) const;
  void CheckRequirements(GateResult* result) const;
  void CheckElements(GateResult* result) const;

  GateOptions options_;
  bool is_shard_;
  // Some cases have variants, so that entries for layouts have cases.
  bool has_variants_ = false;
  std::map<std::string, Backend, std::less<>> backends_;
  std::vector<Requirement> required_;
  GateResult counts_;
  std::vector<std::string> unexpected_passes_, not_judged_;  // the first ones
  std::vector<size_t> found_;
};

// This is the baseline after a run, which becomes the new expectation. Entries
// that still match a case with one of their outcomes keep their words, and get
// the outcomes and errors that were seen; the others are removed; a failure
// that no entry expects gets one that names its case, with `reason`. Backends
// that did not run stay. After a selection of the suite (--op), the entries for
// other cases stay, too.
class BaselineUpdate {
 public:
  // `old` may have no backends. Throws InputError if the run is a shard, has
  // cases of its own (--cases), or is a selection under another policy than the
  // recorded one.
  BaselineUpdate(const Baseline& old, const RunHeader& header,
                 std::string reason);
  void Add(const Verdict& verdict);
  // `flush` is what the same verdicts say of flushing.
  Baseline Finish(const FlushSurvivors& flush = {}) const;

 private:
  struct Seen {
    std::set<Outcome> outcomes;
    std::optional<std::pair<double, double>> error_ulps;
    void Add(const Verdict& verdict);
  };
  struct Backend {
    std::string policy;
    std::vector<BaselineEntry> old;
    std::optional<EntryMatcher> matcher;
    std::vector<Seen> seen;  // by old entry
    // For each old entry, this says whether a case matches, judged or not.
    std::vector<bool> matched;
    // These are the recorded entries of the cases that the run left out, or
    // null if there are none.
    const BackendBaseline* beside = nullptr;
    std::vector<BaselineEntry> added;
    JudgedCounts judged;
  };
  void FinishEntries(const Backend& backend, BackendBaseline* updated) const;

  Baseline old_;
  std::set<std::string> selection_;  // values of --op
  std::string reason_;
  std::map<std::string, Backend, std::less<>> backends_;
  std::vector<size_t> found_;
};

// These process complete results at once.
GateResult RunGate(const GateOptions& options, const Results& results);
Baseline UpdateBaseline(const Baseline& old, const Results& results,
                        const std::string& default_reason);

}  // namespace assay

#endif  // ASSAY_REPORTS_GATE_H_
