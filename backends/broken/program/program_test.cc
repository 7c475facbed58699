// Tests that programs run as their ops do one by one, that control flow goes
// where the specification says, and that what is no program is refused.
#include "backends/broken/program/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/broken/program/interpreter.h"
#include "backends/broken/program/program_call_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kOfThree[] = "tensor<3xi8>";

// Returns how the program is refused by its status and message.
std::string RefusalOf(const AssayFunction* function,
                      const std::vector<Values>& inputs) {
  const Left left = RunSound(ProgramCall{function, inputs});
  return std::to_string(left.status) + " " + left.message;
}

TEST(Programs, RunOpAfterOp) {
  const ProgramCall program = {
      FunctionOf({kOfThree, kOfThree},
                 {{"add", {0, 1}, {kOfThree}},
                  {"multiply", {2, 2}, {kOfThree}},
                  ConstantOf(kOfThree, {1, 0, 1}),
                  {"subtract", {3, 4}, {kOfThree}},
                  {"reverse", {5}, {kOfThree}, {{"dimensions", "[0]"}}}},
                 {6, 2, 1}),
      {{1, 2, 3}, {4, 5, 6}}};
  EXPECT_THAT(SoundResult(program), ElementsAre(80, 49, 24, 5, 7, 9, 4, 5, 6));
}

TEST(Programs, GiveArgumentsAndEmptyTensorsBack) {
  const ProgramCall program = {
      FunctionOf({kOfThree, "tensor<0x3xi8>"},
                 {{"negate", {1}, {"tensor<0x3xi8>"}}}, {0, 2, 0}),
      {{1, 2, 3}, {}}};
  EXPECT_THAT(SoundResult(program), ElementsAre(1, 2, 3, 1, 2, 3));
}

TEST(Programs, HaveFunctionsThatTheKernelApplies) {
  const ProgramCall program = {
      FunctionOf(
          {"tensor<2x3xi8>", kOfI8, kOfI8},
          {{"reduce",
            {0, 1},
            {kOfThree},
            {{"dimensions", "[0]"}},
            {Binary("add", kOfI8, "add")}},
           {"map",
            {3, 2},
            {kOfThree},
            {{"dimensions", "[0]"}},
            {FunctionOf({kOfI8, kOfI8}, {{"subtract", {0, 1}, {kOfI8}}}, {2})},
            nullptr,
            1},
           {"sort",
            {4, 4},
            {kOfThree, kOfThree},
            {{"dimension", "0"}, {"is_stable", "true"}},
            {FunctionOf(Types(4, kOfI8),
                        {{"compare",
                          {0, 1},
                          {kOfI1},
                          {{"comparison_direction", "GT"}}}},
                        {4})}}},
          {5, 4}),
      {Iota(6), {10}, {3}}};
  EXPECT_THAT(SoundResult(program), ElementsAre(16, 14, 12, 12, 14, 16));
}

TEST(Control, IfRunsOneBranch) {
  const AssayFunction* const function =
      FunctionOf({kOfI1, kOfI8},
                 {{"if",
                   {0, 1},
                   {kOfI8},
                   {},
                   {Arguments({kOfI8}, {0}),
                    FunctionOf({kOfI8}, {{"negate", {0}, {kOfI8}}}, {1})},
                   nullptr,
                   1}},
                 {2});
  EXPECT_THAT(SoundResult(ProgramCall{function, {{1}, {5}}}), ElementsAre(5));
  EXPECT_THAT(SoundResult(ProgramCall{function, {{0}, {5}}}), ElementsAre(-5));
}

TEST(Control, EveryOtherIndexIsThatOfTheLastBranch) {
  const Types types = {kOfI8, kOfI8, kOfI8};
  const AssayFunction* const function = FunctionOf(
      {kOfI32, kOfI8, kOfI8, kOfI8},
      {{"case",
        {0, 1, 2, 3},
        {kOfI8},
        {},
        {Arguments(types, {0}), Arguments(types, {1}), Arguments(types, {2})},
        nullptr,
        3}},
      {4});
  const std::pair<int64_t, int64_t> chosen[] = {
      {-2147483648, 7}, {-1, 7}, {0, 5}, {1, 6}, {2, 7}, {3, 7}};
  for (const auto& [index, result] : chosen) {
    EXPECT_THAT(SoundResult(ProgramCall{function, {{index}, {5}, {6}, {7}}}),
                ElementsAre(result))
        << index;
  }
}

