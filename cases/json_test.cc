// JSON that keeps numbers as they are written, where a parser would round them.
#include "cases/json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/error.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ParseJsonExactly, KeepsTheTextOfNumbersThatNoIntegerHolds) {
  for (const char* text :
       {"0.1", "-0", "-0.0", "1e5", "1E+5", "1.00000005960464477539062500001",
        "18446744073709551616", "-9223372036854775809", "1e400", "-1e-400",
        "123456789012345678901234567890"}) {
    const Json json = ParseJsonExactly("t.json", fmt::format("[{}]", text));
    EXPECT_EQ(TextOf(json[0]), text);
    EXPECT_FALSE(json[0].is_number()) << text;
  }
  for (const char* text :
       {"0", "-1", "18446744073709551615", "-9223372036854775808"}) {
    const Json json = ParseJsonExactly("t.json", fmt::format("[{}]", text));
    EXPECT_TRUE(json[0].is_number_integer()) << text;
    EXPECT_EQ(TextOf(json[0]), text);
  }
  const Json json = ParseJsonExactly(
      "t.json", R"({"1.5": "2.5, \"3.5\" \\", "a": [1.5,2 ,{"b": -0}]})");
  EXPECT_EQ(json["1.5"].get<std::string>(), R"(2.5, "3.5" \)");
  EXPECT_EQ(TextOf(json["a"][0]), "1.5");
  EXPECT_EQ(json["a"][1].get<int>(), 2);
  EXPECT_EQ(TextOf(json["a"][2]["b"]), "-0");
  EXPECT_EQ(TextOf(Json(true)), "true");
}

// What is no JSON stays none, whatever is done to its numbers.
TEST(ParseJsonExactly, ComplainsOfTheTextAsItIs) {
  for (const char* text :
       {"[1.5", "[01.5]", "[1.]", "[.5]", "[1.5.5]", "[1e]", "[+1.5]", "[-]",
        "{1.5: 1}", "{1.5 : 1}", "[1.5 1.5]", "\"1.5", "[\"\\", "[1.5]]",
        "[0x1.8p0]", "[1.5e+]", "[--0]", "[-.5]", "[nan]"}) {
    try {
      ParseJsonExactly("t.json", text);
      ADD_FAILURE() << text << " was read";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("t.json: ")) << text;
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("u0001"))) << text;
    }
  }
}

}  // namespace
}  // namespace assay
