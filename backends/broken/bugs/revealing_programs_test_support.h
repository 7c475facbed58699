// This header has a program of two or three ops for each planted bug of
// programs on which it shows.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_PROGRAMS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_PROGRAMS_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <vector>

#include "backends/broken/program/program_call_test_support.h"

namespace assay::broken {

// Returns the loop that adds `step` to its first operand while that is less
// than 5, and whose second operand grows by `grows`.
inline FunctionOp LoopOf(std::vector<int32_t> inputs, int64_t step,
                         const FunctionOp& grows) {
  const AssayFunction* const cond = FunctionOf(
      {kOfI32, kOfI8},
      {ConstantOf(kOfI32, {5}),
       {"compare", {0, 2}, {kOfI1}, {{"comparison_direction", "LT"}}}},
      {3});
  const AssayFunction* const body = FunctionOf(
      {kOfI32, kOfI8},
      {ConstantOf(kOfI32, {step}), {"add", {0, 2}, {kOfI32}}, grows}, {3, 4});
  return {"while", std::move(inputs), {kOfI32, kOfI8}, {}, {cond, body}};
}

inline const std::map<std::string, ProgramCall>& RevealingPrograms() {
  static constexpr char kOfFive[] = "tensor<5xi8>", kOfTwo[] = "tensor<2xi8>",
                        kMatrix[] = "tensor<2x2xi8>";
  constexpr int64_t kInfinity = 0x7f800000, kThousand = 0x447a0000;
  static const AssayFunction* const first = Arguments({kOfI8, kOfI8}, {0});
  static const AssayFunction* const second = Arguments({kOfI8, kOfI8}, {1});
  const auto slice = [](int32_t input, const char* type, const char* start,
                        const char* limit, const char* stride) {
    return FunctionOp{"slice",
                      {input},
                      {type},
                      {{"start_indices", start},
                       {"limit_indices", limit},
                       {"strides", stride}}};
  };
  static const std::map<std::string, ProgramCall> programs = {
      {"FD01",
       {FunctionOf({kOfF32},
                   {{"exponential", {0}, {kOfF32}}, {"log", {1}, {kOfF32}}},
                   {2}),
        {{kThousand}}}},
      {"FD02",
       {FunctionOf({kOfI8},
                   {{"multiply", {0, 0}, {kOfI8}}, {"abs", {1}, {kOfI8}}}, {2}),
        {{12}}}},
      {"FD03",
       {FunctionOf({kOfF32},
                   {{"negate", {0}, {kOfF32}}, {"subtract", {1, 1}, {kOfF32}}},
                   {2}),
        {{kInfinity}}}},
      {"FD04",
       {FunctionOf({kOfF32},
                   {ConstantOf(kOfF32, {0}), {"multiply", {1, 0}, {kOfF32}}},
                   {2}),
        {{kInfinity}}}},
      {"FD05",
       {FunctionOf({kOfFive},
                   {slice(0, "tensor<3xi8>", "[0]", "[5]", "[2]"),
                    slice(1, kOfTwo, "[1]", "[3]", "[1]")},
                   {2}),
        {Iota(5)}}},
      {"FD06",
       {FunctionOf(
            {kOfI8, kOfI8},
            {ConstantOf(kOfI32, {-1}),
             {"case", {2, 0, 1}, {kOfI8}, {}, {first, second}, nullptr, 2}},
            {3}),
        {{1}, {2}}}},
      // There are three rounds, and the number of whole steps is 2.
      {"FD07",
       {FunctionOf({kOfI8},
                   {ConstantOf(kOfI32, {0}),
                    LoopOf({1, 0}, 2, {"negate", {1}, {kOfI8}})},
                   {2, 3}),
        {{1}}}},
      {"FD08",
       {FunctionOf(
            {kOfI8, kOfI8},
            {{"compare", {0, 1}, {kOfI1}, {{"comparison_direction", "LT"}}},
             {"if", {2, 0, 1}, {kOfI8}, {}, {second, first}, nullptr, 2}},
            {3}),
        {{1}, {2}}}},
      {"FD09",
       {FunctionOf({kOfI32, kOfI8},
                   {LoopOf({0, 1}, 1, {"add", {1, 1}, {kOfI8}})}, {2, 3}),
        {{0}, {1}}}},
      {"FD10",
       {FunctionOf({kMatrix, kOfI8},
                   {{"transpose", {0}, {kMatrix}, {{"permutation", "[1, 0]"}}},
                    {"reduce",
                     {2, 1},
                     {kOfTwo},
                     {{"dimensions", "[0]"}},
                     {Binary("add", kOfI8, "add")}}},
                   {3}),
        {Iota(4), {0}}}},
      {"FD11",
       {FunctionOf({kOfI32},
                   {{"convert", {0}, {kOfI8}}, {"convert", {1}, {kOfI32}}},
                   {2}),
        {{300}}}},
      {"FD12",
       {FunctionOf(
            {kOfI8, kOfI8},
            {{"multiply", {0, 1}, {kOfI8}}, {"subtract", {0, 2}, {kOfI8}}},
            {3}),
        {{2}, {3}}}},
  };
  return programs;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_PROGRAMS_TEST_SUPPORT_H_
