// The table has one line an op, so that gaps show at a glance.
#include "reports/layout_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"
#include "cases/variants/layout_variants.h"
#include "reports/table.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// An elementwise op with fewer layouts is named. Cases of rank 0, with results
// of another type than any operand's and the like have one or two.
constexpr int64_t kFewLayouts = 9;

int64_t CountOf(const std::map<std::string, LayoutCount>& layouts,
                const char* name) {
  const auto it = layouts.find(name);
  return it == layouts.end() ? 0 : it->second.cases;
}

int64_t Present(const std::map<std::string, LayoutCount>& layouts) {
  return std::ranges::count_if(LayoutVariants(), [&](const VariantKind& kind) {
    return CountOf(layouts, kind.name) > 0;
  });
}

std::string TableOf(const std::string& title,
                    std::span<const VariantKind> kinds, bool counts,
                    const LayoutCounts& ops) {
  std::vector<std::string> head = {title};
  for (const VariantKind& kind : kinds) head.emplace_back(kind.name);
  if (counts) head.emplace_back("of them");
  TextTable table(std::move(head));
  for (const auto& [op, layouts] : ops) {
    std::vector<std::string> row = {"  " + op};
    for (const VariantKind& kind : kinds)
      row.push_back(std::to_string(CountOf(layouts, kind.name)));
    if (counts) row.push_back(std::to_string(Present(layouts)));
    table.Add(std::move(row));
  }
  return "\n" + table.ToText();
}

std::string MedianText(const LayoutCount& count) {
  int64_t cases = 0;
  for (const auto& [tuples, times] : count.tuples) cases += times;
  int64_t before = 0;
  for (const auto& [tuples, times] : count.tuples) {
    before += times;
    if (2 * before >= cases)
      return fmt::format("{}{}", tuples,
                         tuples >= Verdict::kMostTuples ? " or more" : "");
  }
  return "-";
}

// Returns the table of the values that layouts were judged on: a layout of one
// value shows little.
std::string ValuesTable(const std::string& backend, const LayoutCounts& ops) {
  TextTable table({backend + ", values", "cases", "elements", "tuples, median",
                   "of one tuple"});
  for (const VariantKind& kind : LayoutVariants()) {
    LayoutCount all;
    for (const auto& [op, layouts] : ops) {
      if (const auto it = layouts.find(kind.name); it != layouts.end())
        all.Add(it->second);
    }
    const auto one = all.tuples.find(1);
    table.Add({std::string("  ") + kind.name, std::to_string(all.cases),
               std::to_string(all.elements), MedianText(all),
               std::to_string(one == all.tuples.end() ? 0 : one->second)});
  }
  return "\n" + table.ToText();
}

}  // namespace

void LayoutCount::Add(int64_t elements_of_case, int64_t distinct_tuples) {
  ++cases;
  elements += elements_of_case;
  if (elements_of_case > 1 && distinct_tuples > 0) ++tuples[distinct_tuples];
}

void LayoutCount::Add(const LayoutCount& other) {
  cases += other.cases;
  elements += other.elements;
  for (const auto& [count, times] : other.tuples) tuples[count] += times;
}

std::string LayoutTable(const std::string& backend, const LayoutCounts& ops) {
  std::string text =
      TableOf(backend + ", layouts", LayoutVariants(), true, ops) +
      TableOf(backend + ", relations", MetamorphicRelations(), false, ops) +
      ValuesTable(backend, ops) + "\n";
  std::vector<std::string> few;
  for (const auto& [op, layouts] : ops) {
    const OpSpec* spec = FindOp(op);
    const bool is_elementwise = spec != nullptr && spec->elementwise;
    if (is_elementwise && Present(layouts) < kFewLayouts) few.push_back(op);
  }
  text += few.empty()
              ? fmt::format(
                    "Every elementwise op was judged in {} or more of "
                    "the {} layouts.\n",
                    kFewLayouts, LayoutVariants().size())
              : fmt::format("Judged in fewer than {} of the {} layouts: {}.\n",
                            kFewLayouts, LayoutVariants().size(),
                            fmt::join(few, ", "));
  return text;
}

}  // namespace assay
