// Tests how cases are put into programs, and how the programs are judged, with
// a plugin that runs the functions of negations and sums itself.
#include "cases/run/program_runner.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cases/run/plugin_test_support.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

// What the plugin was asked, and what it does wrong.
struct Asked {
  std::vector<int> ops;  // of each program
  bool refuses_i16 = false, adds_wrongly = false, adds_wrongly_together = false,
       changes = false, folds_wrongly = false, accepts_all = false;
  std::vector<std::string> verified;  // texts of programs that are not run
} asked;

template <class T>
void Compute(const AssayProgram& program) {
  const AssayFunction& function = *program.function;
  std::vector<T> values;  // of one element each
  for (int32_t i = 0; i < program.num_inputs; ++i)
    values.push_back(*ElementsOf<T>(program.inputs[i]));
  for (int32_t n = 0; n < function.num_ops; ++n) {
    const AssayFunctionOp& op = function.ops[n];
    if (std::strcmp(op.op, "constant") == 0) {
      values.push_back(static_cast<T>(*ElementsOf<T>(*op.attributes[0].value) +
                                      (asked.folds_wrongly ? 1 : 0)));
      continue;
    }
    const T x = values[static_cast<size_t>(op.inputs[0])];
    const bool is_wrong = asked.adds_wrongly ||
                          (asked.adds_wrongly_together && function.num_ops > 1);
    values.push_back(
        std::strcmp(op.op, "negate") == 0
            ? static_cast<T>(-x)
            : static_cast<T>(x + values[static_cast<size_t>(op.inputs[1])] +
                             (is_wrong ? 1 : 0)));
  }
  for (int32_t i = 0; i < program.num_outputs; ++i)
    *ElementsOf<T>(program.outputs[i]) =
        static_cast<T>(values[static_cast<size_t>(function.results[i])] +
                       (asked.changes && asked.ops.size() % 2 == 0 ? 1 : 0));
}

int32_t RunProgram(const AssayProgram* program, char* message,
                   size_t capacity) {
  if (program->function == nullptr) {
    asked.verified.emplace_back(program->stablehlo);
    if (asked.accepts_all) return ASSAY_OK;
    std::snprintf(message, capacity, "types differ");
    return ASSAY_INVALID;
  }
  asked.ops.push_back(program->function->num_ops);
  program->seconds->compile += 0.5;
  const bool has_i16 =
      std::strstr(program->stablehlo, "tensor<i16>") != nullptr;
  if (has_i16 && asked.refuses_i16) {
    std::snprintf(message, capacity, "no i16");
    return ASSAY_UNSUPPORTED;
  }
  if (has_i16) {
    Compute<int16_t>(*program);
  } else {
    Compute<int8_t>(*program);
  }
  return ASSAY_OK;
}

int32_t RunCall(const AssayCall* call, char*, size_t) {
  *ElementsOf<int8_t>(call->outputs[0]) =
      static_cast<int8_t>(-*ElementsOf<int8_t>(call->inputs[0]));
  return ASSAY_OK;
}

AssayBackend ProgramPlugin() {
  asked = {};
  AssayBackend plugin = PluginOf(nullptr);
  plugin.run_program = RunProgram;
  plugin.capabilities = ASSAY_READS_FUNCTIONS | ASSAY_VALIDATES;
  return plugin;
}

std::string Sum(const std::string& id, const std::string& type) {
  return R"({"id": ")" + id + R"(", "inputs": {"lhs": {"type": ")" + type +
         R"(", "data": [3]}, "rhs": {"type": ")" + type +
         R"(", "data": [4]}}})";
}

std::vector<Case> Sums(const std::vector<std::string>& cases) {
  std::string json = R"({"op": "add", "cases": [)";
  for (const std::string& c : cases) json += (&c == &cases[0] ? "" : ",") + c;
  return ParseCases("x.json", ParseJsonExactly("x.json", json + "]}"), {});
}

