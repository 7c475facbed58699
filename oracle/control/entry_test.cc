// Tests that functions become one program, whatever their values are called and
// made of.
#include "oracle/control/entry.h"

#include <gmock/gmock.h>

#include <memory>

#include "oracle/control/of_tensors.h"
#include "oracle/oracle.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using testing::ElementsAre;

constexpr const char* kText = R"(
func.func @main(%t: tuple<tensor<i8>, tuple<tensor<i8>>>, %x: tensor<i8>)
    -> (tensor<i8>, tuple<tensor<i8>, tensor<i8>>) {
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i8>, tuple<tensor<i8>>>) -> tensor<i8>
  %b = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i8>, tuple<tensor<i8>>>) -> tuple<tensor<i8>>
  %c = stablehlo.get_tuple_element %b[0] : (tuple<tensor<i8>>) -> tensor<i8>
  %d = func.call @other(%a, %x) : (tensor<i8>, tensor<i8>) -> tensor<i8>
  %e = stablehlo.tuple %c, %d : tuple<tensor<i8>, tensor<i8>>
  func.return %d, %e : tensor<i8>, tuple<tensor<i8>, tensor<i8>>
}
func.func private @other(%a: tensor<i8>, %b: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.subtract %a, %b : tensor<i8>
  func.return %c : tensor<i8>
})";

std::vector<int> ResultsOf(const Function& function,
                           const std::vector<int>& arguments) {
  std::vector<Tensor> inputs;
  for (const int argument : arguments) {
    inputs.emplace_back(TensorType{{}, ElementType::kI8});
    inputs.back().SetBits(0, BitsOf(ElementType::kI8, argument));
  }
  const Evaluation evaluation = Evaluate(CallOf(OfTensors(function)), inputs,
                                         Policy::Find("assay"), Marks::kNone);
  std::vector<int> results;
  for (const Expectation& output : evaluation.outputs)
    results.push_back(
        static_cast<int>(ValueOf(ElementType::kI8, output.lo.Bits(0))));
  return results;
}

TEST(Entry, TakesAndReturnsTensorsAlone) {
  const Program program = ReadProgram("x.mlir", {kText, 1});
  const Function entry = MakeEntry("main", {&program.main()});
  EXPECT_EQ(entry.inputs.size(), 3);
  EXPECT_EQ(entry.results.size(), 3);
  for (const TypedName& result : entry.results)
    EXPECT_TRUE(result.type.IsTensor());
  EXPECT_THAT(ResultsOf(entry, {9, 5, 2}), ElementsAre(7, 5, 7));
  EXPECT_EQ(ResultsOf(program.main(), {9, 5, 2}), ResultsOf(entry, {9, 5, 2}));
}

TEST(Entry, FunctionsStandSideBySide) {
  const Program program = ReadProgram("x.mlir", {kText, 1});
  const Function entry = MakeEntry("main", {&program.main(), &program.main()});
  EXPECT_THAT(ResultsOf(entry, {9, 5, 2, 1, 2, 3}),
              ElementsAre(7, 5, 7, -2, 2, -2));
  // The text of both is a program again.
  Program both;
  both.functions.push_back(entry);
  for (const Function* callee : CalledBy(entry))
    both.functions.push_back(*callee);
  EXPECT_EQ(both.functions.size(), 3);
  const Program again = ReadProgram("y.mlir", {ProgramText(both), 1});
  EXPECT_THAT(ResultsOf(again.main(), {9, 5, 2, 1, 2, 3}),
              ElementsAre(7, 5, 7, -2, 2, -2));
}

}  // namespace
}  // namespace assay
