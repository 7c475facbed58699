// The distance is that of optimal string alignment: the Levenshtein distance
// with exchanged neighbors as one change.
#include "spec/nearest.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "spec/printable_text.h"

namespace assay {
namespace {

// Longer texts are not typing errors.
constexpr size_t kLongest = 100;

size_t Distance(std::string_view a, std::string_view b) {
  // These are the last two rows and the row that is being computed.
  std::array<std::vector<size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  std::iota(rows[0].begin(), rows[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    const auto& before = rows[(i - 1) % 3];
    const auto& before_that = rows[(i + 1) % 3];
    auto& row = rows[i % 3];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1,
                         before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_that[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::vector<std::string> Nearest(std::string_view text,
                                 const std::vector<std::string>& names,
                                 size_t most) {
  if (text.empty() || text.size() > kLongest) return {};
  const size_t most_changes = std::max<size_t>(1, text.size() / 4);
  // Names are ordered by changes, then by length: a name that begins with the
  // text, or contains it, counts as near as one with all the changes that are
  // allowed.
  std::vector<std::pair<std::pair<size_t, size_t>, const std::string*>> near;
  for (const std::string& name : names) {
    if (name == text || name.size() > 2 * kLongest) continue;
    size_t changes = most_changes + 2;
    if (name.starts_with(text)) {
      changes = 1;
    } else if (name.find(text) != std::string::npos) {
      changes = most_changes + 1;
    }
    const size_t longer = std::max(name.size(), text.size());
    const size_t shorter = std::min(name.size(), text.size());
    if (longer - shorter <= most_changes)
      changes = std::min(changes, Distance(text, name));
    if (changes <= most_changes + 1)
      near.push_back({{changes, name.size()}, &name});
  }
  std::ranges::stable_sort(near, {}, &decltype(near)::value_type::first);
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(most, near.size()); ++i)
    nearest.push_back(*near[i].second);
  return nearest;
}

std::string DidYouMean(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = " (did you mean ";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + Cut(names[i]) + "'";
  }
  return text + "?)";
}

std::string DidYouMean(std::string_view text,
                       const std::vector<std::string>& names) {
  return DidYouMean(Nearest(text, names));
}

}  // namespace assay