// The step is captured.
TEST(Control, WhileGoesOnAsLongAsItsConditionHolds) {
  const AssayFunction* const function = FunctionOf(
      {kOfI8, kOfI8},
      {{"while",
        {0, 1},
        {kOfI8},
        {},
        {FunctionOf(
             {kOfI8, kOfI8},
             {ConstantOf(kOfI8, {10}),
              {"compare", {0, 2}, {kOfI1}, {{"comparison_direction", "LT"}}}},
             {3}),
         FunctionOf({kOfI8, kOfI8}, {{"add", {0, 1}, {kOfI8}}}, {2})},
        nullptr,
        1}},
      {2});
  EXPECT_THAT(SoundResult(ProgramCall{function, {{1}, {4}}}), ElementsAre(13));
  EXPECT_THAT(SoundResult(ProgramCall{function, {{10}, {4}}}), ElementsAre(10));
  EXPECT_EQ(RefusalOf(function, {{1}, {0}}), "1 while: more than 2^16 rounds");
}

TEST(Control, CallsAndBarriersPassValuesOn) {
  const AssayFunction* const callee =
      FunctionOf({kOfI8, kOfI8}, {{"subtract", {0, 1}, {kOfI8}}}, {2, 0});
  const AssayFunction* const function =
      FunctionOf({kOfI8, kOfI8},
                 {{"func.call", {1, 0}, {kOfI8, kOfI8}, {}, {callee}},
                  {"optimization_barrier", {2, 3}, {kOfI8, kOfI8}},
                  {"func.call", {4, 5}, {kOfI8, kOfI8}, {}, {callee}}},
                 {6, 7});
  EXPECT_THAT(SoundResult(ProgramCall{function, {{2}, {9}}}),
              ElementsAre(-2, 7));
}

TEST(Programs, NameTheOpThatIsNotImplemented) {
  EXPECT_THAT(
      RefusalOf(FunctionOf({kOfI8}, {{"sink", {0}, {kOfI8}}}, {1}), {{1}}),
      HasSubstr("1 sink: "));
  EXPECT_EQ(
      RefusalOf(
          FunctionOf(
              {kOfI8},
              {{"all_reduce", {0}, {kOfI8}, {}, {Arguments({kOfI8}, {0})}}},
              {1}),
          {{1}}),
      "1 all_reduce: such a function not implemented");
  EXPECT_EQ(
      RefusalOf(FunctionOf({kOfI8}, {{"negate", {0}, {"token"}}}, {0}), {{1}}),
      "1 negate: a result of such a type not implemented");
}

TEST(Programs, OfTooManyBytesAreDeclined) {
  const auto iota = [](const char* type) {
    return FunctionOp{"iota", {}, {type}, {{"iota_dimension", "0"}}};
  };
  EXPECT_EQ(RefusalOf(FunctionOf({kOfI8}, {iota("tensor<1073741824xi8>")}, {0}),
                      {{1}}),
            "1 iota: more than 2^30 bytes at a time");
  EXPECT_THAT(
      RefusalOf(FunctionOf({kOfI8}, {iota("tensor<99999999999999xi64>")}, {0}),
                {{1}}),
      HasSubstr("1 iota: a result of such a type"));
}

// What is needed no longer makes room: each value alone would fit twice.
TEST(Programs, KeepValuesUntilTheirLastUse) {
  program::Function function;
  const AssayFunction* const abi = FunctionOf({kOfI8, kOfI8},
                                              {{"negate", {0}, {kOfI8}},
                                               {"negate", {2}, {kOfI8}},
                                               {"add", {2, 3}, {kOfI8}},
                                               {"abs", {4}, {kOfI8}}},
                                              {3});
  ASSERT_EQ(ReadFunction(*abi, &function).status, ASSAY_OK);
  EXPECT_THAT(LastUses(function),
              ElementsAre(ElementsAre(1), ElementsAre(0), ElementsAre(),
                          ElementsAre(2), ElementsAre(4, 5)));
}

