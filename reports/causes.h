// A cause groups failures by what they have in common. A backend that is wrong
// in one way is wrong in hundreds of cases, and a person fixes ways.
#ifndef ASSAY_REPORTS_CAUSES_H_
#define ASSAY_REPORTS_CAUSES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/run_header.h"

namespace assay {

// Returns the class of element types of a verdict: "float", or "float to
// integer" if the result is of another class.
std::string TypeClassText(const Verdict& verdict);

// Returns the command that says what the oracle allows for the case of a
// verdict of this run, and by which clauses.
std::string ExplainCommand(const RunHeader& header, const Verdict& verdict);

struct Cause {
  Verdict example;  // the first in the order of the suite
  int64_t cases = 0;

  // Returns "fail power/S3 budget, float": everything that the failures have in
  // common, except backend and op.
  std::string Text() const;
};

class Causes {
 public:
  // Adds failures, of which one is given. Returns the number of their cause,
  // from 0 on. Failures are of one cause if backend, op, outcome, basis,
  // clauses and the classes of their element types agree.
  size_t Add(const Verdict& verdict, int64_t cases = 1);

  int64_t failures() const { return failures_; }
  size_t size() const { return causes_.size(); }
  const Cause& operator[](size_t number) const { return causes_[number]; }
  // Returns numbers of causes, those with the most cases first.
  std::vector<size_t> Largest() const;

  // Returns the text for a terminal: the explained example of the largest
  // cause, or of each if there are few, then a line for each of the others, at
  // most `most`; the rest is counted. With `every_text`, it has the examples of
  // all causes. It is empty without a failure.
  std::string ToText(const RunHeader& header, bool every_text,
                     size_t most = 20) const;

 private:
  std::string TableText(const RunHeader& header,
                        const std::vector<size_t>& numbers) const;

  int64_t failures_ = 0;
  std::vector<Cause> causes_;
  std::map<std::vector<std::string>, size_t> number_of_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_CAUSES_H_
