// Tests op files: each is valid against its schema (and a broken copy is not,
// so the check can fail), it is consistent, and constraints and result types of
// calls are as the texts say.
#include "spec/op_spec.h"

// GCC 12 at -O3 warns about std::string::replace as valijson inlines it (GCC
// bug 105651).
#pragma GCC diagnostic ignored "-Wrestrict"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/policy.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

Json EmbeddedJson(std::string_view path) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.path == path) return Json::parse(file.text);
  }
  ADD_FAILURE() << path << " is not embedded";
  return {};
}

// Returns an empty text if `document` is valid, else the first complaint.
std::string Complaint(const Json& schema_json, const Json& document) {
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(
      valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(schema,
                         valijson::adapters::NlohmannJsonAdapter(document),
                         &results)) {
    return "";
  }
  valijson::ValidationResults::Error error;
  return results.popError(error) ? error.description : "invalid";
}

TEST(Schemas, EveryOpAndPolicyFileIsValid) {
  const Json op = EmbeddedJson("spec/op.schema.json");
  const Json policy = EmbeddedJson("spec/policies/policy.schema.json");
  int ops = 0, policies = 0;
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.path.ends_with(".schema.json") ||
        file.path == "spec/encodings.json" || file.path == "spec/types.json" ||
        file.path == "spec/constants.json" ||
        file.path == "spec/pointwise/pointwise.json")
      continue;
    const bool is_op = file.path.starts_with("spec/ops/");
    ++(is_op ? ops : policies);
    EXPECT_EQ(Complaint(is_op ? op : policy, Json::parse(file.text)), "")
        << file.path;
  }
  EXPECT_EQ(ops, std::ranges::count_if(Ops(), [](const OpSpec& spec) {
              return spec.file.starts_with("spec/ops/");
            }));
  EXPECT_EQ(policies, static_cast<int>(Policy::Names().size()));
  EXPECT_GE(ops, 26);
}

TEST(Schemas, ABrokenCopyOfAFileIsRefused) {
  struct Break {
    const char *path, *pointer;
    Json value;
  };
  const Break breaks[] = {
      {"spec/ops/add.json", "/op", "Add"},
      {"spec/ops/add.json", "/comment", "extra field"},
      {"spec/ops/add.json", "/source", "numpy"},
      {"spec/ops/add.json", "/spec/lines/1", 0},
      {"spec/ops/add.json", "/inputs/0/label", "X1"},
      {"spec/ops/add.json", "/inputs/0/kind", "scalar"},
      {"spec/ops/add.json", "/inputs/0/types", Json::array()},
      {"spec/ops/add.json", "/outputs", Json::array()},
      {"spec/ops/add.json", "/constraints/c1", {{"formula", "true"}}},
      {"spec/ops/add.json", "/constraints/C1/sha256", "abc"},
      {"spec/ops/add.json", "/constraints/C1/check", "broadcastable"},
      {"spec/ops/add.json", "/constraints/C1/text", "a sentence"},
      {"spec/ops/mlir.broadcastable.json", "/constraints/BC-01/formula",
       "true"},
      {"spec/ops/add.json", "/infer/rank(result)", "1"},
      {"spec/ops/add.json", "/semantics/S1/status", "open"},
      {"spec/ops/add.json", "/accuracy/rule", "close"},
      {"spec/policies/xla.json", "/values/shift_overflow", "modulo"},
      {"spec/policies/xla.json", "/values/shifts", "any"},
      {"spec/policies/xla.json", "/name", "xla"},
  };
  for (const Break& b : breaks) {
    const bool is_op = std::string_view(b.path).starts_with("spec/ops/");
    const Json schema = EmbeddedJson(
        is_op ? "spec/op.schema.json" : "spec/policies/policy.schema.json");
    Json file = EmbeddedJson(b.path);
    file[Json::json_pointer(b.pointer)] = b.value;
    EXPECT_NE(Complaint(schema, file), "") << b.path << '#' << b.pointer;
  }
  for (const char* field : {"op", "inputs", "constraints", "semantics"}) {
    Json file = EmbeddedJson("spec/ops/add.json");
    file.erase(field);
    EXPECT_NE(Complaint(EmbeddedJson("spec/op.schema.json"), file), "")
        << field;
  }
}

