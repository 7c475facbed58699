// This file reads policies: each holds differences from the one that it
// extends, and the schema names every key and every value.
#include "spec/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/nearest.h"
#include "spec/printable_text.h"

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
  const std::string complaint = PolicyValueComplaint(key, value);
  if (!complaint.empty())
    throw InputError(fmt::format("{}#/values/{}", file, Cut(key)), complaint);
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
    const Policy* base = nullptr;
    if (file.contains("extends")) {
      const std::string extended = file["extends"].get<std::string>();
      if (!files.contains(extended) || !loading.insert(name).second)
        throw InputError(
            path + "#/extends",
            fmt::format("'{}' is no policy, or extends this one", extended));
      base = &load(extended);
    }
    Policy policy = Parse(path, file, base);
    policy.name_ = name;
    return policies[name] = policy;
  };
  for (const auto& [name, unused] : files) load(name);
  return policies;
}

Policy Policy::Parse(const std::string& file, const UnorderedJson& json,
                     const Policy* base) {
  Policy policy;
  if (base != nullptr) {
    policy.base_ = base->name_;
    policy.values_ = base->values_;
    policy.budgets_ = base->budgets_;
  }
  policy.description_ = json.value("description", "");
  for (const auto& [key, value] : json["values"].items()) {
    CheckValue(file, key, value);
    policy.values_[key] = value.get<std::string>();
  }
  if (json.contains("reasons")) json["reasons"].get_to(policy.reasons_);
  const std::vector<Budget> own =
      ParseBudgets(file, json.value("budgets", UnorderedJson::array()));
  policy.budgets_.insert(policy.budgets_.begin(), own.begin(), own.end());
  for (const auto& [key, unused] : Schema().items()) {
    if (!policy.values_.contains(key))
      throw InputError(file, fmt::format("no value for '{}'", key));
  }
  return policy;
}

void Policy::SetFile(const std::string& path, const std::string& sha256) {
  name_ = path.substr(path.rfind('/') + 1);
  file_ = path;
  sha256_ = sha256;
}

std::string Policy::ToFlag() const {
  return file_.empty() ? "--policy " + name_ : ShellFlag("--policy", file_);
}

const std::map<std::string, Policy, std::less<>>& Policy::All() {
  static const std::map<std::string, Policy, std::less<>> policies = LoadAll();
  return policies;
}

const Policy& Policy::Find(std::string_view name) {
  const auto it = All().find(name);
  if (it == All().end()) {
    throw InputError(
        "", fmt::format("unknown policy '{}'{}; there are: {}, and files of "
                        "your own (FILE.json)",
                        Cut(name), DidYouMean(name, Names()),
                        fmt::join(Names(), ", ")));
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

std::vector<std::string> PolicyValues(const std::string& key) {
  return Schema().at(key)["enum"].get<std::vector<std::string>>();
}

std::string PolicyValueComplaint(const std::string& key,
                                 const UnorderedJson& value) {
  if (!Schema().contains(key)) {
    std::vector<std::string> keys;
    for (const auto& [name, unused] : Schema().items()) keys.push_back(name);
    return fmt::format("unknown policy key{}; `assay list policies` has all",
                       DidYouMean(key, keys));
  }
  const std::vector<std::string> values = PolicyValues(key);
  if (!value.is_string())
    return fmt::format("expected one of the strings {}",
                       fmt::join(values, ", "));
  const auto& text = value.get_ref<const std::string&>();
  if (std::ranges::find(values, text) != values.end()) return "";
  return fmt::format("unknown value '{}'{}; there are: {}", Cut(text),
                     DidYouMean(text, values), fmt::join(values, ", "));
}

}  // namespace assay
