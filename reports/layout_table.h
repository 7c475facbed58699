// The table of op x layout says how many cases of layout variants were judged,
// and on how many different values.
#ifndef ASSAY_REPORTS_LAYOUT_TABLE_H_
#define ASSAY_REPORTS_LAYOUT_TABLE_H_

#include <cstdint>
#include <map>
#include <string>

namespace assay {

// A LayoutCount counts the judged cases of an op in a layout.
struct LayoutCount {
  int64_t cases = 0, elements = 0;
  // This counts cases of several elements by their different tuples of operand
  // values (Verdict::distinct_tuples).
  std::map<int64_t, int64_t> tuples = {};

  void Add(int64_t elements_of_case, int64_t distinct_tuples);
  void Add(const LayoutCount& other);
};

// The keys are the layout and the op.
using LayoutCounts = std::map<std::string, std::map<std::string, LayoutCount>>;

// Returns two tables, of the layouts and of the relations; each line ends with
// the number of layouts that the op has, and below are the ops that lack most.
// A third table has a line a layout: cases, elements, the median of different
// tuples of operand values, and how many cases of several elements have one
// tuple only.
std::string LayoutTable(const std::string& backend, const LayoutCounts& ops);

}  // namespace assay

#endif  // ASSAY_REPORTS_LAYOUT_TABLE_H_
