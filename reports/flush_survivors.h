// The ways of flushing subnormals that explain everything a backend returned,
// by op and type, over a whole run and over its shards.
#ifndef ASSAY_REPORTS_FLUSH_SURVIVORS_H_
#define ASSAY_REPORTS_FLUSH_SURVIVORS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"
#include "oracle/flush/flush_observation.h"

namespace assay {

class FlushSurvivors {
 public:
  void Add(const Verdict& verdict);
  // Ops and types of a backend of which no one way of flushing explains what
  // some way explains of each case.
  int64_t contradictions() const;
  int64_t ContradictionsOf(const std::string& backend) const;
  // Nothing, if no observation was made; else a line for each op and type that
  // flushes, and for each contradiction elements that show it.
  std::string ToText() const;

 private:
  struct Evidence {
    FlushSet survivors = kAllFlushChoices;
    // Elements that each reject a choice that those before did not.
    std::vector<std::pair<std::string, FlushSet>> elements;
    // Results that no way explains, which is why their cases fail: how many,
    // and an element of the first.
    int64_t unexplained = 0;
    std::string first_unexplained = {};
  };
  std::map<std::pair<std::string, std::string>, Evidence> by_subject_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_FLUSH_SURVIVORS_H_
