#include "tools/mutants/walk_table.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace assay {
namespace {

// Letters count "a" to "z", "A" to "Z", "aa" and so on.
std::string Letter(size_t number) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string last(1, kLetters[number % kLetters.size()]);
  return number < kLetters.size() ? last
                                  : Letter(number / kLetters.size() - 1) + last;
}

const WalkGap* FindGap(const WalkGaps& gaps, const std::string& kind,
                       const std::string& op) {
  const auto ops = gaps.find(kind);
  if (ops == gaps.end()) return nullptr;
  const auto gap = ops->second.find(op);
  return gap == ops->second.end() ? nullptr : gap->second;
}

}  // namespace

std::string WalkTable(const std::vector<WalkResult>& results,
                      const WalkGaps& gaps) {
  if (results.empty()) return "";
  std::set<std::string> ops;
  for (const WalkResult& result : results) {
    for (const auto& [op, cell] : result.ops) ops.insert(op);
  }
  const size_t width = Letter(results.size() - 1).size();
  std::string text = fmt::format("{:<33} ", "walks, op x kind");
  for (size_t k = 0; k < results.size(); ++k)
    text += fmt::format("{:>{}}", Letter(k), width);
  std::map<std::string, std::string> reasons;  // text by word
  for (const std::string& op : ops) {
    text += fmt::format("\n  {:<31} ", op);
    for (const WalkResult& result : results) {
      char shown = '-';  // if the gaps of the file are not known
      if (const auto it = result.ops.find(op); it != result.ops.end()) {
        shown = it->second.silent.empty() ? '+' : 'X';
      } else if (const WalkGap* gap = FindGap(gaps, result.kind, op)) {
        shown = gap->word[0];
        reasons[gap->word] = gap->text;
      }
      text += fmt::format("{:>{}}", shown, width);
    }
  }
  text +=
      "\n+: every case of the kind notices the bug; X: one does not. The "
      "others "
      "have no such case:\n";
  for (const auto& [word, why] : reasons)
    text += fmt::format("{}: {}, as {}\n", word[0], word, why);
  int64_t cells = 0, cases = 0, silent = 0;
  for (size_t k = 0; k < results.size(); ++k) {
    const WalkResult& result = results[k];
    int64_t cases_of_kind = 0, silent_of_kind = 0;
    for (const auto& [op, cell] : result.ops) {
      cases_of_kind += cell.cases;
      silent_of_kind += static_cast<int64_t>(cell.silent.size());
    }
    cells += static_cast<int64_t>(result.ops.size());
    cases += cases_of_kind;
    silent += silent_of_kind;
    text += fmt::format("  {:>{}}  {:<20} {:>4} ops {:>4} cases {:>4} X  {}\n",
                        Letter(k), width, result.kind, result.ops.size(),
                        cases_of_kind, silent_of_kind, result.text);
  }
  return text + fmt::format(
                    "walks: {} bugs of ops and kinds, {} cases, {} of which do "
                    "not notice\n",
                    cells, cases, silent);
}

}  // namespace assay