std::vector<Verdict> JudgeAll(Executor* executor,
                              const std::vector<Case>& cases) {
  std::vector<Verdict> verdicts(cases.size());
  size_t next = 0;
  Runner(executor, Policy::Find("assay"))
      .Run(
          [&](int64_t* number) -> const Case* {
            *number = static_cast<int64_t>(next);
            return next == cases.size() ? nullptr : &cases[next++];
          },
          [&](int64_t number, Verdict verdict) {
            verdicts[static_cast<size_t>(number)] = std::move(verdict);
          });
  return verdicts;
}

std::vector<Verdict> JudgeAll(const AssayBackend& plugin,
                              const std::vector<Case>& cases,
                              Times* times = nullptr) {
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  const std::vector<Verdict> verdicts = JudgeAll(&executor, cases);
  if (times != nullptr) *times = executor.times();
  return verdicts;
}

Verdict JudgeWith(const AssayBackend& plugin, ProgramOperands operands,
                  const Case& c) {
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  executor.Choose({Granularity::kBoth, operands});
  return JudgeAll(&executor, {c})[0];
}

// Says that it has a new process, and from then on adds wrongly if it should.
class Renewable : public InProcessExecutor {
 public:
  Renewable(const AssayBackend& plugin, bool is_wrong_then)
      : InProcessExecutor(Backend::Adopt("test", &plugin)),
        is_wrong_then_(is_wrong_then) {}
  bool Renew() override {
    asked.ops.push_back(-1);
    asked.adds_wrongly = is_wrong_then_;
    return true;
  }

 private:
  const bool is_wrong_then_;
};

TEST(ProgramRunner, CasesAreCompiledTogether) {
  const AssayBackend plugin = ProgramPlugin();
  Times times;
  const std::vector<Verdict> verdicts =
      JudgeAll(plugin,
               Sums({Sum("a", "tensor<i8>"), Sum("b", "tensor<i8>"),
                     Sum("c", "tensor<i8>")}),
               &times);
  for (const Verdict& verdict : verdicts) {
    EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
    EXPECT_EQ(verdict.elements, 1);
  }
  EXPECT_THAT(asked.ops, ElementsAre(3, 3)) << "runs A and B";
  EXPECT_EQ(times.compile, 1.0);
}

TEST(ProgramRunner, ARefusedProgramIsHalved) {
  const AssayBackend plugin = ProgramPlugin();
  asked.refuses_i16 = true;
  // The plugin computes programs of one type.
  const std::vector<Verdict> verdicts =
      JudgeAll(plugin, Sums({Sum("a", "tensor<i8>"), Sum("b", "tensor<i8>"),
                             Sum("c", "tensor<i8>"), Sum("d", "tensor<i16>")}));
  EXPECT_EQ(verdicts[0].outcome, Outcome::kPass);
  EXPECT_EQ(verdicts[1].outcome, Outcome::kPass);
  EXPECT_EQ(verdicts[2].outcome, Outcome::kPass);
  EXPECT_EQ(verdicts[3].outcome, Outcome::kUnsupported);
  EXPECT_EQ(verdicts[3].message, "no i16");
  EXPECT_THAT(asked.ops, ElementsAre(4, 4, 2, 2, 2, 2, 1, 1, 1, 1));
}

TEST(ProgramRunner, AFailureIsConfirmedAlone) {
  const AssayBackend plugin = ProgramPlugin();
  asked.adds_wrongly = true;
  const std::vector<Verdict> verdicts =
      JudgeAll(plugin, Sums({Sum("a", "tensor<i8>"), Sum("b", "tensor<i8>")}));
  EXPECT_EQ(verdicts[0].outcome, Outcome::kFail);
  EXPECT_THAT(verdicts[0].clauses, ElementsAre("add/S2"));
  EXPECT_THAT(verdicts[0].together, IsEmpty());
  EXPECT_THAT(asked.ops, ElementsAre(2, 2, 1, 1, 1, 1));
}

