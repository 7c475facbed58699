// Members of an op by name, the captures of a function, constants as text.
#include "spec/program.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

const ValueType kI8 = TensorType({}, ElementType::kI8);

Op Add(const std::string& lhs, const std::string& rhs,
       const std::string& result) {
  Op op;
  op.op = "add";
  op.inputs = {{"lhs", lhs, kI8}, {"rhs", rhs, kI8}};
  op.outputs = {{"result", result, kI8}};
  return op;
}

TEST(Op, HasItsMembersByName) {
  Op op;
  op.inputs = {{"inputs", "a", kI8}, {"inputs", "b", kI8}, {"inits", "c", kI8}};
  op.outputs = {{"results", "r", kI8}, {"results", "s", kI8}};
  op.regions.resize(2);
  op.regions[0].name = op.regions[1].name = "branches";
  EXPECT_THAT(op.Inputs("inputs"),
              ElementsAre(Field(&Op::Operand::value, "a"),
                          Field(&Op::Operand::value, "b")));
  EXPECT_THAT(op.Inputs("inits"), ElementsAre(Field(&Op::Operand::value, "c")));
  EXPECT_THAT(op.Inputs("others"), IsEmpty());
  EXPECT_EQ(op.Outputs("results").size(), 2u);
  EXPECT_EQ(op.Regions("branches").size(), 2u);
}

TEST(Captures, AreWhatAFunctionUsesAndDoesNotDefine) {
  Function inner{"inner", {{"x", kI8}}, {}, {}};
  inner.body = {Add("x", "outer", "t"), Add("t", "y", "u")};
  inner.results = {{"u", kI8}};
  Function function{"body", {{"y", kI8}}, {}, {}};
  Op with_region = Add("y", "first", "v");
  with_region.regions = {inner};
  // `x` is an argument of the inner function alone.
  function.body = {with_region, Add("v", "x", "w"), Add("w", "first", "z")};
  function.results = {{"z", kI8}, {"last", kI8}};
  EXPECT_THAT(Captures(function), ElementsAre(Field(&TypedName::name, "first"),
                                              Field(&TypedName::name, "outer"),
                                              Field(&TypedName::name, "x"),
                                              Field(&TypedName::name, "last")));
}

TEST(AttributeText, IsThatOfEveryKind) {
  Tensor list(TensorType({2}, ElementType::kI64));
  list.SetBits(0, 1);
  list.SetBits(1, 0);
  AttributeList values;
  values.elements = {Symbol{"DEFAULT"}, FunctionName{"f"}, list};
  Dictionary members;
  members.members = {{"a", std::string("text")}, {"b", values}};
  EXPECT_EQ(AttributeText(Attribute{"x", members}),
            "{a = text, b = [DEFAULT, @f, [1, 0]]}");
}

TEST(TensorsOf, AreThoseOfATupleOneAfterTheOther) {
  const ValueType nested =
      TupleType{{kI8, TokenType(), TupleType{{kI8, TupleType{}, kI8}}}};
  EXPECT_THAT(TensorsOf({"t", nested}),
              ElementsAre(TypedName{"t[0]", kI8}, TypedName{"t[2][0]", kI8},
                          TypedName{"t[2][2]", kI8}));
  EXPECT_THAT(TensorsOf({"x", kI8}), ElementsAre(TypedName{"x", kI8}));
  EXPECT_THAT(TensorsOf({"x", TokenType()}), IsEmpty());
}

Op CallOf(std::shared_ptr<const Function> callee) {
  Op op;
  op.callee = std::move(callee);
  return op;
}

TEST(CalledBy, HasEachFunctionOnceBehindThoseThatItCalls) {
  const auto made = [](const std::string& name, std::vector<Op> body) {
    return std::make_shared<const Function>(
        Function{name, {}, std::move(body), {}});
  };
  const auto c = made("c", {});
  const auto b = made("b", {CallOf(c)});
  Op op;
  op.regions = {Function{"body", {}, {CallOf(c)}, {}}};
  const Function main{"main", {}, {op, CallOf(b), CallOf(b)}, {}};
  EXPECT_THAT(CalledBy(main), ElementsAre(c.get(), b.get()));
}

TEST(HasTensorsAlone, LooksIntoFunctions) {
  Op op;
  EXPECT_TRUE(HasTensorsAlone({"f", {{"a", kI8}}, {op}, {}}));
  EXPECT_FALSE(HasTensorsAlone({"f", {{"a", TokenType()}}, {op}, {}}));
  op.regions = {Function{"body", {{"a", TupleType{}}}, {}, {}}};
  const Function with_tuple{"f", {}, {op}, {}};
  EXPECT_FALSE(HasTensorsAlone(with_tuple));
  EXPECT_FALSE(HasTensorsAlone(
      {"g", {}, {CallOf(std::make_shared<const Function>(with_tuple))}, {}}));
}

}  // namespace
}  // namespace assay
