// Tests kernels that misbehave, each in one way: the outcome names the way. A
// right kernel passes, so every check can tell the difference.
#include "cases/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <xmmintrin.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "cases/run/plugin_test_support.h"
#include "oracle/real/ball.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// The kernel under test computes `add` on i32, but misbehaves instead of, or
// around it.
struct I32Add {
  const int32_t* lhs;
  const int32_t* rhs;
  int32_t* result;
  int64_t size;
  void Compute() const {
    for (int64_t i = 0; i < size; ++i)
      result[i] = static_cast<int32_t>(static_cast<uint32_t>(lhs[i]) +
                                       static_cast<uint32_t>(rhs[i]));
  }
};

std::function<int32_t(const I32Add&)> behaviour;
int calls = 0;

int32_t RunBehaviour(const AssayCall* call, char* message, size_t capacity) {
  ++calls;
  std::snprintf(message, capacity, "a message");
  const AssayTensor& out = call->outputs[0];
  int64_t size = 1;
  for (int d = 0; d < out.tensor.ndim; ++d) size *= out.tensor.shape[d];
  return behaviour({ElementsOf<int32_t>(call->inputs[0]),
                    ElementsOf<int32_t>(call->inputs[1]),
                    ElementsOf<int32_t>(out), size});
}

constexpr const char* kAdd = R"({"op": "add", "cases": [{"id": "a", "inputs": {
  "lhs": {"type": "tensor<5xi32>", "data": [1, 2, 3, 4, 2147483647]},
  "rhs": {"type": "tensor<5xi32>", "data": [10, 20, 30, 40, 1]}}}]})";

class RunnerTest : public testing::Test {
 protected:
  Verdict Judge(std::function<int32_t(const I32Add&)> kernel,
                const char* json = kAdd, const char* policy = "assay") {
    behaviour = std::move(kernel);
    calls = 0;
    AssayBackend plugin = PluginOf(RunBehaviour);
    plugin.over_read_bytes = over_read_bytes_;
    return JudgeFirst(plugin, json, policy, evaluated_bytes_);
  }
  uint64_t over_read_bytes_ = 0;
  int64_t evaluated_bytes_ = Runner::kEvaluatedBytes;
};

int32_t Right(const I32Add& add) {
  add.Compute();
  return ASSAY_OK;
}

TEST_F(RunnerTest, ARightKernelPassesInTwoRuns) {
  const Verdict verdict = Judge(Right);
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(verdict.elements, 5);
  EXPECT_THAT(verdict.covered, ElementsAre("S2", "S6"));
  EXPECT_EQ(verdict.replay, "");
}

TEST_F(RunnerTest, AWrongValueFailsWithItsClause) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    add.result[1] = 23;
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.basis, "text");
  EXPECT_THAT(verdict.clauses, ElementsAre("add/S2"));
  EXPECT_THAT(verdict.message, HasSubstr("1 of 5 elements"));
  EXPECT_THAT(verdict.message, HasSubstr("lhs = 2 (0x00000002)"));
  EXPECT_EQ(verdict.replay,
            "assay run --backend 'test' --policy assay --op 'add/a'");
}

TEST_F(RunnerTest, ALargeResultIsJudgedByRows) {
  evaluated_bytes_ = 8;  // two of the five elements
  const Verdict right = Judge(Right);
  EXPECT_EQ(right.outcome, Outcome::kPass) << right.message;
  EXPECT_EQ(right.elements, 5);
  EXPECT_THAT(right.covered, ElementsAre("S2", "S6"));
  const Verdict wrong = Judge([](const I32Add& add) {
    add.Compute();
    add.result[3] = 0;
    return ASSAY_OK;
  });
  EXPECT_EQ(wrong.outcome, Outcome::kFail);
  EXPECT_THAT(wrong.clauses, ElementsAre("add/S2"));
  EXPECT_THAT(wrong.message, HasSubstr("1 of 2 elements"));
  EXPECT_THAT(wrong.message, HasSubstr("first at [3]: lhs"));
  EXPECT_THAT(wrong.message, HasSubstr("lhs = 4 (0x00000004)"));
  EXPECT_THAT(wrong.message, HasSubstr("judged on rows [2, 4) alone"));
  EXPECT_EQ(Judge([](const I32Add& add) {
              add.Compute();
              add.result[4] = ++calls;
              return ASSAY_OK;
            }).outcome,
            Outcome::kNondeterministic);
}

