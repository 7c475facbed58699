// The page is one HTML file of a run that needs no other file and no network:
// what conforms, what does not and why, how accurate it is, and which sentences
// of the specification were tested.
//
// It has failures and counts; the results file has every verdict. Each section
// has a size that it does not exceed, and says what it leaves out.
#ifndef ASSAY_REPORTS_PAGE_PAGE_H_
#define ASSAY_REPORTS_PAGE_PAGE_H_

#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/coverage.h"
#include "reports/exit_code.h"
#include "reports/gate.h"
#include "reports/page/accuracy_section.h"
#include "reports/page/cause_list.h"
#include "reports/page/clause_list.h"
#include "reports/page/digest.h"
#include "reports/page/known_failures.h"
#include "reports/page/matrix.h"
#include "reports/page/overview.h"
#include "reports/run_header.h"

namespace assay {

// A section that not every page has.
struct PageSection {
  std::string id, title;  // of the bar
  std::string html;
};

// What the page shows besides the verdicts.
struct PageFacts {
  RunHeader header = {};
  RunCounts counts = {};
  const AccuracyTable* accuracies = nullptr;
  std::vector<PageVerdict> verdicts = {};
  ExitCode exit_code = kExitOk;
  std::string headline = {};  // the reason for it
  std::string gate = {};      // what it says of the baseline; may be empty
  double seconds = 0;         // 0: not known
  CasesAsJson cases_as_json = nullptr;
  const Coverage* coverage = nullptr;
  std::vector<PageSection> more = {};
  // The page is smaller than this.
  size_t most_bytes = 2'000'000;
  size_t most_cause_bytes = 550'000;
};

class Page {
 public:
  // Adds every verdict of the run once. The entry of `expectedness` must
  // outlive the object.
  void Add(const Verdict& verdict, const Expectedness& expectedness);
  std::string ToHtml(const PageFacts& facts) const;

  // Returns a digest: what the page shows, in JSON Lines of at most
  // kMostDigestBytes. It leaves out accuracies and the causes with the fewest
  // cases.
  std::string ToDigest(const PageFacts& facts) const;
  // Adds a digest. Throws InputError if it is none, is truncated, or has a
  // backend that was added before. `*facts` gets the header, the verdicts and
  // the counts of all digests.
  void AddDigest(const std::string& file, PageFacts* facts);

 private:
  Matrix matrix_;
  CauseList causes_;
  KnownFailures known_;
  ClauseList clauses_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_PAGE_H_
