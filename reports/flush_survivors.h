// FlushSurvivors has the ways of flushing subnormals that explain everything a
// backend returned, by op and type, over a whole run and over its shards.
#ifndef ASSAY_REPORTS_FLUSH_SURVIVORS_H_
#define ASSAY_REPORTS_FLUSH_SURVIVORS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"
#include "oracle/flush/flush_observation.h"

namespace assay {

class FlushSurvivors {
 public:
  void Add(const Verdict& verdict);
  // Returns the number of ops and types of a backend for which no single way of
  // flushing explains all cases, although each case has a way that explains it.
  // Those that are waived do not count.
  int64_t contradictions() const;
  int64_t ContradictionsOf(const std::string& backend) const;
  // Returns the ops and types themselves, those that are waived too.
  std::set<std::string> Contradicted(const std::string& backend) const;
  // A baseline knows that no single way explains this op and type of a backend.
  void Waive(const std::string& backend, const std::string& subject) {
    waived_.emplace(backend, subject);
  }
  // Returns nothing if no observation was made; else a line for each op and
  // type that flushes, and for each contradiction elements that show it.
  std::string ToText() const;

 private:
  struct Evidence {
    FlushSet survivors = kAllFlushChoices;
    // Each of these elements rejects a choice that the elements before did not.
    std::vector<std::pair<std::string, FlushSet>> elements;
    // No way explains these results, which is why their cases fail. This is
    // their number, and an element of the first.
    int64_t unexplained = 0;
    std::string first_unexplained = {};
  };
  std::map<std::pair<std::string, std::string>, Evidence> by_subject_;
  std::set<std::pair<std::string, std::string>> waived_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_FLUSH_SURVIVORS_H_