TEST(ProgramRunner, AFailureAmongOthersNamesThem) {
  const AssayBackend plugin = ProgramPlugin();
  asked.adds_wrongly_together = true;
  const std::vector<Verdict> verdicts =
      JudgeAll(plugin, Sums({Sum("a", "tensor<i8>"), Sum("b", "tensor<i8>")}));
  EXPECT_EQ(verdicts[0].outcome, Outcome::kFail);
  EXPECT_THAT(verdicts[0].message, HasSubstr("passes alone, and fails in one "
                                             "program with 1 others"));
  EXPECT_THAT(verdicts[0].together, ElementsAre("add/b"));
  EXPECT_THAT(verdicts[0].replay, HasSubstr("--op 'add/a' --op 'add/b'"));
}

TEST(ProgramRunner, ASecondRunHasTheSameResults) {
  const AssayBackend plugin = ProgramPlugin();
  asked.changes = true;
  EXPECT_EQ(JudgeAll(plugin, Sums({Sum("a", "tensor<i8>")}))[0].outcome,
            Outcome::kNondeterministic);
}

TEST(ProgramRunner, AViolationIsCompiledAlone) {
  const AssayBackend plugin = ProgramPlugin();
  const std::vector<Case> cases = Sums({R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<i8>"}, "rhs": {"type": "tensor<i16>"}},
      "expect": {"violates": "C1"}})"});
  EXPECT_EQ(JudgeAll(plugin, cases)[0].outcome, Outcome::kPass);
  EXPECT_THAT(asked.ops, IsEmpty());
}

// The calls of an op that is not judged, and of an op with dynamic dimensions:
// valid, and with a constraint violated.
const char* const kVerified[] = {
    R"({"op": "cholesky", "cases": [
        {"id": "valid",
         "inputs": {"a": {"type": "tensor<2x2xf32>"}, "lower": true}},
        {"id": "invalid",
         "inputs": {"a": {"type": "tensor<2x3xf32>"}, "lower": true},
         "expect": {"violates": "C3"}}]})",
    R"({"op": "dynamic_pad", "cases": [
        {"id": "valid", "inputs": {
             "operand": {"type": "tensor<?xi8>"},
             "padding_value": {"type": "tensor<i8>"},
             "edge_padding_low": {"type": "tensor<1xi64>", "data": [4]},
             "edge_padding_high": {"type": "tensor<1xi64>", "data": [4]},
             "interior_padding": {"type": "tensor<1xi64>", "data": [4]}},
         "outputs": {"result": {"type": "tensor<?xi8>"}}},
        {"id": "invalid", "inputs": {
             "operand": {"type": "tensor<?xi8>"},
             "padding_value": {"type": "tensor<i8>"},
             "edge_padding_low": {"type": "tensor<1xi64>", "data": [4]},
             "edge_padding_high": {"type": "tensor<1xi64>", "data": [4]},
             "interior_padding": {"type": "tensor<1xi64>", "data": [-4]}},
         "outputs": {"result": {"type": "tensor<?xi8>"}},
         "expect": {"violates": "C3"}}]})"};

TEST(ProgramRunner, AVerifierIsAskedOfProgramsThatAreNotRun) {
  AssayBackend plugin = ProgramPlugin();
  plugin.capabilities |= ASSAY_VERIFIES;
  for (const char* json : kVerified) {
    const std::vector<Case> cases =
        ParseCases("x.json", ParseJsonExactly("x.json", json), {});
    asked = {};
    asked.accepts_all = true;
    std::vector<Verdict> verdicts = JudgeAll(plugin, cases);
    EXPECT_EQ(verdicts[0].outcome, Outcome::kPass) << verdicts[0].message;
    EXPECT_EQ(verdicts[1].outcome, Outcome::kAcceptedInvalid);
    ASSERT_EQ(asked.verified.size(), 2);
    EXPECT_EQ(asked.verified[0].find("dense<4>") != std::string::npos,
              cases[0].op == "dynamic_pad")
        << "known elements are constants: " << asked.verified[0];
    asked.accepts_all = false;
    verdicts = JudgeAll(plugin, cases);
    EXPECT_EQ(verdicts[0].outcome, Outcome::kRejectedValid);
    EXPECT_EQ(verdicts[1].outcome, Outcome::kPass);
    plugin.capabilities &= ~uint64_t{ASSAY_VERIFIES};
    EXPECT_EQ(JudgeAll(plugin, cases)[0].outcome, Outcome::kSkipped);
    plugin.capabilities |= ASSAY_VERIFIES;
  }
}

