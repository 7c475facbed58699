// Tests scatter: where updates go, and what elements become that several of
// them go to, against all permutations of these.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "oracle/judge.h"
#include "oracle/reduction/reduce_test_support.h"
#include "oracle/region_laws.h"
#include "oracle/relation.h"

namespace assay {
namespace {

using enum ElementType;
using Texts = std::set<std::string>;

std::string Assignment(const std::string& type) {
  return fmt::format(
      "^bb0(%a: tensor<{0}>, %b: tensor<{0}>): "
      "stablehlo.return %b : tensor<{0}>",
      type);
}

// f(a, b) = 2 a + b: the order of updates shows.
std::string Twice(const std::string& type) {
  return fmt::format(
      "^bb0(%a: tensor<{0}>, %b: tensor<{0}>): "
      "%0 = stablehlo.add %a, %a : tensor<{0}> "
      "%1 = stablehlo.add %0, %b : tensor<{0}> "
      "stablehlo.return %1 : tensor<{0}>",
      type);
}

// Scatters points of vectors of one length. The flags are the promises. Where a
// type is given, it is that of the computation.
FloatCall ScatterPoints(const std::vector<Tensor>& inputs,
                        const std::vector<int64_t>& indices,
                        const std::vector<Tensor>& updates,
                        const std::string& body, bool says_sorted = false,
                        bool says_unique = false,
                        std::optional<ElementType> to = std::nullopt) {
  Tensor scatter_indices(
      TensorType({static_cast<int64_t>(indices.size()), 1}, kI64));
  for (size_t i = 0; i < indices.size(); ++i)
    scatter_indices.SetBits(static_cast<int64_t>(i),
                            static_cast<uint64_t>(indices[i]));
  const auto flag = [](const char* name, bool value) {
    Tensor tensor(TensorType({}, kI1));
    tensor.SetBits(0, value);
    return Attribute{name, tensor};
  };
  Tensor index_vector_dim(TensorType({}, kI64));
  index_vector_dim.SetBits(0, 1);
  std::vector<TensorType> results;
  for (const Tensor& input : inputs)
    results.emplace_back(input.type().shape, to.value_or(input.element_type()));
  return MakeRegionCall("scatter",
                        {{inputs, {scatter_indices}, updates},
                         body,
                         {ListAttribute("update_window_dims", {}),
                          ListAttribute("inserted_window_dims", {0}),
                          ListAttribute("input_batching_dims", {}),
                          ListAttribute("scatter_indices_batching_dims", {}),
                          ListAttribute("scatter_dims_to_operand_dims", {0}),
                          {"index_vector_dim", index_vector_dim},
                          flag("indices_are_sorted", says_sorted),
                          flag("unique_indices", says_unique)},
                         results});
}

// Returns the results of all orders of the updates.
template <class V>
std::set<V> AllOrders(V element, std::vector<V> updates,
                      const std::function<V(V, V)>& body) {
  std::set<V> results;
  std::sort(updates.begin(), updates.end());
  do {
    V result = element;
    for (const V& update : updates) result = body(result, update);
    results.insert(result);
  } while (std::next_permutation(updates.begin(), updates.end()));
  return results;
}

TEST(Scatter, UpdatesElementsAndLeavesOthers) {
  const FloatCall call =
      ScatterPoints({RowOfTexts(kI32, {"10", "20", "30"})}, {2, -1, 3, 0},
                    {RowOfTexts(kI32, {"1", "2", "3", "4"})},
                    BodyOf("subtract", "i32", true));
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation, 0, 0), Texts{"-6"});
  EXPECT_EQ(AllowedAt(evaluation, 0, 1), Texts{"20"});
  EXPECT_EQ(AllowedAt(evaluation, 0, 2), Texts{"-29"});
  EXPECT_EQ(IdsOf(call.op, evaluation),
            "scatter/S1 scatter/S2 scatter/S3 scatter/S4 scatter/S6 "
            "scatter/S9 scatter/S12 scatter/S13 scatter/S16 scatter/S18 "
            "scatter/S19 scatter/S20 scatter/S21 subtract/S1");
}

