// The tests of the fuzzer share these functions.
#ifndef ASSAY_FUZZ_FUZZ_TEST_SUPPORT_H_
#define ASSAY_FUZZ_FUZZ_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/read/case_json.h"
#include "fuzz/draw/draw.h"

namespace assay {

// Returns the generator of a campaign. All tests share it, because its table
// takes most of a second to make.
inline Generator& Everything() {
  static Generator generator{DrawOptions()};
  return generator;
}

// Returns the index of case number `n` of those that are not enumerated.
inline uint64_t BehindTheEnumerated(uint64_t n) {
  return 2 * Everything().enumerated() + n;
}

// Returns the text of the case in a file, with all of it but its name.
inline std::string JsonTextOf(const Case& c) {
  return CaseAsJson(c, "id").dump();
}

inline Case ParsedFrom(const std::string& op, const std::string& json_case) {
  const std::string file =
      R"({"op": ")" + op + R"(", "cases": [)" + json_case + "]}";
  return ParseCases("test.json", ParseJsonExactly("test.json", file), {}).at(0);
}

// Returns the labels of the constraints that are false.
inline std::vector<std::string> ViolatedBy(const Case& c) {
  std::vector<std::string> labels;
  for (const Op& op : c.program.main().body) {
    for (const ConstraintResult& result :
         CheckConstraints(*FindOp(op.op), op)) {
      if (result.truth == Truth::kFalse)
        labels.push_back(result.constraint->label);
    }
  }
  return labels;
}

}  // namespace assay

#endif  // ASSAY_FUZZ_FUZZ_TEST_SUPPORT_H_
