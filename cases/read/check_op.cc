#include "cases/read/check_op.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spec/text/number.h"

namespace assay {
namespace {

// What the checks accept is in CheckOps.cpp of StableHLO, and for custom calls
// in StablehloTranslateMain.cpp.
constexpr CheckKind kCheckKinds[] = {
    {"check.expect_eq_const", true, {0, 0}},
    {"check.expect_eq", false, {0, 0}},
    {"check.expect_almost_eq_const", true, {1e-4, 0}},
    {"check.expect_almost_eq", false, {1e-4, 0}},
    {"check.expect_close", false, {0, 3}},
    {"@check.expect_eq", false, {0, 0}},
    {"@check.expect_almost_eq", false, {1e-3, 0}},
    {"@check.expect_close", false, {0, 3}},
    {"@check.eq", false, {1e-4, 0}},
};

}  // namespace

std::string CheckName(const text::Statement& statement) {
  if (statement.op.starts_with("check.")) return statement.op;
  if (statement.op != "stablehlo.custom_call") return "";
  const text::Attribute* const target =
      text::Find(statement.attributes, "call_target_name");
  const auto* name = target ? target->As<text::StringAttribute>() : nullptr;
  return name != nullptr && name->value.starts_with("check.")
             ? "@" + name->value
             : "";
}

const CheckKind* FindCheckKind(std::string_view name) {
  const auto kind = std::ranges::find(kCheckKinds, name, &CheckKind::op);
  return kind == std::end(kCheckKinds) ? nullptr : kind;
}

Nearness NearnessOf(const text::Statement& statement, const CheckKind& kind) {
  Nearness nearness = kind.nearness;
  if (const text::Attribute* given =
          text::Find(statement.attributes, "tolerance")) {
    const auto* number = given->As<text::FloatAttribute>();
    nearness.absolute =
        number != nullptr ? text::FloatValue(number->type, number->bits) : -1;
  }
  if (const text::Attribute* given =
          text::Find(statement.attributes, "max_ulp_difference")) {
    const auto* number = given->As<text::IntegerAttribute>();
    nearness.ulps = number != nullptr ? number->value : -1;
  }
  if (!std::isfinite(nearness.absolute) || nearness.absolute < 0 ||
      nearness.ulps < 0)
    throw text::SyntaxError(statement.location,
                            "a tolerance is a finite number of 0 or more");
  return nearness;
}

}  // namespace assay
