// Tests that control ops execute what the text says, on programs as text: by
// the oracle, and op by op in a Walk.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "oracle/control/execute.h"
#include "oracle/control/of_tensors.h"
#include "oracle/control/walk.h"
#include "oracle/judge.h"
#include "oracle/oracle.h"
#include "oracle/scalars.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using testing::ElementsAre;

Program ParseProgram(const std::string &text) {
  return ReadProgram("test.mlir", {text, 1});
}

Tensor OfNumbers(ElementType type, const std::vector<int64_t> &numbers,
                 bool is_scalar = true) {
  Tensor tensor(TensorType{
      is_scalar ? Shape{} : Shape{static_cast<int64_t>(numbers.size())}, type});
  for (size_t i = 0; i < numbers.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), BitsOf(type, numbers[i]));
  return tensor;
}

std::vector<int64_t> NumbersIn(const Tensor &tensor) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    numbers.push_back(
        static_cast<int64_t>(ValueOf(tensor.element_type(), tensor.Bits(i))));
  return numbers;
}

// Evaluates the only op of a program.
Evaluation EvaluateOnly(const Program &program,
                        const std::vector<Tensor> &inputs) {
  return Evaluate(program.main().body[0], inputs, Policy::Find("assay"),
                  Marks::kCounted);
}

constexpr const char *kIf = R"(
func.func @main(%p: tensor<i1>, %x: tensor<2xi8>) -> tensor<2xi8> {
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.add %x, %x : tensor<2xi8>
    stablehlo.return %0 : tensor<2xi8>
  }, {
    %1 = stablehlo.negate %x : tensor<2xi8>
    stablehlo.return %1 : tensor<2xi8>
  }) : (tensor<i1>) -> tensor<2xi8>
  return %r : tensor<2xi8>
})";

TEST(If, ExecutesTheBranchOfItsPredicate) {
  const Program program = ParseProgram(kIf);
  const Tensor x = OfNumbers(ElementType::kI8, {3, -4}, false);
  for (const bool pred : {true, false}) {
    const Evaluation evaluation =
        EvaluateOnly(program, {OfNumbers(ElementType::kI1, {pred}), x});
    EXPECT_THAT(NumbersIn(evaluation.outputs[0].lo),
                pred ? ElementsAre(6, -8) : ElementsAre(-3, 4));
    ASSERT_EQ(evaluation.region_marks.size(), 1u);
    EXPECT_EQ(evaluation.region_marks[0].op, FindOp(pred ? "add" : "negate"));
  }
}

TEST(If, ARangeInABranchStaysOne) {
  const Program program = ParseProgram(R"(
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.exponential %x : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
})");
  Tensor one(TensorType{{}, ElementType::kF32});
  one.SetBits(0, 0x3f80'0000);
  const auto result = [&](bool pred) {
    return EvaluateOnly(program, {OfNumbers(ElementType::kI1, {pred}), one})
        .outputs[0];
  };
  EXPECT_FALSE(result(true).IsExact(0));
  EXPECT_FALSE(result(true).IsOpen(0));
  EXPECT_TRUE(result(true).reals.has_value());
  EXPECT_TRUE(result(false).IsExact(0));
}

TEST(If, ARangeOfABranchPassesThroughItsOps) {
  const Program program = ParseProgram(R"(
func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.exponential %x : tensor<2xf32>
    %1 = stablehlo.negate %0 : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
})");
  Tensor x(TensorType{{2}, ElementType::kF32});
  x.SetBits(0, 0xff80'0000);
  x.SetBits(1, 0x3f80'0000);
  const Evaluation evaluation =
      EvaluateOnly(program, {OfNumbers(ElementType::kI1, {true}), x});
  const Expectation &result = evaluation.outputs[0];
  EXPECT_EQ(evaluation.undecided, 0);
  // -exp(-inf) is -0, and -exp(1) one of several values about -e.
  EXPECT_TRUE(result.IsExact(0));
  EXPECT_EQ(result.lo.Bits(0), 0x8000'0000u);
  EXPECT_FALSE(result.IsExact(1));
  EXPECT_FALSE(result.IsOpen(1));
  const Possible at = PossibleAt(result, 1);
  EXPECT_NE(
      std::ranges::find(at.ranges, Possible::Range{0xc02d'f854u, 0xc02d'f854u}),
      at.ranges.end());
  EXPECT_FALSE(result.reals.has_value());
  EXPECT_TRUE(result.follows_budget);
}

TEST(Case, TakesTheLastBranchForEveryOtherIndex) {
  const Program program = ParseProgram(R"(
func.func @main(%i: tensor<i32>, %a: tensor<i8>, %b: tensor<i8>, %c: tensor<i8>) -> tensor<i8> {
  %r = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<i8>
  }, {
    stablehlo.return %b : tensor<i8>
  }, {
    stablehlo.return %c : tensor<i8>
  }) : (tensor<i32>) -> tensor<i8>
  return %r : tensor<i8>
})");
  const auto result = [&](int64_t index) {
    return NumbersIn(
        EvaluateOnly(program, {OfNumbers(ElementType::kI32, {index}),
                               OfNumbers(ElementType::kI8, {10}),
                               OfNumbers(ElementType::kI8, {20}),
                               OfNumbers(ElementType::kI8, {30})})
            .outputs[0]
            .lo)[0];
  };
  EXPECT_EQ(result(0), 10);
  EXPECT_EQ(result(1), 20);
  for (const int64_t last :
       {int64_t{2}, int64_t{3}, int64_t{-1}, int64_t{INT32_MIN}})
    EXPECT_EQ(result(last), 30) << last;
}

