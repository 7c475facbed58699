// Tests which backends are asked for violations, and that what they say counts.
#include <gmock/gmock.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cases/run/plugin_test_support.h"

namespace assay {
namespace {

int asked = 0;

int32_t SaysInvalid(const AssayCall*, char*, size_t) {
  ++asked;
  return ASSAY_INVALID;
}

int32_t SaysOk(const AssayCall*, char*, size_t) { return ASSAY_OK; }

// Backends may say of these calls alone that they violate a constraint.
TEST(ViolationRun, OfMovementAreAskedOfBackendsThatValidateIt) {
  const auto slice = [](const std::string& type, const std::string& limit) {
    return R"({"op": "slice", "cases": [{"id": "a", "inputs": {
        "operand": {"type": ")" +
           type + R"("},
        "start_indices": [0], "limit_indices": [)" +
           limit +
           R"(], "strides": [1]},
        "outputs": {"result": {"type": "tensor<2xi8>"}},
        "expect": {"violates": "C3"}}]})";
  };
  AssayBackend plugin = PluginOf(SaysInvalid);
  const std::string wrong = slice("tensor<1xi8>", "2");
  EXPECT_EQ(JudgeFirst(plugin, wrong, "assay").message, "does not validate");
  plugin.capabilities = ASSAY_VALIDATES_MOVEMENT;
  asked = 0;
  EXPECT_EQ(JudgeFirst(plugin, wrong, "assay").outcome, Outcome::kPass);
  EXPECT_GT(asked, 0);
  plugin = PluginOf(SaysOk);
  plugin.capabilities = ASSAY_VALIDATES_MOVEMENT;
  EXPECT_EQ(JudgeFirst(plugin, wrong, "assay").outcome,
            Outcome::kAcceptedInvalid);
}

// The text lets a backend refuse an algorithm of dot_general (S33), and no
// other valid call.
TEST(ViolationRun, WhatTheTextLetsBackendsRefuseIsDeclined) {
  const auto dot = [](const std::string& algorithm) {
    return R"({"op": "dot_general", "cases": [{"id": "a", "inputs": {
        "lhs": {"type": "tensor<1xf32>", "data": [2]},
        "rhs": {"type": "tensor<1xf32>", "data": [3]},
        "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
        "lhs_contracting_dimensions": [0], "rhs_contracting_dimensions": [0],
        "precision_config": ["DEFAULT", "DEFAULT"])" +
           algorithm +
           R"(}, "outputs": {"result": {"type": "tensor<f32>"}}}]})";
  };
  const AssayBackend plugin = PluginOf(SaysInvalid);
  EXPECT_EQ(JudgeFirst(plugin, dot(""), "assay").outcome,
            Outcome::kRejectedValid);
  EXPECT_EQ(JudgeFirst(plugin, dot(R"(, "lhs_precision_type": "tf32",
        "rhs_precision_type": "tf32", "accumulation_type": "f32",
        "lhs_component_count": 1, "rhs_component_count": 1,
        "num_primitive_operations": 1, "allow_imprecise_accumulation": false)"),
                       "assay")
                .outcome,
            Outcome::kUnsupported);
}

int32_t SaysProgramIsInvalid(const AssayProgram*, char* message,
                             size_t capacity) {
  ++asked;
  std::snprintf(message, capacity, "no such algorithm");
  return ASSAY_INVALID;
}

// A whole program may be refused for the one call in it that may be, and no
// other program, such as the one that the backend is given together with it.
TEST(ViolationRun, AProgramWithSuchACallIsDeclined) {
  const auto program = [](const std::string& id, const std::string& algorithm) {
    return R"({"id": ")" + id + R"(",
        "inputs": {"x": {"type": "tensor<f32>", "data": [2]}},
        "program": [{"op": "dot_general", "inputs": {"lhs": "x", "rhs": "x",
            "lhs_batching_dimensions": [], "rhs_batching_dimensions": [],
            "lhs_contracting_dimensions": [], "rhs_contracting_dimensions": [],
            "precision_config": ["DEFAULT", "DEFAULT"])" +
           algorithm + R"(},
            "outputs": {"result": {"name": "y", "type": "tensor<f32>"}}},
          {"op": "negate", "inputs": {"operand": "y"},
            "outputs": {"result": {"type": "tensor<f32>"}}}]})";
  };
  const std::vector<Case> cases = ParseCases(
      "x.json",
      ParseJsonExactly("x.json",
                       R"({"op": "dot_general", "cases": [)" +
                           program("with", R"(, "lhs_precision_type": "tf32",
        "rhs_precision_type": "tf32", "accumulation_type": "f32",
        "lhs_component_count": 1, "rhs_component_count": 1,
        "num_primitive_operations": 1, "allow_imprecise_accumulation": false)") +
                           "," + program("without", "") + "]}"),
      {});
  AssayBackend plugin = PluginOf(nullptr);
  plugin.run_program = SaysProgramIsInvalid;
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  std::map<std::string, Verdict> verdicts;
  size_t next = 0;
  asked = 0;
  Runner(&executor, Policy::Find("assay"))
      .Run(
          [&](int64_t*) -> const Case* {
            return next == cases.size() ? nullptr : &cases[next++];
          },
          [&](int64_t, const Verdict& verdict) {
            verdicts[verdict.case_name] = verdict;
          });
  EXPECT_GT(asked, 2) << "together, then each";
  ASSERT_EQ(verdicts.size(), 2);
  const Verdict& declined = verdicts["dot_general/with"];
  EXPECT_EQ(declined.outcome, Outcome::kUnsupported);
  EXPECT_EQ(declined.message, "no such algorithm");
  const Verdict& wrong = verdicts["dot_general/without"];
  EXPECT_EQ(wrong.outcome, Outcome::kRejectedValid);
  EXPECT_EQ(wrong.basis, "text");
}

}  // namespace
}  // namespace assay
