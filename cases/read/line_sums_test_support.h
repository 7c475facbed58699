// Sums of lines that a test has made by hand.
#ifndef ASSAY_CASES_READ_LINE_SUMS_TEST_SUPPORT_H_
#define ASSAY_CASES_READ_LINE_SUMS_TEST_SUPPORT_H_

#include <string>

#include "cases/read/line_reader.h"

namespace assay {

// The lines of `text`, each with its sum in the place of the one that it has,
// if it has one. What follows the last whole line stays.
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
