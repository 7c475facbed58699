// Tests what reduce gives against the examples of the text and against all
// trees, which are enumerated here; and by which clauses.
#include <gmock/gmock.h>

#include <random>

#include "oracle/broken_clause.h"
#include "oracle/judge.h"
#include "oracle/reduction/reduce_test_support.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum ElementType;

using Texts = std::set<std::string>;

TEST(Reduce, GivesTheExampleOfTheText) {
  const FloatCall call =
      ReduceCall({TensorOfTexts(kI64, {1, 6}, {"0", "1", "2", "3", "4", "5"})},
                 {TensorOfTexts(kI64, {}, {"0"})}, BodyOf("add", "i64"), {1});
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_TRUE(evaluation.outputs[0].IsDetermined());
  EXPECT_EQ(AllowedAt(evaluation), Texts{"15"});
  EXPECT_EQ(IdsOf(call.op, evaluation), "reduce/S2 reduce/S5 add/S2");
}

TEST(Reduce, TakesTheSlicesOfItsDimensions) {
  Tensor operand(TensorType({2, 3, 4}, kI32));
  for (int64_t i = 0; i < 24; ++i)
    operand.SetBits(i, static_cast<ElementBits>(i));
  const auto sums = [&](const std::vector<int64_t>& dimensions) {
    const FloatCall call =
        ReduceCall({operand}, {TensorOfTexts(kI32, {}, {"0"})},
                   BodyOf("add", "i32"), dimensions);
    const Tensor result = EvaluateRegionCall(call).outputs[0].lo;
    std::vector<int> values;
    for (int64_t i = 0; i < result.size(); ++i)
      values.push_back(static_cast<int>(result.Bits(i)));
    return values;
  };
  EXPECT_THAT(sums({2}), ElementsAre(6, 22, 38, 54, 70, 86));
  EXPECT_THAT(sums({0, 1}), ElementsAre(60, 66, 72, 78));
  EXPECT_THAT(sums({1, 0}), ElementsAre(60, 66, 72, 78));
  EXPECT_THAT(sums({0, 1, 2}), ElementsAre(276));
  EXPECT_EQ(sums({}).size(), 24u);
  const FloatCall call = ReduceCall({operand}, {TensorOfTexts(kI32, {}, {"0"})},
                                    BodyOf("add", "i32"), {0, 2});
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 1),
              ElementsAre(Source{0, 4}, Source{0, 5}, Source{0, 6},
                          Source{0, 7}, Source{0, 16}, Source{0, 17},
                          Source{0, 18}, Source{0, 19}, Source{1, 0}));
}

// Evaluates where the initial value enters any number of times.
Evaluation AnyNumberOfInits(const FloatCall& call) {
  return Evaluate(call.op, call.inputs,
                  Policy::Find("stablehlo").With("reduction_init", "any"),
                  Marks::kCounted);
}

TEST(Reduce, OfNoTermsIsTheInitialValue) {
  for (const char* body : {"add", "subtract"}) {
    const FloatCall call = ReduceRow(kI8, {}, "3", BodyOf(body, "i8"));
    const Evaluation evaluation = EvaluateRegionCall(call);
    EXPECT_EQ(AllowedAt(evaluation), Texts{"3"});
    EXPECT_EQ(IdsOf(call.op, evaluation), "reduce/S6 reduce/S8");
    EXPECT_EQ(AllowedAt(AnyNumberOfInits(call)), Texts{"open"});
  }
  EXPECT_EQ(
      AllowedAt(AnyNumberOfInits(ReduceRow(kI8, {}, "0", BodyOf("add", "i8")))),
      Texts{"0"});
}

TEST(Reduce, OfOneTermIsTheTermOrHasInitialValues) {
  const FloatCall call = ReduceRow(kI8, {"5"}, "3", BodyOf("add", "i8"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(call)), (Texts{"5", "8"}));
  EXPECT_EQ(IdsOf(call.op, EvaluateRegionCall(call)),
            "reduce/S2 reduce/S5 reduce/S8 add/S2");
  const FloatCall left = ReduceRow(kI8, {"5"}, "0", BodyOf("add", "i8"));
  EXPECT_EQ(IdsOf(left.op, EvaluateRegionCall(left)),
            "reduce/S2 reduce/S6 add/S2");
}

