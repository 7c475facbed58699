// Op x layout: how many cases of a layout sweep were judged.
#ifndef ASSAY_REPORTS_LAYOUT_TABLE_H_
#define ASSAY_REPORTS_LAYOUT_TABLE_H_

#include <cstdint>
#include <map>
#include <string>

namespace assay {

// Two tables, of the layouts and of the relations; behind each op the number of
// layouts that it has, and below them the ops that lack most. `ops`: judged
// cases by layout, by op.
std::string LayoutTable(
    const std::string& backend,
    const std::map<std::string, std::map<std::string, int64_t>>& ops);

}  // namespace assay

#endif  // ASSAY_REPORTS_LAYOUT_TABLE_H_
