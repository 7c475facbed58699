// One line of a results file, once simdjson has parsed it.
#ifndef ASSAY_REPORTS_RESULT_LINE_H_
#define ASSAY_REPORTS_RESULT_LINE_H_

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <string>

#include "cases/run/verdict.h"

namespace assay {

// A line has the wrong content; who knows its place makes it an InputError.
struct LineError {
  std::string reason;
};

// Fills `*verdict`, whose storage is used again. Fields that the format does
// not have are a newer writer's, and left out. Throws LineError.
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
