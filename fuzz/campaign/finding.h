// A finding is a case on which a backend is wrong. Signatures say which
// findings are the same bug.
#ifndef ASSAY_FUZZ_CAMPAIGN_FINDING_H_
#define ASSAY_FUZZ_CAMPAIGN_FINDING_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cases/case.h"
#include "cases/read/json.h"
#include "cases/run/verdict.h"

namespace assay {

// Returns whether a verdict is a finding: judged, and not passed.
inline bool IsFinding(const Verdict& verdict) {
  return IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass;
}

// Returns "add fail add/S2 float transposed": op, outcome, deciding clauses, or
// the constraints that the case violates, class of the first operand's type,
// classes of layouts, and the relation. Findings of one signature are taken for
// one bug, and the first of them is kept.
std::string SignatureOf(const Verdict& verdict, const Case& c);

// Returns what shrinking must not change: outcome, basis and deciding clauses.
// It may remove sizes, layouts and further ops.
std::string CoreOf(const Verdict& verdict);
// Returns what shrinking of a program must not change: outcome and basis,
// because the clauses of a program change with its ops.
std::string CoreWithoutClauses(const Verdict& verdict);

// Returns a file of cases that holds `c` alone, under `id`, in canonical form;
// its note says what is wrong, and in which layout or relation, if it has one.
std::string CaseFileOf(const Case& c, const std::string& variant,
                       const Verdict& verdict, const std::string& id);

struct Finding {
  std::string signature;
  uint64_t index = 0;  // of the case
  std::string case_name, variant;
  Outcome outcome = Outcome::kFail;
  std::string message;
  // Its process judged these slots of the campaign before. A range has the
  // first slot and the number of slots.
  using Range = std::pair<uint64_t, uint64_t>;
  std::vector<Range> before = {};
};

// Both functions keep the order in which the slots were judged.
std::vector<Finding::Range> RangesOf(const std::vector<int64_t>& indices);
std::vector<int64_t> IndicesOf(const std::vector<Finding::Range>& ranges);

Json ToJson(const Finding& finding);
// Throws InputError that names the place.
Finding FindingFromJson(const JsonView& json);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_FINDING_H_