// The sum of 1 to n, in a loop with an if inside that leaves out the number 3.
constexpr const char *kLoop = R"(
func.func @main(%n: tensor<i32>, %one: tensor<i32>, %three: tensor<i32>, %zero: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %r:2 = "stablehlo.while"(%one, %zero) ({
  ^bb0(%i: tensor<i32>, %s: tensor<i32>):
    %go = stablehlo.compare LE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>):
    %is = stablehlo.compare EQ, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.if"(%is) ({
      stablehlo.return %s : tensor<i32>
    }, {
      %u = stablehlo.add %s, %i : tensor<i32>
      stablehlo.return %u : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
})";

std::vector<Tensor> LoopOperands(const Program &program, int64_t n) {
  const auto number = [](int64_t value) {
    return OfNumbers(ElementType::kI32, {value});
  };
  const std::map<std::string, int64_t> values = {
      {program.main().inputs[0].name, n},
      {program.main().inputs[1].name, 1},
      {program.main().inputs[2].name, 3},
      {program.main().inputs[3].name, 0}};
  const Op &loop = program.main().body[0];
  std::vector<Tensor> operands;
  for (const Op::Operand &operand : loop.inputs)
    operands.push_back(number(values.at(operand.value)));
  for (const TypedName &capture : Captures(loop))
    operands.push_back(number(values.at(capture.name)));
  return operands;
}

TEST(While, LoopsUntilItsConditionIsFalse) {
  const Program program = ParseProgram(kLoop);
  const auto results = [&](int64_t n) {
    const Evaluation evaluation =
        EvaluateOnly(program, LoopOperands(program, n));
    return std::vector<int64_t>{NumbersIn(evaluation.outputs[0].lo)[0],
                                NumbersIn(evaluation.outputs[1].lo)[0]};
  };
  EXPECT_THAT(results(0), ElementsAre(1, 0));
  EXPECT_THAT(results(2), ElementsAre(3, 3));
  EXPECT_THAT(results(5), ElementsAre(6, 12));
}

TEST(While, ALoopWithoutAnEndIsUndecided) {
  const Program program = ParseProgram(R"(
func.func @main(%x: tensor<i1>) -> tensor<i1> {
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i1>):
    stablehlo.return %a : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>):
    stablehlo.return %a : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
})");
  const Evaluation evaluation =
      EvaluateOnly(program, {OfNumbers(ElementType::kI1, {1})});
  EXPECT_TRUE(evaluation.outputs[0].IsOpen(0));
  EXPECT_EQ(evaluation.undecided, 1);
  std::map<std::string, Tensor> values = {
      {program.main().inputs[0].name, OfNumbers(ElementType::kI1, {1})}};
  Walk walk(program.main(), &values);
  EXPECT_EQ(walk.Next(), nullptr);
  EXPECT_TRUE(walk.was_cut());
}

TEST(Execute, FollowsAProgramForSoManySteps) {
  const Program program = ParseProgram(kLoop);
  const auto ends = [&](int64_t n, int64_t fuel) {
    std::map<std::string, Tensor> values;
    const std::vector<int64_t> inputs = {n, 1, 3, 0};
    for (size_t i = 0; i < inputs.size(); ++i)
      values[program.main().inputs[i].name] =
          OfNumbers(ElementType::kI32, {inputs[i]});
    return Execute(program.main(), Policy::Find("assay"), fuel, &values);
  };
  EXPECT_TRUE(HasLoop(program.main()));
  EXPECT_TRUE(ends(5, kFuel));
  EXPECT_TRUE(ends(5, 100));
  EXPECT_FALSE(ends(50, 100));
}