TEST(Scatter, AnElementIsAnyOfTheUpdatesThatAreAssignedToIt) {
  const FloatCall call =
      ScatterPoints({RowOfTexts(kI8, {"1", "2"})}, {0, 1, 0, 0},
                    {RowOfTexts(kI8, {"5", "6", "7", "5"})}, Assignment("i8"));
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation, 0, 0), (Texts{"5", "7"}));
  EXPECT_EQ(AllowedAt(evaluation, 0, 1), Texts{"6"});
}

TEST(Scatter, SumsOfIntegersAreTheSameInEveryOrder) {
  std::vector<std::string> updates;
  std::vector<int64_t> indices;
  for (int i = 1; i <= 100; ++i) {
    updates.push_back(std::to_string(i));
    indices.push_back(i % 2);
  }
  for (const std::string policy : {"assay", "stablehlo"}) {
    const Evaluation evaluation = EvaluateRegionCall(
        ScatterPoints({RowOfTexts(kI32, {"1000", "0"})}, indices,
                      {RowOfTexts(kI32, updates)}, BodyOf("add", "i32")),
        policy);
    EXPECT_EQ(AllowedAt(evaluation, 0, 0), Texts{"3550"}) << policy;
    EXPECT_EQ(AllowedAt(evaluation, 0, 1), Texts{"2500"}) << policy;
  }
}

TEST(Scatter, ASumThatMayOverflowFollowsThePolicy) {
  const FloatCall call =
      ScatterPoints({RowOfTexts(kI8, {"100"})}, {0, 0, 0, 0, 0, 0, 0},
                    {RowOfTexts(kI8, {"100", "1", "1", "1", "1", "1", "1"})},
                    BodyOf("add", "i8"));
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(call)), Texts{"-50"});
  EXPECT_EQ(AllowedAt(EvaluateRegionCall(call, "stablehlo")), Texts{"open"});
}

TEST(Scatter, FewUpdatesHaveAllOfTheirOrders) {
  std::mt19937 random(5);
  for (int count = 1; count <= 6; ++count) {
    std::vector<int64_t> updates;
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i) {
      updates.push_back(static_cast<int64_t>(random() % 1000));
      texts.push_back(std::to_string(updates.back()));
    }
    const Evaluation evaluation = EvaluateRegionCall(
        ScatterPoints({RowOfTexts(kI32, {"7"})},
                      std::vector<int64_t>(static_cast<size_t>(count), 0),
                      {RowOfTexts(kI32, texts)}, Twice("i32")));
    Texts expected;
    for (const int64_t result : AllOrders<int64_t>(
             7, updates, [](int64_t a, int64_t b) { return 2 * a + b; }))
      expected.insert(std::to_string(result));
    EXPECT_EQ(AllowedAt(evaluation), expected) << count;
  }
}

TEST(Scatter, MoreUpdatesOfThatKindAreNotDecided) {
  const Evaluation evaluation = EvaluateRegionCall(ScatterPoints(
      {RowOfTexts(kI32, {"7"})}, std::vector<int64_t>(7, 0),
      {RowOfTexts(kI32, {"1", "2", "3", "4", "5", "6", "7"})}, Twice("i32")));
  EXPECT_EQ(evaluation.undecided, 1);
}

