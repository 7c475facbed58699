// Tests which findings are the same, findings as lines of a journal, and work
// in processes that it may end.
#include "fuzz/campaign/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "cases/run/runner.h"
#include "fuzz/campaign/forked.h"
#include "fuzz/fuzz_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Case AdditionOf(const std::string& type) {
  return ParsedFrom("add", R"({"id": "a", "inputs": {
    "lhs": {"type": "tensor<1x)" +
                               type + R"(>", "data": [1]},
    "rhs": {"type": "tensor<1x)" +
                               type + R"(>", "data": [1]}}})");
}

Verdict FailureOf(const Case& c) {
  Verdict verdict = VerdictOf(c, "made");
  verdict.outcome = Outcome::kFail;
  verdict.basis = "text";
  verdict.clauses = {"add/S6", "add/S2", "add/S6"};
  verdict.layouts = {"transposed", "gaps"};
  return verdict;
}

TEST(SignatureOf, SaysOpOutcomeClausesTypeAndLayouts) {
  Case c = AdditionOf("i8");
  Verdict verdict = FailureOf(c);
  EXPECT_EQ(SignatureOf(verdict, c),
            "add fail add/S2,add/S6 signed_integer gaps+transposed");
  verdict.variant = "lanes";
  verdict.layouts.clear();
  EXPECT_EQ(SignatureOf(verdict, c),
            "add fail add/S2,add/S6 signed_integer none@lanes");
  verdict.variant.clear();
  verdict.outcome = Outcome::kGuardViolation;
  verdict.basis = "contract";
  EXPECT_EQ(SignatureOf(verdict, c),
            "add guard_violation contract signed_integer none");
  // All programs are one kind, whatever their last op.
  c.program.functions[0].body.push_back(c.program.main().body[0]);
  EXPECT_THAT(SignatureOf(verdict, c), HasSubstr("program guard_violation"));
}

TEST(SignatureOf, TellsViolationsApart) {
  Case c = AdditionOf("i8");
  Verdict verdict = FailureOf(c);
  verdict.outcome = Outcome::kAcceptedInvalid;
  verdict.basis = "text";
  verdict.clauses.clear();
  c.violates = {"C1"};
  const std::string first = SignatureOf(verdict, c);
  EXPECT_THAT(first, HasSubstr("add accepted_invalid C1 signed_integer"));
  c.violates = {"C2"};
  EXPECT_NE(SignatureOf(verdict, c), first);
}

// A backend may refuse valid calls of an op for several reasons, of which the
// shapes and names of one call are no part.
TEST(SignatureOf, TellsReasonsOfRefusalApart) {
  const Case c = ParsedFrom("add", R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<2xi8>", "data": [1, 2]},
      "rhs": {"type": "tensor<2xi8>", "data": [1, 2]}}})");
  Verdict verdict;
  verdict.outcome = Outcome::kRejectedValid;
  verdict.basis = "text";
  verdict.message = "op 'add' has 2 of 'tensor<2xi8>'";
  const std::string first = SignatureOf(verdict, c);
  verdict.message = "op 'sum' has 3 of 'tensor<5xf32>'";
  EXPECT_EQ(SignatureOf(verdict, c), first);
  for (const char* other :
       {"op 'add' has 2 operands", "it doesn't have 2 of 'tensor<2xi8>'",
        "op 'add' has #2 of 'tensor<2xi8>'"}) {
    verdict.message = other;
    EXPECT_NE(SignatureOf(verdict, c), first) << other;
  }
  verdict.message =
      "run A: the backend calls a valid call invalid: op 'add' has 2 of 'x'";
  EXPECT_EQ(SignatureOf(verdict, c), first);
  EXPECT_NE(CoreOf(verdict), "rejected_valid text ");
}

TEST(SignatureOf, NeedsNoTensors) {
  Verdict verdict;
  verdict.outcome = Outcome::kRejectedValid;
  const std::pair<const char*, const char*> kCases[] = {
      {"custom_call", R"({"id": "a",
          "inputs": {"inputs": [], "call_target_name": "f",
                     "has_side_effect": false, "api_version": 1,
                     "called_computations": []},
          "outputs": {"results": []}})"},
      {"infeed", R"({"id": "a",
          "inputs": {"token": {"type": "!stablehlo.token"},
                     "infeed_config": ""},
          "outputs": {"results": [{"type": "!stablehlo.token"}]}})"}};
  for (const auto& [op, json] : kCases)
    EXPECT_THAT(SignatureOf(verdict, ParsedFrom(op, json)), HasSubstr(op));
}

TEST(SignatureOf, HasClassesOfTypes) {
  const auto type_class = [](const char* type) {
    const Case c = AdditionOf(type);
    Verdict verdict = FailureOf(c);
    verdict.clauses.clear();
    verdict.layouts.clear();
    const std::string signature = SignatureOf(verdict, c);
    EXPECT_THAT(signature, HasSubstr("add fail text ")) << "no clause: a basis";
    return signature.substr(14, signature.rfind(' ') - 14);
  };
  EXPECT_EQ(type_class("i64"), "signed_integer");
  EXPECT_EQ(type_class("ui2"), "unsigned_integer");
  EXPECT_EQ(type_class("f8E5M2"), "narrow_float");
  EXPECT_EQ(type_class("bf16"), "float");
  EXPECT_EQ(type_class("f64"), "float");
}

