// These functions read one line of a results file, once simdjson has parsed it.
#ifndef ASSAY_REPORTS_RESULT_LINE_H_
#define ASSAY_REPORTS_RESULT_LINE_H_

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <string>

#include "cases/run/verdict.h"

namespace assay {

// A line has the wrong contents; the caller, which knows its place, makes this
// an InputError.
struct LineError {
  std::string reason;
};

// Fills `*verdict`, whose storage is used again. Fields that the format does
// not have come from a newer writer, and are skipped. Throws LineError.
void ParseResult(simdjson::dom::object line, Verdict* verdict);

struct Footer {
  std::map<Outcome, int64_t> counts;
  double seconds = 0;
  std::vector<std::string> failed;  // backends; empty if the field is not there
};
// Throws LineError.
Footer ParseFooter(simdjson::dom::object line);

}  // namespace assay

#endif  // ASSAY_REPORTS_RESULT_LINE_H_