// Returns the texts of what all trees give.
template <class V>
Texts TextsOf(const std::vector<V>& values, ElementType type) {
  Texts texts;
  for (const V value : values) {
    if constexpr (std::is_floating_point_v<V>) {
      texts.insert(
          std::isnan(value)
              ? "nan"
              : FormatValue(type, BitsOfText(type, fmt::format("{}", value))));
    } else {
      texts.insert(fmt::format("{}", value));
    }
  }
  return texts;
}

// Sets of more values than the oracle lists are ranges; these tests are of few.
TEST(Reduce, OfFewIntegersIsWhatAllTreesGive) {
  using Body = std::function<int(const int&, const int&)>;
  const auto i8 = [](int x) {
    return static_cast<int>(static_cast<int8_t>(x));
  };
  const std::pair<std::string, Body> bodies[] = {
      {"add", [&](int a, int b) { return i8(a + b); }},
      {"multiply", [&](int a, int b) { return i8(a * b); }},
      {"maximum", [](int a, int b) { return std::max(a, b); }},
      {"minimum", [](int a, int b) { return std::min(a, b); }},
      {"and", [](int a, int b) { return a & b; }},
      {"or", [](int a, int b) { return a | b; }},
      {"xor", [](int a, int b) { return a ^ b; }},
      {"subtract", [&](int a, int b) { return i8(a - b); }},
      {"shift_left",
       [&](int a, int b) { return b < 0 || b > 7 ? 0 : i8(a << b); }}};
  const std::vector<int> all_terms = {3, -2, 100, 1, 5};
  for (const auto& [op, body] : bodies) {
    for (const int init : {0, 1, -1, 7}) {
      for (size_t n = 1; n <= 4; ++n) {
        const std::vector<int> terms(all_terms.begin(),
                                     all_terms.begin() + static_cast<int>(n));
        std::vector<std::string> texts;
        for (const int term : terms) texts.push_back(std::to_string(term));
        const FloatCall call =
            ReduceRow(kI8, texts, std::to_string(init), BodyOf(op, "i8"));
        const Texts expected = TextsOf(
            AllTrees<int>(terms, init, 0, static_cast<int>(n), body), kI8);
        if (expected.size() > 64) continue;
        EXPECT_EQ(AllowedAt(EvaluateRegionCall(call)), expected)
            << op << ' ' << init << ' ' << n;
      }
    }
  }
}

TEST(Reduce, OfFewFloatsIsWhatAllTreesGive) {
  const std::function<float(const float&, const float&)> add =
      [](float a, float b) { return a + b; };
  const std::function<float(const float&, const float&)> subtract =
      [](float a, float b) { return a - b; };
  const std::vector<std::vector<float>> rows = {
      {1, 0x1p-24f, 0x1p-24f, -1}, {0x1p24f, 1, 1, -0x1p24f, 3},
      {3e38f, 3e38f, -3e38f},      {-0.0f, 0.0f, -0.0f},
      {-0.0f, -0.0f, -0.0f},       {0.1f, 0.2f, 0.3f, 0.4f, 0.5f},
      {INFINITY, 1, -INFINITY},    {NAN, 1}};
  for (const std::vector<float>& row : rows) {
    std::vector<std::string> terms;
    for (const float term : row) terms.push_back(fmt::format("{}", term));
    for (const float init : {0.0f, -0.0f}) {
      const std::string text = fmt::format("{}", init);
      const int inits = row.size() > 4 ? 2 : static_cast<int>(row.size());
      EXPECT_EQ(AllowedAt(EvaluateRegionCall(
                    ReduceRow(kF32, terms, text, BodyOf("add", "f32")))),
                TextsOf(AllTrees<float>(row, init, 0, inits, add), kF32));
    }
    if (row.size() > 3) continue;
    EXPECT_EQ(AllowedAt(EvaluateRegionCall(
                  ReduceRow(kF32, terms, "0.5", BodyOf("subtract", "f32")))),
              TextsOf(AllTrees<float>(row, 0.5f, 0,
                                      static_cast<int>(row.size()), subtract),
                      kF32));
  }
}

