#include "spec/json_string.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace assay {
namespace {

TEST(JsonString, IsPlainTextInQuotes) {
  EXPECT_EQ(JsonString(""), R"("")");
  EXPECT_EQ(JsonString("tensor<2xi8>, ~"), R"("tensor<2xi8>, ~")");
}

TEST(JsonString, EscapesWhatIsNot) {
  EXPECT_EQ(JsonString("\"\\/"), R"("\"\\/")");
  EXPECT_EQ(JsonString("a\n\t\x01"), R"("a\n\t\u0001")");
  EXPECT_EQ(JsonString(std::string(1, '\0') + "\x7f"), R"("\u0000\u007f")");
  EXPECT_EQ(JsonString("\u00e9\U0001f600"), R"("\u00e9\ud83d\ude00")");
  EXPECT_EQ(JsonString("\xff-\xc3"), R"("\ufffd-\ufffd")");
}

TEST(JsonString, ReadsBackWhateverCharacterItHas) {
  for (int c = 0; c < 0x80; ++c) {
    const std::string text = {'a', static_cast<char>(c), 'b'};
    EXPECT_EQ(nlohmann::json::parse(JsonString(text)), text) << c;
  }
}

}  // namespace
}  // namespace assay
