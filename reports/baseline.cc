// This file reads, writes and matches baselines.
#include "reports/baseline.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "absl/time/civil_time.h"
#include "cases/read/json.h"
#include "cases/read/pattern.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kColumns = 120;

// Dates are compared as texts, so they have one length.
bool IsDate(const std::string& text) {
  absl::CivilDay day;
  return text.size() == 10 && absl::ParseCivilTime(text, &day) &&
         day.year() >= 0 && absl::FormatCivilTime(day) == text;
}

double ErrorEnd(const JsonView& view) {
  if (view.json().is_string() && view.String() == "inf") return INFINITY;
  if (!view.json().is_number()) view.Fail("expected a number or \"inf\"");
  return view.json().get<double>();
}

std::string NonEmpty(const JsonView& view) {
  const std::string text = view.String();
  if (text.find_first_not_of(" \t\n") == std::string::npos)
    view.Fail("must not be empty");
  return text;
}

BaselineEntry ParseEntry(const JsonView& json) {
  json.RequireObject({"pattern", "outcomes", "error_ulps", "reason", "issue",
                      "owner", "expires"});
  BaselineEntry entry;
  entry.pattern = json.At("pattern").String();
  if (const std::string wrong = PatternError(entry.pattern); !wrong.empty())
    json.At("pattern").Fail(wrong);
  for (const JsonView& name : json.At("outcomes").Elements()) {
    const std::optional<Outcome> outcome = FindOutcome(name.String());
    if (!outcome)
      name.Fail(fmt::format("unknown outcome '{}'; there are: {}",
                            Cut(name.String()),
                            fmt::join(kOutcomeNames, ", ")));
    if (!IsJudged(*outcome))
      name.Fail(
          fmt::format("'{}' needs no entry: it is no failure", name.String()));
    entry.outcomes.insert(*outcome);
  }
  if (entry.outcomes.empty()) json.At("outcomes").Fail("must not be empty");
  if (const auto error = json.Find("error_ulps")) {
    const JsonElements ends = error->Elements();
    if (ends.size() != 2) error->Fail("expected [min, max]");
    entry.error_ulps = {ErrorEnd(ends[0]), ErrorEnd(ends[1])};
    if (entry.error_ulps->first > entry.error_ulps->second)
      error->Fail("the minimum is above the maximum");
  }
  entry.reason = NonEmpty(json.At("reason"));
  if (const auto issue = json.Find("issue")) entry.issue = NonEmpty(*issue);
  if (const auto owner = json.Find("owner")) entry.owner = NonEmpty(*owner);
  if (const auto expires = json.Find("expires")) {
    entry.expires = expires->String();
    if (!IsDate(entry.expires))
      expires->Fail(fmt::format("'{}' is not a date such as 2027-01-31",
                                Cut(entry.expires)));
  }
  return entry;
}

BackendBaseline ParseBackend(const JsonView& json) {
  json.RequireObject({"policy", "selection", "judged", "flush", "entries"});
  BackendBaseline backend;
  backend.policy = NonEmpty(json.At("policy"));
  if (const auto selection = json.Find("selection")) {
    for (const JsonView& pattern : selection->Elements())
      backend.selection.insert(NonEmpty(pattern));
    if (backend.selection.empty()) selection->Fail("must not be empty");
  }
  for (const auto& [op, types] : json.At("judged").Members()) {
    for (const auto& [type, count] : types.Members())
      backend.judged[op][type] = count.Integer(0, INT64_MAX);
  }
  if (const auto flush = json.Find("flush")) {
    for (const auto& [subject, reason] : flush->Members())
      backend.flush[subject] = NonEmpty(reason);
  }
  std::set<std::string> patterns;
  for (const JsonView& entry : json.At("entries").Elements()) {
    backend.entries.push_back(ParseEntry(entry));
    if (!patterns.insert(backend.entries.back().pattern).second)
      entry.At("pattern").Fail("another entry has the same pattern");
  }
  return backend;
}

Json ErrorJson(double error) {
  if (std::isinf(error)) return "inf";
  // Whole numbers are written as people write them.
  if (error == std::trunc(error) && std::abs(error) < 1e15)
    return static_cast<int64_t>(error);
  return error;
}

Json EntryJson(const BaselineEntry& entry) {
  Json json;
  json["pattern"] = entry.pattern;
  json["outcomes"] = Json::array();
  for (const Outcome outcome : entry.outcomes)
    json["outcomes"].push_back(Name(outcome));
  if (entry.error_ulps)
    json["error_ulps"] = {ErrorJson(entry.error_ulps->first),
                          ErrorJson(entry.error_ulps->second)};
  json["reason"] = entry.reason;
  if (!entry.issue.empty()) json["issue"] = entry.issue;
  if (!entry.owner.empty()) json["owner"] = entry.owner;
  if (!entry.expires.empty()) json["expires"] = entry.expires;
  return json;
}

std::string Bracketed(bool is_object, const std::string& text) {
  return is_object ? fmt::format("{{{}}}", text) : fmt::format("[{}]", text);
}

std::string OneLine(const Json& json) {
  const bool is_object = json.is_object();
  if (!is_object && !json.is_array())
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += ", ";
    if (is_object) text += Json(key).dump() + ": ";
    text += OneLine(value);
  }
  return Bracketed(is_object, text);
}