TEST(ProgramRunner, WhatTextDoesNotSayIsNoViolation) {
  const AssayBackend plugin = ProgramPlugin();
  const std::string json = R"({"op": "all_reduce", "cases": [{"id": "a",
      "processes": {"replicas": 1, "partitions": 2}, "inputs": {
          "operands": [{"type": "tensor<2x3xi8>"}], "replica_groups": [[0, 1]],
          "channel_id": 0, "use_global_device_ids": false,
          "computation":
"^bb0(%a: tensor<i8>, %b: tensor<i8>): stablehlo.return %a : tensor<i8>"},
      "outputs": {"results": [{"type": "tensor<2x3xi8>"}]},
      "expect": {"violates": "C2"}}]})";
  const Verdict verdict = JudgeAll(
      plugin, ParseCases("x.json", ParseJsonExactly("x.json", json), {}))[0];
  EXPECT_EQ(verdict.outcome, Outcome::kSkipped);
  EXPECT_THAT(verdict.message, HasSubstr("text does not say"));
}

// A backend would go on with it until its time is up.
TEST(ProgramRunner, ALoopWithoutAnEndIsNotGiven) {
  const AssayBackend plugin = ProgramPlugin();
  const std::vector<Case> cases = ParseCases(
      "x.json", ParseJsonExactly("x.json", R"({"op": "while", "cases": [
          {"id": "a", "inputs": {
            "operand": [{"type": "tensor<i1>", "data": [true]}],
            "cond": "^bb0(%a: tensor<i1>): stablehlo.return %a : tensor<i1>",
            "body": "^bb0(%a: tensor<i1>): stablehlo.return %a : tensor<i1>"},
           "outputs": {"results": [{"type": "tensor<i1>"}]}}]})"),
      {});
  const std::vector<Verdict> verdicts = JudgeAll(plugin, cases);
  EXPECT_EQ(verdicts[0].outcome, Outcome::kOutOfFuel) << verdicts[0].message;
  EXPECT_THAT(asked.ops, ElementsAre());
}

TEST(ProgramRunner, LayoutsAreNotJudged) {
  const AssayBackend plugin = ProgramPlugin();
  const std::vector<Case> cases = Sums({R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<i8>", "data": [1], "offset": 3},
      "rhs": {"type": "tensor<i8>", "data": [2]}}})",
                                        Sum("b", "tensor<i8>")});
  const std::vector<Verdict> verdicts = JudgeAll(plugin, cases);
  EXPECT_EQ(verdicts[0].outcome, Outcome::kPass);
  EXPECT_EQ(verdicts[0].packed, 1);
  EXPECT_EQ(verdicts[1].packed, 0);
}

TEST(ProgramRunner, ABackendThatRunsBothIsJudgedOnBoth) {
  AssayBackend plugin = ProgramPlugin();
  plugin.run = RunCall;
  const std::string json = R"({"op": "negate", "cases": [{"id": "a", "inputs":
      {"operand": {"type": "tensor<i8>", "data": [3]}}}]})";
  Verdict verdict = JudgeFirst(plugin, json, "assay");
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(verdict.ways,
              ElementsAre(Pair("op by op", Outcome::kPass),
                          Pair("as one program", Outcome::kPass)));
  asked.changes = true;
  verdict = JudgeFirst(plugin, json, "assay");
  EXPECT_EQ(verdict.outcome, Outcome::kNondeterministic);
  EXPECT_THAT(verdict.message,
              HasSubstr("op by op: pass; as one program: nondeterministic"));
}

