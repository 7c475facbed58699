// The matrix has a row for an op and a column for a backend. A cell says in a
// symbol, a ratio and a color how the backend does on the op, and leads to the
// causes of its failures.
#ifndef ASSAY_REPORTS_PAGE_MATRIX_H_
#define ASSAY_REPORTS_PAGE_MATRIX_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/read/json.h"
#include "cases/run/verdict.h"
#include "reports/gate.h"
#include "reports/page/op_group.h"
#include "reports/run_header.h"

namespace assay {

// These are counts of cases.
struct CellTally {
  int64_t passed = 0, failed = 0, known = 0, not_judged = 0;
  // So many elements were accepted unseen, as the policy accepts any.
  int64_t open = 0;

  enum class State { kPasses, kFails, kKnown, kNotJudged };
  State state() const;
  int64_t judged() const { return passed + failed + known; }
  int64_t cases() const { return judged() + not_judged; }
  void Add(const Verdict& verdict, const Expectedness& expectedness);
  void Add(const CellTally& other);
};

// Returns "pass", "fail", "known" or "none": the name of a class of the style
// sheet.
const char* ClassOf(CellTally::State state);
// Returns the symbol of a state, which is there for those who do not see the
// color.
const char* SymbolOf(CellTally::State state);

class Matrix {
 public:
  void Add(const Verdict& verdict, const Expectedness& expectedness);
  // Returns the counts of one backend on all ops.
  CellTally TotalOf(const std::string& backend) const;
  // Returns a line of a digest for each backend.
  std::string ToDigest() const;
  // Adds what such a line says. Throws InputError.
  void AddOps(const JsonView& line);
  // Returns the section of the page.
  std::string ToHtml(const RunHeader& header) const;

 private:
  using Row = std::map<std::string, CellTally>;  // by backend

  std::string RowHtml(const std::string& op, const Row& row,
                      const std::vector<std::string>& backends) const;

  std::map<std::string, Row> rows_;  // by op
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_MATRIX_H_
