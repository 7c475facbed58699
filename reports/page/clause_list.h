// The specification as the op files quote it: each sentence with what the run
// says of it, and with the cases and backends behind that.
#ifndef ASSAY_REPORTS_PAGE_CLAUSE_LIST_H_
#define ASSAY_REPORTS_PAGE_CLAUSE_LIST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "cases/read/json.h"
#include "cases/run/verdict.h"
#include "reports/coverage.h"
#include "reports/summary.h"
#include "spec/op_spec.h"

namespace assay {

class ClauseList {
 public:
  ClauseList();
  void Add(const Verdict& verdict);
  // Returns a line of a digest for each backend.
  std::string ToDigest() const;
  // Adds what such a line says, except of sentences that this version lacks.
  // Throws InputError.
  void AddClauses(const JsonView& line);
  // Returns the section of the page, whose list has at most `most_bytes`. With
  // `coverage`, each sentence also has what measures it.
  std::string ToHtml(const Coverage* coverage, size_t most_bytes) const;

 private:
  enum class State { kFailed, kTested, kOpen, kNotYet };
  // These are the cases of one backend that a clause decided.
  struct Cases {
    int64_t passed = 0, failed = 0;
    std::string example;  // the first that failed, or else that passed
  };
  using Behind = std::map<std::string, Cases>;  // by backend
  // What is shown of one sentence.
  struct Sentence {
    std::string id, label, text, note;
    State state;
    std::string measured;  // empty without coverage
  };

  void AddCase(const std::string& id, const Verdict& verdict, bool failed);
  State StateOf(const std::string& id, bool is_open) const;
  Sentence Of(const OpSpec& op, const ClauseSpec& clause,
              const Coverage* coverage) const;
  Sentence Of(const OpSpec& op, const ConstraintSpec& constraint,
              const Coverage* coverage) const;
  // With many backends, the cases behind each sentence do not fit.
  enum class Detail { kExamples, kCounts, kFailures };
  std::string BehindHtml(const Sentence& sentence, Detail detail) const;
  std::string SentenceHtml(const Sentence& sentence, Detail detail) const;
  std::string OpHtml(const OpSpec& op, const Coverage* coverage, Detail detail,
                     std::array<int64_t, 4>* states) const;

  // The keys are the ids of all clauses and constraints, "add/S2", so that
  // labels that no op has take no memory.
  std::unordered_map<std::string, Behind> behind_;
  // The names of cases by which clauses are judged, with the ids of those.
  std::multimap<std::string, std::string> named_;
  ConstraintCoverage constraints_;
  bool has_constraints_ = false;  // results of the backend `spec`
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_CLAUSE_LIST_H_