TEST(Scatter, SumsOfFloatsAreThoseOfSomeOrder) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 40; ++trial) {
    const int count = 2 + trial % 5;
    std::vector<float> updates;
    Tensor tensor(TensorType({count}, kF32));
    for (int i = 0; i < count; ++i) {
      updates.push_back(std::ldexp(static_cast<float>(random() % 2000) - 1000,
                                   static_cast<int>(random() % 30)));
      tensor.As<Float<kF32>>()[i] = std::bit_cast<uint32_t>(updates.back());
    }
    const FloatCall call =
        ScatterPoints({RowOfTexts(kF32, {"0.75"})},
                      std::vector<int64_t>(static_cast<size_t>(count), 0),
                      {tensor}, BodyOf("add", "f32"));
    const Evaluation evaluation = EvaluateRegionCall(call);
    Texts expected;
    for (const float result : AllOrders<float>(
             0.75f, updates, [](float a, float b) { return a + b; }))
      expected.insert(FormatValue(kF32, std::bit_cast<uint32_t>(result)));
    EXPECT_EQ(AllowedAt(evaluation), expected) << trial;
  }
}

TEST(Scatter, LongSumsOfFloatsHaveBounds) {
  std::mt19937 random(7);
  constexpr int kCount = 60;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<float> updates;
    Tensor tensor(TensorType({kCount}, kF32));
    for (int i = 0; i < kCount; ++i) {
      updates.push_back(static_cast<float>(random() % 20000) * 0.001f - 10);
      tensor.As<Float<kF32>>()[i] = std::bit_cast<uint32_t>(updates.back());
    }
    const FloatCall call = ScatterPoints({RowOfTexts(kF32, {"0.75"})},
                                         std::vector<int64_t>(kCount, 0),
                                         {tensor}, BodyOf("add", "f32"));
    const Expectation expectation = EvaluateRegionCall(call).outputs[0];
    for (int order = 0; order < 50; ++order) {
      float sum = 0.75f;
      std::shuffle(updates.begin(), updates.end(), random);
      for (const float update : updates) sum += update;
      Tensor result(TensorType({1}, kF32));
      result.SetBits(0, std::bit_cast<uint32_t>(sum));
      EXPECT_TRUE(Judge(expectation, result).ok());
      result.SetBits(0, std::bit_cast<uint32_t>(sum * 1.001f + 0.01f));
      EXPECT_FALSE(Judge(expectation, result).ok());
    }
  }
}

TEST(Scatter, ResultsOfSeveralOperandsAreThoseOfOneOrder) {
  const FloatCall call = ScatterPoints(
      {RowOfTexts(kI32, {"1"}), RowOfTexts(kI8, {"2"})}, {0, 0},
      {RowOfTexts(kI32, {"10", "20"}), RowOfTexts(kI8, {"11", "21"})},
      "^bb0(%a: tensor<i32>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i8>): "
      "stablehlo.return %c, %d : tensor<i32>, tensor<i8>");
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation, 0), (Texts{"10", "20"}));
  EXPECT_EQ(AllowedAt(evaluation, 1), (Texts{"11", "21"}));
  ASSERT_NE(evaluation.relation, nullptr);
  const auto judge = [&](const char* first, const char* second) {
    const std::vector<Tensor> results = {RowOfTexts(kI32, {first}),
                                         RowOfTexts(kI8, {second})};
    return evaluation.relation->Judge(results).ok();
  };
  EXPECT_TRUE(judge("10", "11"));
  EXPECT_TRUE(judge("20", "21"));
  EXPECT_FALSE(judge("10", "21"));
}

TEST(Scatter, FunctionsSideBySideAreRoundedAsOneIs) {
  const std::vector<Tensor> elements = {RowOfTexts(kF8E4M3, {"1.25"}),
                                        RowOfTexts(kI8, {"9"})};
  const std::vector<Tensor> updates = {RowOfTexts(kF8E4M3, {"1.875", "1.25"}),
                                       RowOfTexts(kI8, {"3", "1"})};
  const FloatCall pair = ScatterPoints(
      elements, {0, 0}, updates,
      "^bb0(%a: tensor<f8E4M3>, %i: tensor<i8>, %b: tensor<f8E4M3>, "
      "%j: tensor<i8>): "
      "%0 = stablehlo.multiply %a, %b : tensor<f8E4M3> "
      "%1 = stablehlo.minimum %i, %j : tensor<i8> "
      "stablehlo.return %0, %1 : tensor<f8E4M3>, tensor<i8>");
  const FloatCall alone = ScatterPoints({elements[0]}, {0, 0}, {updates[0]},
                                        BodyOf("multiply", "f8E4M3"));
  const Policy& assay = Policy::Find("assay");
  for (const Policy& policy : {assay.With("accumulation_type", "wider"),
                               assay.With("scatter_order", "any_tree"),
                               assay.With("subnormals", "flush_uniformly")}) {
    const auto allowed = [&](const FloatCall& call) {
      return AllowedAt(Evaluate(call.op, call.inputs, policy, Marks::kNone));
    };
    EXPECT_EQ(allowed(pair), allowed(alone));
  }
}