TEST(CoreOf, IsWhatShrinkingMustNotChange) {
  const Case c = AdditionOf("i8");
  Verdict verdict = FailureOf(c);
  const std::string core = CoreOf(verdict);
  EXPECT_EQ(core, "fail text add/S2,add/S6");
  verdict.layouts = {"row_major"};
  verdict.message = "another";
  std::swap(verdict.clauses[0], verdict.clauses[1]);
  EXPECT_EQ(CoreOf(verdict), core);
  verdict.clauses = {"add/S2"};
  EXPECT_NE(CoreOf(verdict), core);
  verdict = FailureOf(c);
  verdict.outcome = Outcome::kNotWritten;
  EXPECT_NE(CoreOf(verdict), core);
  verdict.basis = "contract";
  EXPECT_EQ(CoreOf(verdict), "not_written contract ") << "of no clause";
}

TEST(IsFinding, IsWhatIsJudgedAndDoesNotPass) {
  Verdict verdict;
  for (const Outcome outcome : kPrecedence) {
    verdict.outcome = outcome;
    EXPECT_EQ(IsFinding(verdict), outcome != Outcome::kPass &&
                                      outcome != Outcome::kSkipped &&
                                      outcome != Outcome::kOutOfFuel &&
                                      outcome != Outcome::kUnsupported)
        << Name(outcome);
  }
}

TEST(Finding, IsALineAndBack) {
  const Finding finding = {"a b",
                           uint64_t{1} << 60,
                           "add/seed_0_1",
                           "gaps",
                           Outcome::kTimeout,
                           "two\nlines",
                           {{0, 512}, {700, 1}}};
  const Json json = Json::parse(ToJson(finding).dump());
  const Finding read = FindingFromJson(JsonView(json, "j"));
  EXPECT_EQ(ToJson(read), ToJson(finding));
  EXPECT_EQ(read.index, finding.index);
  EXPECT_EQ(read.outcome, Outcome::kTimeout);
  EXPECT_EQ(read.before, finding.before);
  const auto with = [&](const char* key, const Json& value) {
    Json changed = json;
    changed[key] = value;
    return [changed] { FindingFromJson(JsonView(changed, "j")); };
  };
  EXPECT_THAT(with("index", -1),
              ThrowsMessage<InputError>(HasSubstr("/index")));
  EXPECT_THAT(with("outcome", "bad"),
              ThrowsMessage<InputError>(HasSubstr("/outcome")));
  EXPECT_THAT(with("before", {{1, 0}}),
              ThrowsMessage<InputError>(HasSubstr("/before")));
  EXPECT_THAT(with("more", 1), ThrowsMessage<InputError>(HasSubstr("more")));
  EXPECT_THAT(with("variant", nullptr),
              ThrowsMessage<InputError>(HasSubstr("/variant")));
}

class ForEachInChildTest : public testing::TestWithParam<int> {};

TEST_P(ForEachInChildTest, GoesOnBehindWhatEndsTheProcess) {
  std::vector<std::string> told;
  const pid_t parent = getpid();
  ForEachInChild(
      7, GetParam(),
      [&](size_t i) -> std::string {
        if (getpid() == parent) return "in the parent";
        if (i == 1) _exit(3);
        if (i == 3) throw std::runtime_error("what it says");
        if (i == 4) raise(SIGKILL);
        if (i == 5) return std::string(200000, 'x');
        return std::string(i == 6 ? "" : "line " + std::to_string(i));
      },
      [&](size_t i, const auto& line, const std::string& why) {
        EXPECT_EQ(i, told.size());
        EXPECT_EQ(line.has_value(), why.empty()) << i;
        told.push_back(line ? line->substr(0, 8) + std::to_string(line->size())
                            : why);
      });
  EXPECT_THAT(told, ElementsAre("line 06", HasSubstr("status 3"), "line 26",
                                "what it says", HasSubstr("signal 9"),
                                "xxxxxxxx200000", "0"));
}

INSTANTIATE_TEST_SUITE_P(Jobs, ForEachInChildTest, testing::Values(1, 2, 3, 9));

// The children that go on writing into pipes that nobody reads are ended.
TEST(ForEachInChild, EndsItsChildrenWhereUseThrows) {
  const auto run = [] {
    ForEachInChild(
        100, 3, [](size_t) { return std::string(50000, 'x'); },
        [](size_t i, const auto&, const std::string&) {
          if (i == 2) throw std::runtime_error("what use says");
        });
  };
  EXPECT_THROW(run(), std::runtime_error);
}

TEST(ForEachInChild, EndsChildrenThatTakeTooLong) {
  std::vector<std::string> told;
  bool is_over = false;
  ForEachInChild(
      5, 2,
      [](size_t i) -> std::string {
        if (i > 1) sleep(600);
        return "done";
      },
      [&](size_t i, const auto& line, const std::string& why) {
        EXPECT_EQ(i, told.size());
        told.push_back(line ? *line : why);
        is_over = told.size() >= 2;
      },
      [&] { return is_over; });
  EXPECT_THAT(told, ElementsAre("done", "done", "interrupted", "interrupted",
                                "interrupted"));
}

TEST(ForEachInChild, WorksOnAsManyNumbersAtATime) {
  // Each child waits for what the other writes.
  int pipes[2][2];
  for (auto& fds : pipes) ASSERT_EQ(pipe(fds), 0);
  int told = 0;
  ForEachInChild(
      2, 2,
      [&](size_t i) -> std::string {
        char byte = 'a';
        if (write(pipes[i][1], &byte, 1) != 1) return "not written";
        return read(pipes[1 - i][0], &byte, 1) == 1 ? "met" : "not met";
      },
      [&](size_t, const auto& line, const std::string&) {
        EXPECT_EQ(line, "met");
        ++told;
      });
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace assay
