// The distance is that of optimal string alignment: mistyped words are off by a
// letter, or by two that changed places.
#include "spec/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

// No name of ours is so long, and words come from outside.
constexpr size_t kLongest = 64;

size_t Distance(std::string_view a, std::string_view b) {
  // Of the first i characters of `a`, one row for each, from the first j of
  // `b`.
  std::vector<std::vector<size_t>> rows(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const size_t replaced = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string Nearest(std::string_view word,
                    const std::vector<std::string>& names) {
  if (word.size() > kLongest) return "";
  std::string nearest;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    if (const size_t distance = Distance(word, name); distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& names) {
  const std::string nearest = Nearest(word, names);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace assay
