// GitHub shows at most 1 MiB of a summary, so lists and texts that can be long
// are cut and counted.
#include "reports/markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "reports/reasons.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kMaxUnexpected = 50;
constexpr size_t kMaxMessage = 4000;  // bytes

std::string CutTo(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;  // not inside of a character
  return text.substr(0, end) +
         fmt::format("\n... {} more bytes", text.size() - end);
}

// Returns "**2 fail** · 1 crash · 4321 pass".
std::string Strip(const Summary& summary) {
  std::string text;
  const auto totals = summary.Totals();
  for (const bool failures : {true, false}) {
    for (const auto& [outcome, count] : totals) {
      const bool is_failure = outcome != Outcome::kPass && IsJudged(outcome);
      if (is_failure != failures) continue;
      const std::string part =
          fmt::format("{} {}", count, MarkdownText(Name(outcome)));
      text += (text.empty() ? "" : " · ");
      text += is_failure ? "**" + part + "**" : part;
    }
  }
  return text;
}

std::string Table(const std::string& backend,
                  const std::map<std::string, Summary::OpTally>& ops,
                  const std::map<Outcome, int64_t>& totals) {
  std::string text =
      fmt::format("\n### Backend {}\n\n| op |", MarkdownText(backend));
  std::string rule = "|:--|";
  for (const auto& [outcome, unused] : totals) {
    text += fmt::format(" {} |", MarkdownText(Name(outcome)));
    rule += "--:|";
  }
  text += " elements | open |\n" + rule + "--:|--:|\n";
  std::vector<std::string> not_judged;
  for (const auto& [op, row] : ops) {
    if (!row.is_judged()) {
      not_judged.push_back(MarkdownText(op));
      continue;
    }
    text += fmt::format("| {} |", MarkdownText(op));
    for (const auto& [outcome, unused] : totals) {
      const auto it = row.outcomes.find(outcome);
      text += fmt::format(" {} |", it == row.outcomes.end() ? 0 : it->second);
    }
    text += fmt::format(" {} | {} |\n", row.elements, row.open);
  }
  if (!not_judged.empty())
    text +=
        fmt::format("\nOf {} of {} ops nothing was judged: {}\n",
                    not_judged.size(), ops.size(), fmt::join(not_judged, " "));
  return text;
}

std::string NotJudged(const Summary& summary) {
  if (summary.cases() == 0) return "\nNothing was judged: there is no case.\n";
  if (summary.not_judged().empty()) return "\nEvery case was judged.\n";
  const auto reasons = FoldedReasons(summary.not_judged(), kMaxReasons);
  std::string text = fmt::format(
      "\n### Not judged: {} of {} cases\n\n| cases | why |\n|--:|:--|\n",
      summary.cases() - summary.judged(), summary.cases());
  int64_t rest = 0;
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (i < kMaxReasons) {
      text += fmt::format("| {} | {} |\n", reasons[i].first,
                          MarkdownText(CutTo(reasons[i].second, kMaxMessage)));
    } else {
      rest += reasons[i].first;
    }
  }
  if (rest > 0)
    text += fmt::format("| {} | {} other reasons |\n", rest,
                        reasons.size() - kMaxReasons);
  return text;
}

}  // namespace

