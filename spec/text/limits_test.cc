// Text is untrusted: what a few bytes announce is not believed.
#include <gtest/gtest.h>

#include <chrono>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Limits, NestingIsLimited) {
  const std::string kDeep = "this nests more than 1000 deep";
  constexpr int kCount = 100'000;
  for (const std::string& text :
       {Repeated("\"a\"() ({", kCount), Repeated("module {", kCount),
        "\"a\"() {a = " + Repeated("[", kCount),
        "\"a\"() {a = " + Repeated("{a = ", kCount),
        "\"a\"() : " + Repeated("(", kCount),
        "\"a\"() : () -> " + Repeated("tuple<", kCount),
        "\"a\"() {a = #b.c" + Repeated("<", kCount),
        "\"a\"() : () -> () loc" + Repeated("(", kCount)})
    EXPECT_TRUE(ErrorOf(text).ends_with(kDeep)) << text.substr(0, 20);
  EXPECT_EQ(
      ErrorOf("\"a\"() ({\"a\"() : () -> ()}) : () -> ()", {.max_depth = 2}),
      "1:9: this nests more than 2 deep");
}

TEST(Limits, DeepTreesArePrintedAndCompared) {
  const auto nested = [](int count) {
    return Repeated("\"a\"() ({", count) + "\"b\"() : () -> ()" +
           Repeated("}) : () -> ()", count);
  };
  const std::string once = Printed(nested(490));
  EXPECT_EQ(Printed(once), once);
  const std::string type = Repeated("tuple<", 990) + Repeated(">", 990);
  EXPECT_EQ(ErrorOf("%x = \"a\"() : () -> " + type + "\n\"b\"(%x) : (" + type +
                    ") -> ()"),
            "");
}

TEST(Limits, ElementsAreNotAllocatedBecauseATypeSaysSo) {
  EXPECT_EQ(Spelled("dense<\"0x00000000000000000000\"> : "
                    "tensor<2147483648xi8>"),
            "1:18: the string has 10 bytes, which is neither 2147483648 "
            "elements of i8 nor one");
  EXPECT_EQ(Spelled("dense<1> : tensor<1099511627776xi8>"),
            "1:18: the tensors of the text take more than 1073741824 bytes");
  EXPECT_EQ(Spelled("dense<\"0x01\"> : tensor<1099511627776xi8>"),
            "1:18: the tensors of the text take more than 1073741824 bytes");
  EXPECT_EQ(Spelled("dense<[1]> : tensor<1099511627776xi8>"),
            "1:18: the lists do not have the shape of "
            "tensor<1099511627776xi8>");
  // All tensors of a chunk together.
  EXPECT_EQ(ErrorOf("\"a\"() {a = dense<1> : tensor<60xi8>,\n"
                    "b = dense<1> : tensor<60xi8>} : () -> ()",
                    {.max_elements_bytes = 100}),
            "2:11: the tensors of the text take more than 100 bytes");
  EXPECT_EQ(ErrorOf("\"a\"() {a = array<i8: 1, 2>} : () -> ()",
                    {.max_elements_bytes = 10}),
            "1:18: the tensors of the text take more than 10 bytes");
}

TEST(Limits, AliasesOfAliasesCountAsWhatTheyStandFor) {
  const std::string kMany =
      "the text has more than 10000000 statements, values, types and "
      "attributes";
  std::string attributes = "#a = 1\n", types = "!a = i8\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const std::string before(1, static_cast<char>(c - 1));
    attributes += std::string("#") + c + " = [" +
                  Repeated("#" + before + ",", 9) + "#" + before + "]\n";
    types += std::string("!") + c + " = tuple<" +
             Repeated("!" + before + ",", 9) + "!" + before + ">\n";
  }
  EXPECT_TRUE(ErrorOf(attributes, {.max_nodes = 1'000'000})
                  .ends_with("more than 1000000 statements, values, types and "
                             "attributes"));
  EXPECT_TRUE(ErrorOf(types).ends_with(kMany));
}

TEST(Limits, AliasesNestAsDeepAsWhatTheyStandFor) {
  const std::string deep = Repeated("[", 600) + Repeated("]", 600);
  EXPECT_EQ(ErrorOf("#a = " + deep), "");
  EXPECT_EQ(ErrorOf("#a = " + deep + "\n#b = " + Repeated("[", 600) + "#a"),
            "2:606: this nests more than 1000 deep");
  const std::string tuples = Repeated("tuple<", 600) + Repeated(">", 600);
  EXPECT_EQ(
      ErrorOf("!a = " + tuples + "\n!b = " + Repeated("tuple<", 600) + "!a"),
      "2:3606: this nests more than 1000 deep");
}

TEST(Limits, BytesOfAliasesAndTypesOfManyOperandsCount) {
  const std::string kMany =
      "more than 100000 statements, values, types and attributes";
  const Limits limits = {.max_nodes = 100'000};
  EXPECT_TRUE(ErrorOf("#a = \"" + std::string(100'000, 'x') +
                          "\"\n\"b\"() {c = [" + Repeated("#a, ", 20) +
                          "#a]} : () -> ()",
                      limits)
                  .ends_with(kMany));
  EXPECT_TRUE(ErrorOf("%x = \"a\"() : () -> i8\nstablehlo.after_all " +
                          Repeated("%x, ", 1000) + "%x : tuple<" +
                          Repeated("i8, ", 1000) + "i8>",
                      limits)
                  .ends_with(kMany));
}

TEST(Limits, TextIsLimited) {
  EXPECT_EQ(ErrorOf("\"a\"() : () -> ()", {.max_text_bytes = 10}),
            "1:1: the text has 16 bytes, which is more than 10");
  EXPECT_EQ(ErrorOf("\"a\"() : () -> ()", {.max_nodes = 0}),
            "1:1: the text has more than 0 statements, values, types and "
            "attributes");
}

// Ten times the text takes ten times as long, and not a hundred: with what a
// machine does beside it, less than forty.
TEST(Limits, TimeGrowsWithTheText) {
  const auto time = [](const std::string& text) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(ErrorOf(text), "");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
               .count() +
           1e-3;
  };
  const auto statements = [](int count) {
    std::string text = "%x0 = \"a\"() : () -> i8\n";
    for (int i = 1; i < count; ++i)
      text += "%x" + std::to_string(i) + " = \"a\"(%x" + std::to_string(i / 2) +
              ") ({ %y = \"a\"() : () -> i8 }) : (i8) "
              "-> i8\n";
    return text;
  };
  const auto attributes = [](int count) {
    std::string text = "\"a\"() <{";
    for (int i = 0; i < count; ++i) text += "a" + std::to_string(i) + ", ";
    text += "z}> {";
    for (int i = 0; i < count; ++i) text += "b" + std::to_string(i) + ", ";
    return text + "y} : () -> ()";
  };
  EXPECT_LT(time(statements(20000)), 40 * time(statements(2000)));
  EXPECT_LT(time(attributes(20000)), 40 * time(attributes(2000)));
}

}  // namespace
}  // namespace assay::text