TEST(Reduce, PoliciesSayHowOftenTheInitialValueEnters) {
  const FloatCall call =
      ReduceRow(kI8, {"1", "2", "4"}, "64", BodyOf("add", "i8"));
  const Policy& assay = Policy::Find("assay");
  const auto allowed = [&](const Policy& policy) {
    return AllowedAt(Evaluate(call.op, call.inputs, policy, Marks::kCounted));
  };
  EXPECT_EQ(allowed(assay), (Texts{"7", "71", "-121", "-57"}));
  EXPECT_EQ(allowed(assay.With("reduction_init", "once")), Texts{"71"});
  EXPECT_EQ(allowed(assay.With("reduction_init", "any")),
            (Texts{"7", "71", "-121", "-57"}));
  const FloatCall odd = ReduceRow(kI32, {"1", "2"}, "1", BodyOf("add", "i32"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(odd)), (Texts{"3", "4", "5"}));
  EXPECT_EQ(AllowedAt(AnyNumberOfInits(odd)), Texts{"open"});
  const FloatCall most =
      ReduceRow(kI32, {"1", "2"}, "5", BodyOf("maximum", "i32"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(most)), (Texts{"2", "5"}));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(most, "stablehlo")),
            (Texts{"2", "5"}));
  const FloatCall least =
      ReduceRow(kI32, {"1", "2"}, "-2147483648", BodyOf("maximum", "i32"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(least, "stablehlo")), Texts{"2"});
}

// In f32, 2^24 + 1 is 2^24: only (1 + 1) + 2^24 is more.
TEST(Reduce, PoliciesSayInWhichOrderFloatsAreAdded) {
  const FloatCall call =
      ReduceRow(kF32, {"1", "0x1p24", "1"}, "0", BodyOf("add", "f32"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(call)), Texts{"16777216"});
  EXPECT_EQ(IdsOf(call.op, EvaluateRegionCall(call)),
            "reduce/S2 reduce/S5 add/S3");
  const FloatCall last =
      ReduceRow(kF32, {"0x1p24", "1", "1"}, "0", BodyOf("add", "f32"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(last)),
            (Texts{"16777216", "16777218"}));
  EXPECT_EQ(IdsOf(last.op, EvaluateRegionCall(last)),
            "reduce/S2 reduce/S5 reduce/S7 reduce/S9 add/S3");
  const auto allowed = [&](const char* key, const char* value) {
    return AllowedAt(Evaluate(call.op, call.inputs,
                              Policy::Find("assay").With(key, value),
                              Marks::kCounted));
  };
  EXPECT_EQ(allowed("reduction_order", "any"), (Texts{"16777216", "16777218"}));
  EXPECT_EQ(allowed("accumulation_type", "wider"), Texts{"16777216..16777220"});
}

// What overflows in some order is open where policy integer_overflow says so.
TEST(Reduce, IntegersMayOverflowInSomeOrder) {
  const Policy any = Policy::Find("assay").With("integer_overflow", "any");
  const auto allowed = [&](const std::string& op,
                           const std::vector<std::string>& terms,
                           const std::string& init) {
    const FloatCall call = ReduceRow(kI8, terms, init, BodyOf(op, "i8"));
    return AllowedAt(Evaluate(call.op, call.inputs, any, Marks::kCounted));
  };
  EXPECT_EQ(allowed("add", {"100", "27", "-128"}, "0"), Texts{"-1"});
  EXPECT_EQ(allowed("add", {"100", "28", "-128"}, "0"), Texts{"open"});
  EXPECT_EQ(allowed("add", {"100", "20"}, "4"), Texts{"open"});
  EXPECT_EQ(allowed("add", {"100", "20"}, "3"), (Texts{"120", "123", "126"}));
  EXPECT_EQ(allowed("multiply", {"4", "-31", "0"}, "1"), Texts{"0"});
  EXPECT_EQ(allowed("multiply", {"4", "-32", "0"}, "1"), Texts{"open"});
  EXPECT_EQ(allowed("or", {"127", "-128"}, "0"), Texts{"-1"});
}

TEST(Reduce, NoTermsTakeNoTimeBesideLongDimensions) {
  const FloatCall call = ReduceCall(
      {Tensor(TensorType({65537, 65537, 0}, kI32))},
      {TensorOfTexts(kI32, {}, {"7"})}, BodyOf("add", "i32"), {1, 2}, kI32);
  EXPECT_EQ(EvaluateRegionCall(call).outputs[0].lo.Bits(65536), 7u);
}