TEST(OpFiles, AreFoundByTheirIds) {
  std::string previous;
  for (const OpSpec& op : Ops()) {
    const bool is_made = op.id == "pointwise" || op.family == "pointwise";
    EXPECT_EQ(op.file, is_made ? "spec/pointwise/pointwise.json"
                               : fmt::format("spec/ops/{}.json", op.id));
    EXPECT_EQ(FindOp(op.id), &op);
    EXPECT_LT(previous, op.id);
    EXPECT_EQ(op.source == "paddle", op.id.starts_with("paddle."));
    EXPECT_EQ(op.source == "mlir", op.id.starts_with("mlir."));
    EXPECT_EQ(op.source == "func", op.id.starts_with("func."));
    EXPECT_LT(op.first_line, op.last_line) << op.id;
    previous = op.id;
  }
  EXPECT_EQ(FindOp("nonsense"), nullptr);
  EXPECT_EQ(FindOp(""), nullptr);
  EXPECT_EQ(FindOp("ad"), nullptr);
  EXPECT_EQ(FindOp("zzz"), nullptr);
}

TEST(OpFiles, ClausesAreNumberedAndDecided) {
  for (const OpSpec& op : Ops()) {
    std::set<int> numbers;
    for (const ClauseSpec& clause : op.semantics) {
      SCOPED_TRACE(op.id + "/" + clause.label);
      EXPECT_TRUE(numbers.insert(clause.number).second);
      EXPECT_GE(clause.number, 1);
      EXPECT_LT(clause.number, 64);  // a bit of Evaluation::marks
      EXPECT_EQ(op.Clause(clause.number), &clause);
      EXPECT_EQ(op.Clause(clause.label), &clause);
      EXPECT_FALSE(clause.text.empty());
      if (clause.status != "defined" && clause.judged.empty() &&
          op.unjudged.empty()) {
        EXPECT_NE(clause.policy, "");
      }
      if (!clause.policy.empty()) {
        EXPECT_TRUE(PolicyKeys().contains(clause.policy)) << clause.policy;
      }
    }
    EXPECT_FALSE(numbers.empty()) << op.id;
    EXPECT_EQ(op.Clause(0), nullptr);
    EXPECT_EQ(op.Clause("S0"), nullptr);
  }
}

TEST(OpFiles, SharedClausesStandBehindTheOpsOwn) {
  EXPECT_EQ(ClauseNumberOf("S6"), 6);
  EXPECT_EQ(ClauseNumberOf("SH-06"), 6);
  EXPECT_EQ(ClauseNumberOf("E1"), 58);
  EXPECT_EQ(ClauseNumberOf("E6"), 63);
  EXPECT_EQ(ClauseNumberOf("E7"), std::nullopt);
  EXPECT_EQ(ClauseNumberOf("S64"), std::nullopt);
  EXPECT_EQ(ClauseNumberOf("S"), std::nullopt);
  const OpSpec& add = *FindOp("add");
  ASSERT_NE(add.Clause("E1"), nullptr);
  EXPECT_EQ(add.Clause("E1")->number, 58);
  EXPECT_EQ(add.Clause("E1")->policy, "overflow_without_infinity");
  EXPECT_EQ(FindOp("select")->Clause("E1"), nullptr);  // it moves values
}

TEST(OpFiles, GiveTheRangeOfRealFunctions) {
  const OpSpec& exponential = *FindOp("exponential");
  EXPECT_EQ(exponential.rule, "ulp");
  EXPECT_EQ(exponential.least, 0);
  EXPECT_EQ(exponential.greatest, std::nullopt);
  EXPECT_EQ(FindOp("multiply")->rule, "exact");
  EXPECT_EQ(FindOp("multiply")->complex_rule, "ulp");
  EXPECT_EQ(FindOp("add")->complex_rule, "exact");
}

TEST(OpFiles, LabelledConstraintsOfTheTextHaveTheHashOfTheirSentence) {
  for (const OpSpec& op : Ops()) {
    std::set<std::string> labels;
    for (const ConstraintSpec& constraint : op.constraints) {
      SCOPED_TRACE(op.id + "/" + constraint.label);
      EXPECT_TRUE(labels.insert(constraint.label).second);
      EXPECT_EQ(op.Constraint(constraint.label), &constraint);
      if (constraint.label[0] == 'C') {
        EXPECT_EQ(constraint.sha256.size(), 64u);
      }
    }
    EXPECT_EQ(op.Constraint("C99"), nullptr);
    EXPECT_EQ(op.Input("nonsense"), nullptr);
    for (const InputSpec& input : op.inputs) {
      EXPECT_EQ(op.Input(input.name), &input);
    }
  }
}

