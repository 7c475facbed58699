// Tests the values of formulas: names, the four truth values, the functions of
// the notation, and the examples that "Notation" and "Dynamism" of the
// StableHLO specification work through.
#include "spec/formula/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "spec/formula/formula_test_support.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(FormulaNames, UnknownNamesAndFunctionsAreErrors) {
  EXPECT_THAT(ErrorOf("rank(operand) = 1"), HasSubstr("name 'operand'"));
  EXPECT_THAT(ErrorOf("bank(lhs) = 1"), HasSubstr("function 'bank'"));
  EXPECT_THAT(ErrorOf("dim(lhs)"), HasSubstr("2 argument(s), not 1"));
  EXPECT_THAT(ErrorOf("rank(lhs, 1)"), HasSubstr("1 argument(s), not 2"));
}

TEST(FormulaNames, MembersHideDefinitionsWhichHideTypes) {
  std::map<std::string, Formula, std::less<>> where;
  where["R"] = Formula::Parse("rank(lhs)");
  where["twice"] = Formula::Parse("R * 2");
  where["scalar"] = Formula::Parse("1 + nonsense");
  where["i8"] = Formula::Parse("5");
  Environment environment = Members();
  environment.definitions = &where;
  const auto eval = [&](const char* text) {
    return Evaluate(Formula::Parse(text), environment).ToString();
  };
  EXPECT_EQ(eval("twice + R"), "9");
  EXPECT_EQ(eval("rank(scalar)"), "0");
  EXPECT_EQ(eval("i8"), "5");
}

TEST(FormulaNames, ADefinitionByItselfIsAnError) {
  std::map<std::string, Formula, std::less<>> where;
  where["a"] = Formula::Parse("b + 1");
  where["b"] = Formula::Parse("a + 1");
  Environment environment;
  environment.definitions = &where;
  EXPECT_THROW(Evaluate(Formula::Parse("a"), environment), FormulaError);
}

TEST(FormulaNames, TypesEnumConstantsAndLiteralsAreThemselves) {
  ExpectTruths({
      {"element_type(lhs) = i8", "true"},
      {"element_type(lhs) = si8", "true"},
      {"element_type(lhs) = ui8", "false"},
      {"direction = LT", "true"},
      {"direction in [EQ, NE]", "false"},
      {"true != false", "true"},
      {"None = None", "true"},
      {"complex_element_type(lhs) = None", "true"},
  });
}

TEST(FormulaTruth, ConjunctionDisjunctionAndNegationAreKleenes) {
  ExpectTruths({
      {"true and true", "true"},      {"true and false", "false"},
      {"true and D", "deferred"},     {"true and U", "undefined"},
      {"false and D", "false"},       {"false and U", "false"},
      {"D and D", "deferred"},        {"D and U", "undefined"},
      {"U and D", "undefined"},       {"U and false", "false"},
      {"true or D", "true"},          {"true or U", "true"},
      {"U or true", "true"},          {"false or D", "deferred"},
      {"false or U", "undefined"},    {"D or U", "undefined"},
      {"false or false", "false"},    {"not D", "deferred"},
      {"not U", "undefined"},         {"not false", "true"},
      {"1 if D else 1", "deferred"},  {"1 if U else 1", "undefined"},
      {"[true, D]", "deferred"},      {"[D, false]", "false"},
      {"[true, U, D]", "undefined"},  {"[]", "true"},
      {"[true, true]", "true"},       {"5", "undefined"},
      {"D = D", "deferred"},          {"U = D", "undefined"},
      {"1 < None", "undefined"},      {"1 in 5", "undefined"},
      {"1 in none_of_them", "false"}, {"1 in [2, 1]", "true"},
      {"1 in [2, D]", "deferred"},    {"1 in [D, 1]", "true"},
  });
}