// The least subnormal is 2^-149; what is flushed is within the bound.
TEST(Reduce, PartialSumsMayBeFlushed) {
  const FloatCall call =
      ReduceRow(kF32, {"0x1p-149", "0x1p-149", "1"}, "0", BodyOf("add", "f32"));
  const Evaluation evaluation = EvaluateRegionCall(call, "flush");
  for (const char* value : {"1", "0x1p-149"}) {
    Tensor actual(TensorType(Shape(), kF32));
    actual.SetBits(0, BitsOfText(kF32, value));
    EXPECT_EQ(Judge(evaluation.outputs[0], actual).ok(),
              std::string(value) == "1");
  }
  const FloatCall subnormal =
      ReduceRow(kF32, {"0x1p-149", "0x1p-149"}, "0", BodyOf("add", "f32"));
  const Evaluation flushed = EvaluateRegionCall(subnormal, "flush");
  for (const char* value : {"0", "-0", "0x1p-148"}) {
    Tensor actual(TensorType(Shape(), kF32));
    actual.SetBits(0, BitsOfText(kF32, value));
    EXPECT_TRUE(Judge(flushed.outputs[0], actual).ok()) << value;
  }
  const FloatCall most =
      ReduceRow(kF32, {"0x1p-149", "-1"}, "-inf", BodyOf("maximum", "f32"));
  const Evaluation greatest = EvaluateRegionCall(most, "flush");
  for (const char* value : {"0", "0x1p-149", "-0", "-1"}) {
    Tensor actual(TensorType(Shape(), kF32));
    actual.SetBits(0, BitsOfText(kF32, value));
    EXPECT_EQ(Judge(greatest.outputs[0], actual).ok(), value[0] == '0')
        << value;
  }
}

TEST(Reduce, ConvertsToTheTypeOfTheBody) {
  const FloatCall call = ReduceCall({RowOfTexts(kI8, {"100", "100", "100"})},
                                    {TensorOfTexts(kI8, {}, {"0"})},
                                    BodyOf("add", "i32"), {0}, kI32);
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation), Texts{"300"});
  EXPECT_THAT(IdsOf(call.op, evaluation),
              testing::StartsWith("reduce/S2 reduce/S3 reduce/S4 reduce/S5 "
                                  "add/S2 convert/"));
}

// What is moved keeps the bits of a NaN: here the first term always is.
TEST(Reduce, KeepsANanThatTheBodyMoves) {
  const std::string first =
      "^bb0(%a: tensor<f32>, %b: tensor<f32>): "
      "stablehlo.return %a : tensor<f32>";
  const FloatCall call =
      ReduceCall({TensorOfTexts(kF32, {2}, {"0x7fc00001", "1"})},
                 {TensorOfTexts(kF32, {}, {"0x7fc00001"})}, first, {0});
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_TRUE(evaluation.outputs[0].keeps_nans);
  EXPECT_THAT(IdsOf(call.op, evaluation), testing::HasSubstr("reduce/S10"));
}

TEST(Reduce, PairsDoNotMix) {
  const FloatCall call = ReduceCall(
      {RowOfTexts(kI32, {"1", "5", "5", "2"}),
       RowOfTexts(kI32, {"0", "1", "2", "3"})},
      {TensorOfTexts(kI32, {}, {"-9"}), TensorOfTexts(kI32, {}, {"-1"})},
      ArgmaxOf("i32"), {0});
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation, 0), Texts{"5"});
  EXPECT_EQ(AllowedAt(evaluation, 1), Texts{"1"});
}

// The schedule is that of all results: the maximum has an initial value if the
// sum has one, whatever the number of terms.
TEST(Reduce, FunctionsSideBySideHaveOneSchedule) {
  for (const size_t n : {4, 7, 8, 9, 20}) {
    const std::vector<std::string> zeros(n, "0");
    const Tensor terms = RowOfTexts(kI8, zeros);
    const Tensor one = TensorOfTexts(kI8, {}, {"1"});
    const Evaluation evaluation = EvaluateRegionCall(ReduceCall(
        {terms, terms}, {one, one},
        "^bb0(%a: tensor<i8>, %i: tensor<i8>, %b: tensor<i8>, %j: tensor<i8>): "
        "%v = stablehlo.maximum %a, %b : tensor<i8> "
        "%w = stablehlo.add %i, %j : tensor<i8> "
        "stablehlo.return %v, %w : tensor<i8>, tensor<i8>",
        {0}));
    ASSERT_EQ(evaluation.undecided, 0);
    for (int v = 0; v <= 1; ++v) {
      for (int w = 0; w <= static_cast<int>(n); ++w) {
        const std::vector<Tensor> results = {
            TensorOfTexts(kI8, {}, {std::to_string(v)}),
            TensorOfTexts(kI8, {}, {std::to_string(w)})};
        EXPECT_EQ(JudgeTogether(evaluation, results).ok(), (v > 0) == (w > 0))
            << n << ' ' << v << ' ' << w;
      }
    }
  }
}

