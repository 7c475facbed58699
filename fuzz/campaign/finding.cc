#include "fuzz/campaign/finding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/read/canonical.h"
#include "cases/read/case_json.h"

namespace assay {
namespace {

const char* TypeClass(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  switch (info.kind) {
    case ElementKind::kBoolean:
      return "boolean";
    case ElementKind::kSignedInteger:
      return "signed_integer";
    case ElementKind::kUnsignedInteger:
      return "unsigned_integer";
    case ElementKind::kFloat:
      return info.bits <= 8 ? "narrow_float" : "float";
    default:
      return "complex";
  }
}

// The class of the type that calls of the op are told apart by; the type itself
// of a token or a tuple, and nothing of an op that has no values.
std::string TypeClass(const Op& op) {
  if (op.inputs.empty() && op.outputs.empty()) return "none";
  const ValueType& type = op.FirstType();
  return type.IsTensor()  ? TypeClass(type.tensor().element_type)
         : type.AsTuple() ? "tuple"
                          : "token";
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns what a backend says of a program that it refuses, without what is
// about this one: what stands in quotes, and numbers, but that of an operand.
std::string ReasonOf(std::string_view message) {
  constexpr std::string_view kBefore = "a valid call invalid: ";
  constexpr size_t kMostBytes = 100;
  const size_t begin = message.find(kBefore);
  if (begin != message.npos) message.remove_prefix(begin + kBefore.size());
  std::string reason;
  bool is_quoted = false;
  char before = ' ';
  for (const char c : message) {
    // An apostrophe inside of a word is no quote.
    if (c == '\'' && (is_quoted || !IsLetter(before))) {
      is_quoted = !is_quoted;
    } else if (reason.size() < kMostBytes && !is_quoted &&
               (c < '0' || c > '9' || before == '#')) {
      reason += c;
    }
    before = c;
  }
  return reason;
}

// Returns the clauses sorted, each once. A violation of the memory contract
// rests on no clause: those of values that are wrong because of it say nothing.
std::string ClausesOf(const Verdict& verdict) {
  if (verdict.basis == "contract") return "";
  if (verdict.outcome == Outcome::kRejectedValid)
    return ReasonOf(verdict.message);
  std::vector<std::string> clauses = verdict.clauses;
  std::ranges::sort(clauses);
  clauses.erase(std::unique(clauses.begin(), clauses.end()), clauses.end());
  return fmt::format("{}", fmt::join(clauses, ","));
}

}  // namespace

std::string SignatureOf(const Verdict& verdict, const Case& c) {
  const std::vector<Op>& body = c.program.main().body;
  // If a call was accepted, the constraints that it violates are what is wrong.
  const std::string clauses =
      c.violates.empty() ? ClausesOf(verdict)
                         : fmt::format("{}", fmt::join(c.violates, ","));
  std::vector<std::string> layouts = verdict.layouts;
  std::ranges::sort(layouts);
  const Op& op = c.UnderTest();
  return fmt::format(
      "{} {} {} {} {}{}", body.size() > 1 ? "program" : c.op,
      Name(verdict.outcome), clauses.empty() ? verdict.basis : clauses,
      TypeClass(op),
      layouts.empty() ? "none" : fmt::format("{}", fmt::join(layouts, "+")),
      verdict.variant.empty() ? "" : "@" + verdict.variant);
}

std::string CoreOf(const Verdict& verdict) {
  return fmt::format("{} {} {}", Name(verdict.outcome), verdict.basis,
                     ClausesOf(verdict));
}

std::string CoreWithoutClauses(const Verdict& verdict) {
  return fmt::format("{} {}", Name(verdict.outcome), verdict.basis);
}

std::string CaseFileOf(const Case& c, const std::string& variant,
                       const Verdict& verdict, const std::string& id) {
  const std::string& message = verdict.message;
  Json file = {{"op", c.op}};
  file["notes"]["Fuzzed"] = {
      {"bug", Name(verdict.outcome)},
      {"text",
       message.substr(0, message.find('\n')) +
           (variant.empty() ? "" : " [layout or relation: " + variant + "]")}};
  Json json = CaseAsJson(c, id);
  json["flags"] = {"Fuzzed"};
  file["cases"] = Json::array({json});
  return CanonicalJson(
      id, file.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<Finding::Range> RangesOf(const std::vector<int64_t>& indices) {
  constexpr size_t kMostRanges = 4096;
  std::vector<Finding::Range> ranges;
  for (const int64_t index : indices) {
    const auto i = static_cast<uint64_t>(index);
    if (!ranges.empty() && ranges.back().first + ranges.back().second == i) {
      ++ranges.back().second;
    } else {
      ranges.emplace_back(i, 1);
    }
  }
  if (ranges.size() > kMostRanges)
    ranges.erase(ranges.begin(), ranges.end() - kMostRanges);
  return ranges;
}

std::vector<int64_t> IndicesOf(const std::vector<Finding::Range>& ranges) {
  std::vector<int64_t> indices;
  for (const auto& [first, count] : ranges) {
    for (uint64_t i = 0; i < count; ++i)
      indices.push_back(static_cast<int64_t>(first + i));
  }
  return indices;
}

Json ToJson(const Finding& finding) {
  return {{"kind", "finding"},          {"signature", finding.signature},
          {"index", finding.index},     {"case", finding.case_name},
          {"variant", finding.variant}, {"outcome", Name(finding.outcome)},
          {"message", finding.message}, {"before", finding.before}};
}

Finding FindingFromJson(const JsonView& json) {
  json.RequireObject({"kind", "signature", "index", "case", "variant",
                      "outcome", "message", "before"});
  Finding finding;
  finding.signature = json.At("signature").String();
  finding.index = static_cast<uint64_t>(json.At("index").Integer(0, INT64_MAX));
  finding.case_name = json.At("case").String();
  finding.variant = json.At("variant").String();
  finding.message = json.At("message").String();
  const auto outcome = FindOutcome(json.At("outcome").String());
  if (!outcome) json.At("outcome").Fail("no outcome has that name");
  finding.outcome = *outcome;
  if (const auto before = json.Find("before")) {
    constexpr int64_t kMost = 1 << 20;
    for (const JsonView& range : before->Elements()) {
      const JsonElements two = range.Elements();
      if (two.size() != 2) range.Fail("expected an index and a count");
      finding.before.emplace_back(two[0].Integer(0, INT64_MAX - kMost),
                                  two[1].Integer(1, kMost));
    }
  }
  return finding;
}

}  // namespace assay
