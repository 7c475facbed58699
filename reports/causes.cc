#include "reports/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "reports/baseline.h"
#include "reports/summary.h"
#include "reports/table.h"
#include "spec/printable_text.h"
#include "spec/types/element_type.h"

namespace assay {
namespace {

// If there are no more causes than these, each is explained.
constexpr size_t kFew = 3;
constexpr size_t kMostLines = 14;  // of one example

std::string ClassOf(const std::string& element_type) {
  const auto type = ParseElementType(element_type);
  if (!type) return element_type;
  if (IsBoolean(*type)) return "boolean";
  if (IsInteger(*type)) return "integer";
  return IsFloat(*type) ? "float" : "complex";
}

std::string Joined(const std::vector<std::string>& clauses) {
  return fmt::format("{}", fmt::join(clauses, ", "));
}

// Returns the first lines of a message that may have thousands.
std::string FirstLines(const std::string& text) {
  size_t end = 0;
  for (size_t line = 0; line < kMostLines; ++line) {
    end = text.find('\n', end);
    if (end == std::string::npos || ++end == text.size()) return text;
  }
  const auto rest = std::count(text.begin() + static_cast<std::ptrdiff_t>(end),
                               text.end(), '\n');
  return text.substr(0, end) + fmt::format("  .. {} more lines\n", rest);
}

std::string ExampleText(const RunHeader& header, const Cause& cause) {
  Verdict shown = cause.example;
  const std::string replay = std::exchange(shown.replay, "");
  std::string text = FirstLines(FailureText(shown));
  if (!replay.empty())
    text += fmt::format("  replay: {}\n", EscapeLine(replay));
  text += fmt::format("  explain: {}\n", ExplainCommand(header, shown));
  if (cause.cases > 1)
    text += fmt::format("  and {} more cases like it\n", cause.cases - 1);
  return text;
}

}  // namespace

std::string TypeClassText(const Verdict& verdict) {
  const std::string from = ClassOf(ElementTypeText(verdict.type));
  const std::string to =
      verdict.result_type.empty() ? from : ClassOf(verdict.result_type);
  return from == to ? from : from + " to " + to;
}

std::string ExplainCommand(const RunHeader& header, const Verdict& verdict) {
  std::string command = "assay explain " + ShellPath(verdict.case_name);
  const auto backend = std::ranges::find(header.backends, verdict.backend,
                                         &RunHeader::BackendInfo::spec);
  if (backend != header.backends.end() && backend->policy != "assay")
    command += " " + ShellFlag("--policy", backend->policy_file.empty()
                                               ? backend->policy
                                               : backend->policy_file);
  if (header.cases_are_named) {
    for (const std::string& path : header.suite)
      command += " " + ShellFlag("--cases", path);
  }
  return command;
}

std::string Cause::Text() const {
  std::string text = Name(example.outcome);
  if (!example.clauses.empty()) text += " " + Joined(example.clauses);
  if (!example.basis.empty()) text += " " + example.basis;
  return text + ", " + TypeClassText(example);
}

size_t Causes::Add(const Verdict& verdict, int64_t cases) {
  failures_ += cases;
  const auto [it, is_new] = number_of_.emplace(
      std::vector{verdict.backend, verdict.op,
                  std::string(Name(verdict.outcome)), verdict.basis,
                  Joined(verdict.clauses), TypeClassText(verdict)},
      causes_.size());
  if (is_new) causes_.push_back({verdict});
  causes_[it->second].cases += cases;
  return it->second;
}

std::vector<size_t> Causes::Largest() const {
  std::vector<size_t> numbers(causes_.size());
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  std::ranges::stable_sort(numbers, std::greater<>(), [&](size_t number) {
    return causes_[number].cases;
  });
  return numbers;
}

std::string Causes::TableText(const RunHeader& header,
                              const std::vector<size_t>& numbers) const {
  const bool has_others = header.backends.size() > 1;
  std::vector<std::string> head = {" cases",  "outcome", "op",     "types",
                                   "clauses", "basis",   "explain"};
  if (has_others) head.insert(head.begin() + 1, "backend");
  TextTable table(head, head.size());
  for (const size_t number : numbers) {
    const Verdict& example = causes_[number].example;
    std::vector<std::string> row = {fmt::format("{:>6}", causes_[number].cases),
                                    Name(example.outcome),
                                    example.op,
                                    TypeClassText(example),
                                    Joined(example.clauses),
                                    example.basis,
                                    ExplainCommand(header, example)};
    if (has_others) row.insert(row.begin() + 1, example.backend);
    for (std::string& cell : row) cell = EscapeLine(cell);
    table.Add(std::move(row));
  }
  return table.ToText();
}

std::string Causes::ToText(const RunHeader& header, bool every_text,
                           size_t most) const {
  if (causes_.empty()) return "";
  std::vector<size_t> numbers = Largest();
  const bool are_few = numbers.size() <= kFew;
  const size_t explained = every_text || are_few ? numbers.size() : 1;
  std::string text;
  for (size_t i = 0; i < explained; ++i)
    text += ExampleText(header, causes_[numbers[i]]);
  if (are_few) return text;
  text += fmt::format("\n{} cases failed, of {} causes:\n", failures_,
                      causes_.size());
  int64_t rest = 0;
  const size_t shown = every_text ? numbers.size() : most;
  for (size_t i = shown; i < numbers.size(); ++i)
    rest += causes_[numbers[i]].cases;
  const size_t left_out = numbers.size() - std::min(shown, numbers.size());
  numbers.resize(std::min(shown, numbers.size()));
  text += TableText(header, numbers);
  if (left_out > 0)
    text += fmt::format("and {} cases of {} more causes; -v shows them\n", rest,
                        left_out);
  return text;
}

}  // namespace assay