// `column` is the length of the text before the value in its line.
std::string Pretty(const Json& json, size_t indent, size_t column) {
  const std::string line = OneLine(json);
  if (column + line.size() + 1 <= kColumns || !json.is_structured())
    return line;
  const bool is_object = json.is_object();
  const std::string spaces(indent + 2, ' ');
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += text.empty() ? "\n" : ",\n";
    const std::string name = is_object ? Json(key).dump() + ": " : "";
    text += spaces;
    text += name;
    text += Pretty(value, indent + 2, spaces.size() + name.size());
  }
  text += '\n';
  text.append(indent, ' ');
  return Bracketed(is_object, text);
}

}  // namespace

bool BaselineEntry::Expects(const Verdict& verdict) const {
  if (!outcomes.contains(verdict.outcome)) return false;
  for (const auto& [outcome, count] : verdict.repeats) {
    if (outcome != Outcome::kPass && !outcomes.contains(outcome)) return false;
  }
  if (!error_ulps || !verdict.error_ulps) return true;
  // NaN counts as an infinite error.
  const double value =
      std::isnan(*verdict.error_ulps) ? INFINITY : *verdict.error_ulps;
  // In a relation, a part of the elements of a case may be compared, whose
  // errors are smaller.
  const bool may_be_nearer = !verdict.variant.empty();
  return (error_ulps->first <= value || may_be_nearer) &&
         value <= error_ulps->second;
}

Baseline ParseBaseline(const std::string& file, const std::string& text) {
  const Json document = ParseJson(file, text);
  const JsonView json(document, file);
  json.RequireObject({"format", "backends"});
  json.At("format").Integer(1, 1);
  Baseline baseline{file, {}};
  for (const auto& [name, backend] : json.At("backends").Members())
    baseline.backends[name] = ParseBackend(backend);
  return baseline;
}

Baseline ReadBaseline(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw InputError(file, "is not there (--update-baseline makes one)");
  return ParseBaseline(file, ReadTextFile(file));
}

std::string BaselineText(const Baseline& baseline) {
  Json json;
  json["format"] = 1;
  json["backends"] = Json::object();
  for (const auto& [name, backend] : baseline.backends) {
    Json entries = Json::array();
    std::vector<const BaselineEntry*> sorted;
    for (const BaselineEntry& entry : backend.entries) sorted.push_back(&entry);
    std::ranges::sort(sorted, {}, &BaselineEntry::pattern);
    for (const BaselineEntry* entry : sorted)
      entries.push_back(EntryJson(*entry));
    Json& recorded = json["backends"][name];
    recorded["policy"] = backend.policy;
    if (!backend.selection.empty()) recorded["selection"] = backend.selection;
    recorded["judged"] = backend.judged;
    if (!backend.flush.empty()) recorded["flush"] = backend.flush;
    recorded["entries"] = entries;
  }
  return Pretty(json, 0, 0) + "\n";
}

void WriteBaseline(const std::string& file, const Baseline& baseline) {
  const std::string partial = file + ".partial";
  std::ofstream stream(partial, std::ios::binary);
  stream << BaselineText(baseline);
  stream.close();
  if (!stream || std::rename(partial.c_str(), file.c_str()) != 0)
    throw InputError(file,
                     "cannot be written: " + std::string(std::strerror(errno)));
}

std::string ElementTypeText(const std::string& type) {
  if (type.empty()) return "none";
  constexpr std::string_view kOpen = "tensor<";
  if (!type.starts_with(kOpen) || !type.ends_with('>')) return type;
  size_t begin = kOpen.size();
  // A dimension is digits or `?`, and an x; no element type begins so.
  for (size_t i = begin; i < type.size(); ++i) {
    if (type[i] == 'x') {
      begin = i + 1;
    } else if (type[i] != '?' && (type[i] < '0' || type[i] > '9')) {
      break;
    }
  }
  return type.substr(begin, type.size() - begin - 1);
}

std::string Today() {
  return fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)));
}

EntryMatcher::EntryMatcher(const std::vector<BaselineEntry>& entries)
    : entries_(entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    std::string text;
    if (IsExact(entries[i].pattern, &text)) {
      exact_[text].push_back(i);
    } else {
      globs_.push_back(i);
    }
  }
}

void EntryMatcher::Find(const Verdict& verdict,
                        std::vector<size_t>* found) const {
  found->clear();
  const auto add = [&](const std::string& name) {
    if (!exact_.empty()) {
      for (const std::string& text : {name, name + ":" + verdict.type}) {
        if (const auto it = exact_.find(text); it != exact_.end())
          found->insert(found->end(), it->second.begin(), it->second.end());
      }
    }
    for (const size_t i : globs_) {
      if (Matches(entries_[i].pattern, name, verdict.type)) found->push_back(i);
    }
  };
  add(verdict.case_name);
  if (verdict.variant.empty()) {
    std::ranges::sort(*found);
    return;
  }
  add(verdict.case_name.substr(0, verdict.case_name.rfind('@')));
  std::ranges::sort(*found);
  found->erase(std::unique(found->begin(), found->end()), found->end());
}

}  // namespace assay