TEST(OpFiles, TypeColumnsAreConstraintsOfTheirLabels) {
  const OpSpec& abs = *FindOp("abs");
  EXPECT_EQ(abs.Constraint("I1")->formula.text(),
            "is_signed_integer(operand) or is_float(operand) or "
            "is_complex(operand) or is_per_tensor_quantized(operand)");
  EXPECT_NE(abs.Constraint("O1"), nullptr);
  EXPECT_EQ(FindOp("add")->Constraint("I1"), nullptr);  // any type
  EXPECT_EQ(FindOp("compare")->Constraint("I3")->formula.text(),
            "comparison_direction in [EQ, NE, GE, GT, LE, LT]");
}

std::string InputErrorOf(const std::string& text) {
  try {
    ParseOpSpec("some/op.json", text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

// Returns a copy of select.json with another value at `pointer`.
std::string Changed(const char* pointer, const Json& value) {
  Json file = EmbeddedJson("spec/ops/select.json");
  file[Json::json_pointer(pointer)] = value;
  return file.dump();
}

TEST(ParseOpSpec, NamesTheFileOfWhatIsWrong) {
  EXPECT_EQ(InputErrorOf(Changed("/op", "select2")), "no error");
  EXPECT_THAT(InputErrorOf("{"), HasSubstr("some/op.json: "));
  EXPECT_THAT(InputErrorOf("[]"), HasSubstr("some/op.json: "));
  EXPECT_THAT(InputErrorOf(Changed("/op", 5)), HasSubstr("some/op.json: "));
  const std::vector<const char*> formulas = {"/constraints/C1/formula",
                                             "/infer/type(result)", "/where/R"};
  for (const char* pointer : formulas) {
    EXPECT_THAT(InputErrorOf(Changed(pointer, "rank(pred) =")),
                AllOf(HasSubstr(fmt::format("some/op.json#{}: ", pointer)),
                      HasSubstr("column 13")))
        << pointer;
  }
  EXPECT_THAT(InputErrorOf(Changed("/inputs/0/type", "tensor<2y>")),
              AllOf(HasSubstr("some/op.json#/inputs/0/type: "),
                    HasSubstr("tensor<2y>")));
}

TEST(ParseOpSpec, ARuleOfRangesIsAboutOperandsThatThereAre) {
  const auto message = [](const char* rule) {
    Json file = EmbeddedJson("spec/ops/compare.json");
    file["ranges"] = Json::parse(rule);
    return InputErrorOf(file.dump());
  };
  EXPECT_THAT(message(R"([{"monotone": {"left": "increasing"}}])"),
              HasSubstr("#/ranges/0/monotone/left"));
  EXPECT_THAT(message(R"([{"monotone": {"compare_type": "increasing"}}])"),
              HasSubstr("#/ranges/0/monotone/compare_type"));
  EXPECT_THAT(message(R"([{"monotone": {"lhs": "up"}}])"),
              HasSubstr("unknown direction 'up'"));
  EXPECT_THAT(
      message(R"([{"when": "side = LT", "monotone": {"lhs": "increasing"}}])"),
      HasSubstr("#/ranges/0/when"));
}

TEST(ParseOpSpec, AClauseLabelWithoutANumberIsAnInputError) {
  const Json clause = {{"text", "a"}, {"status", "defined"}};
  EXPECT_THAT(InputErrorOf(Changed("/semantics/S", clause)),
              HasSubstr("some/op.json#/semantics/S: "));
}

TEST(ParseOpSpec, ANameThatDoesNotExistIsAnInputErrorThoughNothingReachesIt) {
  for (const char* formula :
       {"If false, then nosuch", "rank(pred) = 1 or SIGNED = 1",
        "true if true else nosuch(pred)", "rank(pred, pred) = 1"}) {
    const std::string error =
        InputErrorOf(Changed("/constraints/C1/formula", formula));
    EXPECT_THAT(error, ::testing::StartsWith(
                           "some/op.json#/constraints/C1/formula: formula"))
        << formula;
  }
}

TEST(ParseOpSpecDeathTest, AMissingFieldIsAnInputErrorAndNoAbort) {
  for (const char* pointer : {"/inputs/0", "/outputs/0", "/semantics/S1"}) {
    EXPECT_EXIT(
        {
          const std::string error =
              InputErrorOf(Changed(pointer, Json::object()));
          std::exit(error.starts_with("some/op.json: ") ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "")
        << pointer;
  }
}

}  // namespace
}  // namespace assay
