// Counting goes on while verdicts come, so that backends may run one after
// another, interleaved, or in shards.
#include "reports/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kMaxNamedCases = 10;

// Returns "a", "a and b", "a, b and c".
std::string Enumeration(std::span<const std::string> names) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {}",
                     fmt::join(names.first(names.size() - 1), ", "),
                     names.back());
}

}  // namespace

Agreement::Agreement(const RunHeader& header) {
  for (const RunHeader::BackendInfo& backend : header.backends)
    backends_.push_back(backend.spec);
  pairs_.assign(backends_.size(), std::vector<Pair>(backends_.size()));
}

void Agreement::Add(const Verdict& verdict) {
  if (backends_.size() < 2 || !IsJudged(verdict.outcome)) return;
  const auto it = std::ranges::find(backends_, verdict.backend);
  ASSAY_CHECK(it != backends_.end());
  const auto backend = static_cast<size_t>(it - backends_.begin());
  const Mark mark = verdict.outcome == Outcome::kPass ? kPasses : kDoesNotPass;
  std::string& marks =
      marks_.try_emplace(verdict.index, backends_.size(), kNotJudged)
          .first->second;
  bool has_same = false;
  int64_t judged_before = 0;
  for (size_t other = 0; other < backends_.size(); ++other) {
    if (marks[other] == kNotJudged) continue;
    ++judged_before;
    ++pairs_[backend][other].judged;
    ++pairs_[other][backend].judged;
    if (marks[other] == mark) {
      has_same = true;
    } else if (mark == kPasses) {
      ++pairs_[backend][other].first_only;
    } else {
      ++pairs_[other][backend].first_only;
    }
  }
  marks[backend] = mark;
  if (judged_before == 1) ++compared_;
  // If another backend has the same mark, the case is counted already or still
  // unanimous.
  if (judged_before == 0 || has_same) return;
  ++disagreements_;
  names_.emplace(verdict.index, verdict.case_name);
  if (names_.size() > kMaxNamedCases) names_.erase(std::prev(names_.end()));
}

std::string Agreement::ToText() const {
  if (backends_.size() < 2) return "";
  const std::string title =
      fmt::format("Agreement of {}: ", Enumeration(backends_));
  return title +
         (disagreements_ == 0 ? UnanimityText() : TableText() + CasesText());
}

std::string Agreement::UnanimityText() const {
  const bool are_two = backends_.size() == 2;
  if (compared_ == 0)
    return fmt::format("no case was judged on {}.\n",
                       are_two ? "both" : "two of them");
  if (are_two)
    return fmt::format(
        "all {} cases judged on both, each passes both or neither.\n",
        compared_);
  return fmt::format(
      "all {} cases judged on two or more, each passes all of these or none. "
      "{}",
      compared_, JudgedText());
}

// Returns one number if it is the same for all.
std::string Agreement::JudgedText() const {
  std::vector<std::string> texts;
  bool is_one = true;
  for (size_t a = 0; a < backends_.size(); ++a) {
    for (size_t b = a + 1; b < backends_.size(); ++b) {
      is_one &= pairs_[a][b].judged == pairs_[0][1].judged;
      texts.push_back(fmt::format("{} and {} {}", backends_[a], backends_[b],
                                  pairs_[a][b].judged));
    }
  }
  return is_one ? fmt::format("Judged on both: {}.\n", pairs_[0][1].judged)
                : fmt::format("Judged on both: {}.\n", fmt::join(texts, ", "));
}

std::string Agreement::TableText() const {
  std::string text =
      "cases that pass on the backend of the row and not on that of the "
      "column. " +
      JudgedText();
  const size_t names =
      2 + std::ranges::max(backends_, {}, &std::string::size).size();
  const auto width = [](const std::string& backend) {
    return std::max<size_t>(9, backend.size() + 2);
  };
  text += fmt::format("{:{}}", "", names);
  for (const std::string& backend : backends_)
    text += fmt::format("{:>{}}", backend, width(backend));
  text += "\n";
  for (size_t row = 0; row < backends_.size(); ++row) {
    text += fmt::format("{:<{}}", "  " + EscapeLine(backends_[row]), names);
    for (size_t column = 0; column < backends_.size(); ++column)
      text += fmt::format(
          "{:>{}}",
          row == column ? "-" : std::to_string(pairs_[row][column].first_only),
          width(backends_[column]));
    text += "\n";
  }
  return text;
}

std::string Agreement::CasesText() const {
  std::string text;
  for (const auto& [index, name] : names_) {
    const std::string& marks = marks_.at(index);
    std::vector<std::string> pass, do_not;
    for (size_t i = 0; i < backends_.size(); ++i) {
      if (marks[i] == kPasses) pass.push_back(backends_[i]);
      if (marks[i] == kDoesNotPass) do_not.push_back(backends_[i]);
    }
    text += fmt::format("  {}: passes on {}, not on {}\n", EscapeLine(name),
                        Enumeration(pass), Enumeration(do_not));
  }
  const int64_t rest = disagreements_ - static_cast<int64_t>(names_.size());
  if (rest > 0) text += fmt::format("  and {} more\n", rest);
  return text;
}

}  // namespace assay