TEST(ProgramRunner, WhatAFlushMayChangeHasFewValues) {
  AssayBackend plugin = ProgramPlugin();
  static float answer = 0;
  plugin.run_program = [](const AssayProgram* program, char*,
                          size_t) -> int32_t {
    *ElementsOf<float>(program->outputs[0]) = answer;
    return ASSAY_OK;
  };
  const auto verdict_of = [&](const std::string& x) {
    return JudgeFirst(plugin,
                      R"({"op": "exponential", "cases": [{"id": "a",
        "inputs": {"x": {"type": "tensor<f32>", "data": [)" +
                          x + R"(]}},
        "program": [
          {"op": "negate", "inputs": {"operand": "x"},
           "outputs": {"result": {"name": "n"}}},
          {"op": "exponential", "inputs": {"operand": "n"},
           "outputs": {"result": {"name": "r"}}}]}]})",
                      "flush");
  };
  const Verdict tiny = verdict_of("90.0");
  EXPECT_EQ(tiny.outcome, Outcome::kPass) << tiny.message;
  EXPECT_EQ(tiny.open, 0);
  EXPECT_EQ(verdict_of("1.0").outcome, Outcome::kFail);
  answer = 8.194e-40F;  // exp(-90), which is subnormal
  EXPECT_EQ(verdict_of("90.0").outcome, Outcome::kPass);
  answer = 2e-38F;
  EXPECT_EQ(verdict_of("90.0").outcome, Outcome::kFail);
}

TEST(ProgramRunner, OperandsAreConstants) {
  const AssayBackend plugin = ProgramPlugin();
  const Case sum = Sums({Sum("a", "tensor<i8>")})[0];
  EXPECT_EQ(JudgeWith(plugin, ProgramOperands::kConstants, sum).outcome,
            Outcome::kPass);
  EXPECT_THAT(asked.ops, ElementsAre(3, 3)) << "two constants, one sum";
  const Verdict both = JudgeWith(plugin, ProgramOperands::kBoth, sum);
  EXPECT_EQ(both.outcome, Outcome::kPass);
  EXPECT_EQ(both.message, "");
  EXPECT_THAT(both.ways, ElementsAre(Pair("as one program", Outcome::kPass),
                                     Pair("with constants", Outcome::kPass)));
}

TEST(ProgramRunner, AWrongFoldIsNamed) {
  const AssayBackend plugin = ProgramPlugin();
  asked.folds_wrongly = true;
  const Verdict verdict = JudgeWith(plugin, ProgramOperands::kBoth,
                                    Sums({Sum("a", "tensor<i8>")})[0]);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.message,
              HasSubstr("\n  as one program: pass; with constants: fail"));
}

TEST(ProgramRunner, WhatHasNoOperandsIsCompiledOnce) {
  const AssayBackend plugin = ProgramPlugin();
  const Case violation = Sums({R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<i8>"}, "rhs": {"type": "tensor<i16>"}},
      "expect": {"violates": "C1"}})"})[0];
  const Verdict verdict = JudgeWith(plugin, ProgramOperands::kBoth, violation);
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(verdict.ways, IsEmpty());
}

TEST(ProgramRunner, LargeOperandsAreNoConstants) {
  const AssayBackend plugin = ProgramPlugin();
  const Case large = Sums({R"({"id": "a", "inputs": {
      "lhs": {"type": "tensor<200000xi8>", "draw": {"seed": 1, "profile": "uniform"}},
      "rhs": {"type": "tensor<200000xi8>", "draw": {"seed": 1, "profile": "uniform"}}}})"})
      [0];
  const Verdict verdict = JudgeWith(plugin, ProgramOperands::kConstants, large);
  EXPECT_EQ(verdict.outcome, Outcome::kSkipped);
  EXPECT_EQ(verdict.message,
            "its operands have 400000 bytes, and constants of a program at "
            "most 262144");
}

