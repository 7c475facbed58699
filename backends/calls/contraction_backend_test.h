// Tests that a backend computes dot_general, convolution and dynamic_conv, or
// declines a call. They are compiled with each backend that has these ops.
#ifndef ASSAY_BACKENDS_CALLS_CONTRACTION_BACKEND_TEST_H_
#define ASSAY_BACKENDS_CALLS_CONTRACTION_BACKEND_TEST_H_

#include <gtest/gtest.h>

#include "backends/calls/convolution_test_support.h"

namespace assay::contraction_test {

template <class AnyCall>
void ExpectRight(AnyCall& call, const TestAnswer& answer) {
  ASSERT_EQ(answer.status, ASSAY_OK) << answer.message;
  ForEach(call.result.shape, [&](const Numbers& index) {
    if (testing::Test::HasFailure()) return;
    const Element expected = call.Expected(index), is = call.result.Get(index);
    EXPECT_TRUE(Has(call.result, index, expected))
        << TextOf(index) << " is " << is.integer << " " << is.number << ", not "
        << expected.integer << " " << expected.number;
  });
}

// Types of results beside that of the operands.
struct TypePair {
  ElementType operand, result;
};
inline constexpr TypePair kMixedTypes[] = {
    {kI8, kI32},   {kUi8, kI32},  {kI8, kUi64},  {kI16, kI32},   {kUi16, kUi32},
    {kI32, kI8},   {kI32, kI64},  {kUi4, kI16},  {kI64, kI4},    {kI2, kI64},
    {kBf16, kF32}, {kF16, kF64},  {kF32, kBf16}, {kF32, kF64},   {kF64, kF32},
    {kF64, kF16},  {kC64, kC128}, {kC128, kC64}, {kF8E5M2, kF32}};

TEST(Contraction, DotGeneralOfEveryType) {
  std::mt19937_64 random(1);
  std::vector<TypePair> pairs(std::begin(kMixedTypes), std::end(kMixedTypes));
  for (const ElementType& type : kAllTypes) pairs.push_back({type, type});
  for (const auto& [operand, result] : pairs) {
    SCOPED_TRACE(std::string(operand.name) + " " + result.name);
    // Sums of the narrowest floats are within their range.
    const bool is_narrow = result.bits == 8 && result.is_float();
    DotCall dot = MatrixProduct(operand, result, 13, is_narrow ? 3 : 37, 35);
    dot.lhs.DrawValues(random);
    dot.rhs.DrawValues(random);
    ExpectRight(dot, dot.Call());
  }
}

TEST(Contraction, DotGeneralOfDrawnDimensions) {
  std::mt19937_64 random(2);
  constexpr TypePair kTypes[] = {{kF32, kF32}, {kI8, kI32},   {kF64, kF64},
                                 {kI64, kI64}, {kBf16, kF32}, {kC64, kC64},
                                 {kUi4, kUi4}, {kI1, kI1},    {kI16, kI64}};
  for (int i = 0; i < 450 && !testing::Test::HasFailure(); ++i) {
    const TypePair& types = kTypes[static_cast<size_t>(i) % std::size(kTypes)];
    DotCall dot = DrawDot(random, types.operand, types.result);
    SCOPED_TRACE(dot.lhs.text + TextOf(dot.lhs_batch) + TextOf(dot.lhs_terms) +
                 " " + dot.rhs.text + TextOf(dot.rhs_batch) +
                 TextOf(dot.rhs_terms));
    ExpectRight(dot, dot.Call());
  }
}

TEST(Contraction, DotGeneralOfManyTermsAndRows) {
  std::mt19937_64 random(3);
  for (const TypePair& types :
       {TypePair{kF32, kF32}, {kI8, kI32}, {kC64, kC64}, {kI64, kI64}}) {
    for (const auto& [rows, terms, columns] :
         {std::array<int64_t, 3>{1, 1100, 1},
          {7, 515, 33},
          {500, 3, 65},
          {5, 2, 1100}}) {
      DotCall dot =
          MatrixProduct(types.operand, types.result, rows, terms, columns);
      dot.rhs.DrawLayout(random);
      dot.lhs.DrawValues(random);
      dot.rhs.DrawValues(random);
      ExpectRight(dot, dot.Call());
    }
  }
}

TEST(Contraction, ConvolutionOfDrawnNumbers) {
  std::mt19937_64 random(4);
  constexpr ElementType kTypes[] = {kF32, kI8, kF64, kI64, kBf16, kC64, kUi4};
  int results = 0;
  for (int i = 0; i < 700 && !testing::Test::HasFailure(); ++i) {
    ConvolutionCall call = DrawConvolution(
        random, kTypes[static_cast<size_t>(i) % std::size(kTypes)]);
    std::string text = call.lhs.text + " " + call.rhs.text + " " +
                       call.result.text + " padding " + TextOf(call.padding);
    for (const auto& [name, value] : call.Attributes())
      text += " " + name + " " + value;
    SCOPED_TRACE(text);
    results += CountOf(call.result.shape) > 0;
    ExpectRight(call, i % 2 == 0 ? call.Call() : call.CallDynamic(kI64));
  }
  EXPECT_GT(results, 200);
}

// A padding that lies over infinity is 0 times infinity.
TEST(Contraction, PaddingTakesPart) {
  const ConvolutionCall empty = {TestTensor(kF32, {1, 1, 2}),
                                 TestTensor(kF32, {1, 1, 3}),
                                 TestTensor(kF32, {1, 1, 2}),
                                 {0, 1, 2},
                                 {0, 1, 2},
                                 {0, 1, 2},
                                 {1},
                                 {1, 1},
                                 {1},
                                 {1},
                                 {0}};
  ConvolutionCall call = empty;
  for (int64_t i : {0, 1}) call.lhs.Set({0, 0, i}, {0, 1.0});
  for (int64_t i : {0, 1, 2})
    call.rhs.Set({0, 0, i}, {0, i == 0 ? INFINITY : 1.0});
  ExpectRight(call, call.Call());
  EXPECT_TRUE(isnan(call.result.Get({0, 0, 0}).number.real()));
  EXPECT_EQ(call.result.Get({0, 0, 1}).number.real(), INFINITY);
}

TEST(Contraction, ASumOfNothingIsZero) {
  for (const ElementType& type : kAllTypes) {
    DotCall dot = MatrixProduct(type, type, 3, 0, 5);
    ExpectRight(dot, dot.Call());
    // No strides of an operand without elements mean anything.
    dot.lhs.strides = {INT64_MAX, INT64_MIN};
    ExpectRight(dot, dot.Call());
  }
  DotCall dot = MatrixProduct(kF32, kF32, 1, 1, 1);
  dot.lhs.Set({0, 0}, {0, -0.0});
  dot.rhs.Set({0, 0}, {0, 1.0});
  ExpectRight(dot, dot.Call());
  EXPECT_FALSE(signbit(dot.result.Get({0, 0}).number.real())) << "0 + -0 is 0";
}

TEST(Contraction, SpecialValues) {
  const double values[] = {0,         -0.0, 1,        INFINITY,
                           -INFINITY, NAN,  0x1p-149, 0x1p127};
  for (const double a : values) {
    for (const double b : values) {
      for (const ElementType& type : {kF32, kBf16, kF64, kC64}) {
        DotCall dot = MatrixProduct(type, type, 1, 2, 1);
        dot.lhs.Set({0, 0}, {0, {a, 1}});
        dot.rhs.Set({0, 0}, {0, {b, 0}});
        // Both parts of a complex product are there.
        dot.lhs.Set({0, 1}, {0, {b, 0}});
        dot.rhs.Set({1, 0}, {0, {1, 0}});
        SCOPED_TRACE(std::string(type.name) + " " + std::to_string(a) + " " +
                     std::to_string(b));
        ExpectRight(dot, dot.Call());
      }
    }
  }
}

TEST(Contraction, InPlace) {
  std::mt19937_64 random(5);
  for (const bool is_lhs : {true, false}) {
    DotCall dot = MatrixProduct(kF32, kF32, 40, 40, 40);
    dot.lhs.DrawValues(random);
    dot.rhs.DrawValues(random);
    DotCall in_place = dot;
    TestTensor& shared = is_lhs ? in_place.lhs : in_place.rhs;
    const TestAnswer answer =
        RunOn("dot_general", {&in_place.lhs, &in_place.rhs}, &shared,
              dot.Attributes());
    dot.result = shared;
    ExpectRight(dot, answer);
  }
}

Texts AlgorithmOf(const char* operands, const char* sums,
                  const char* components = "1") {
  return {{"lhs_precision_type", operands},
          {"rhs_precision_type", operands},
          {"accumulation_type", sums},
          {"lhs_component_count", components},
          {"rhs_component_count", components},
          {"num_primitive_operations", "1"},
          {"allow_imprecise_accumulation", "false"}};
}

TEST(Contraction, AnAlgorithmRoundsOperands) {
  DotCall dot = MatrixProduct(kF32, kF32, 1, 1, 1);
  dot.rhs.Set({0, 0}, {0, 1.0});
  const struct {
    const char* type;
    double operand, rounded;
  } kRoundings[] = {{"tf32", 1 + 0x1p-11, 1},
                    {"tf32", 1 + 0x3p-11, 1 + 0x1p-9},
                    {"tf32", 1 + 0x1p-11 + 0x1p-23, 1 + 0x1p-10},
                    {"tf32", -0x1.fffffep127, -INFINITY},
                    {"tf32", 0x1.8p-137, 0x1p-136},
                    {"tf32", INFINITY, INFINITY},
                    {"tf32", NAN, NAN},
                    {"bf16", 1 + 0x1p-8, 1},
                    {"f16", 65520, INFINITY},
                    {"f32", 1 + 0x1p-23, 1 + 0x1p-23},
                    {"f64", 1 + 0x1p-23, 1 + 0x1p-23}};
  for (const auto& [type, operand, rounded] : kRoundings) {
    dot.lhs.Set({0, 0}, {0, operand});
    const TestAnswer answer = dot.Call(AlgorithmOf(type, "f32"));
    ASSERT_EQ(answer.status, ASSAY_OK) << answer.message;
    EXPECT_TRUE(Has(dot.result, {0, 0}, {0, rounded})) << type << operand;
  }
  DotCall wide = MatrixProduct(kF64, kF64, 1, 1, 1);
  wide.lhs.Set({0, 0}, {0, 1 + 0x1p-30});
  wide.rhs.Set({0, 0}, {0, 1 + 0x1p-10 + 0x1p-30});
  for (const auto& [type, product] :
       {std::pair<const char*, double>{"f32", 1 + 0x1p-10},
        {"bf16", 1},
        {"tf32", 1 + 0x1p-10}}) {
    ASSERT_EQ(wide.Call(AlgorithmOf(type, "f64")).status, ASSAY_OK);
    EXPECT_TRUE(Has(wide.result, {0, 0}, {0, product})) << type;
  }
  EXPECT_EQ(dot.Call(AlgorithmOf("bf16", "f32", "3")).status,
            ASSAY_UNSUPPORTED);
  DotCall integers = MatrixProduct(kI32, kI32, 1, 1, 1);
  EXPECT_EQ(integers.Call(AlgorithmOf("tf32", "f32")).status,
            ASSAY_UNSUPPORTED);
}

TEST(Contraction, DeclinesOtherCalls) {
  for (const TypePair& types : {TypePair{kI32, kF32},
                                {kF32, kI32},
                                {kF32, kC64},
                                {kI1, kI32},
                                {kC64, kF32}}) {
    DotCall dot = MatrixProduct(types.operand, types.result, 2, 2, 2);
    EXPECT_NE(dot.Call().status, ASSAY_OK);
  }
  DotCall dot = MatrixProduct(kF32, kF32, 2, 2, 2);
  dot.rhs = TestTensor(kF64, {2, 2});
  EXPECT_NE(dot.Call().status, ASSAY_OK);
  dot = MatrixProduct(kF32, kF32, 2, 2, 2);
  EXPECT_EQ(dot.Call({{"unknown", "1"}}).status, ASSAY_UNSUPPORTED);
  // Dimension numbers that violate a constraint, drawn from -1 to 3.
  std::mt19937_64 random(6);
  for (int i = 0; i < 2000; ++i) {
    const auto numbers = [&] {
      Numbers drawn(random() % 3);
      for (int64_t& number : drawn)
        number = static_cast<int64_t>(random() % 5) - 1;
      return drawn;
    };
    dot.lhs_batch = numbers();
    dot.rhs_batch = numbers();
    dot.lhs_terms = numbers();
    dot.rhs_terms = numbers();
    dot.Call();
  }
  ConvolutionCall call = DrawConvolution(random, kF32);
  for (int i = 0; i < 2000; ++i) {
    call = DrawConvolution(random, kF32);
    const int64_t number =
        random() % 8 == 0 ? INT64_MAX : static_cast<int64_t>(random() % 5) - 1;
    Numbers* const lists[] = {&call.input,        &call.kernel,
                              &call.output,       &call.strides,
                              &call.lhs_dilation, &call.rhs_dilation,
                              &call.padding,      &call.result.shape};
    Numbers& list = *lists[random() % std::size(lists)];
    if (random() % 8 == 0)
      call.groups = number;
    else if (random() % 8 == 0)
      call.batch_groups = number;
    else if (!list.empty())
      list[random() % list.size()] = number;
    if (&list == &call.result.shape)
      call.result = TestTensor(kF32, Numbers(list.size(), 1));
    call.Call();
  }
}

}  // namespace assay::contraction_test

#endif  // ASSAY_BACKENDS_CALLS_CONTRACTION_BACKEND_TEST_H_
