// Tests that columns of tables do not touch, whatever their contents.
#include "reports/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "reports/accuracy_text.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(TextTable, IsAsWideAsWhatStandsInIt) {
  TextTable table({"op", "elements", "worst"});
  table.Add({"add", "10", "142048.2045"});
  table.Add({"exponential_minus_one", "123456789012", "0.5"});
  EXPECT_EQ(table.ToText(),
            "op                         elements        worst\n"
            "add                              10  142048.2045\n"
            "exponential_minus_one  123456789012          0.5\n");
}

// In an earlier version, an error of many units touched a count of elements.
TEST(TextTable, AnErrorOfManyUnitsStandsApart) {
  Accuracy accuracy;
  accuracy.errors.elements = 10;
  accuracy.errors.worst = 142048.2045;
  accuracy.errors.budget = 2;
  EXPECT_THAT(AccuracyText("simd", {{{"sine", "f32"}, accuracy}}),
              HasSubstr(" 10  142048.2045 "));
}

// If the contents of a field of a fixed width are wider, the field has no blank
// of its own, so the format has one.
TEST(TextTable, FieldsOfAFixedWidthHaveABlankBetweenThem) {
  namespace fs = std::filesystem;
  const std::regex joint("\"\\s*\\n\\s*\""),
      touches("[^ \"]\\{:>[0-9][^}]*\\}|\\{:<[0-9][^}]*\\}[\"{]");
  std::vector<std::string> found;
  size_t files = 0;
  for (const char* folder : {"reports", "tools", "oracle"}) {
    for (const auto& entry :
         fs::directory_iterator(fs::path(ASSAY_SOURCE_DIR) / folder)) {
      const std::string name = entry.path().string();
      if (!name.ends_with(".cc") || name.ends_with("_test.cc")) continue;
      ++files;
      std::ifstream file(name);
      std::stringstream stream;
      stream << file.rdbuf();
      const std::string text = std::regex_replace(stream.str(), joint, "");
      for (std::sregex_iterator at(text.begin(), text.end(), touches), end;
           at != end; ++at)
        found.push_back(name + ": " + at->str());
    }
  }
  EXPECT_GT(files, 50u);
  EXPECT_THAT(found, IsEmpty());
}

}  // namespace
}  // namespace assay