TEST(FormulaTruth, ScalarsBroadcastAndListsCompareElementByElement) {
  ExpectTruths({
      {"0 < xs", "true"},
      {"xs < 3", "false"},
      {"1 <= xs <= 3", "true"},
      {"[1, 2] < [2, 3]", "true"},
      {"[1, 3] < [2, 3]", "false"},
      {"xs = [1, 2]", "false"},
      {"xs < [1, 2]", "undefined"},
      {"xs + 1 = [2, 3, 4]", "true"},
      {"10 - xs = [9, 8, 7]", "true"},
      {"xs + xs = xs * 2", "true"},
      {"xs + [1] = xs", "undefined"},
      {"4 != xs", "true"},
  });
}

// "After we apply implicit broadcasting .. this formula will evaluate to a
// tensor of booleans [and] holds if [it] only has true elements."
TEST(FormulaTruth, UnequalToABroadcastScalarMeansEveryElement) {
  ExpectTruths({{"1 != xs", "false"}, {"xs != 3", "false"}});
}

TEST(FormulaTruth, ArithmeticOutsideOf128BitsAndOfIntegersIsUndefined) {
  ExpectTruths(
      {{"9223372036854775807 + 1 > 9223372036854775807", "true"},
       {"-9223372036854775807 - 2 < -9223372036854775807", "true"},
       {"3 + 9223372036854775807 + 9223372036854775807 = 1", "false"},
       {"9223372036854775807 * 9223372036854775807 * 2 > 0", "true"},
       {"9223372036854775807 * 9223372036854775807 * 4 > 0", "undefined"},
       {"-9223372036854775807 * 9223372036854775807 * 4 < 0", "undefined"},
       {"1 // 0 = 0", "undefined"},
       {"1 % 0 = 0", "undefined"},
       {"true + 1 = 2", "undefined"},
       {"i8 + 1 = 2", "undefined"}});
}

TEST(FormulaFunctions, IsUniqueComparesEveryPair) {
  ExpectTruths({
      {"is_unique(xs)", "true"},
      {"is_unique(none_of_them)", "true"},
      {"is_unique([1, 2, 1])", "false"},
      {"is_unique([1, 1, D])", "false"},
      {"is_unique([1, 2, D])", "deferred"},
      {"is_unique(1)", "undefined"},
  });
}