TEST(MergeWays, WhatWasSkippedIsNamed) {
  Verdict pass, skipped;
  skipped.outcome = Outcome::kSkipped;
  const Verdict merged =
      MergeWays({{{true, false, 1}, pass}, {{true, true, 1}, skipped}});
  EXPECT_EQ(merged.outcome, Outcome::kPass);
  EXPECT_EQ(merged.message, "");
  EXPECT_THAT(merged.ways,
              ElementsAre(Pair("as one program", Outcome::kPass),
                          Pair("with constants", Outcome::kSkipped)));
  EXPECT_THAT(MergeWays({{{}, skipped}, {{true, false, 1}, skipped}}).ways,
              IsEmpty());
}

TEST(ProgramRunner, AProgramIsCompiledAgainInANewProcess) {
  const AssayBackend plugin = ProgramPlugin();
  Renewable executor(plugin, /*is_wrong_then=*/false);
  executor.Choose({Granularity::kBoth, ProgramOperands::kArguments, 3});
  const std::vector<Verdict> verdicts = JudgeAll(
      &executor, Sums({Sum("a", "tensor<i8>"), Sum("b", "tensor<i8>")}));
  EXPECT_EQ(verdicts[1].outcome, Outcome::kPass) << verdicts[1].message;
  EXPECT_THAT(verdicts[1].ways, SizeIs(3));
  EXPECT_THAT(asked.ops, ElementsAre(2, 2, -1, 2, -1, 2));
}

TEST(ProgramRunner, ProgramsOfOtherValuesAreNotCompared) {
  const AssayBackend plugin = ProgramPlugin();
  Renewable executor(plugin, /*is_wrong_then=*/false);
  executor.Choose({Granularity::kBoth, ProgramOperands::kArguments, 2});
  // Two batches have the same text.
  std::vector<std::string> sums;
  for (size_t i = 0; i < 2 * ProgramRunner::kMostTogether; ++i)
    sums.push_back(R"({"id": "c)" + std::to_string(i) +
                   R"(", "inputs": {"lhs": {"type": "tensor<i8>", "data": [)" +
                   std::to_string(i / ProgramRunner::kMostTogether) +
                   R"(]}, "rhs": {"type": "tensor<i8>", "data": [4]}}})");
  for (const Verdict& verdict : JudgeAll(&executor, Sums(sums)))
    EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_THAT(asked.ops, ElementsAre(64, 64, 64, 64, -1, 64, 64));
}

TEST(ProgramRunner, ACompilerThatChangesIsNotDeterministic) {
  const AssayBackend plugin = ProgramPlugin();
  Renewable executor(plugin, /*is_wrong_then=*/true);
  executor.Choose({Granularity::kBoth, ProgramOperands::kArguments, 2});
  const Verdict verdict =
      JudgeAll(&executor, Sums({Sum("a", "tensor<i8>")}))[0];
  EXPECT_EQ(verdict.outcome, Outcome::kNondeterministic);
  EXPECT_THAT(verdict.message,
              AllOf(HasSubstr("1 of 1 elements of result differ between "
                              "compile 1 and compile 2"),
                    HasSubstr("\n    compile 1    7 "),
                    HasSubstr("\n    compile 2    8 "),
                    HasSubstr("as one program: pass; as one program, compile "
                              "2: nondeterministic")));
}

TEST(ProgramRunner, OneProcessHasOneCompilation) {
  const AssayBackend plugin = ProgramPlugin();
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  executor.Choose({Granularity::kBoth, ProgramOperands::kArguments, 2});
  EXPECT_THROW(JudgeAll(&executor, Sums({Sum("a", "tensor<i8>")})),
               BackendError);
}

TEST(ProgramRunner, AGranularityThatABackendLacksIsRefused) {
  const AssayBackend plugin = ProgramPlugin();
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  EXPECT_NO_THROW(executor.Choose({Granularity::kProgram}));
  EXPECT_THROW(executor.Choose({Granularity::kOp}), BackendError);
  const AssayBackend of_calls = PluginOf(RunCall);
  InProcessExecutor calls(Backend::Adopt("test", &of_calls));
  EXPECT_THROW(calls.Choose({Granularity::kBoth, ProgramOperands::kConstants}),
               BackendError);
}

}  // namespace
}  // namespace assay
