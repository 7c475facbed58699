// Cells are kept until the widest is known.
#include "reports/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/error.h"
#include "spec/text.h"

namespace assay {

TextTable::TextTable(std::vector<Column> columns,
                     std::vector<std::string> titles)
    : columns_(std::move(columns)) {
  Add(titles);
}

void TextTable::Add(const std::vector<std::string>& cells) {
  ASSAY_CHECK(cells.size() == columns_.size());
  std::vector<std::string>& row = rows_.emplace_back();
  for (const std::string& cell : cells) row.push_back(EscapeLine(cell));
}

std::string TextTable::ToText(const std::string& indent) const {
  std::vector<size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line = indent;
    for (size_t k = 0; k < row.size(); ++k) {
      if (k > 0) line += "  ";
      line += columns_[k] == Column::kNumbers
                  ? fmt::format("{:>{}}", row[k], widths[k])
                  : fmt::format("{:<{}}", row[k], widths[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace assay
