// Tests which backends are asked for violations, and that what they say counts.
#include <gmock/gmock.h>

#include <string>

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

}  // namespace
}  // namespace assay
