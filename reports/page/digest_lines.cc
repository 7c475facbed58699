// These are the lines of a digest: each section of the page writes its own, and
// reads them again.
#include <fmt/format.h>

#include <cmath>

#include "reports/page/cause_list.h"
#include "reports/page/clause_list.h"
#include "reports/page/digest_text.h"
#include "reports/page/matrix.h"

namespace assay {
namespace {

constexpr size_t kDigestMessage = 700, kDigestReplay = 400;
constexpr size_t kLastLineBytes = 100;

// Returns the first lines of a message, without the sentences at its end that
// the cause has by their ids.
std::string ShortMessage(const Verdict& verdict) {
  std::string text = verdict.message;
  for (const std::string& id : verdict.clauses)
    text = text.substr(0, text.find("\n  " + id + ": "));
  // The first line of an escaped text, such as a traceback, says what happened.
  for (size_t at = 0; (at = text.find("\\x0a", at)) != std::string::npos;)
    text.erase(at, std::min(text.find('\n', at), text.size()) - at);
  text = WithoutFolders(text);
  if (text.size() <= kDigestMessage) return text;
  const size_t end = text.rfind('\n', kDigestMessage);
  return text.substr(0, end == std::string::npos ? kDigestMessage : end) +
         "\n  ..";
}

// Returns the numbers of an array of `size`.
std::vector<int64_t> DigestCounts(const JsonView& json, size_t size) {
  std::vector<int64_t> counts;
  if (json.RequireArray().size() < size) json.Fail("is too short");
  for (size_t i = 0; i < size; ++i)
    counts.push_back(DigestCount(json.Elements()[i]));
  return counts;
}

std::set<std::string> Set(const JsonView& json) {
  const std::vector<std::string> texts = json.Strings();
  return {texts.begin(), texts.end()};
}

}  // namespace

std::string Matrix::ToDigest() const {
  std::map<std::string, Json> ops;  // by backend
  for (const auto& [op, row] : rows_) {
    for (const auto& [backend, cell] : row)
      ops[DigestBackend(backend)][op] = {cell.passed, cell.failed, cell.known,
                                         cell.not_judged, cell.open};
  }
  std::string text;
  for (const auto& [backend, counts] : ops)
    text +=
        DigestLine({{"kind", "ops"}, {"backend", backend}, {"ops", counts}});
  return text;
}

void Matrix::AddOps(const JsonView& line) {
  const std::string backend = line.At("backend").String();
  for (const auto& [op, json] : line.At("ops").Members()) {
    const std::vector<int64_t> counts = DigestCounts(json, 5);
    rows_[op][backend].Add(
        {counts[0], counts[1], counts[2], counts[3], counts[4]});
  }
}

std::string ClauseList::ToDigest() const {
  std::map<std::string, Json> clauses;  // by backend
  for (const auto& [id, behind] : behind_) {
    for (const auto& [backend, cases] : behind) {
      Json& json =
          clauses[DigestBackend(backend)][id] = {cases.passed, cases.failed};
      if (cases.failed > 0) json.push_back(cases.example);
    }
  }
  std::string text;
  for (const auto& [backend, counts] : clauses)
    text += DigestLine(
        {{"kind", "clauses"}, {"backend", backend}, {"clauses", counts}});
  return text;
}

void ClauseList::AddClauses(const JsonView& line) {
  const std::string backend = line.At("backend").String();
  for (const auto& [id, json] : line.At("clauses").Members()) {
    const std::vector<int64_t> counts = DigestCounts(json, 2);
    const auto it = behind_.find(id);
    if (it == behind_.end()) continue;
    Cases& cases = it->second[backend];
    cases.passed += counts[0];
    cases.failed += counts[1];
    if (counts[1] > 0 && json.Elements().size() > 2)
      cases.example = json.Elements()[2].String();
  }
}

std::string CauseList::CauseLine(size_t number) const {
  const Details& details = details_[number];
  const Verdict& smallest = details.smallest;
  Json json = {{"kind", "cause"},
               {"backend", DigestBackend(smallest.backend)},
               {"op", smallest.op},
               {"outcome", Name(smallest.outcome)},
               {"cases", causes_[number].cases},
               {"basis", smallest.basis},
               {"clauses", smallest.clauses},
               {"types", details.types},
               {"layouts", details.layouts},
               {"case", smallest.case_name},
               {"type", smallest.type},
               {"elements", smallest.elements},
               {"message", ShortMessage(smallest)}};
  if (!smallest.result_type.empty()) json["result_type"] = smallest.result_type;
  if (smallest.replay.size() <= kDigestReplay)
    json["replay"] = WithoutFolders(smallest.replay);
  if (details.worst && std::isfinite(*details.worst))
    json["worst"] = *details.worst;
  return DigestLine(json);
}

std::string CauseList::ToDigest(size_t most_bytes) const {
  std::string text;
  int64_t causes = more_causes_, cases = more_cases_;
  bool is_full = false;
  for (const size_t number : causes_.Largest()) {
    const std::string line =
        is_full || number >= details_.size() ? "" : CauseLine(number);
    is_full =
        line.empty() || text.size() + line.size() + kLastLineBytes > most_bytes;
    if (is_full) {
      ++causes;
      cases += causes_[number].cases;
    } else {
      text += line;
    }
  }
  return text +
         DigestLine(
             {{"kind", "left_out"}, {"causes", causes}, {"cases", cases}});
}

void CauseList::AddCause(const JsonView& line) {
  const std::string name = line.At("outcome").String();
  const std::optional<Outcome> outcome = FindOutcome(name);
  if (!outcome) line.At("outcome").Fail("is no outcome");
  Verdict smallest;
  smallest.outcome = *outcome;
  smallest.backend = line.At("backend").String();
  smallest.op = line.At("op").String();
  smallest.case_name = line.At("case").String();
  smallest.type = line.At("type").String();
  smallest.elements = DigestCount(line.At("elements"));
  smallest.basis = line.At("basis").String();
  smallest.clauses = line.At("clauses").Strings();
  smallest.message = line.At("message").String();
  if (const auto type = line.Find("result_type"))
    smallest.result_type = type->String();
  if (const auto replay = line.Find("replay"))
    smallest.replay = replay->String();
  const size_t number = causes_.Add(smallest, DigestCount(line.At("cases")));
  if (number != details_.size()) return;
  Details details{std::move(smallest),
                  Set(line.At("types")),
                  Set(line.At("layouts")),
                  {},
                  {}};
  if (const auto worst = line.Find("worst")) details.worst = worst->Number();
  details_.push_back(std::move(details));
}

void CauseList::AddLeftOut(const JsonView& line) {
  more_causes_ += DigestCount(line.At("causes"));
  more_cases_ += DigestCount(line.At("cases"));
}

}  // namespace assay
