// CI systems show JUnit XML beside the unit tests. There is one test suite per
// backend and op; a failure that the baseline expects is a skipped test. The
// first failure of a cause has the explanation, the others name it.
//
// The counts of a suite come before its tests, and the regressions of an op
// come long after its other cases: so the report is written at the end, and
// until then keeps names, and the messages of cases that did not pass.
#ifndef ASSAY_REPORTS_JUNIT_H_
#define ASSAY_REPORTS_JUNIT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/causes.h"
#include "reports/gate.h"
#include "reports/run_header.h"

namespace assay {

class JunitReport {
 public:
  // With `has_skipped`, cases that were not judged are tests, too; otherwise
  // they are counted in a property of their suite.
  JunitReport(const RunHeader& header, bool has_skipped)
      : header_(header), has_skipped_(has_skipped) {}

  void Add(const Verdict& verdict, const Expectedness& expectedness);
  // Adds failures of the gate that do not concern single cases, as a test suite
  // of its own: "assay.gate".
  void AddGate(const GateResult& gate);
  // Throws InputError if the file cannot be written.
  void Write(const std::string& path) const;

 private:
  enum class Result { kPassed, kFailed, kError, kSkipped };
  struct Test {
    std::string name;
    Result result;
    std::string type, message, text;  // empty if it passed
  };
  struct Suite {
    std::vector<Test> tests;
    int64_t failures = 0, errors = 0, skipped = 0;
    int64_t not_judged = 0;      // those that are no tests
    std::vector<size_t> causes;  // of its failures
  };
  Test Failed(const Verdict& verdict, Suite* suite);

  RunHeader header_;
  bool has_skipped_;
  Causes causes_;
  // The keys are the backend and the op.
  std::map<std::pair<std::string, std::string>, Suite> suites_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_JUNIT_H_