TEST_F(RunnerTest, AWrongValueOfAnOpenClauseFailsByPolicy) {
  const auto saturates = [](const I32Add& add) {
    add.Compute();
    add.result[4] = 2147483647;
    return ASSAY_OK;
  };
  EXPECT_EQ(Judge(saturates).basis, "policy:integer_overflow");
  const Verdict verdict = Judge(saturates, kAdd, "stablehlo");
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.open, 1);
}

TEST_F(RunnerTest, WritingOneElementPastTheOutputIsAGuardViolation) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    add.result[add.size] =
        0;  // run A: a page fault; run B would be a changed guard
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kGuardViolation);
  EXPECT_EQ(verdict.basis, "contract");
  EXPECT_THAT(verdict.message,
              HasSubstr("run A: result: touched 1 byte(s) behind the buffer"));
}

TEST_F(RunnerTest, WritingInFrontOfTheOutputIsAGuardViolation) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    reinterpret_cast<char*>(add.result)[-1] = 0;
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kGuardViolation);
  EXPECT_THAT(
      verdict.message,
      HasSubstr("run A: result: wrote 1 byte(s) in front of the buffer"));
  EXPECT_THAT(
      verdict.message,
      HasSubstr("run B: result: touched 1 byte(s) in front of the buffer"));
}

TEST_F(RunnerTest, ReadingPastAnInputIsAGuardViolationUnlessDeclared) {
  const auto reads = [](const I32Add& add) {
    add.Compute();
    volatile int32_t sink = add.lhs[add.size];
    static_cast<void>(sink);
    return ASSAY_OK;
  };
  EXPECT_EQ(Judge(reads).outcome, Outcome::kGuardViolation);
  over_read_bytes_ = 16;
  EXPECT_EQ(Judge(reads).outcome, Outcome::kPass);
}

TEST_F(RunnerTest, ReadingInFrontOfAnInputIsAGuardViolation) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    volatile int32_t sink = add.rhs[-1];
    static_cast<void>(sink);
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kGuardViolation);
  EXPECT_THAT(verdict.message,
              HasSubstr("run B: rhs: touched 4 byte(s) in front"));
}

TEST_F(RunnerTest, ChangingAnInputIsSeen) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    const_cast<int32_t*>(add.rhs)[2] ^= 1;
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kInputModified);
  EXPECT_THAT(verdict.message,
              HasSubstr("rhs was changed, first at [2]: from "));
}

TEST_F(RunnerTest, AnElementLeftOutIsNotWritten) {
  const Verdict verdict = Judge([](I32Add add) {
    --add.size;
    add.Compute();
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kNotWritten);
  EXPECT_THAT(verdict.message,
              HasSubstr("1 of 5 elements of result still hold the fill\n"
                        "  first at [4]: lhs = "));
  EXPECT_THAT(verdict.also, Contains(Outcome::kFail));
}

TEST_F(RunnerTest, AResultThatDependsOnTheCanaryIsNondeterministic) {
  over_read_bytes_ = 16;
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    add.result[0] ^=
        add.lhs[add.size] &
        1;  // the byte behind: 0xff in run A, 0x7b in run B: bit 2 differs
    add.result[1] = add.lhs[add.size];
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kNondeterministic);
  EXPECT_THAT(verdict.message,
              HasSubstr("1 of 5 elements of result differ between run A and "
                        "run B\n  first at [1]: lhs = "));
  EXPECT_THAT(verdict.message, HasSubstr("\n    run A    -1 (0xffffffff)\n"
                                         "    run B    2071690107 "
                                         "(0x7b7b7b7b)"));
}

TEST_F(RunnerTest, AChangedRoundingModeIsSeenAndUndone) {
  const unsigned before = _mm_getcsr();
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    _mm_setcsr(_mm_getcsr() | _MM_FLUSH_ZERO_ON);
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kEnvironmentChanged);
  EXPECT_EQ(_mm_getcsr() & ~0x3fu, before & ~0x3fu);
}

TEST_F(RunnerTest, SignalsAreCrashesOfOneCase) {
  EXPECT_EQ(
      Judge([](const I32Add&) { return raise(SIGFPE), ASSAY_OK; }).outcome,
      Outcome::kCrash);
  EXPECT_EQ(
      Judge([](const I32Add&) { return raise(SIGABRT), ASSAY_OK; }).outcome,
      Outcome::kCrash);
  // The fault is far from every buffer of the case.
  void* nowhere =
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const Verdict verdict = Judge([&](const I32Add&) {
    *static_cast<volatile int*>(nowhere) = 1;
    return ASSAY_OK;
  });
  munmap(nowhere, 4096);
  EXPECT_EQ(verdict.outcome, Outcome::kCrash);
  EXPECT_THAT(verdict.message, HasSubstr("signal 11"));
  EXPECT_EQ(Judge(Right).outcome, Outcome::kPass) << "the run goes on";
}

