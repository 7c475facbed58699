// Tests that the text of a finding is read as the case that it was.
#include "fuzz/campaign/finding_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "backends/host/open.h"
#include "cases/read/mlir_cases.h"
#include "cases/run/runner.h"
#include "fuzz/draw/draw.h"
#include "fuzz/fuzz_test_support.h"

namespace assay {
namespace {

std::vector<Case> ReadBack(const std::string& text) {
  std::vector<LeftOut> left_out;
  std::vector<Case> cases =
      ReadMlirCases("finding.mlir", text, ReadOptions(), &left_out);
  EXPECT_EQ(CountsOf(left_out), "") << text;
  return cases;
}

// The calls of functions are replaced by what they do.
std::map<std::string, int> OpsBesideCalls(const Function& function) {
  std::map<std::string, int> ops;
  for (const Op& op : function.body) {
    if (op.callee != nullptr) {
      for (const auto& [id, count] : OpsBesideCalls(*op.callee))
        ops[id] += count;
    } else {
      ++ops[op.op];
    }
  }
  return ops;
}

TEST(FindingText, IsReadAsTheProgramThatItIs) {
  const Policy& policy = Policy::Find("assay");
  OpenOptions open;
  open.in_process = true;
  const std::unique_ptr<Executor> simd = OpenBackend("simd", open);
  DrawOptions draw;
  draw.violations = draw.enumerates = false;
  draw.percent_programs = 100;
  Generator generator(draw);
  int with_constant = 0;
  for (uint64_t index = 0; index < 200; ++index) {
    const Case c = generator.Draw(21, index).c;
    if (!IsProgram(c)) continue;
    const std::string text = TextFileOf(c, policy);
    const std::vector<Case> cases = ReadBack(text);
    ASSERT_EQ(cases.size(), 1u) << text;
    const Case& again = cases[0];
    const std::map<std::string, int> ops = OpsBesideCalls(c.program.main());
    std::map<std::string, int> read = OpsBesideCalls(again.program.main());
    // An input that a call returns as it is, and that is checked, is read as a
    // constant.
    if (const auto constants = read.find("constant"); constants != read.end()) {
      const auto drawn = ops.find("constant");
      const int least = drawn == ops.end() ? 0 : drawn->second;
      EXPECT_GE(constants->second, least) << text;
      read.erase(constants);
      if (least > 0) read["constant"] = least;
    }
    // What no checked result rests on is there as well.
    EXPECT_EQ(read, ops) << text;
    with_constant += ops.contains("constant");
    EXPECT_EQ(again.expect.size(), again.program.main().results.size());
    const Verdict verdict = Runner(simd.get(), policy).Run(again);
    EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message << text;
  }
  EXPECT_GT(with_constant, 20);
}

TEST(FindingText, OneOpOnOperandsIsNoProgram) {
  const Case one = ParsedFrom("negate", R"({"id": "a", "inputs": {
    "operand": {"type": "tensor<1xi8>", "data": [1]}}})");
  EXPECT_FALSE(IsProgram(one));
  const Case two = ParsedFrom("negate", R"({"id": "a", "inputs": {
    "x": {"type": "tensor<1xi8>", "data": [1]}}, "program": [
      {"op": "negate", "inputs": {"operand": "x"}, "outputs": {"result": {"name": "y"}}},
      {"op": "negate", "inputs": {"operand": "y"},
       "outputs": {"result": {"name": "z"}}}]})");
  EXPECT_TRUE(IsProgram(two));
}

}  // namespace
}  // namespace assay