TEST(Scatter, BrokenPromisesFollowThePolicy) {
  const Tensor input = RowOfTexts(kI32, {"1", "2", "3"});
  const Tensor updates = RowOfTexts(kI32, {"10", "20"});
  const auto allowed = [&](const std::vector<int64_t>& indices, bool sorted,
                           bool unique, const std::string& policy) {
    return AllowedAt(
        EvaluateRegionCall(ScatterPoints({input}, indices, {updates},
                                         BodyOf("add", "i32"), sorted, unique),
                           policy),
        0, 1);
  };
  EXPECT_EQ(allowed({1, 0}, true, false, "assay"), Texts{"12"});
  EXPECT_EQ(allowed({1, 0}, true, false, "stablehlo"), Texts{"open"});
  EXPECT_EQ(allowed({0, 1}, true, false, "stablehlo"), Texts{"22"});
  EXPECT_EQ(allowed({1, 1}, false, true, "assay"), Texts{"32"});
  EXPECT_EQ(allowed({1, 1}, false, true, "stablehlo"), Texts{"open"});
  // What is out of bounds is not scattered.
  EXPECT_EQ(allowed({9, 9}, false, true, "stablehlo"), Texts{"2"});
}

// An update that a conversion leaves open to two values is one of them.
TEST(Scatter, ConvertedUpdatesMayHaveSeveralValues) {
  const auto evaluate = [](const std::vector<int64_t>& indices,
                           const std::vector<std::string>& updates) {
    return EvaluateRegionCall(
        ScatterPoints({RowOfTexts(kBF16, {"0"})}, indices,
                      {RowOfTexts(kBF16, updates)}, Assignment("f16"), false,
                      false, kF16),
        "stablehlo");
  };
  EXPECT_EQ(AllowedAt(evaluate({0}, {"65536"})), (Texts{"65504", "inf"}));
  EXPECT_EQ(evaluate({0, 0}, {"65536", "65536"}).undecided, 1);
  EXPECT_EQ(AllowedAt(evaluate({0, 0}, {"1", "2"})), (Texts{"1", "2"}));
}

TEST(Scatter, ALawOfTheFunctionMakesTheOrderNoMatter) {
  const auto law = [](const std::string& body) {
    Op op;
    op.op = "scatter";
    op.regions.push_back(ReadRegion("test", "update_computation", body));
    const std::vector<Tensor> none;
    return ShownToCommuteInChains(
        op.regions[0], OpCall{op, none, Policy::Find("assay"), Marks::kNone});
  };
  for (const char* op : {"add", "multiply", "subtract", "and", "or", "xor",
                         "maximum", "minimum"})
    EXPECT_EQ(law(BodyOf(op, "i32")), Shown::kAlways) << op;
  EXPECT_EQ(law(BodyOf("maximum", "f32")), Shown::kAlways);
  EXPECT_EQ(law(BodyOf("add", "f32")), Shown::kNever);
  EXPECT_EQ(law(BodyOf("subtract", "i32", true)), Shown::kNever);
  EXPECT_EQ(law(Twice("i32")), Shown::kNever);
  EXPECT_EQ(law(Assignment("i32")), Shown::kNever);
}

}  // namespace
}  // namespace assay
