// Tests in-order trees of functions without any law against all trees, which
// are enumerated here.
#include <gmock/gmock.h>

#include <random>

#include "oracle/reduction/reduce_test_support.h"

namespace assay {
namespace {

using Texts = std::set<std::string>;
using enum ElementType;

// A function on 0 to 3 by its table, two bits for each pair.
using Table = uint32_t;

uint32_t ValueInTable(Table table, uint32_t a, uint32_t b) {
  return table >> (2 * (4 * a + b)) & 3;
}

std::string BodyByTable(Table table) {
  return fmt::format(
      "^bb0(%a: tensor<ui32>, %b: tensor<ui32>): "
      "%t = stablehlo.constant dense<{}> : tensor<ui32> "
      "%two = stablehlo.constant dense<2> : tensor<ui32> "
      "%three = stablehlo.constant dense<3> : tensor<ui32> "
      "%row = stablehlo.shift_left %a, %two : tensor<ui32> "
      "%at = stablehlo.add %row, %b : tensor<ui32> "
      "%bits = stablehlo.add %at, %at : tensor<ui32> "
      "%s = stablehlo.shift_right_logical %t, %bits : tensor<ui32> "
      "%r = stablehlo.and %s, %three : tensor<ui32> "
      "stablehlo.return %r : tensor<ui32>",
      table);
}

Texts AllowedByTable(Table table, const std::vector<uint32_t>& terms,
                     uint32_t init, const std::string& inits) {
  std::vector<std::string> texts;
  for (const uint32_t term : terms) texts.push_back(std::to_string(term));
  const FloatCall call =
      ReduceRow(kUi32, texts, std::to_string(init), BodyByTable(table));
  return AllowedAt(Evaluate(call.op, call.inputs,
                            Policy::Find("assay").With("reduction_init", inits),
                            Marks::kNone));
}

Texts EnumeratedByTable(Table table, const std::vector<uint32_t>& terms,
                        uint32_t init, int least, int most) {
  Texts texts;
  for (const uint32_t value : AllTrees<uint32_t>(
           terms, init, least, most, [&](const uint32_t&a, const uint32_t&b) {
             return ValueInTable(table, a, b);
           }))
    texts.insert(std::to_string(value));
  return texts;
}

std::vector<uint32_t> DrawTableTerms(size_t count, std::mt19937* random) {
  std::vector<uint32_t> terms(count);
  for (uint32_t& term : terms) term = (*random)() % 4;
  return terms;
}

TEST(InOrderTrees, GiveWhatAllTreesGive) {
  std::mt19937 random(1);
  size_t several = 0, not_all = 0;
  for (int i = 0; i < 80; ++i) {
    const auto table = static_cast<Table>(random());
    const uint32_t init = random() % 4;
    const size_t count = 1 + static_cast<size_t>(i) % (i < 12 ? 4 : 3);
    const std::vector<uint32_t> terms = DrawTableTerms(count, &random);
    const auto n = static_cast<int>(count);
    const Texts expected = EnumeratedByTable(table, terms, init, 0, n);
    several += expected.size() > 1;
    not_all += expected.size() < 4;
    EXPECT_EQ(AllowedByTable(table, terms, init, "at_most_terms"), expected)
        << table << ' ' << n;
    EXPECT_EQ(AllowedByTable(table, terms, init, "at_most_terms_and_one"),
              EnumeratedByTable(table, terms, init, 0, n + 1))
        << table << ' ' << n;
    EXPECT_EQ(AllowedByTable(table, terms, init, "once"),
              EnumeratedByTable(table, terms, init, 1, 1))
        << table << ' ' << n;
  }
  EXPECT_GT(several, 20);
  EXPECT_GT(not_all, 20);
}

// An initial value that changes nothing, and one that stands once.
TEST(InOrderTrees, OfMoreTermsGiveWhatAllTreesGive) {
  std::mt19937 random(2);
  for (int i = 0; i < 6; ++i) {
    auto table = static_cast<Table>(random());
    const std::vector<uint32_t> terms = DrawTableTerms(9, &random);
    const uint32_t init = random() % 4;
    EXPECT_EQ(AllowedByTable(table, terms, init, "once"),
              EnumeratedByTable(table, terms, init, 1, 1))
        << table;
    // 0 is an identity of this function.
    for (uint32_t a = 0; a < 4; ++a) {
      for (const uint32_t at : {a, 4 * a})
        table = (table & ~(3u << (2 * at))) | a << (2 * at);
    }
    EXPECT_EQ(AllowedByTable(table, terms, 0, "at_most_terms"),
              EnumeratedByTable(table, terms, 0, 0, 0))
        << table;
  }
}

// One initial value behind another leads through all values: the number of them
// that a part may have is what it lacks.
TEST(InOrderTrees, CountInitialValues) {
  // f(a, b) is the next value after a.
  Table next = 0;
  for (uint32_t a = 0; a < 4; ++a) {
    for (uint32_t b = 0; b < 4; ++b) next |= (a + 1) % 4 << (2 * (4 * a + b));
  }
  EXPECT_EQ(AllowedByTable(next, {0}, 0, "at_most_terms"), (Texts{"0", "1"}));
  EXPECT_EQ(AllowedByTable(next, {0}, 0, "at_most_terms_and_one"),
            (Texts{"0", "1", "2"}));
  EXPECT_EQ(AllowedByTable(next, {0}, 0, "once"), Texts{"1"});
  EXPECT_EQ(AllowedByTable(next, {0}, 0, "any"), (Texts{"0", "1", "2", "3"}));
  EXPECT_EQ(AllowedByTable(next, {0, 0}, 0, "once"), (Texts{"1", "2"}));
}

TEST(InOrderTrees, RowsAreReducedTogether) {
  std::mt19937 random(3);
  const Table table = 0x9c1e5b27;
  // These are more rows than are worked on at a time.
  const int64_t rows = 300;
  std::vector<std::string> texts;
  std::vector<std::vector<uint32_t>> all;
  for (int64_t row = 0; row < rows; ++row) {
    all.push_back(DrawTableTerms(3, &random));
    for (const uint32_t term : all.back())
      texts.push_back(std::to_string(term));
  }
  const FloatCall call =
      ReduceCall({TensorOfTexts(kUi32, {rows, 3}, texts)},
                 {TensorOfTexts(kUi32, {}, {"2"})}, BodyByTable(table), {1});
  const Evaluation evaluation = EvaluateRegionCall(call, "assay");
  for (int64_t row = 0; row < rows; ++row) {
    EXPECT_EQ(AllowedAt(evaluation, 0, row),
              EnumeratedByTable(table, all[static_cast<size_t>(row)], 2, 0, 3))
        << row;
  }
}

}  // namespace
}  // namespace assay
