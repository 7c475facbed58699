// A file of cases has notes, and `each`, which makes several cases of one.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "cases/case.h"
#include "cases/read/case_parse.h"
#include "cases/variants/walks.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// More cases than this from one `each` are a mistake, or an attack.
constexpr size_t kMostExpansions = 4096;
// A case takes so much memory beside its tensors, for its program, names and
// maps.
constexpr int64_t kCaseBytes = 2048;

// Replaces {name} in every string of `json`. Returns by how many bytes the text
// grew, or more than `most` as soon as it would grow by more.
int64_t Substitute(Json* json, const std::string& name,
                   const std::string& value, int64_t most) {
  int64_t grown = 0;
  if (json->is_string()) {
    std::string& text = json->get_ref<std::string&>();
    const std::string token = "{" + name + "}";
    std::string replaced;
    size_t from = 0;
    for (size_t at = text.find(token); at != std::string::npos;
         at = text.find(token, from)) {
      grown += static_cast<int64_t>(value.size());
      if (grown > most) return grown;
      replaced.append(text, from, at - from) += value;
      from = at + token.size();
    }
    if (from > 0) text = replaced.append(text, from);
  } else if (json->is_structured()) {
    for (Json& child : *json) {
      grown += Substitute(&child, name, value, most - grown);
      if (grown > most) return grown;
    }
  }
  return grown;
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

CaseFile::CaseFile(const std::string& file, const Json& json,
                   const ReadOptions& options)
    : file_(file),
      options_(options),
      root_(json, file),
      most_bytes_(MostJsonBytes(options.memory_limit)) {
  root_.RequireObject({"op", "notes", "cases"});
  op_ = root_.At("op").String();
  if (FindOp(op_) == nullptr)
    root_.At("op").Fail(fmt::format("unknown op '{}'", Cut(op_)));
  notes_ = ParseNotes(root_);
  size_ = root_.At("cases").Elements().size();
}

// The values of a case were counted when the file was parsed, but `each` makes
// more of them.
void CaseFile::Count(const JsonView& where, int64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > most_bytes_)
    where.Fail(fmt::format(
        "up to here the cases of the file take more than the {} bytes that "
        "they may (at most {}, less with --memory)",
        most_bytes_, kMostJsonBytes));
}

void CaseFile::Add(const JsonView& json, std::vector<Case>* cases) {
  if (++cases_ > kMostCases)
    json.Fail(fmt::format("more than {} cases in one file", kMostCases));
  Count(json, kCaseBytes);
  cases->push_back(ParseCase(json, op_, file_, notes_, options_));
}

std::vector<Case> CaseFile::Read(size_t index) {
  std::vector<Case> cases;
  const JsonView element = root_.At("cases").Elements()[index];
  const auto each =
      element.json().is_object() ? element.Find("each") : std::nullopt;
  if (each) {
    Expand(element, *each, &cases);
  } else {
    Add(element, &cases);
  }
  return cases;
}

// {"each": {"T": [..], "n": [..]}, ..} stands for a case for every combination,
// with {T} and {n} replaced in its strings; the last name changes fastest.
void CaseFile::Expand(const JsonView& element, const JsonView& each,
                      std::vector<Case>* cases) {
  struct Name {
    std::string name;
    std::vector<std::string> values;
    size_t chosen = 0;
  };
  std::vector<Name> names;
  size_t count = 1;
  for (const auto& [name, values] : each.Members()) {
    names.push_back({name, {}});
    const JsonElements choices = values.Elements();
    if (choices.empty()) values.Fail("no values, so no cases");
    if (choices.size() > kMostExpansions / count)
      each.Fail(fmt::format("more than {} cases", kMostExpansions));
    count *= choices.size();
    for (const JsonView& value : choices) {
      const std::string text =
          value.json().is_string()
              ? value.String()
              : std::to_string(value.Integer(INT64_MIN, INT64_MAX));
      if (text.find_first_of("{}") != std::string::npos)
        value.Fail("a value that is replaced itself");
      names.back().values.push_back(text);
    }
  }
  Json unexpanded = element.json();
  unexpanded.erase("each");
  const int64_t bytes = JsonBytes(unexpanded);
  for (size_t i = 0; i < count; ++i) {
    Count(each, bytes);
    Json expanded = unexpanded;
    for (const Name& name : names)
      Count(each, Substitute(&expanded, name.name, name.values[name.chosen],
                             most_bytes_ - bytes_));
    Add(element.WithJson(expanded), cases);
    for (size_t k = names.size(); k-- > 0;) {
      if (++names[k].chosen < names[k].values.size()) break;
      names[k].chosen = 0;
    }
  }
}

std::vector<Case> ParseCases(const std::string& file, const Json& json,
                             const ReadOptions& options) {
  if (HasWalks(json)) return MakeWalks(file, json, options).cases;
  CaseFile reader(file, json, options);
  std::vector<Case> cases;
  for (size_t i = 0; i < reader.size(); ++i) {
    std::vector<Case> some = reader.Read(i);
    std::ranges::move(some, std::back_inserter(cases));
  }
  return cases;
}

}  // namespace assay
