// Tests which functions are shown to be associative, and that reductions of
// many terms by them have one result.
#include <gmock/gmock.h>

#include <random>

#include "oracle/judge.h"
#include "oracle/reduction/reduce_test_support.h"
#include "oracle/region_laws.h"

namespace assay {
namespace {

using enum ElementType;
using Texts = std::set<std::string>;

Shown LawOf(const std::string& body, const std::string& policy = "assay") {
  Op op;
  op.op = "reduce";
  op.regions.push_back(ReadRegion("test", "body", body));
  const std::vector<Tensor> none;
  return ShownAssociative(op.regions[0],
                          OpCall{op, none, Policy::Find(policy), Marks::kNone});
}

bool IsShown(const std::string& body, const std::string& policy = "assay") {
  return LawOf(body, policy) == Shown::kAlways;
}

// (ma, ca), (mb, cb) -> (mb * ma, mb * ca + cb)
std::string Affine(const std::string& type) {
  return fmt::format(
      "^bb0(%ma: tensor<{0}>, %ca: tensor<{0}>, %mb: tensor<{0}>, "
      "%cb: tensor<{0}>): "
      "%0 = stablehlo.multiply %mb, %ma : tensor<{0}> "
      "%1 = stablehlo.multiply %mb, %ca : tensor<{0}> "
      "%2 = stablehlo.add %1, %cb : tensor<{0}> "
      "stablehlo.return %0, %2 : tensor<{0}>, tensor<{0}>",
      type);
}

// The product of matrices [[a, b], [c, d]] and [[e, f], [g, h]].
std::string MatrixProduct() {
  std::string text = "^bb0(";
  for (const char name : std::string("abcdefgh"))
    text += fmt::format("{}%{}: tensor<i32>", name == 'a' ? "" : ", ", name);
  text += "): ";
  int value = 0;
  for (const std::string row : {"ab", "cd"}) {
    for (const std::string column : {"eg", "fh"}) {
      text += fmt::format(
          "%x{0} = stablehlo.multiply %{1}, %{3} : tensor<i32> "
          "%y{0} = stablehlo.multiply %{2}, %{4} : tensor<i32> "
          "%z{0} = stablehlo.add %x{0}, %y{0} : tensor<i32> ",
          value++, row[0], row[1], column[0], column[1]);
    }
  }
  return text +
         "stablehlo.return %z0, %z1, %z2, %z3 : tensor<i32>, tensor<i32>, "
         "tensor<i32>, tensor<i32>";
}

// The left one unless it is 0.
constexpr const char* kFirstThatIsNotZero =
    "^bb0(%a: tensor<i32>, %b: tensor<i32>): "
    "%z = stablehlo.xor %a, %a : tensor<i32> "
    "%0 = stablehlo.compare NE, %a, %z, SIGNED : "
    "(tensor<i32>, tensor<i32>) -> tensor<i1> "
    "%1 = stablehlo.select %0, %a, %b : tensor<i1>, tensor<i32> "
    "stablehlo.return %1 : tensor<i32>";

TEST(Associative, LawsOfOrderRingAndBitsAreShown) {
  EXPECT_TRUE(IsShown(ArgmaxOf("i32")));
  EXPECT_TRUE(IsShown(Affine("i32")));
  EXPECT_TRUE(IsShown(Affine("ui64")));
  EXPECT_TRUE(IsShown(MatrixProduct()));
  EXPECT_TRUE(IsShown(BodyOf("minimum", "f32")));
  EXPECT_TRUE(IsShown(BodyOf("xor", "ui8")));
  EXPECT_TRUE(IsShown(BodyOf("multiply", "i4")));
  EXPECT_TRUE(
      IsShown("^bb0(%a: tensor<i32>, %b: tensor<i32>): stablehlo.return %b : "
              "tensor<i32>"));
}

TEST(Associative, OthersAreNot) {
  // A NaN is neither above nor equal, so that the order decides.
  EXPECT_EQ(LawOf(ArgmaxOf("f32")), Shown::kOfNumbers);
  EXPECT_FALSE(IsShown(BodyOf("subtract", "i32")));
  EXPECT_FALSE(IsShown(BodyOf("subtract", "i4")));
  EXPECT_FALSE(IsShown(BodyOf("add", "f32")));
  EXPECT_FALSE(IsShown(BodyOf("divide", "i32")));
  EXPECT_FALSE(IsShown(Affine("i32"), "stablehlo"));
  EXPECT_FALSE(IsShown(Affine("f32")));
  // It holds, and is of no class.
  EXPECT_FALSE(IsShown(kFirstThatIsNotZero));
  // a + b + a * b is, and a + b + a * a * b is not.
  const std::string sum =
      "^bb0(%a: tensor<i32>, %b: tensor<i32>): "
      "%0 = stablehlo.add %a, %b : tensor<i32> "
      "%1 = stablehlo.multiply %a, %b : tensor<i32> ";
  EXPECT_TRUE(IsShown(sum + "%2 = stablehlo.add %0, %1 : tensor<i32> "
                            "stablehlo.return %2 : tensor<i32>"));
  EXPECT_FALSE(IsShown(sum + "%2 = stablehlo.multiply %1, %a : tensor<i32> "
                             "%3 = stablehlo.add %0, %2 : tensor<i32> "
                             "stablehlo.return %3 : tensor<i32>"));
}

// This body does not commute, and has one legal result for any number of terms.
TEST(Associative, ManyTermsHaveOneResult) {
  std::mt19937 random(3);
  for (const int64_t n : {9, 20, 1000, 8192, 8193, 20001}) {
    Tensor m(TensorType({n}, kUi32)), c(TensorType({n}, kUi32));
    uint32_t product = 1, sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t factor = static_cast<uint32_t>(random()) | 1;
      const auto addend = static_cast<uint32_t>(random());
      m.SetBits(i, factor);
      c.SetBits(i, addend);
      product *= factor;
      sum = factor * sum + addend;
    }
    const auto reduce = [&](const std::string& init) {
      return EvaluateRegionCall(ReduceCall(
          {m, c},
          {TensorOfTexts(kUi32, {}, {init}), TensorOfTexts(kUi32, {}, {"0"})},
          Affine("ui32"), {0}));
    };
    const Evaluation evaluation = reduce("1");
    EXPECT_EQ(AllowedAt(evaluation, 0), Texts{fmt::format("{}", product)});
    EXPECT_EQ(AllowedAt(evaluation, 1), Texts{fmt::format("{}", sum)});
    EXPECT_EQ(evaluation.undecided, 0);
    // Another initial value has more results than are followed.
    EXPECT_EQ(reduce("3").undecided, 2);
  }
}

using Pair = std::pair<uint8_t, uint8_t>;

// Adds the results of a row with initial values in its gaps, `left` of them at
// most, and at least one more if `must`.
void AddResults(const std::vector<Pair>& terms, size_t next, const Pair& init,
                int64_t left, bool must, std::optional<Pair> before,
                const std::function<Pair(Pair, Pair)>& body,
                std::set<Pair>* results) {
  const auto with = [&](const Pair& value) {
    return before ? body(*before, value) : value;
  };
  if (left > 0)
    AddResults(terms, next, init, left - 1, false, with(init), body, results);
  if (next < terms.size()) {
    AddResults(terms, next + 1, init, left, must, with(terms[next]), body,
               results);
  } else if (before && !must) {
    results->insert(*before);
  }
}

// The initial value changes terms, so that its places are tried.
TEST(Associative, InitialValuesStandAnywhereAmongTheTerms) {
  const std::string left =
      "^bb0(%a: tensor<ui8>, %i: tensor<ui8>, %b: tensor<ui8>, %j: "
      "tensor<ui8>): stablehlo.return %a, %i : tensor<ui8>, tensor<ui8>";
  const std::string right =
      "^bb0(%a: tensor<ui8>, %i: tensor<ui8>, %b: tensor<ui8>, %j: "
      "tensor<ui8>): stablehlo.return %b, %j : tensor<ui8>, tensor<ui8>";
  const auto affine = [](Pair a, Pair b) {
    return Pair(static_cast<uint8_t>(b.first * a.first),
                static_cast<uint8_t>(b.first * a.second + b.second));
  };
  struct Example {
    std::string body;
    std::function<Pair(Pair, Pair)> function;
    Pair init;
    std::vector<Pair> terms;
  };
  std::vector<Pair> some = {{1, 2}, {3, 0}, {5, 5}, {1, 0}, {0, 9},
                            {7, 1}, {2, 2}, {1, 2}, {9, 0}};
  const std::vector<Pair> signs = {{1, 0}, {255, 0}, {1, 0}, {1, 128}, {255, 0},
                                   {1, 0}, {255, 0}, {1, 0}, {1, 0}};
  const std::vector<Example> examples = {
      {left, [](Pair a, Pair) { return a; }, {4, 4}, some},
      {right, [](Pair, Pair b) { return b; }, {4, 4}, some},
      {Affine("ui8"), affine, {255, 0}, signs},
      {Affine("ui8"), affine, {0, 6}, some},
      {Affine("ui8"), affine, {1, 128}, signs}};
  for (Example example : examples) {
    // Eight terms are few, and have too many trees with as many initial values.
    if (example.init.first == 4) example.terms.pop_back();
    const auto n = std::ssize(example.terms);
    Tensor m(TensorType({n}, kUi8)), c(m.type());
    for (int64_t i = 0; i < n; ++i) {
      m.SetBits(i, example.terms[static_cast<size_t>(i)].first);
      c.SetBits(i, example.terms[static_cast<size_t>(i)].second);
    }
    for (const std::string policy :
         {"at_most_terms", "at_most_terms_and_one", "once"}) {
      SCOPED_TRACE(policy + ' ' + example.body);
      const auto text = [](uint8_t value) { return std::to_string(value); };
      const FloatCall call =
          ReduceCall({m, c},
                     {TensorOfTexts(kUi8, {}, {text(example.init.first)}),
                      TensorOfTexts(kUi8, {}, {text(example.init.second)})},
                     example.body, {0});
      const Evaluation evaluation =
          Evaluate(call.op, call.inputs,
                   Policy::Find("assay").With("reduction_init", policy),
                   Marks::kCounted);
      std::set<Pair> expected;
      const bool once = policy == "once";
      const int64_t most = once                                ? 1
                           : policy == "at_most_terms_and_one" ? n + 1
                                                               : n;
      AddResults(example.terms, 0, example.init, most, once, {},
                 example.function, &expected);
      ASSERT_EQ(evaluation.undecided, 0);
      for (int part = 0; part < 2; ++part) {
        Texts texts;
        for (const Pair& pair : expected)
          texts.insert(text(part == 0 ? pair.first : pair.second));
        EXPECT_EQ(AllowedAt(evaluation, static_cast<size_t>(part)), texts);
      }
      // Both parts come from one place.
      for (const auto& [first, x] : expected) {
        for (const auto& [y, second] : expected) {
          Tensor a(TensorType({}, kUi8)), b(a.type());
          a.SetBits(0, first);
          b.SetBits(0, second);
          EXPECT_EQ(JudgeTogether(evaluation, std::vector<Tensor>{a, b}).ok(),
                    expected.contains({first, second}));
        }
      }
    }
  }
}

TEST(Associative, EveryRowHasItsResult) {
  std::mt19937 random(5);
  for (const auto& [rows, length] :
       {std::pair<int64_t, int64_t>{700, 13}, {5, 3001}, {3, 9001}}) {
    Tensor m(TensorType({rows, length}, kUi32)), c(m.type());
    for (int64_t i = 0; i < rows * length; ++i) {
      m.SetBits(i, static_cast<uint32_t>(random()) | 1);
      c.SetBits(i, static_cast<uint32_t>(random()));
    }
    const Evaluation evaluation = EvaluateRegionCall(ReduceCall(
        {m, c},
        {TensorOfTexts(kUi32, {}, {"1"}), TensorOfTexts(kUi32, {}, {"0"})},
        Affine("ui32"), {1}));
    for (int64_t row = 0; row < rows; ++row) {
      uint32_t sum = 0;
      for (int64_t i = row * length; i < (row + 1) * length; ++i)
        sum = static_cast<uint32_t>(m.Bits(i)) * sum +
              static_cast<uint32_t>(c.Bits(i));
      ASSERT_EQ(AllowedAt(evaluation, 1, row), Texts{fmt::format("{}", sum)})
          << row << " of " << rows;
    }
  }
}

TEST(Associative, OfNumbersWhereThereIsNoNan) {
  std::vector<std::string> terms(12, "-0"), places;
  for (int i = 0; i < 12; ++i) places.push_back(std::to_string(i));
  terms[4] = terms[9] = "7.5";
  const auto reduce = [&] {
    return EvaluateRegionCall(ReduceCall(
        {RowOfTexts(kF32, terms), RowOfTexts(kI32, places)},
        {TensorOfTexts(kF32, {}, {"-inf"}), TensorOfTexts(kI32, {}, {"-1"})},
        ArgmaxOf("f32"), {0}));
  };
  EXPECT_EQ(AllowedAt(reduce(), 0), Texts{"7.5"});
  EXPECT_EQ(AllowedAt(reduce(), 1), Texts{"4"});
  // A NaN may hide what stands before it.
  terms[6] = "nan";
  EXPECT_EQ(AllowedAt(reduce(), 1), (Texts{"4", "9"}));
}

// The order of complex numbers says nothing of NaNs, nor which zero is greater.
TEST(Associative, ComplexNumbersAreOrderedButForSome) {
  EXPECT_EQ(LawOf(BodyOf("maximum", "complex<f64>")), Shown::kOfNumbers);
  EXPECT_EQ(LawOf("^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>): "
                  "stablehlo.return %a : tensor<complex<f64>>"),
            Shown::kAlways);
  EXPECT_FALSE(IsShown(BodyOf("multiply", "complex<f64>")));
  std::vector<std::string> terms(12, "1 -3");
  terms[4] = "2 -5";
  terms[7] = "2 1";
  terms[9] = "2 0";
  const auto reduce = [&] {
    return EvaluateRegionCall(ReduceRow(kComplexF64, terms, "-inf -inf",
                                        BodyOf("maximum", "complex<f64>")));
  };
  EXPECT_EQ(AllowedAt(reduce()), Texts{"[2, 1]"});
  for (const char* other : {"nan 0", "0 nan"}) {
    terms[0] = other;
    EXPECT_GT(AllowedAt(reduce()).size(), 1) << other;
  }
  terms[0] = "-0 4";
  EXPECT_EQ(AllowedAt(reduce()), Texts{"[2, 1]"});
  terms[0] = "4 -0";
  EXPECT_EQ(AllowedAt(reduce()), Texts{"[4, -0]"});
}

TEST(Associative, WhatIsNotShownIsNotDecided) {
  // Ten powers of 3 have 256 differences, which is more than a set has.
  std::vector<std::string> terms;
  for (int power = 1; terms.size() < 10; power *= 3)
    terms.push_back(std::to_string(power));
  const Evaluation evaluation = EvaluateRegionCall(
      ReduceRow(kI32, terms, "0", BodyOf("subtract", "i32")));
  EXPECT_TRUE(evaluation.outputs[0].IsOpen(0));
  EXPECT_EQ(evaluation.undecided, 1);
}

}  // namespace
}  // namespace assay
