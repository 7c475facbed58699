#include "cases/accumulation/split.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/accumulation/backend_summation.h"

namespace assay {
namespace {

// So many terms at the begin, which are in other lanes than the first, are
// asked for beside it, as many at equal distances, and the last two, one of
// which a sequential sum adds at the end.
constexpr int32_t kAskedTerms = 16;

// Returns how many terms are in the part of the last node that has the first
// term in it.
int64_t PartOf(Summation* summation) {
  const int32_t n = summation->n();
  std::vector<int32_t> asked = {n - 1, n - 2};
  for (int32_t k = 1; k < kAskedTerms; ++k) {
    asked.push_back(k);
    asked.push_back(n / kAskedTerms * k);
  }
  int64_t largest = 1;
  for (const int64_t size : SubtreeSizes(summation, 0, asked)) {
    if (size < n) largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace

MeasuredSplits MeasureSplits(Executor* executor, const SumProbe& probe,
                             ElementType type, int32_t largest,
                             const MeasureOptions& options) {
  MeasuredSplits measured;
  measured.probe = &probe;
  measured.type = type;
  try {
    for (int32_t n = 64; n <= largest; n *= 2) {
      BackendSummation summation(executor, probe, type, n);
      summation.CountCallsWith(options.on_call);
      measured.splits.push_back({n, PartOf(&summation)});
    }
  } catch (const NotRevealed& e) {
    measured.message = e.what();
  } catch (const NoSum& e) {
    measured.message = e.what();
  }
  return measured;
}

std::string SplitsText(const MeasuredSplits& measured) {
  std::string text;
  for (const auto& [n, part] : measured.splits) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}+{} of {}", part, n - part, n);
  }
  if (!measured.message.empty())
    text += fmt::format("{}{}", text.empty() ? "" : "; ", measured.message);
  return text;
}

}  // namespace assay