TEST_F(RunnerTest, StatusesBecomeOutcomes) {
  const auto status = [&](int32_t s) {
    return Judge([s](const I32Add&) { return s; });
  };
  EXPECT_EQ(status(ASSAY_UNSUPPORTED).outcome, Outcome::kUnsupported);
  EXPECT_EQ(status(ASSAY_UNSUPPORTED).message, "a message");
  EXPECT_EQ(status(ASSAY_INVALID).outcome, Outcome::kRejectedValid);
  EXPECT_EQ(status(ASSAY_ERROR).outcome, Outcome::kError);
  EXPECT_EQ(status(77).outcome, Outcome::kError);
}

TEST_F(RunnerTest, ABackendThatWorksOnlyOnceIsAnError) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    return calls == 1 ? ASSAY_OK : ASSAY_ERROR;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kError);
  EXPECT_THAT(verdict.message, HasSubstr("run B"));
}

TEST_F(RunnerTest, AWrongLiteralAccusesTheOracleAndNoBackend) {
  const Verdict verdict =
      Judge(Right,
            R"({"op": "add", "cases": [{"id": "a", "source": "hand", "inputs": {
    "lhs": {"type": "tensor<1xi32>", "data": [1]}, "rhs": {"type": "tensor<1xi32>", "data": [1]}}, "expect": {"result": [3]}}]})");
  EXPECT_EQ(verdict.outcome, Outcome::kOracleSuspect);
  EXPECT_THAT(verdict.message, HasSubstr("source: hand"));
  EXPECT_EQ(calls, 0);
}

TEST_F(RunnerTest, WhatIsNotAskedIsSkippedWithAReason) {
  const char* policy =
      R"({"op": "add", "cases": [{"id": "a", "source": "hand", "policy": "mask", "inputs": {
    "lhs": {"type": "tensor<1xi32>", "data": [1]}, "rhs": {"type": "tensor<1xi32>", "data": [1]}}, "expect": {"result": [2]}}]})";
  EXPECT_EQ(Judge(Right, policy).message, "needs policy mask");
  EXPECT_EQ(Judge(Right, policy, "mask").outcome, Outcome::kPass);
  const char* invalid =
      R"({"op": "add", "cases": [{"id": "a", "inputs": {"lhs": {"type": "tensor<1xi32>"}, "rhs": {"type": "tensor<2xi32>"}},
    "expect": {"violates": "C1"}}]})";
  EXPECT_EQ(Judge(Right, invalid).message, "does not validate");
  const char* dynamic =
      R"({"op": "add", "cases": [{"id": "a", "inputs": {"lhs": {"type": "tensor<?xi32>"}, "rhs": {"type": "tensor<2xi32>"}}}]})";
  EXPECT_EQ(Judge(Right, dynamic).message, "has dynamic dimensions");
  EXPECT_EQ(calls, 0);
}

// Returns a backend that gives the same f32 bits for every call.
std::function<int32_t(const I32Add&)> Answers(int32_t bits) {
  return [bits](const I32Add& add) {
    std::fill_n(add.result, add.size, bits);
    return ASSAY_OK;
  };
}

TEST_F(RunnerTest, WhatNoEnclosureDecidesIsSkippedWithAReason) {
  const char* json =
      R"({"op": "atan2", "cases": [{"id": "a", "result_accuracy": {"atol": 0, "rtol": 0.001, "ulps": 1}, "inputs": {
    "lhs": {"type": "tensor<2xf32>", "data": [1, "nan"]}, "rhs": {"type": "tensor<2xf32>", "data": [3, 1]}}}]})";
  constexpr int32_t kNan = 0x7fc00000;
  EXPECT_EQ(Judge(Answers(kNan), json).outcome, Outcome::kFail);
  const ScopedMostPrecision few(64);
  const Verdict verdict = Judge(Answers(kNan), json);
  EXPECT_EQ(verdict.outcome, Outcome::kSkipped);
  EXPECT_THAT(verdict.message, HasSubstr("decides 1 elements of atan2"));
  // The part that can be judged still is.
  EXPECT_EQ(Judge(Answers(0), json).outcome, Outcome::kFail);
}