// The initial value leaves all values as they are but for one that only the
// whole tree may have, behind more than 64 values of its parts.
TEST(Reduce, AnInitialValueMayChangeTheLastNodeAlone) {
  const std::vector<int32_t> terms = {3, -7, 11, 100, -23, 5};
  const auto combined = [](int32_t a, int32_t b) {
    const auto x = static_cast<uint32_t>(a), y = static_cast<uint32_t>(b);
    return static_cast<int32_t>(x + y + x * y * (x ^ y));
  };
  const std::vector<int32_t> results = TreesOver<int32_t>(terms, combined);
  std::vector<std::string> texts;
  for (const int32_t term : terms) texts.push_back(std::to_string(term));
  const auto reduce = [&](int32_t changed) {
    return EvaluateRegionCall(ReduceRow(
        kI32, texts, "0",
        fmt::format("^bb0(%a: tensor<i32>, %b: tensor<i32>): "
                    "%k = stablehlo.constant dense<{}> : tensor<i32> "
                    "%s = stablehlo.add %a, %b : tensor<i32> "
                    "%p = stablehlo.multiply %a, %b : tensor<i32> "
                    "%x = stablehlo.xor %a, %b : tensor<i32> "
                    "%q = stablehlo.multiply %p, %x : tensor<i32> "
                    "%t = stablehlo.add %s, %q : tensor<i32> "
                    "%e = stablehlo.compare EQ, %a, %k, SIGNED : "
                    "(tensor<i32>, tensor<i32>) -> tensor<i1> "
                    "%u = stablehlo.convert %e : (tensor<i1>) -> tensor<i32> "
                    "%r = stablehlo.add %t, %u : tensor<i32> "
                    "stablehlo.return %r : tensor<i32>",
                    changed)));
  };
  // No node is 1.
  const Evaluation unchanged = reduce(1);
  EXPECT_EQ(unchanged.undecided, 0);
  EXPECT_EQ(AllowedAt(unchanged).size(),
            std::set<int32_t>(results.begin(), results.end()).size());
  for (const int32_t result : results) {
    const Evaluation changed = reduce(result);
    if (changed.undecided > 0) continue;
    EXPECT_THAT(AllowedAt(changed),
                testing::Contains(std::to_string(result + 1)))
        << result;
  }
}

// A choice of numbers beside a sum, of few terms and of more.
TEST(Reduce, ComponentsKnowTheirInitialValues) {
  for (const size_t n : {7, 8, 9}) {
    const Evaluation evaluation = EvaluateRegionCall(ReduceCall(
        {RowOfTexts(kF32, std::vector<std::string>(n, "2")),
         RowOfTexts(kI8, std::vector<std::string>(n, "0"))},
        {TensorOfTexts(kF32, {}, {"5"}), TensorOfTexts(kI8, {}, {"1"})},
        "^bb0(%a: tensor<f32>, %i: tensor<i8>, %b: tensor<f32>, "
        "%j: tensor<i8>): "
        "%p = stablehlo.compare GE, %a, %b, FLOAT : "
        "(tensor<f32>, tensor<f32>) -> tensor<i1> "
        "%v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32> "
        "%w = stablehlo.add %i, %j : tensor<i8> "
        "stablehlo.return %v, %w : tensor<f32>, tensor<i8>",
        {0}));
    EXPECT_EQ(evaluation.undecided, 0) << n;
    EXPECT_EQ(AllowedAt(evaluation, 0), (Texts{"2", "5"})) << n;
  }
}

// More values than a set has are not what lies between the least and the
// greatest.
TEST(Reduce, MoreResultsThanASetHasAreNotDecided) {
  const Evaluation evaluation = EvaluateRegionCall(
      ReduceRow(kUi16, {"35920", "23679", "2", "43517", "1", "7001", "311"},
                "1", BodyOf("subtract", "ui16", true)));
  EXPECT_EQ(evaluation.undecided, 1);
}

