// Tests write lines by hand, and these functions give them their sums.
#ifndef ASSAY_CASES_READ_LINE_SUMS_TEST_SUPPORT_H_
#define ASSAY_CASES_READ_LINE_SUMS_TEST_SUPPORT_H_

#include <string>

#include "cases/read/line_reader.h"

namespace assay {

// Returns the lines of `text`, each with its right sum in the place of any sum
// that it has. Text behind the last whole line stays.
inline std::string Summed(const std::string& text) {
  std::string summed;
  LineSum sum;
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    std::string open = text.substr(begin, end - begin);
    if (const size_t field = open.rfind(R"(,"sum":")");
        field != std::string::npos) {
      open.resize(field);
    } else if (open.ends_with('}')) {
      open.pop_back();
    }
    summed += open + sum.End(open);
  }
  return summed + text.substr(begin);
}

}  // namespace assay

#endif  // ASSAY_CASES_READ_LINE_SUMS_TEST_SUPPORT_H_