TEST_F(RunnerTest, ALiteralMayBeFlushedWhereThePolicyLetsResultsBe) {
  const auto outcome = [&](const char* literal, const char* policy) {
    const std::string json =
        std::string(
            R"({"op": "multiply", "cases": [{"id": "a", "source": "hand", "inputs": {
    "lhs": {"type": "tensor<2xf32>", "data": ["-0x1p-100", "0x1p-100"]},
    "rhs": {"type": "tensor<2xf32>", "data": ["0x1p-40", "0x1p-40"]}}, "expect": {"result": )") +
        literal + "}}]}";
    return Judge(Answers(0), json.c_str(), policy).outcome;
  };
  const char* kept = R"(["-0x1p-140", "0x1p-140"])";
  EXPECT_EQ(outcome(kept, "assay"), Outcome::kFail);
  EXPECT_EQ(outcome(kept, "flush"), Outcome::kPass);
  EXPECT_EQ(outcome("[0, 0]", "assay"), Outcome::kOracleSuspect);
  EXPECT_EQ(outcome("[0, 0]", "flush"), Outcome::kPass);
  EXPECT_EQ(outcome("[-0.0, 0]", "flush"), Outcome::kPass);
  // No single way of flushing keeps one of them and flushes the other.
  EXPECT_EQ(outcome(R"([0, "0x1p-140"])", "flush"), Outcome::kOracleSuspect);
  EXPECT_EQ(outcome(R"([0, "0x1p-139"])", "flush"), Outcome::kOracleSuspect);
}

TEST_F(RunnerTest, AProgramRunsOnTheBackendsOwnValues) {
  const char* program =
      R"({"op": "add", "cases": [{"id": "p", "source": "hand", "inputs": {"x": {"type": "tensor<2xi32>", "data": [1, 2]}},
    "program": [
      {"op": "add", "inputs": {"lhs": "x", "rhs": {"type": "tensor<2xi32>", "data": [10, 20]}}, "outputs": {"result": {"name": "t"}}},
      {"op": "add", "inputs": {"lhs": "t", "rhs": "x"}, "outputs": {"result": {"name": "u"}}}],
    "expect": {"u": [12, 24]}}]})";
  const Verdict verdict = Judge(Right, program);
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(verdict.elements, 4);
}

TEST_F(RunnerTest, AFarWriteIsAGuardViolation) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    reinterpret_cast<char*>(add.result)[200 << 10] = 0;
    return ASSAY_OK;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kGuardViolation) << verdict.message;
}

TEST_F(RunnerTest, AnExceptionIsACrashOfOneCase) {
  const Verdict verdict =
      Judge([](const I32Add&) -> int32_t { throw std::runtime_error("no"); });
  EXPECT_EQ(verdict.outcome, Outcome::kCrash);
  EXPECT_THAT(verdict.message, HasSubstr("an exception left the call"));
}

TEST_F(RunnerTest, DecliningIsNoLicenceToTouchInputs) {
  const Verdict verdict = Judge([](const I32Add& add) {
    const_cast<int32_t*>(add.lhs)[0] ^= 1;
    return ASSAY_UNSUPPORTED;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kInputModified);
}

TEST_F(RunnerTest, DecliningOnlyTheSecondTimeIsAnError) {
  const Verdict verdict = Judge([](const I32Add& add) {
    add.Compute();
    return calls == 1 ? ASSAY_OK : ASSAY_UNSUPPORTED;
  });
  EXPECT_EQ(verdict.outcome, Outcome::kError);
}

TEST_F(RunnerTest, AnUndeclaredViolationIsAnInputErrorWithItsPlace) {
  const char* json = R"({"op": "add", "cases": [{"id": "a", "inputs": {
    "lhs": {"type": "tensor<1xi32>", "data": [1]},
    "rhs": {"type": "tensor<2xi32>", "data": [1, 2]}}}]})";
  const std::vector<Case> cases =
      ParseCases("test.json", ParseJsonExactly("test.json", json), {});
  EXPECT_THAT([&] { RequireConstraints(cases.at(0)); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("test.json#/cases/0: add/a violates add/C1")));
}

