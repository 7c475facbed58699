// Verdict: what happened to one case on one backend. Made by the runner and by
// nobody else.
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
// If several outcomes apply, the first of these is the one and the rest are
// listed.
inline constexpr std::array kPrecedence = {
    Outcome::kCrash,         Outcome::kTimeout,
    Outcome::kMemory,        Outcome::kGuardViolation,
    Outcome::kInputModified, Outcome::kEnvironmentChanged,
    Outcome::kError,         Outcome::kRejectedValid,
    Outcome::kNotWritten,    Outcome::kNondeterministic,
    Outcome::kFail,          Outcome::kAcceptedInvalid,
    Outcome::kOracleSuspect, Outcome::kUnsupported,
    Outcome::kSkipped,       Outcome::kPass};
static_assert(kPrecedence.size() == kOutcomeNames.size());
inline ptrdiff_t Rank(Outcome outcome) {
  return std::ranges::find(kPrecedence, outcome) - kPrecedence.begin();
}

// Of a case that is skipped because its backend was given up before.
inline constexpr const char* kGivenUpMessage = "the backend was given up";
// Neither right nor wrong: what a backend declined, and what could not be
// asked.
inline bool IsJudged(Outcome outcome) {
  return outcome != Outcome::kUnsupported && outcome != Outcome::kSkipped;
}

// How far results with an accuracy budget were from the real values.
struct Accuracy {
  std::string type;  // element type of the op's first operand
  ErrorMeasure errors;
  // Operands, result and real value of the worst element, as a person reads
  // them.
  std::string worst;
  int64_t worst_index = -1;  // its row-major position; -1 if none is measured
  // Elements by what decided them: exact, libm double, libm long double, balls.
  std::array<int64_t, 4> tiers = {};

  // Adds what another part of the same results says.
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
  // Of a fail: the row-major position of the first failed element of the op's
  // result; -1 if no element is it.
  int64_t first_failed = -1;
  int64_t elements = 0;  // of results that were judged
  // Of those, accepted unseen, whole or in part: a clause is open, and the
  // policy accepts any value for the element or for one part of it.
  int64_t open = 0;
  // Literal expectations that could not be compared with the oracle: they
  // follow an op of the program whose result is open, or hold under another
  // policy.
  int64_t unchecked_literals = 0;
  std::vector<std::string>
      violated;  // on `spec`: the constraints that are false
  std::vector<std::string>
      covered;  // labels of the clauses that the oracle executed
  std::vector<std::string>
      layouts;  // classes of the operands' layouts: "row_major", "transposed"
  // For a layout variant: the layout, "gaps"; and the elements that are others
  // than in row-major order where the policy only counts them.
  std::string variant;
  int64_t layout_dependent = 0;
  // For a layout variant, on the op under test: the different tuples of operand
  // values, counted up to kMostTuples. 0: not counted.
  static constexpr int64_t kMostTuples = 1000;
  int64_t distinct_tuples = 0;
  // Outputs in the memory of an input: whether they were written, and whether
  // that input was changed, is not judged.
  int64_t aliased = 0;
  // Of a fail: how far the worst element lies from what is allowed, in units in
  // the last place (integers: the difference).
  std::optional<double> error_ulps;
  // Under policy subnormals = flush_uniformly: what elements of results say of
  // the way in which the backend flushes; FlushObservation as text.
  std::vector<std::string> flush;
  std::optional<Accuracy> accuracy;
  // Of a sweep: the chunks that were judged, and those with a run B.
  struct Chunks {
    int64_t count = 0, run_twice = 0;
    friend bool operator==(const Chunks&, const Chunks&) = default;
  };
  std::optional<Chunks> chunks;
  // Of a failure that was judged again alone, first in a new process: what came
  // of that. If it passes, it depends on earlier calls, and fails again after
  // these cases, if any were found.
  std::optional<Outcome> alone;
  std::vector<std::string> after;
  // With --repeat, when the repetitions differ: how often each outcome came.
  std::map<Outcome, int64_t> repeats;
};

}  // namespace assay

#endif  // ASSAY_CASES_RUN_VERDICT_H_