std::string MarkdownText(const std::string& text) {
  std::string one_line = text;
  std::ranges::replace(one_line, '\n', ' ');
  std::string escaped;
  for (const char c : EscapeLine(one_line)) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (std::strchr("\\`*_[]|~#@", c) != nullptr) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string MarkdownCode(const std::string& foreign) {
  const std::string text = TerminalText(foreign);
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence +
         "\n";
}

void MarkdownReport::Add(const Verdict& verdict,
                         const Expectedness& expectedness) {
  using Kind = Expectedness::Kind;
  summary_.Add(verdict);
  flush_.Add(verdict);
  if (expectedness.kind == Kind::kUnexpected) causes_.Add(verdict);
  if (expectedness.kind != Kind::kUnexpectedPass) return;
  if (++passes_count_ > static_cast<int64_t>(kMaxUnexpected)) return;
  passes_.push_back(fmt::format(
      "\n**unexpected pass** {} {} on {}\n\n{}\n",
      MarkdownText(verdict.case_name), MarkdownText(verdict.type),
      MarkdownText(verdict.backend),
      MarkdownText(fmt::format("The baseline entry {} waives a failure: {}",
                               expectedness.entry->pattern,
                               expectedness.entry->reason))));
}

// Returns a table of the causes, then an example of each.
std::string MarkdownReport::CausesText(const RunHeader& header) const {
  if (causes_.size() == 0) return "";
  std::vector<size_t> numbers = causes_.Largest();
  std::string text = fmt::format(
      "\n### Failures: {} cases of {} causes\n\n| cases | backend | op | types "
      "| outcome | clauses | basis | example "
      "|\n|--:|:--|:--|:--|:--|:--|:--|:--|"
      "\n",
      causes_.failures(), causes_.size());
  int64_t rest = causes_.failures();
  const size_t left_out =
      numbers.size() - std::min(numbers.size(), kMaxUnexpected);
  numbers.resize(numbers.size() - left_out);
  for (const size_t number : numbers) {
    const Verdict& example = causes_[number].example;
    rest -= causes_[number].cases;
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} |\n", causes_[number].cases,
        MarkdownText(example.backend), MarkdownText(example.op),
        MarkdownText(TypeClassText(example)),
        MarkdownText(Name(example.outcome)),
        MarkdownText(fmt::format("{}", fmt::join(example.clauses, ", "))),
        MarkdownText(example.basis), MarkdownText(example.case_name));
  }
  if (left_out > 0)
    text += fmt::format(
        "\nand {} cases of {} more causes; the results file has all of them\n",
        rest, left_out);
  for (const size_t number : numbers) {
    const Verdict& example = causes_[number].example;
    text += fmt::format(
        "\n**{}** {} {} on {}\n\n{}", MarkdownText(Name(example.outcome)),
        MarkdownText(example.case_name), MarkdownText(example.type),
        MarkdownText(example.backend),
        MarkdownCode(
            CutTo(example.message, kMaxMessage) +
            (example.replay.empty() ? "" : "\nreplay: " + example.replay) +
            "\nexplain: " + ExplainCommand(header, example)));
  }
  return text;
}

std::string MarkdownReport::Text(const RunHeader& header,
                                 const GateResult& gate) const {
  std::string text =
      fmt::format("## assay: {}\n\n{}\n\n", gate.Headline(), Strip(summary_));
  for (const RunHeader::BackendInfo& backend : header.backends)
    text +=
        fmt::format("- {}: {} {}, policy {}\n", MarkdownText(backend.spec),
                    MarkdownText(backend.name), MarkdownText(backend.version),
                    MarkdownText(backend.policy));
  if (header.shard.count > 1)
    text += fmt::format("- shard {} of {}\n", header.shard.index,
                        header.shard.count);
  text += CausesText(header);
  if (!passes_.empty()) {
    text += fmt::format("\n### Unexpected passes: {}\n", passes_count_);
    for (const std::string& part : passes_) text += part;
    const int64_t rest = passes_count_ - static_cast<int64_t>(passes_.size());
    if (rest > 0)
      text += fmt::format("\nand {} more; the results file has all of them\n",
                          rest);
  }
  if (!gate.text.empty())
    text += "\n### Baseline and requirements\n\n" +
            MarkdownCode(CutTo(gate.text, 16 * kMaxMessage));
  const auto totals = summary_.Totals();
  for (const auto& [backend, ops] : summary_.rows())
    text += Table(backend, ops, totals);
  text += NotJudged(summary_);
  if (const std::string flush = flush_.ToText(); !flush.empty())
    text += "\n### Subnormals\n\n" + MarkdownCode(flush);
  if (summary_.elements() > 0)
    text +=
        fmt::format("\n{}\n", UnseenText(summary_.open(), summary_.elements()));
  return text;
}

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw InputError(path,
                     "cannot be written: " + std::string(std::strerror(errno)));
}

}  // namespace assay