TEST(Programs, ThatAreNotWellFormedAreInvalid) {
  const AssayFunction* const one = Arguments({kOfI8}, {0});
  const auto refusal = [](const FunctionOp& op, int32_t result = 2) {
    return RefusalOf(FunctionOf({kOfI1, kOfI8}, {op}, {result}), {{1}, {1}});
  };
  EXPECT_EQ(refusal({"negate", {1}, {kOfI8}}, 3), "2 a result is not defined");
  EXPECT_EQ(refusal({"negate", {2}, {kOfI8}}),
            "2 negate: an operand is not defined");
  EXPECT_EQ(refusal({"negate", {-1}, {kOfI8}}),
            "2 negate: an operand is not defined");
  EXPECT_EQ(refusal({"negate", {1}, {kOfI8}, {}, {}, nullptr, 2}),
            "2 negate: number of captures");
  EXPECT_EQ(refusal({"constant", {}, {kOfI8}}),
            "2 constant: its value is not that of its result");
  FunctionOp constant = ConstantOf(kOfI8, {1});
  constant.types = {kOfI32};
  EXPECT_EQ(refusal(constant),
            "2 constant: its value is not that of its result");
  const auto of_if = [&](std::vector<int32_t> inputs, const char* type,
                         std::vector<const AssayFunction*> branches) {
    return refusal(
        {"if", std::move(inputs), {type}, {}, std::move(branches), nullptr, 1});
  };
  EXPECT_EQ(of_if({0, 1}, kOfI8, {one}), "2 if: number of branches");
  EXPECT_EQ(of_if({1, 1}, kOfI8, {one, one}), "2 if: the type of what chooses");
  EXPECT_EQ(of_if({0, 0}, kOfI8, {one, one}), "2 if: arguments of a branch");
  EXPECT_EQ(of_if({0, 1}, kOfI32, {one, one}), "2 if: results of a branch");
  EXPECT_EQ(refusal({"if", {0, 1}, {kOfI8}, {}, {one, one}}),
            "2 if: number of operands");
  EXPECT_EQ(refusal({"case", {0}, {kOfI8}}), "2 case: number of branches");
  EXPECT_EQ(refusal({"func.call", {1}, {kOfI8}}),
            "2 func.call: number of functions");
  EXPECT_EQ(refusal({"func.call", {0}, {kOfI8}, {}, {one}}),
            "2 func.call: operands");
  EXPECT_EQ(refusal({"func.call", {1}, {kOfI32}, {}, {one}}),
            "2 func.call: results");
  EXPECT_EQ(refusal({"optimization_barrier", {1}, {kOfI32}}),
            "2 optimization_barrier: results");
  const AssayFunction* const yes = Arguments({kOfI1}, {0});
  const auto of_while = [&](std::vector<int32_t> inputs, const char* type,
                            std::vector<const AssayFunction*> functions) {
    return refusal({"while", std::move(inputs), {type}, {}, functions});
  };
  EXPECT_EQ(of_while({0}, kOfI1, {yes}), "2 while: number of functions");
  EXPECT_EQ(of_while({0}, kOfI1, {yes, one}),
            "2 while: arguments of cond or body");
  EXPECT_EQ(of_while({1}, kOfI8, {one, one}), "2 while: results of cond");
  EXPECT_EQ(of_while({0}, kOfI8, {yes, yes}), "2 while: results");
  EXPECT_EQ(of_while({0}, kOfI1, {yes, Arguments({kOfI1}, {0, 0})}),
            "2 while: results of body");
}

TEST(Programs, WhoseTensorsAreOthersAreInvalid) {
  EXPECT_EQ(RefusalOf(Arguments({kOfI8, kOfI8}, {0}), {{1}}),
            "2 inputs are not those of the entry");
  AssayProgram program = {};
  program.struct_size = sizeof(program);
  program.num_replicas = program.num_partitions = 1;
  char message[64] = "";
  const auto run = program::RunProgram;
  EXPECT_EQ(run(&program, message, sizeof(message)), ASSAY_UNSUPPORTED);
  EXPECT_STREQ(message, "a program that is text alone");
  program.function = Arguments({}, {});
  EXPECT_EQ(run(&program, message, sizeof(message)), ASSAY_OK);
  program.num_outputs = 1;
  EXPECT_EQ(run(&program, message, sizeof(message)), ASSAY_INVALID);
  EXPECT_STREQ(message, "outputs are not those of the entry");
  program.num_partitions = 2;
  EXPECT_EQ(run(&program, message, sizeof(message)), ASSAY_UNSUPPORTED);
  EXPECT_STREQ(message, "more than one process");
}

}  // namespace
}  // namespace assay::broken
