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
#include "spec/text.h"

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

}  // namespace

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
        ParseBudgets(path, file.value("budgets", UnorderedJson::array()));
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
    throw InputError("", fmt::format("unknown policy '{}'; there are: {}",
                                     Cut(name), fmt::join(Names(), ", ")));
  }
  return it->second;
}

std::vector<const Budget*> Policy::FindBudgets(std::string_view op,
                                               ElementType type) const {
  std::vector<const Budget*> rows;
  for (const Budget& row : budgets_) {
    if (!row.Covers(op, type)) continue;
    rows.push_back(&row);
    if (row.where.empty()) break;
  }
  return rows;
}

const Budget* Policy::FindBudget(std::string_view op, ElementType type) const {
  const std::vector<const Budget*> rows = FindBudgets(op, type);
  return rows.empty() ? nullptr : rows.front();
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

Policy Policy::With(std::string_view key, std::string_view value) const {
  CheckValue(name_, std::string(key), std::string(value));
  Policy other = *this;
  other.values_[std::string(key)] = value;
  return other;
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
