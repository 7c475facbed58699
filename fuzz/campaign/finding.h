// A finding: a case on which a backend is wrong, and what makes two of them the
// same.
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

// Whether a verdict is one: judged, and not passed.
inline bool IsFinding(const Verdict& verdict) {
  return IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass;
}

// "add fail add/S2 float transposed": op, outcome, deciding clauses, or the
// constraints that the case violates, class of the first operand's type,
// classes of layouts, and the relation. Findings of one signature are taken for
// one bug, and the first of them is kept.
std::string SignatureOf(const Verdict& verdict, const Case& c);

// What shrinking must not change: outcome, basis and deciding clauses. Sizes,
// layouts and further ops are what it is to remove.
std::string CoreOf(const Verdict& verdict);

// A file of cases that holds `c` alone, under `id`, in canonical form; its note
// says what is wrong, and in which layout or relation, if it has one.
std::string CaseFileOf(const Case& c, const std::string& variant,
                       const Verdict& verdict, const std::string& id);

struct Finding {
  std::string signature;
  uint64_t index = 0;  // of the case
  std::string case_name, variant;
  Outcome outcome = Outcome::kFail;
  std::string message;
  // What its process was asked before: slots of the campaign, the first of some
  // and how many from it on.
  using Range = std::pair<uint64_t, uint64_t>;
  std::vector<Range> before = {};
};

// Both keep the order in which slots were asked for.
std::vector<Finding::Range> RangesOf(const std::vector<int64_t>& indices);
std::vector<int64_t> IndicesOf(const std::vector<Finding::Range>& ranges);

Json ToJson(const Finding& finding);
// Throws InputError that names the place.
Finding FindingFromJson(const JsonView& json);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_FINDING_H_
