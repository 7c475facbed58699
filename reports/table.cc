#include "reports/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spec/error.h"

namespace assay {

TextTable::TextTable(std::vector<std::string> head, size_t left) : left_(left) {
  rows_.push_back(std::move(head));
}

void TextTable::Add(std::vector<std::string> row) {
  ASSAY_CHECK(row.size() == rows_[0].size());
  rows_.push_back(std::move(row));
}

std::string TextTable::ToText() const {
  std::vector<size_t> widths(rows_[0].size());
  for (const std::vector<std::string>& row : rows_) {
    for (size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (size_t k = 0; k < row.size(); ++k) {
      if (k > 0) line.append(kGap, ' ');
      line += k < left_ ? fmt::format("{:<{}}", row[k], widths[k])
                        : fmt::format("{:>{}}", row[k], widths[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace assay