TEST(OptimizationBarrier, IsAnIdentity) {
  const Program program = ParseProgram(R"(
func.func @main(%x: tensor<2xi8>, %y: tensor<i1>) -> (tensor<2xi8>, tensor<i1>) {
  %r:2 = stablehlo.optimization_barrier %x, %y : tensor<2xi8>, tensor<i1>
  return %r#0, %r#1 : tensor<2xi8>, tensor<i1>
})");
  const Evaluation evaluation =
      EvaluateOnly(program, {OfNumbers(ElementType::kI8, {3, -4}, false),
                             OfNumbers(ElementType::kI1, {1})});
  EXPECT_THAT(NumbersIn(evaluation.outputs[0].lo), ElementsAre(3, -4));
  EXPECT_THAT(NumbersIn(evaluation.outputs[1].lo), ElementsAre(1));
}

TEST(OptimizationBarrier, DescribesWhatAResultRestsOn) {
  const Program program = ParseProgram(R"(
func.func @main(%x: tensor<i8>, %y: tensor<2xi8>) -> tensor<2xi8> {
  %r:2 = stablehlo.optimization_barrier %x, %y : tensor<i8>, tensor<2xi8>
  return %r#1 : tensor<2xi8>
})");
  const Tensor y = OfNumbers(ElementType::kI8, {3, -4}, false);
  EXPECT_EQ(DescribeElement(program.main().body[0],
                            {OfNumbers(ElementType::kI8, {1}), y}, y, 1, {}, 1),
            "[1]: operand.1[1] = -4 (0xfc)");
}

// Executes all ops by the oracle and returns their ids.
std::vector<std::string> Executed(const Program &program,
                                  std::map<std::string, Tensor> *values) {
  std::vector<std::string> ids;
  Walk walk(program.main(), values);
  while (const Op *op = walk.Next()) {
    ids.push_back(op->op);
    std::vector<Tensor> operands;
    for (const Op::Operand &operand : op->inputs)
      operands.push_back(values->at(operand.value));
    const Evaluation evaluation =
        Evaluate(*op, operands, Policy::Find("assay"), Marks::kNone);
    for (size_t k = 0; k < op->outputs.size(); ++k)
      (*values)[op->outputs[k].value] = evaluation.outputs[k].lo;
  }
  EXPECT_FALSE(walk.was_cut());
  EXPECT_EQ(walk.ops(), std::ssize(ids));
  return ids;
}

TEST(Walk, HandsOutTheOpsThatAreExecuted) {
  const Program branch = ParseProgram(kIf);
  const std::vector<TypedName> &inputs = branch.main().inputs;
  std::map<std::string, Tensor> values = {
      {inputs[0].name, OfNumbers(ElementType::kI1, {0})},
      {inputs[1].name, OfNumbers(ElementType::kI8, {3, -4}, false)}};
  EXPECT_THAT(Executed(branch, &values), ElementsAre("negate"));
  EXPECT_THAT(NumbersIn(values.at(branch.main().results[0].name)),
              ElementsAre(-3, 4));

  const Program loop = ParseProgram(kLoop);
  values.clear();
  const std::vector<int64_t> numbers = {3, 1, 3, 0};
  for (size_t k = 0; k < numbers.size(); ++k)
    values[loop.main().inputs[k].name] =
        OfNumbers(ElementType::kI32, {numbers[k]});
  EXPECT_THAT(Executed(loop, &values),
              ElementsAre("compare", "compare", "add", "add",  // 1
                          "compare", "compare", "add", "add",  // 2
                          "compare", "compare", "add",         // 3
                          "compare"));
  EXPECT_THAT(NumbersIn(values.at(loop.main().results[1].name)),
              ElementsAre(3));
}

