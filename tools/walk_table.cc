#include "tools/walk_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string_view>

namespace assay {
namespace {

// "a" to "z", "A" to "Z", "aa", ..
std::string Letter(size_t number) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string last(1, kLetters[number % kLetters.size()]);
  return number < kLetters.size() ? last
                                  : Letter(number / kLetters.size() - 1) + last;
}

}  // namespace

bool IsOfKind(const std::string& case_name, const std::string& kind) {
  const size_t slash = case_name.find('/');
  const std::string prefix = "/walk_" + kind + "_";
  return slash != std::string::npos &&
         case_name.compare(slash, prefix.size(), prefix) == 0;
}

WalkResult::Counts WalkResult::Count() const {
  Counts counts;
  for (const auto& [op, by] : ops)
    ++(by.empty()           ? counts.none
       : IsOfKind(by, kind) ? counts.own
                            : counts.other);
  return counts;
}

std::string WalkTable(const std::vector<WalkResult>& results) {
  if (results.empty()) return "";
  std::set<std::string> ops;
  for (const WalkResult& result : results) {
    for (const auto& [op, by] : result.ops) ops.insert(op);
  }
  const size_t width = Letter(results.size() - 1).size();
  std::string text = fmt::format("{:<34}", "walks, op x kind");
  for (size_t k = 0; k < results.size(); ++k)
    text += fmt::format("{:>{}}", Letter(k), width);
  for (const std::string& op : ops) {
    text += fmt::format("\n  {:<32}", op);
    for (const WalkResult& result : results) {
      const auto it = result.ops.find(op);
      text += fmt::format("{:>{}}",
                          it == result.ops.end()              ? '-'
                          : it->second.empty()                ? 'X'
                          : IsOfKind(it->second, result.kind) ? '+'
                                                              : 'o',
                          width);
    }
  }
  text +=
      "\n+: a case of the kind notices the bug; o: another case; X: none; -: "
      "there is no case of the kind that the kernel computes\n";
  WalkResult::Counts all;
  for (size_t k = 0; k < results.size(); ++k) {
    const WalkResult& result = results[k];
    const WalkResult::Counts counts = result.Count();
    all.own += counts.own;
    all.other += counts.other;
    all.none += counts.none;
    text += fmt::format("  {:>{}}  {:<20} {:>4} {:>4} {:>4}  {}\n", Letter(k),
                        width, result.kind, counts.own, counts.other,
                        counts.none, result.text);
  }
  return text + fmt::format(
                    "walks: {} bugs of ops and kinds, {} noticed by a case of "
                    "the kind, "
                    "{} by another, {} by none\n",
                    all.own + all.other + all.none, all.own, all.other,
                    all.none);
}

}  // namespace assay
