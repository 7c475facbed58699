// Reading policies: each holds differences to the one that it extends, and the
// schema names every key and every value.
#include "spec/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "spec/embedded.h"
#include "spec/error.h"

namespace assay {
namespace {

using UnorderedJson = nlohmann::json;

constexpr std::string_view kFolder = "spec/policies/";
constexpr std::string_view kSchema = "spec/policies/policy.schema.json";

const UnorderedJson& Schema() {
  static const UnorderedJson schema = [] {
    for (const EmbeddedFile& file : EmbeddedFiles()) {
      if (file.path == kSchema)
        return UnorderedJson::parse(
            file.text)["properties"]["values"]["properties"];
    }
    CheckFailed("policy.schema.json is embedded", __FILE__, __LINE__);
  }();
  return schema;
}

void CheckValue(const std::string& file, const std::string& key,
                const UnorderedJson& value) {
  const std::string where = file + "#/values/" + key;
  if (!Schema().contains(key)) throw InputError(where, "unknown policy key");
  const UnorderedJson& allowed = Schema()[key]["enum"];
  if (std::ranges::find(allowed, value) == allowed.end()) {
    throw InputError(where, fmt::format("{} is not one of {}", value.dump(),
                                        allowed.dump()));
  }
}

// A type that does not exist would be a row that never holds; ops are left to
// `assay lint`, since op files may name policies.
std::vector<Budget> ReadBudgets(const std::string& file,
                                const UnorderedJson& rows) {
  std::vector<Budget> budgets;
  for (size_t i = 0; i < rows.size(); ++i) {
    const UnorderedJson& row = rows[i];
    const std::string where = fmt::format("{}#/budgets/{}", file, i);
    Budget budget;
    budget.ops = row.at("ops").get<std::vector<std::string>>();
    budget.types = row.at("types").get<std::vector<std::string>>();
    budget.ulp = row.value("ulp", 0.5);
    budget.reason = row.at("reason").get<std::string>();
    if (row.contains("ulp") == row.contains("result_accuracy"))
      throw InputError(where, "either 'ulp' or 'result_accuracy'");
    if (row.contains("result_accuracy")) {
      const UnorderedJson& rule = row["result_accuracy"];
      budget.result_accuracy = ResultAccuracy{rule.at("atol").get<double>(),
                                              rule.at("rtol").get<double>(),
                                              rule.at("ulps").get<int64_t>()};
    }
    for (const std::string& type : budget.types) {
      const bool is_complex = type == "complex" || type.starts_with("complex<");
      if (budget.result_accuracy && is_complex)
        throw InputError(where + "/types",
                         "'result_accuracy' is for floats only");
      if (type != "narrow" && type != "complex" && !ParseElementType(type))
        throw InputError(where + "/types",
                         fmt::format("'{}' is no element type", type));
    }
    budgets.push_back(std::move(budget));
  }
  return budgets;
}

}  // namespace

bool Budget::Covers(std::string_view op, ElementType type) const {
  const auto names = [](const std::vector<std::string>& list,
                        std::string_view name) {
    return std::ranges::find(list, name) != list.end();
  };
  const bool is_narrow = IsFloat(type) && Info(type).bits <= 16;
  return names(ops, op) &&
         (names(types, Name(type)) || (is_narrow && names(types, "narrow")) ||
          (IsComplex(type) && names(types, "complex")));
}

std::map<std::string, Policy, std::less<>> Policy::LoadAll() {
  std::map<std::string, UnorderedJson> files;
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (!file.path.starts_with(kFolder) || file.path == kSchema) continue;
    const std::string_view base = file.path.substr(kFolder.size());
    files[std::string(base.substr(0, base.find('.')))] =
        UnorderedJson::parse(file.text);
  }
  std::map<std::string, Policy, std::less<>> policies;
  std::set<std::string> loading;  // policies whose base is being read
  const std::function<const Policy&(const std::string&)> load =
      [&](const std::string& name) -> const Policy& {
    if (const auto it = policies.find(name); it != policies.end())
      return it->second;
    const std::string path = std::string(kFolder) + name + ".json";
    const UnorderedJson& file = files.at(name);
    Policy policy;
    if (file.contains("extends")) {
      const std::string base = file["extends"].get<std::string>();
      if (!files.contains(base) || !loading.insert(name).second)
        throw InputError(
            path + "#/extends",
            fmt::format("'{}' is no policy, or extends this one", base));
      policy.values_ = load(base).values_;
      policy.budgets_ = load(base).budgets_;
    }
    policy.name_ = name;
    policy.description_ = file["description"].get<std::string>();
    for (const auto& [key, value] : file["values"].items()) {
      CheckValue(path, key, value);
      policy.values_[key] = value.get<std::string>();
    }
    const std::vector<Budget> own =
        ReadBudgets(path, file.value("budgets", UnorderedJson::array()));
    policy.budgets_.insert(policy.budgets_.begin(), own.begin(), own.end());
    for (const auto& [key, unused] : Schema().items()) {
      if (!policy.values_.contains(key))
        throw InputError(path, fmt::format("no value for '{}'", key));
    }
    return policies[name] = policy;
  };
  for (const auto& [name, unused] : files) load(name);
  return policies;
}

const std::map<std::string, Policy, std::less<>>& Policy::All() {
  static const std::map<std::string, Policy, std::less<>> policies = LoadAll();
  return policies;
}

const Policy& Policy::Find(std::string_view name) {
  const auto it = All().find(name);
  if (it == All().end()) {
    throw InputError("", fmt::format("unknown policy '{}'; there are: {}", name,
                                     fmt::join(Names(), ", ")));
  }
  return it->second;
}

const Budget* Policy::FindBudget(std::string_view op, ElementType type) const {
  const auto it = std::ranges::find_if(
      budgets_, [&](const Budget& row) { return row.Covers(op, type); });
  return it == budgets_.end() ? nullptr : &*it;
}

std::vector<std::string> Policy::Names() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : All()) names.push_back(name);
  return names;
}

const std::string& Policy::Get(std::string_view key) const {
  const auto it = values_.find(key);
  ASSAY_CHECK(it != values_.end());
  return it->second;
}

const std::map<std::string, std::string>& PolicyKeys() {
  static const std::map<std::string, std::string> keys = [] {
    std::map<std::string, std::string> result;
    for (const auto& [key, schema] : Schema().items())
      result[key] = schema["description"].get<std::string>();
    return result;
  }();
  return keys;
}

}  // namespace assay