// The names of values are those of the caller, too.
constexpr const char *kCall = R"(
func.func @main(%x: tensor<2xi8>, %y: tensor<i8>) -> tuple<tensor<2xi8>, tensor<i8>> {
  %p = stablehlo.tuple %x, %y : tuple<tensor<2xi8>, tensor<i8>>
  %q = func.call @swap(%p) : (tuple<tensor<2xi8>, tensor<i8>>) -> tuple<tensor<i8>, tensor<2xi8>>
  %r = func.call @back(%q) : (tuple<tensor<i8>, tensor<2xi8>>) -> tuple<tensor<2xi8>, tensor<i8>>
  return %r : tuple<tensor<2xi8>, tensor<i8>>
}
func.func @swap(%p: tuple<tensor<2xi8>, tensor<i8>>) -> tuple<tensor<i8>, tensor<2xi8>> {
  %y = stablehlo.get_tuple_element %p[0] : (tuple<tensor<2xi8>, tensor<i8>>) -> tensor<2xi8>
  %x = stablehlo.get_tuple_element %p[1] : (tuple<tensor<2xi8>, tensor<i8>>) -> tensor<i8>
  %n = stablehlo.negate %y : tensor<2xi8>
  %q = stablehlo.tuple %x, %n : tuple<tensor<i8>, tensor<2xi8>>
  return %q : tuple<tensor<i8>, tensor<2xi8>>
}
func.func @back(%q: tuple<tensor<i8>, tensor<2xi8>>) -> tuple<tensor<2xi8>, tensor<i8>> {
  %t = stablehlo.after_all : !stablehlo.token
  %x = stablehlo.get_tuple_element %q[0] : (tuple<tensor<i8>, tensor<2xi8>>) -> tensor<i8>
  %y = stablehlo.get_tuple_element %q[1] : (tuple<tensor<i8>, tensor<2xi8>>) -> tensor<2xi8>
  %0:3 = stablehlo.optimization_barrier %t, %x, %y : !stablehlo.token, tensor<i8>, tensor<2xi8>
  %p = stablehlo.tuple %0#2, %0#1 : tuple<tensor<2xi8>, tensor<i8>>
  return %p : tuple<tensor<2xi8>, tensor<i8>>
})";

TEST(OfTensors, IsTheFunctionItselfWhereThereAreNoOthers) {
  const Program program = ParseProgram(kIf);
  EXPECT_EQ(OfTensors(program.main()).get(), &program.main());
}

TEST(OfTensors, HasTheTensorsOfTuples) {
  const Program program = ParseProgram(kCall);
  const auto main = OfTensors(program.main());
  EXPECT_TRUE(HasTensorsAlone(*main));
  ASSERT_EQ(main->body.size(), 3u);
  EXPECT_EQ(main->body[0].outputs[1].value, "p[1]");
  const Op &first = main->body[1].callee->body[0];
  ASSERT_EQ(first.inputs.size(), 1u);
  EXPECT_EQ(first.inputs[0].value, "p[0]");
  EXPECT_THAT(
      NumbersIn(
          EvaluateOnly({{*main}}, {OfNumbers(ElementType::kI8, {3, -4}, false),
                                   OfNumbers(ElementType::kI8, {5})})
              .outputs[0]
              .lo),
      ElementsAre(3, -4));
}

TEST(Call, ExecutesTheFunction) {
  const auto main = OfTensors(ParseProgram(kCall).main());
  const Evaluation evaluation =
      Evaluate(main->body[1],
               {OfNumbers(ElementType::kI8, {3, -4}, false),
                OfNumbers(ElementType::kI8, {5})},
               Policy::Find("assay"), Marks::kCounted);
  EXPECT_THAT(NumbersIn(evaluation.outputs[0].lo), ElementsAre(5));
  EXPECT_THAT(NumbersIn(evaluation.outputs[1].lo), ElementsAre(-3, 4));
  ASSERT_EQ(evaluation.region_marks.size(), 1u);
  EXPECT_EQ(evaluation.region_marks[0].op, FindOp("negate"));
}

TEST(Walk, GivesCallsNamesOfTheirOwn) {
  const auto main = OfTensors(ParseProgram(kCall).main());
  std::map<std::string, Tensor> values = {
      {"x", OfNumbers(ElementType::kI8, {3, -4}, false)},
      {"y", OfNumbers(ElementType::kI8, {5})}};
  Walk walk(*main, &values);
  const Op *const op = walk.Next();
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(op->op, "negate");
  EXPECT_FALSE(walk.IsAtTop());
  EXPECT_NE(walk.values(), &values);
  EXPECT_THAT(NumbersIn(walk.values()->at("y")), ElementsAre(3, -4));
  (*walk.values())["n"] = OfNumbers(ElementType::kI8, {-3, 4}, false);
  EXPECT_EQ(walk.Next(), nullptr);
  EXPECT_EQ(walk.values(), &values);
  EXPECT_THAT(NumbersIn(values.at("y")), ElementsAre(5));
  EXPECT_THAT(NumbersIn(values.at("r[0]")), ElementsAre(-3, 4));
  EXPECT_THAT(NumbersIn(values.at("r[1]")), ElementsAre(5));
}

}  // namespace
}  // namespace assay
