// One line an op: gaps in a table show at a glance.
#include "reports/layout_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "cases/layout_sweep.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// An elementwise op with fewer layouts is named: rank 0, results of another
// type than any operand's and the like take one or two.
constexpr int64_t kFewLayouts = 9;

int64_t CountOf(const std::map<std::string, int64_t>& layouts,
                const char* name) {
  const auto it = layouts.find(name);
  return it == layouts.end() ? 0 : it->second;
}

int64_t Present(const std::map<std::string, int64_t>& layouts) {
  return std::ranges::count_if(SweepLayouts(), [&](const SweepKind& kind) {
    return CountOf(layouts, kind.name) > 0;
  });
}

std::string TableOf(
    const std::string& title, std::span<const SweepKind> kinds, bool counts,
    const std::map<std::string, std::map<std::string, int64_t>>& ops) {
  const auto width = [](const SweepKind& kind) {
    return std::max<size_t>(std::string_view(kind.name).size() + 2, 9);
  };
  std::string text = fmt::format("\n{:<34}", title);
  for (const SweepKind& kind : kinds)
    text += fmt::format("{:>{}}", kind.name, width(kind));
  text += counts ? "  of them\n" : "\n";
  for (const auto& [op, layouts] : ops) {
    text += fmt::format("  {:<32}", op);
    for (const SweepKind& kind : kinds)
      text += fmt::format("{:>{}}", CountOf(layouts, kind.name), width(kind));
    text += counts ? fmt::format("{:>9}\n", Present(layouts)) : "\n";
  }
  return text;
}

}  // namespace

std::string LayoutTable(
    const std::string& backend,
    const std::map<std::string, std::map<std::string, int64_t>>& ops) {
  std::string text =
      TableOf(backend + ", layouts", SweepLayouts(), true, ops) +
      TableOf(backend + ", relations", SweepRelations(), false, ops) + "\n";
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
                    kFewLayouts, SweepLayouts().size())
              : fmt::format("Judged in fewer than {} of the {} layouts: {}.\n",
                            kFewLayouts, SweepLayouts().size(),
                            fmt::join(few, ", "));
  return text;
}

}  // namespace assay
