// Tests that numbers that a parser would round are kept as they are written.
#include "cases/read/json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/error.h"

namespace assay {
namespace {

using ::testing::AllOf;
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

// The reader counts the memory of the values that it makes, wherever they
// stand, and says where they take too much.
TEST(ParseJson, ValuesTakeNoMoreThanTheyMay) {
  const auto refuses = [](const std::string& text, const std::string& why) {
    EXPECT_THAT([&] { ParseJson("t.json", text, 10000); },
                testing::ThrowsMessage<InputError>(
                    AllOf(StartsWith("t.json#" + why),
                          HasSubstr("take more than the 10000 bytes"))));
  };
  std::string zeros = "0";
  for (int i = 0; i < 1000; ++i) zeros += ",0";
  refuses("[" + zeros + "]", "/6");
  refuses(R"({"a": [1, {"b/c": [)" + zeros + "]}]}", "/a/1/b~1c/");
  refuses("[\"" + std::string(20000, 'x') + "\"]", ": ");
  std::string keys = "\"k\": 0";
  for (int i = 0; i < 1000; ++i) keys += fmt::format(", \"k{}\": 0", i);
  refuses("{" + keys + "}", "/k");
  // ParseJson counts what JsonBytes counts afterwards.
  const Json json = ParseJson("t.json", "{" + keys + "}");
  EXPECT_NO_THROW(ParseJson("t.json", "{" + keys + "}", JsonBytes(json)));
  EXPECT_THROW(ParseJson("t.json", "{" + keys + "}", JsonBytes(json) - 1),
               InputError);
}

// This would take hours if every key were compared with every other, or every
// element walked over at the end of the next. Nothing measures time here: a
// test that hangs fails.
TEST(ParseJson, TakesTimeInProportion) {
  std::string keys = "\"k\": 0", elements = "{}";
  for (int i = 0; i < 400000; ++i) {
    keys += fmt::format(", \"k{}\": 0", i);
    elements += ", {}";
  }
  const Json object = ParseJson("t.json", "{" + keys + "}");
  EXPECT_EQ(object.size(), 400001u);
  const JsonView view(object, "t.json");
  int64_t sum = 0;
  for (int i = 0; i < 400000; ++i)
    sum += view.At(fmt::format("k{}", i)).Integer(0, 1);
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(ParseJson("t.json", "[" + elements + "]").size(), 400001u);
}

TEST(ParseJson, QuotesLittleOfWhatItRefuses) {
  const std::string much(5000, 'x');
  for (const std::string& text :
       {"[\"" + much, R"({")" + much + R"(": 1, ")" + much + R"(": 2})"}) {
    try {
      ParseJson("t.json", text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_LT(std::string(error.what()).size(), 500u);
      EXPECT_THAT(error.what(), HasSubstr(" characters)"));
    }
  }
  const Json json = {{much, 1}};
  EXPECT_THAT(
      [&] { JsonView(json, "t.json").RequireObject({"a"}); },
      testing::ThrowsMessage<InputError>(testing::SizeIs(testing::Lt(500u))));
}

// A text that is not JSON is refused, although its numbers are marked.
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