// By rule 4 of the ABI, the high bits of a sub-byte output may hold anything,
// and those of an input are 0, also when the input is an earlier output.
TEST_F(RunnerTest, HighBitsOfAResultDoNotReachTheNextOp) {
  const char* json = R"({"op": "add", "cases": [{"id": "p",
    "inputs": {"x": {"type": "tensor<4xui4>", "data": [9, 1, 2, 3]}},
    "program": [
      {"op": "add", "inputs": {"lhs": "x", "rhs": "x"},
       "outputs": {"result": {"name": "t"}}},
      {"op": "add", "inputs": {"lhs": "t", "rhs": "x"}}]}]})";
  bool inputs_are_clean = true;
  const Verdict verdict = Judge(
      [&](const I32Add& add) {
        const auto bytes = [](const int32_t* p) {
          return reinterpret_cast<const uint8_t*>(p);
        };
        for (int64_t i = 0; i < add.size; ++i) {
          inputs_are_clean &= bytes(add.lhs)[i] < 16 && bytes(add.rhs)[i] < 16;
          reinterpret_cast<uint8_t*>(add.result)[i] = static_cast<uint8_t>(
              ((bytes(add.lhs)[i] + bytes(add.rhs)[i]) & 15) | 0xc0);
        }
        return ASSAY_OK;
      },
      json);
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_TRUE(inputs_are_clean);
}

TEST_F(RunnerTest, LiteralsBehindAnOpenResultAreCounted) {
  const char* program = R"({"op": "add", "cases": [{"id": "p", "source": "hand",
    "inputs": {"x": {"type": "tensor<1xi32>", "data": [2147483647]}}, "program": [
      {"op": "add", "inputs": {"lhs": "x", "rhs": "x"}, "outputs": {"result": {"name": "t"}}},
      {"op": "add", "inputs": {"lhs": "t", "rhs": "x"}, "outputs": {"result": {"name": "u"}}}],
    "expect": {"t": [-2], "u": [2147483645]}}]})";
  EXPECT_EQ(Judge(Right, program).unchecked_literals, 0);
  EXPECT_EQ(Judge(Right, program, "stablehlo").unchecked_literals, 1);
}

// A power with a range is beside one that is infinity and nothing else.
TEST_F(RunnerTest, LiteralsAreComparedWhereTheElementIsKnown) {
  const std::string program =
      R"({"op": "add", "cases": [{"id": "p", "source": "hand",
    "inputs": {"x": {"type": "tensor<2xf32>", "data": [3, 1e30]},
               "y": {"type": "tensor<2xf32>", "data": [2.5, 2]}}, "program": [
      {"op": "power", "inputs": {"lhs": "x", "rhs": "y"}, "outputs": {"result": {"name": "t"}}},
      {"op": "add", "inputs": {"lhs": "t", "rhs": "x"}, "outputs": {"result": {"name": "u"}}}],
    "expect": {"u": )";
  const Verdict wrong = Judge(Right, (program + "[0, 1]}}]}").c_str());
  EXPECT_EQ(wrong.outcome, Outcome::kOracleSuspect);
  EXPECT_THAT(wrong.message, testing::HasSubstr("first at [1]"));
  const Verdict right = Judge(Right, (program + R"([0, "inf"]}}]})").c_str());
  EXPECT_NE(right.outcome, Outcome::kOracleSuspect) << right.message;
  EXPECT_EQ(right.unchecked_literals, 1);
}

TEST_F(RunnerTest, StridedOperandsStandInGapsThatAreGuarded) {
  const char* strided = R"({"op": "add", "cases": [{"id": "s", "inputs": {
    "lhs": {"type": "tensor<3xi32>", "data": [1, 2, 3], "strides": [-2], "offset": 4},
    "rhs": {"type": "tensor<3xi32>", "data": [10, 20, 30]}}}]})";
  const auto walks = [](const I32Add& add) {
    for (int i = 0; i < 3; ++i) add.result[i] = add.lhs[-2 * i] + add.rhs[i];
    return ASSAY_OK;
  };
  EXPECT_EQ(Judge(walks, strided).outcome, Outcome::kPass);
  const auto ignores_the_stride = [](const I32Add& add) {
    for (int i = 0; i < 3; ++i) add.result[i] = add.lhs[0] + add.rhs[i];
    return ASSAY_OK;
  };
  EXPECT_THAT(Judge(ignores_the_stride, strided).message,
              HasSubstr("lhs: strides [-2], offset 4"));
  const auto writes_gap = [&](const I32Add& add) {
    const_cast<int32_t*>(add.lhs)[-1] = 7;
    return walks(add);
  };
  EXPECT_THAT(Judge(writes_gap, strided).message,
              HasSubstr("wrote into a gap"));
}

}  // namespace
}  // namespace assay
