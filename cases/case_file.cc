// A file of cases: its notes, and `each`, which makes several cases of one.
#include <fmt/format.h>

#include <set>

#include "cases/case.h"
#include "cases/case_parse.h"
#include "cases/walks.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// More than this from one `each` is a mistake, or an attack.
constexpr size_t kMaxExpansion = 4096;
constexpr size_t kMaxExpandedBytes = size_t{64} << 20;

// Replaces {name} in every string of `json`.
void Substitute(Json* json, const std::string& name, const std::string& value) {
  if (json->is_string()) {
    std::string& text = json->get_ref<std::string&>();
    const std::string token = "{" + name + "}";
    for (size_t at = text.find(token); at != std::string::npos;
         at = text.find(token, at + value.size()))
      text.replace(at, token.size(), value);
  } else if (json->is_structured()) {
    for (Json& child : *json) Substitute(&child, name, value);
  }
}

// {"each": {"T": [..], "n": [..]}, ..}: the case for every combination, with
// {T} and {n} replaced in its strings.
std::vector<Json> Expand(const JsonView& json) {
  std::vector<Json> cases = {json.json()};
  const auto each = json.json().is_object() ? json.Find("each") : std::nullopt;
  if (!each) return cases;
  cases[0].erase("each");
  for (const auto& [name, values] : each->Members()) {
    std::vector<Json> expanded;
    const std::vector<JsonView> choices = values.Elements();
    if (choices.empty()) values.Fail("no values, so no cases");
    const size_t count = cases.size() * choices.size();
    if (count > kMaxExpansion ||
        count * cases[0].dump().size() > kMaxExpandedBytes)
      each->Fail(fmt::format("more than {} cases or {} bytes", kMaxExpansion,
                             kMaxExpandedBytes));
    for (const Json& json_case : cases) {
      for (const JsonView& value : choices) {
        const std::string text =
            value.json().is_string()
                ? value.String()
                : std::to_string(value.Integer(INT64_MIN, INT64_MAX));
        if (text.find_first_of("{}") != std::string::npos)
          value.Fail("a value that is replaced itself");
        Substitute(&expanded.emplace_back(json_case), name, text);
      }
    }
    cases = std::move(expanded);
  }
  return cases;
}

std::set<std::string> ParseNotes(const JsonView& file) {
  std::set<std::string> names;
  const auto notes = file.Find("notes");
  if (!notes) return names;
  for (const auto& [name, note] : notes->Members()) {
    note.RequireObject({"bug", "text", "links"});
    note.At("text").String();
    if (const auto bug = note.Find("bug")) bug->String();
    if (const auto links = note.Find("links")) links->Strings();
    names.insert(name);
  }
  return names;
}

}  // namespace

std::vector<Case> ParseCases(const std::string& file, const Json& json,
                             const ReadOptions& options) {
  if (HasWalks(json)) return ParseWalks(file, json, options);
  const JsonView root(json, file);
  root.RequireObject({"op", "notes", "cases"});
  const std::string op = root.At("op").String();
  if (FindOp(op) == nullptr)
    root.At("op").Fail(fmt::format("unknown op '{}'", op));
  const std::set<std::string> notes = ParseNotes(root);
  std::vector<Case> cases;
  for (const JsonView& element : root.At("cases").Elements()) {
    for (const Json& expanded : Expand(element)) {
      const JsonView view = element.WithJson(expanded);
      cases.push_back(ParseCase(view, op, file, notes, options));
    }
  }
  return cases;
}

}  // namespace assay
