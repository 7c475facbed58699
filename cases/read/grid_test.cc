// Tests the cases that `each` makes of one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/case.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Grid, EachMakesEveryCombination) {
  const std::vector<Case> cases = ParseCases(
      "t.json",
      ParseJsonExactly(
          "t.json",
          R"({"op": "negate", "cases": [{"id": "{T}_{n}", "each": {"T": ["i8", "i64"], "n": [0, 3]},
    "inputs": {"operand": {"type": "tensor<{n}x{T}>", "draw": {"seed": 1, "profile": "uniform"}}}}]})"),
      {});
  std::vector<std::string> names, types;
  for (const Case& c : cases)
    names.push_back(c.name), types.push_back(c.TypeText());
  EXPECT_THAT(names, ElementsAre("negate/i8_0", "negate/i8_3", "negate/i64_0",
                                 "negate/i64_3"));
  EXPECT_THAT(types, ElementsAre("tensor<0xi8>", "tensor<3xi8>",
                                 "tensor<0xi64>", "tensor<3xi64>"));
}

// The cases that `each` makes are counted as they are made, over the whole
// file.
TEST(Grid, ExpansionsTakeNoMoreThanTheyMay) {
  std::string data = "0";
  for (int i = 1; i < 4000; ++i) data += ",0";
  const auto read = [&](const std::string& each, const std::string& more) {
    const std::string file = fmt::format(
        R"({{"op": "abs", "cases": [{{"id": "a_{{n}}", "each": {{{}}},
            "source": "{}", "inputs": {{"operand":
            {{"type": "tensor<4000xi8>", "data": [{}]}}}}}}]}})",
        each, more, data);
    return ParseCases("t.json", ParseJsonExactly("t.json", file),
                      {.memory_limit = 1 << 20});
  };
  EXPECT_EQ(read(R"("n": [1, 2, 3])", "").size(), 3u);
  std::string many = "0", repeated;
  for (int i = 1; i < 100; ++i) many += fmt::format(",{}", i);
  const auto refused = ThrowsMessage<InputError>(
      AllOf(HasSubstr("t.json#/cases/0/each: "),
            HasSubstr("more than the 1048576 bytes")));
  EXPECT_THAT([&] { read("\"n\": [" + many + "]", ""); }, refused);
  for (int i = 0; i < 1000; ++i) repeated += "{t}";
  EXPECT_THAT(
      [&] {
        read(R"("n": [1], "t": [")" + std::string(100000, 'x') + "\"]",
             repeated);
      },
      refused);
  EXPECT_THAT([&] { read("\"n\": [" + many + "], \"k\": [" + many + "]", ""); },
              ThrowsMessage<InputError>(HasSubstr("more than 4096 cases")));
}

}  // namespace
}  // namespace assay
