// A verdict says what happened to one case on one backend. Only the runner
// makes verdicts.
#ifndef ASSAY_CASES_RUN_VERDICT_H_
#define ASSAY_CASES_RUN_VERDICT_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/error_measure.h"

namespace assay {

enum class Outcome {
  kPass,
  kFail,
  kRejectedValid,
  kAcceptedInvalid,
  kUnsupported,
  kError,
  kCrash,
  kTimeout,
  kMemory,
  kGuardViolation,
  kInputModified,
  kNotWritten,
  kNondeterministic,
  kEnvironmentChanged,
  kOutOfFuel,
  kSkipped,
  kOracleSuspect,
};
inline constexpr std::array kOutcomeNames = {"pass",
                                             "fail",
                                             "rejected_valid",
                                             "accepted_invalid",
                                             "unsupported",
                                             "error",
                                             "crash",
                                             "timeout",
                                             "memory",
                                             "guard_violation",
                                             "input_modified",
                                             "not_written",
                                             "nondeterministic",
                                             "environment_changed",
                                             "out_of_fuel",
                                             "skipped",
                                             "oracle_suspect"};
inline const char* Name(Outcome outcome) {
  return kOutcomeNames[static_cast<size_t>(outcome)];
}
// nullopt if no outcome has that name.
inline std::optional<Outcome> FindOutcome(std::string_view name) {
  for (size_t i = 0; i < kOutcomeNames.size(); ++i) {
    if (name == kOutcomeNames[i]) return static_cast<Outcome>(i);
  }
  return std::nullopt;
}
// If several outcomes apply, the first of them in this list is the outcome, and
// the rest are listed in `also`.
inline constexpr std::array kPrecedence = {
    Outcome::kCrash,         Outcome::kTimeout,
    Outcome::kMemory,        Outcome::kGuardViolation,
    Outcome::kInputModified, Outcome::kEnvironmentChanged,
    Outcome::kError,         Outcome::kRejectedValid,
    Outcome::kNotWritten,    Outcome::kNondeterministic,
    Outcome::kFail,          Outcome::kAcceptedInvalid,
    Outcome::kOracleSuspect, Outcome::kUnsupported,
    Outcome::kOutOfFuel,     Outcome::kSkipped,
    Outcome::kPass};
static_assert(kPrecedence.size() == kOutcomeNames.size());
inline ptrdiff_t Rank(Outcome outcome) {
  return std::ranges::find(kPrecedence, outcome) - kPrecedence.begin();
}

// A case that is skipped because its backend was given up has this message.
inline constexpr const char* kGivenUpMessage = "the backend was given up";
// A case that a backend declined, or could not be asked, is neither right nor
// wrong, and so is one whose program is not followed to its end.
inline bool IsJudged(Outcome outcome) {
  return outcome != Outcome::kUnsupported && outcome != Outcome::kOutOfFuel &&
         outcome != Outcome::kSkipped;
}

// An Accuracy says how far results with an accuracy budget were from the real
// values.
struct Accuracy {
  std::string type;  // element type of the op's first operand
  ErrorMeasure errors;
  // The operands, the result and the real value of the worst element, as text
  // for people.
  std::string worst;
  int64_t worst_index = -1;  // its row-major position; -1 if none is measured
  // The numbers of elements by what decided them: exact, libm double, libm long
  // double, balls.
  std::array<int64_t, 4> tiers = {};

  // Adds the errors of another part of the same results.
  void Merge(const Accuracy& other);
};

struct Verdict {
  int64_t index = -1;  // of the case in the selected suite, before sharding
  std::string case_name;
  std::string op;
  std::string type;         // of the first input
  std::string result_type;  // element type of the result, if it is another one
  std::string backend;
  Outcome outcome = Outcome::kPass;
  std::vector<Outcome>
      also;           // further outcomes that apply, in order of precedence
  std::string basis;  // text, policy:<key>, contract; empty for pass,
                      // unsupported and skipped
  std::vector<std::string>
      clauses;          // "add/S2": what decided the first failed element
  std::string message;  // why; several lines for a failure
  std::string replay;   // the command that shows it again
  // If the case fails, this is the row-major position of the first failed
  // element of the op's result with this number; -1 if the failure is not in an
  // element.
  int64_t first_failed = -1;
  size_t failed_output = 0;
  int64_t elements = 0;  // of results that were judged
  // So many of the judged elements were accepted unseen, whole or in part: a
  // clause is open, and the policy accepts any value for the element or for one
  // part of it.
  int64_t open = 0;
  // So many literal expectations could not be compared with the oracle: they
  // follow an op of the program whose result is open, or hold under another
  // policy.
  int64_t unchecked_literals = 0;
  std::vector<std::string>
      violated;  // on `spec`: the constraints that are false
  std::vector<std::string> covered;  // labels of the clauses that the oracle
                                     // executed, "add/S2" of an op in a region
  std::vector<std::string>
      layouts;  // classes of the operands' layouts: "row_major", "transposed"
  // For a layout variant, this is its name, such as "gaps", and the number of
  // elements that differ from those in row-major order where the policy only
  // counts them.
  std::string variant;
  int64_t layout_dependent = 0;
  // For a layout variant, this counts the different tuples of operand values of
  // the op under test, up to kMostTuples. 0: not counted.
  static constexpr int64_t kMostTuples = 1000;
  int64_t distinct_tuples = 0;
  // So many elements had other bits in run B than in run A, and are right in
  // both: the policy only counts them.
  int64_t not_repeated = 0;
  // So many elements of sums of floats are right only because the policy lets a
  // backend add in any order: no tree that has the terms in order gives them.
  // Only sums that are decided by the set of all such trees are counted.
  int64_t reordered = 0;
  // So many outputs are in the memory of an input. Whether they were written,
  // and whether that input was changed, is not judged.
  int64_t aliased = 0;
  // If the case fails, this says how far the worst element lies from the
  // allowed values, in units in the last place (integers: the difference).
  std::optional<double> error_ulps;
  // Under policy subnormals = flush_uniformly, this is what elements of results
  // show about the way in which the backend flushes: FlushObservation as text.
  std::vector<std::string> flush;
  std::optional<Accuracy> accuracy;
  // A sweep has the number of chunks that were judged, and of those with a run
  // B.
  struct Chunks {
    int64_t count = 0, run_twice = 0;
    friend bool operator==(const Chunks&, const Chunks&) = default;
  };
  std::optional<Chunks> chunks;
  // If a failure was judged again alone, first in a new process, this is the
  // outcome. If it is a pass, the failure depends on earlier calls, and the
  // case fails again after the cases of `after`, if any were found.
  std::optional<Outcome> alone;
  std::vector<std::string> after;
  // If the case was to be judged in more ways than one (ways.h), these are
  // their names and outcomes, and `outcome` is the worst of them.
  std::vector<std::pair<std::string, Outcome>> ways = {};
  // 1 if the case has layouts, or results in place, that its backend was not
  // shown: programs take and give rows without gaps.
  int64_t packed = 0;
  // The case passes alone, and fails when it is compiled together with these.
  std::vector<std::string> together = {};
  // With --repeat, when the repetitions differ, this says how often each
  // outcome came.
  std::map<Outcome, int64_t> repeats;
};

}  // namespace assay

#endif  // ASSAY_CASES_RUN_VERDICT_H_