// A bound name must not hide another: the meaning of a formula would then
// depend on where the name is.
TEST(FormulaNames, ForAllBindsOnlyWhatIsNoName) {
  const std::set<std::string, std::less<>> names = {"xs", "taken"};
  const auto error = [&](const char* text) -> std::string {
    try {
      CheckNames(Formula::Parse(text), names);
    } catch (const FormulaError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error("For all d in xs, For all e in xs, d = e"), "");
  EXPECT_THAT(error("For all taken in xs, 1 = 1"),
              HasSubstr("'taken' is a name already"));
  EXPECT_THAT(error("For all i8 in xs, 1 = 1"),
              HasSubstr("'i8' is a name already"));
  EXPECT_THAT(error("For all d in xs, For all d in xs, 1 = 1"),
              HasSubstr("'d' is a name already"));
  EXPECT_THAT(error("For all d in d, 1 = 1"), HasSubstr("unknown name 'd'"));
  EXPECT_THAT(error("For all d in xs, e = 1"), HasSubstr("unknown name 'e'"));
}

TEST(FormulaFunctions, AnswerFromTypes) {
  ExpectValues({
      {"rank(lhs)", "3"},
      {"rank(scalar)", "0"},
      {"shape(scalar)", "[]"},
      {"shape(dynamic)", "[?, 3]"},
      {"size(lhs)", "24"},
      {"size(scalar)", "1"},
      {"size(dynamic)", "?"},
      {"size(xs)", "3"},
      {"axes(lhs)", "[0, 1, 2]"},
      {"range(2)", "[0, 1]"},
      {"element_type(z)", "complex<f64>"},
      {"complex_element_type(element_type(z))", "f64"},
      {"num_bits(element_type(mask))", "1"},
      {"type(lhs)", "tensor<2x3x4xi8>"},
      {"baseline_type(lhs)", "tensor<2x3x4xi8>"},
      {"baseline_element_type(lhs)", "i8"},
      {"[is_boolean(mask), is_integer(mask), is_integer(lhs)]",
       "[true, false, true]"},
      {"[is_signed_integer(lhs), is_unsigned_integer(lhs)]", "[true, false]"},
      {"[is_float(scalar), is_complex(scalar), is_complex(z)]",
       "[true, false, true]"},
      {"is_quantized(lhs)", "false"},
      {"storage_type(lhs)", "None"},
      {"rank(text)", "None"},
  });
  ExpectTruths({{"dim(lhs, 3) = 1", "undefined"},
                {"dim(lhs, -1) = 4", "undefined"},
                {"dim(scalar, 0) = 1", "undefined"}});
}

TEST(FormulaFunctions, AnswerFromListsAndFunctions) {
  ExpectValues(
      {{"max([3, -1, 0], 0)", "[3, 0, 0]"},
       {"max(shape(dynamic), 2)", "[?, 3]"},
       {"max(1, 0)", "undefined (max() takes a list of numbers and a number)"},
       {"sum(xs)", "6"},
       {"sum(none_of_them)", "0"},
       {"sum([1, D])", "?"},
       {"sum([9223372036854775807, 1])", "9223372036854775808"},
       {"sum([9223372036854775807, 1, -2])", "9223372036854775806"},
       {"sum([product([9223372036854775807, 9223372036854775807]), "
        "product([9223372036854775807, 9223372036854775807, 2])])",
        "undefined (a sum of the formula overflows 128 bits)"},
       {"9223372036854775807 * 2 - 9223372036854775807", "9223372036854775807"},
       {"-9223372036854775807 - 3", "-9223372036854775810"},
       {"(-9223372036854775807 - 3) // 2", "-4611686018427387905"},
       {"(-9223372036854775807 - 3) % 4", "2"},
       {"max([9223372036854775807 * 4, -1], 0)", "[36893488147419103228, 0]"},
       {"sum([D, U])", "undefined (test)"},
       {"product(xs)", "6"},
       {"product(shape(lhs)[1:])", "12"},
       {"product(none_of_them)", "1"},
       {"product([2, D])", "?"},
       {"product([4294967296, 4294967296])", "18446744073709551616"},
       {"product([9223372036854775807, 9223372036854775807, 4])",
        "undefined (a product of the formula overflows 128 bits)"},
       {"product([true])", "undefined (product() of what is no number)"},
       {"product(1)", "undefined (product() of something that is no list)"},
       {"without(shape(lhs), [1])", "[2, 4]"},
       {"without(shape(lhs), [3])",
        "undefined (without() of a dimension that the shape lacks)"},
       {"scalar_type(i8)", "tensor<i8>"},
       {"tuple_type([type(lhs), tuple_type([])])",
        "tuple<tensor<2x3x4xi8>, tuple<>>"},
       {"tuple_element_types(lhs)", "None"},
       {"size(tuple_type([type(lhs)]))", "1"},
       {"input_types(lhs)", "None"}});
  ExpectTruths({{"same([])", "true"},
                {"same([1, 1])", "true"},
                {"same([1, 2])", "false"},
                {"same([1, D])", "deferred"},
                {"same([type(dynamic), type(two_three)])", "deferred"},
                {"same(1)", "undefined"},
                {"is_promotable(i8, i16)", "true"},
                {"is_promotable(ui8, i8)", "true"},
                {"is_promotable(i16, i8)", "false"},
                {"is_promotable(i8, f32)", "false"},
                {"is_promotable(i1, i1)", "true"},
                {"is_promotable(f16, bf16)", "true"},
                {"tuple_type([type(lhs)]) = tuple_type([type(lhs)])", "true"},
                {"tuple_type([type(dynamic)]) = tuple_type([type(two_three)])",
                 "deferred"},
                {"tuple_type([]) = tuple_type([type(lhs)])", "false"},
                {"is_tensor(lhs)", "true"},
                {"is_tensor(type(dynamic))", "true"},
                {"is_tensor(tuple_type([type(lhs)]))", "false"},
                {"is_token(lhs)", "false"},
                {"is_token(tuple_type([]))", "false"},
                {"tuple_type([]) = type(lhs)", "false"}});
}

TEST(FormulaExamples, OfTheNotationSection) {
  ExpectTruths({
      {"dim(lhs, lhs_batching_dimensions...) = "
       "dim(rhs, rhs_batching_dimensions...)",
       "true"},
      {"dim(lhs, [0, 1]...) = dim(rhs, [0, 1]...)", "false"},
      {"dim(lhs, [0, 2]...) = dim(rhs, [0, 1]...)", "true"},
      {"dim(lhs, [0, 3]...) = dim(rhs, [0, 1]...)", "undefined"},
      {"0 <= lhs_batching_dimensions < rank(lhs)", "true"},
      {"0 <= [0, 3] < rank(lhs)", "false"},
      {"0 <= [-1, 2] < rank(lhs)", "false"},
  });
}

TEST(FormulaExamples, OfTheDynamismSection) {
  ExpectTruths({
      {"shape(dynamic) = shape(two_three)", "deferred"},
      {"shape(dynamic) = shape(two_four)", "false"},
      {"shape(dynamic) = shape(dynamic)", "deferred"},
      {"shape(dynamic) = shape(lhs)", "false"},
      {"type(dynamic) = type(two_three)", "deferred"},
      {"type(two_three) = type(dynamic)", "deferred"},
      {"type(two_four) = type(dynamic)", "false"},
      {"type(dynamic) = type(two_four)", "false"},
      {"type(unknown) = type(mask)", "false"},
      {"dim(dynamic, 1) = 3", "true"},
      {"dim(dynamic, 0) = 3", "deferred"},
      {"dim(dynamic, 2) = 3", "undefined"},
      {"rank(dynamic) = 2", "true"},
      {"3 in shape(dynamic)", "true"},
      {"4 in shape(dynamic)", "deferred"},
  });
}

// "At compile time, static dimensions must be equal, otherwise they merely need
// to be compatible": no size of `?` makes 3 and 4 equal.
TEST(FormulaExamples, ADynamicTypeInTheMiddleDoesNotReconcileItsNeighbours) {
  ExpectTruths({
      {"type(two_three) = type(unknown) = type(two_four)", "false"},
      {"shape(two_three) = shape(unknown) = shape(two_four)", "false"},
      {"type(two_three) = type(unknown) = type(two_three)", "deferred"},
  });
}

Tensor Constant(ElementType type, const Shape& shape,
                std::initializer_list<__int128> values) {
  Tensor tensor(TensorType{shape, type});
  int64_t i = 0;
  for (const __int128 v : values) tensor.SetBits(i++, BitsOf(type, v));
  return tensor;
}

TEST(FormulaValues, ConstantsAreTheirElementsNestedByDimension) {
  const auto text = [](const Tensor& t) {
    return Value::FromTensor(t).ToString();
  };
  EXPECT_EQ(text(Constant(ElementType::kI64, {}, {-7})), "-7");
  EXPECT_EQ(text(Constant(ElementType::kI1, {2}, {0, 1})), "[false, true]");
  EXPECT_EQ(text(Constant(ElementType::kI8, {2, 2}, {1, 2, 3, -4})),
            "[[1, 2], [3, -4]]");
  EXPECT_EQ(text(Constant(ElementType::kI8, {2, 0}, {})), "[[], []]");
  const Value above = Value::FromTensor(
      Constant(ElementType::kUi64, {}, {static_cast<__int128>(1) << 63}));
  EXPECT_EQ(TruthOf(above), Truth::kUndefined);
}

}  // namespace
}  // namespace assay
