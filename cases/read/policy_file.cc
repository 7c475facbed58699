// The schema finds most of what may be wrong, and `assay lint` and a run that
// is given the file both check it; for unknown keys and values, our own
// messages propose similar ones.
#include "cases/read/policy_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/read/json.h"
#include "spec/digest.h"
#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/nearest.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// The values of a file may take so much memory, ten times as much as those of
// the largest shipped policy.
constexpr int64_t kMostPolicyBytes = int64_t{1} << 20;

const JsonSchema& PolicySchema() {
  static const JsonSchema schema = [] {
    const std::string path = "spec/policies/policy.schema.json";
    const auto file =
        std::ranges::find(EmbeddedFiles(), path, &EmbeddedFile::path);
    ASSAY_CHECK(file != EmbeddedFiles().end());
    return JsonSchema(path, ParseJson(path, std::string(file->text)));
  }();
  return schema;
}

}  // namespace

bool IsPolicyFile(std::string_view policy) {
  return policy.ends_with(".json") || policy.find('/') != std::string::npos;
}

std::vector<JsonSchema::Violation> PolicyViolations(const Json& json) {
  std::vector<JsonSchema::Violation> violations;
  const auto members = [&](const char* name) {
    const auto it = json.is_object() ? json.find(name) : json.end();
    return it != json.end() && it->is_object() ? *it : Json::object();
  };
  const Json values = members("values"), reasons = members("reasons");
  const auto add = [&](const Json::json_pointer& pointer,
                       const std::string& reason) {
    violations.push_back({pointer.to_string(), reason});
  };
  for (const auto& [key, value] : values.items()) {
    const std::string complaint = PolicyValueComplaint(key, value);
    if (!complaint.empty())
      add(Json::json_pointer("/values") / Cut(key), complaint);
  }
  for (const auto& [key, reason] : reasons.items()) {
    if (!values.contains(key))
      add(Json::json_pointer("/reasons") / Cut(key),
          "is the reason of a value, and 'values' gives none for the key");
  }
  for (const JsonSchema::Violation& violation : PolicySchema().Check(json)) {
    // For a key or value, the error that is there says more than the schema's.
    if (violations.empty() || !violation.pointer.starts_with("/values"))
      violations.push_back(violation);
  }
  return violations;
}

std::string BudgetComplaint(const Budget& row, const std::string& op) {
  const OpSpec* const spec = FindOp(op);
  if (spec == nullptr) return fmt::format("there is no op \"{}\"", Cut(op));
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!row.Covers(op, info.type)) continue;
    const std::string& rule =
        IsComplex(info.type) ? spec->complex_rule : spec->rule;
    const bool may_have_one = IsFloat(info.type) && spec->may_have_budget;
    const bool has_rule =
        (IsFloat(info.type) || IsComplex(info.type)) && rule == "ulp";
    if (!has_rule && !may_have_one)
      return fmt::format("{} on {} has no budget: its rule is {}", op,
                         info.name, rule);
  }
  for (const Budget::Interval& interval : row.where) {
    if (spec->Input(interval.name) == nullptr)
      return fmt::format("{} has no operand '{}'", op, interval.name);
  }
  return "";
}

Policy ReadPolicyFile(const std::string& path) {
  const std::string text = ReadTextFile(path);
  const Json json = ParseJson(path, text, kMostPolicyBytes);
  const auto fail = [&](const std::string& pointer, const std::string& reason) {
    throw InputError(path + "#" + pointer, reason);
  };
  for (const auto& [pointer, reason] : PolicyViolations(json))
    fail(pointer, reason);
  const std::vector<std::string> names = Policy::Names();
  const auto is_shipped = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (!json.contains("extends"))
    fail("", fmt::format("the field 'extends' is missing: the shipped policy "
                         "whose other values hold; there are: {}",
                         fmt::join(names, ", ")));
  const std::string base = json["extends"].get<std::string>();
  if (IsPolicyFile(base))
    fail("/extends", fmt::format("'{}' is a file, and a file extends a shipped "
                                 "policy; there are: {}",
                                 Cut(base), fmt::join(names, ", ")));
  if (!is_shipped(base))
    fail("/extends",
         fmt::format("there is no policy '{}'{}; there are: {}", Cut(base),
                     DidYouMean(base, names), fmt::join(names, ", ")));
  const std::string stem = std::filesystem::path(path).stem().string();
  if (is_shipped(stem))
    throw InputError(path, fmt::format("has the name of a shipped policy: name "
                                       "the file otherwise, or give "
                                       "--policy {}",
                                       stem));
  Policy policy = Policy::Parse(path, json, &Policy::Find(base));
  policy.SetFile(path, Sha256(text));
  // The policy's own rows come first.
  const size_t own = json.value("budgets", Json::array()).size();
  for (size_t i = 0; i < own; ++i) {
    for (const std::string& op : policy.budgets()[i].ops) {
      const std::string complaint = BudgetComplaint(policy.budgets()[i], op);
      if (!complaint.empty())
        fail(fmt::format("/budgets/{}/ops", i), complaint);
    }
  }
  return policy;
}

}  // namespace assay
