// A table for a terminal: columns as wide as their widest cell, two spaces
// between them, so that no two cells touch.
#ifndef ASSAY_REPORTS_TEXT_TABLE_H_
#define ASSAY_REPORTS_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace assay {

class TextTable {
 public:
  // Numbers stand at the right of their column; a last column of words is not
  // padded.
  enum class Column { kWords, kNumbers };

  TextTable(std::vector<Column> columns, std::vector<std::string> titles);
  // As many cells as there are columns, each escaped and put on one line.
  void Add(const std::vector<std::string>& cells);
  // Lines that begin with `indent`.
  std::string ToText(const std::string& indent = "") const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // the first: titles
};

}  // namespace assay

#endif  // ASSAY_REPORTS_TEXT_TABLE_H_
