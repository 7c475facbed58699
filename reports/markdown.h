// The Markdown report is the page that a CI job shows, such as
// $GITHUB_STEP_SUMMARY. Results that need a person come first.
#ifndef ASSAY_REPORTS_MARKDOWN_H_
#define ASSAY_REPORTS_MARKDOWN_H_

#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/causes.h"
#include "reports/flush_survivors.h"
#include "reports/gate.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

// Returns `text` on one line, escaped for running text or a table cell.
std::string MarkdownText(const std::string& text);
// Returns a text as a block of code, whatever fences it contains itself.
std::string MarkdownCode(const std::string& foreign);

class MarkdownReport {
 public:
  void Add(const Verdict& verdict, const Expectedness& expectedness);
  std::string Text(const RunHeader& header, const GateResult& gate) const;

 private:
  std::string CausesText(const RunHeader& header) const;

  Summary summary_;
  FlushSurvivors flush_;
  Causes causes_;                    // of failures that are not expected
  std::vector<std::string> passes_;  // unexpected, the first ones, rendered
  int64_t passes_count_ = 0;
};

// Writes a report's text. Throws InputError.
void WriteText(const std::string& path, const std::string& text);

}  // namespace assay

#endif  // ASSAY_REPORTS_MARKDOWN_H_
