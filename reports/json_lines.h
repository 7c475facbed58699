// Results as JSON Lines: a header that says what ran where, a line for each
// verdict, a footer with the counts.
//
// The file appears under its name when it is complete; until then it is
// NAME.partial. A file without a footer is not a result.
#ifndef ASSAY_REPORTS_JSON_LINES_H_
#define ASSAY_REPORTS_JSON_LINES_H_

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/verdict.h"
#include "reports/summary.h"
#include "spec/policy.h"

namespace assay {

struct RunHeader {
  std::vector<std::string> command;
  std::vector<std::string> suite;  // paths
  size_t cases = 0;
  struct BackendInfo {
    std::string spec, name, version, path;
    const Policy* policy;
  };
  std::vector<BackendInfo> backends;
};

nlohmann::ordered_json HeaderJson(const RunHeader& header);
nlohmann::ordered_json VerdictJson(const Verdict& verdict);

class JsonLinesWriter {
 public:
  // Throws InputError if the file cannot be written.
  JsonLinesWriter(const std::string& path, const RunHeader& header);
  // An exception on the way leaves no file behind.
  ~JsonLinesWriter();
  JsonLinesWriter(const JsonLinesWriter&) = delete;
  JsonLinesWriter& operator=(const JsonLinesWriter&) = delete;
  void Write(const Verdict& verdict);
  // Writes the footer and gives the file its name.
  void Finish(const Summary& summary);

 private:
  std::string path_;
  std::ofstream stream_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_JSON_LINES_H_
