// The tests of the text share these functions.
#ifndef ASSAY_SPEC_TEXT_TEXT_TEST_SUPPORT_H_
#define ASSAY_SPEC_TEXT_TEXT_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spec/text/parse.h"
#include "spec/text/print.h"

namespace assay::text {

// "LINE:COLUMN: why" of text that is refused, else "".
inline std::string ErrorOf(std::string_view text, const Limits& limits = {}) {
  try {
    ParseChunk({text, 1}, limits);
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return "";
}

inline std::string ErrorOfStatements(std::string_view text) {
  try {
    ParseStatements({text, 1});
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return "";
}

inline std::string Printed(std::string_view text) {
  return PrintGeneric(ParseChunk({text, 1}));
}

// The statements of the text, each in its generic form; those without a
// function around them, with free names.
inline std::string PrintedStatements(std::string_view text) {
  const std::string module = PrintGeneric(ParseStatements({text, 1}));
  constexpr std::string_view kBegin = "\"builtin.module\"() ({\n",
                             kEnd = "}) : () -> ()\n";
  std::string lines;
  size_t at = kBegin.size();
  while (at < module.size() - kEnd.size()) {
    const size_t end = module.find('\n', at) + 1;
    lines += module.substr(at + 2, end - at - 2);
    at = end;
  }
  return lines;
}

// The attribute in MLIR's spelling, or the error.
inline std::string Spelled(const std::string& attribute) {
  const std::string text = "\"a\"() {a = " + attribute + "} : () -> ()";
  try {
    const Chunk chunk = ParseStatements({text, 1});
    return AttributeText(
        *chunk.module.regions[0].statements[0].attributes[0].value);
  } catch (const SyntaxError& error) {
    return error.what();
  }
}

inline void ExpectSpelledAlike(const std::string& attribute) {
  EXPECT_EQ(Spelled(attribute), attribute);
}

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_TEXT_TEST_SUPPORT_H_
