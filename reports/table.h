// This is a table for people: every column is as wide as its widest cell, so no
// two of them touch, however large a number is.
#ifndef ASSAY_REPORTS_TABLE_H_
#define ASSAY_REPORTS_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

class TextTable {
 public:
  // The first `left` columns are aligned at the left, the others at the right.
  explicit TextTable(std::vector<std::string> head, size_t left = 1);

  // `row` has as many cells as the head.
  void Add(std::vector<std::string> row);
  // Returns the lines, the head first.
  std::string ToText() const;

 private:
  static constexpr size_t kGap = 2;

  size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_TABLE_H_
