// Evidence files, beside the results, say how much a passing suite means.
//
// There are two kinds. Clause power: each clause of the oracle was broken, and
// either a verdict changed or none did. Kill matrix: which planted bugs the
// cases found. Both are JSON Lines; README.md describes them.
#ifndef ASSAY_REPORTS_EVIDENCE_H_
#define ASSAY_REPORTS_EVIDENCE_H_

#include <map>
#include <set>
#include <string>

namespace assay {

struct Evidence {
  struct Power {
    int64_t marked_by = 0;  // cases that execute the clause
    std::string breaks;     // the case that noticed; empty: none did
    std::string outcome;    // of that case then
  };
  bool has_power = false;                               // a file was there
  std::map<std::string, Power> power;                   // by clause, "add/S2"
  std::map<std::string, std::set<std::string>> killed;  // bugs, by clause
  int64_t bugs = 0;  // bugs of the kill matrix
};

// Returns whether the file is evidence, by its first line. Throws InputError if
// it cannot be read.
bool IsEvidence(const std::string& path);
// Adds the contents of a file. Throws InputError with file and line.
void ReadEvidence(const std::string& path, Evidence* evidence);

}  // namespace assay

#endif  // ASSAY_REPORTS_EVIDENCE_H_