// A sum beside a maximum is no monoid that is known.
TEST(Reduce, FunctionsSideBySideAreReducedOneByOne) {
  std::vector<std::string> terms(12, "1");
  terms[7] = "5";
  const auto call_of = [&](const std::string& second) {
    return ReduceCall(
        {RowOfTexts(kI32, terms), RowOfTexts(kI32, terms)},
        {TensorOfTexts(kI32, {}, {"0"}), TensorOfTexts(kI32, {}, {"-9"})},
        "^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, "
        "%d: tensor<i32>): %0 = stablehlo.add %a, %c : tensor<i32> "
        "%1 = stablehlo.maximum " +
            second +
            " : tensor<i32> "
            "stablehlo.return %0, %1 : tensor<i32>, tensor<i32>",
        {0});
  };
  const FloatCall call = call_of("%b, %d");
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation, 0), Texts{"16"});
  EXPECT_EQ(AllowedAt(evaluation, 1), Texts{"5"});
  EXPECT_THAT(IdsOf(call.op, evaluation), testing::HasSubstr("maximum/S"));
  // The second result rests on the first one's terms: it is a sum of terms that
  // stand on the left of a node, or the last term.
  Texts sums;
  for (int sum = 5; sum <= 16; ++sum) sums.insert(std::to_string(sum));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(call_of("%a, %d")), 1), sums);
}

#ifdef ASSAY_BREAK_CLAUSES
// Few terms are products of 1, 1.875, 1.25 and the initial value, which a wider
// type does not round before the end: 2.9296875 is 3 then.
TEST(Reduce, FunctionsSideBySideAreRoundedAsOneIs) {
  const std::vector<std::string> terms = {"1", "1.875", "1.25"};
  const FloatCall pair = ReduceCall(
      {RowOfTexts(kF8E4M3, terms), RowOfTexts(kI8, {"3", "1", "2"})},
      {TensorOfTexts(kF8E4M3, {}, {"1.25"}), TensorOfTexts(kI8, {}, {"9"})},
      "^bb0(%a: tensor<f8E4M3>, %i: tensor<i8>, %b: tensor<f8E4M3>, "
      "%j: tensor<i8>): "
      "%0 = stablehlo.multiply %a, %b : tensor<f8E4M3> "
      "%1 = stablehlo.minimum %i, %j : tensor<i8> "
      "stablehlo.return %0, %1 : tensor<f8E4M3>, tensor<i8>",
      {0});
  const FloatCall alone =
      ReduceRow(kF8E4M3, terms, "1.25", BodyOf("multiply", "f8E4M3"));
  const Policy& assay = Policy::Find("assay");
  for (const Policy& policy : {assay.With("accumulation_type", "wider"),
                               assay.With("reduction_order", "any"),
                               assay.With("subnormals", "flush_uniformly")}) {
    const auto allowed = [&](const FloatCall& call) {
      return AllowedAt(Evaluate(call.op, call.inputs, policy, Marks::kNone));
    };
    EXPECT_EQ(allowed(pair), allowed(alone));
  }
}

TEST(Reduce, ABrokenClauseOfTheBodyChangesTheResult) {
  const FloatCall call =
      ReduceRow(kI32, {"1", "2", "4"}, "0", BodyOf("add", "i32"));
  for (const auto& [op, clause] : {std::pair("add", 2), {"reduce", 5}}) {
    const ScopedBrokenClause broken(op, clause);
    EXPECT_NE(AllowedAt(EvaluateRegionCall(call)), Texts{"7"}) << op << clause;
  }
  {
    const ScopedBrokenClause broken("reduce", 2);
    const FloatCall rows =
        ReduceCall({TensorOfTexts(kI32, {2, 1}, {"1", "5"})},
                   {TensorOfTexts(kI32, {}, {"0"})}, BodyOf("add", "i32"), {1});
    EXPECT_EQ(AllowedAt(EvaluateRegionCall(rows)), Texts{"5"});
  }
  const FloatCall orders =
      ReduceRow(kF32, {"0x1p24", "1", "1"}, "0", BodyOf("add", "f32"));
  const Texts right = AllowedAt(EvaluateRegionCall(orders));
  for (const int clause : {7, 9}) {
    const ScopedBrokenClause broken("reduce", clause);
    EXPECT_NE(AllowedAt(EvaluateRegionCall(orders)), right) << clause;
  }
  const ScopedBrokenClause broken("reduce", 8);
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(
                ReduceRow(kI32, {}, "8", BodyOf("add", "i32")))),
            Texts{"9"});
}
#endif

}  // namespace
}  // namespace assay
