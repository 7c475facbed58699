// The list of causes: what fails, put together by what the failures have in
// common, each with the smallest case that shows it and the command that shows
// it again.
#ifndef ASSAY_REPORTS_PAGE_CAUSE_LIST_H_
#define ASSAY_REPORTS_PAGE_CAUSE_LIST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/read/json.h"
#include "cases/run/verdict.h"
#include "reports/causes.h"
#include "reports/run_header.h"

namespace assay {

// Returns for each verdict a file of cases that has its case alone, or an empty
// text if that is not at hand.
using CasesAsJson =
    std::function<std::vector<std::string>(const std::vector<const Verdict*>&)>;

// Returns in a sentence what kind of failure it is, for who decides whose it
// is.
std::string TriageText(const Verdict& verdict);

class CauseList {
 public:
  // Adds a failure that no baseline expects.
  void Add(const Verdict& verdict);

  size_t size() const { return causes_.size(); }
  // Returns the section of the page, whose list has at most `most_bytes`.
  // Without `cases_as_json`, causes are shown in brief.
  std::string ToHtml(const RunHeader& header, const CasesAsJson& cases_as_json,
                     size_t most_bytes = 550'000) const;

  // Returns a line of a digest for each of the causes with the most cases, as
  // many as fit into `most_bytes`, and a line with the number of the others.
  std::string ToDigest(size_t most_bytes) const;
  // These add what such lines say. They throw InputError.
  void AddCause(const JsonView& line);
  void AddLeftOut(const JsonView& line);

 private:
  // What is shown of a cause besides its number of cases.
  struct Details {
    Verdict smallest;  // the failure with the fewest elements
    std::set<std::string> types, layouts;
    std::vector<std::string> cases;  // names of the first ones
    std::optional<double> worst;     // error in units in the last place
    int64_t dependent = 0;           // pass alone
  };

  // `rank` is its place in the list, from 1; without `json`, it is in brief.
  std::string CauseHtml(size_t number, size_t rank, const RunHeader& header,
                        const std::string* json) const;
  std::string FactsHtml(size_t number, bool in_full) const;
  std::string NamesHtml(size_t number) const;
  std::string CauseLine(size_t number) const;
  // Returns numbers of causes: of each backend that with the most cases, then
  // the next of each, so that none takes the room of the others.
  std::vector<size_t> LargestOfEach() const;

  Causes causes_;
  int64_t more_causes_ = 0, more_cases_ = 0;  // that digests leave out
  std::vector<Details> details_;              // by number of the cause
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_CAUSE_LIST_H_
