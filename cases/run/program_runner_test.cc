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

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What the plugin was asked, and what it does wrong.
struct Asked {
  std::vector<int> ops;  // of each program
  bool refuses_i16 = false, adds_wrongly = false, adds_wrongly_together = false,
       changes = false;
} asked;

template <class T>
void Compute(const AssayProgram& program) {
  const AssayFunction& function = *program.function;
  std::vector<T> values;  // of one element each
  for (int32_t i = 0; i < program.num_inputs; ++i)
    values.push_back(*ElementsOf<T>(program.inputs[i]));
  for (int32_t n = 0; n < function.num_ops; ++n) {
    const AssayFunctionOp& op = function.ops[n];
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

std::vector<Verdict> JudgeAll(const AssayBackend& plugin,
                              const std::vector<Case>& cases,
                              Times* times = nullptr) {
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  std::vector<Verdict> verdicts(cases.size());
  size_t next = 0;
  Runner(&executor, Policy::Find("assay"))
      .Run(
          [&](int64_t* number) -> const Case* {
            *number = static_cast<int64_t>(next);
            return next == cases.size() ? nullptr : &cases[next++];
          },
          [&](int64_t number, Verdict verdict) {
            verdicts[static_cast<size_t>(number)] = std::move(verdict);
          });
  if (times != nullptr) *times = executor.times();
  return verdicts;
}

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
  EXPECT_EQ(verdict.as_program, Outcome::kPass);
  asked.changes = true;
  verdict = JudgeFirst(plugin, json, "assay");
  EXPECT_EQ(verdict.outcome, Outcome::kNondeterministic);
  EXPECT_THAT(verdict.message,
              HasSubstr("op by op: pass; as one program: nondeterministic"));
}

TEST(ProgramRunner, AGranularityThatABackendLacksIsRefused) {
  const AssayBackend plugin = ProgramPlugin();
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  EXPECT_NO_THROW(executor.Choose(Granularity::kProgram));
  EXPECT_THROW(executor.Choose(Granularity::kOp), BackendError);
}

}  // namespace
}  // namespace assay
