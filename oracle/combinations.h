// What a function gives of values that may be several follows from what it
// gives of each combination of them.
#ifndef ASSAY_ORACLE_COMBINATIONS_H_
#define ASSAY_ORACLE_COMBINATIONS_H_

#include <algorithm>
#include <optional>
#include <vector>

#include "oracle/scalars.h"

namespace assay {

// A function is asked for so many combinations, and no more: operands that have
// more are taken as one range each, and NaN.
inline constexpr size_t kMostCombinations = 256;

// Calls `f` with one range of each operand, in all combinations, and returns
// what the results may be together.
template <class F>
std::vector<Possible> ForEachCombination(
    std::vector<Possible> operands,
    const std::vector<ElementType>& operand_types,
    const std::vector<ElementType>& result_types, F f) {
  std::optional<Possible> whole;
  for (const Possible& operand : operands) {
    if (operand.kind == Possible::Kind::kRanges) continue;
    const bool is_open = operand.kind == Possible::Kind::kOpen &&
                         (!whole || whole->kind == Possible::Kind::kOpen);
    whole = is_open ? Possible::Open() : Possible::Undecided();
  }
  const auto count = [&] {
    size_t product = 1;
    for (const Possible& operand : operands)
      product =
          std::min(product * operand.ranges.size(), kMostCombinations + 1);
    return product;
  };
  for (size_t k = 0; k < operands.size() && !whole; ++k) {
    if (count() <= kMostCombinations) break;
    Possible hull;
    hull.Add(operand_types[k], operands[k], 1);
    if (hull.kind == Possible::Kind::kRanges) operands[k] = std::move(hull);
  }
  if (!whole && count() > kMostCombinations) whole = Possible::Undecided();
  if (whole) return std::vector<Possible>(result_types.size(), *whole);
  std::vector<Possible> results(result_types.size());
  for (size_t n = 0, end = count(); n < end; ++n) {
    std::vector<Possible> box;
    size_t rest = n;
    for (const Possible& operand : operands) {
      const size_t number = rest % operand.ranges.size();
      rest /= operand.ranges.size();
      box.push_back(
          {Possible::Kind::kRanges, operand.any_nan, {operand.ranges[number]}});
    }
    const std::vector<Possible> of_box = f(box);
    for (size_t k = 0; k < results.size(); ++k)
      results[k].Add(result_types[k], of_box[k]);
  }
  return results;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_COMBINATIONS_H_
