// A sum may be split into parts of its own when it has many terms: the node
// that joins the parts is the last one.
#ifndef ASSAY_CASES_ACCUMULATION_SPLIT_H_
#define ASSAY_CASES_ACCUMULATION_SPLIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/accumulation/measure_order.h"

namespace assay {

struct MeasuredSplits {
  const SumProbe* probe = nullptr;
  ElementType type = ElementType::kF32;
  // The last node of a sum of n terms joins a part of `part` terms, which has
  // the first one in it, with the others.
  struct Split {
    int32_t n = 0;
    int64_t part = 0;
  };
  std::vector<Split> splits;
  std::string message;  // why sums of more terms were not asked
};

// Asks for 64, 128, .. terms, up to `largest`.
MeasuredSplits MeasureSplits(Executor* executor, const SumProbe& probe,
                             ElementType type, int32_t largest,
                             const MeasureOptions& options);

// Returns "63+1 of 64, 64+64 of 128".
std::string SplitsText(const MeasuredSplits& measured);

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_SPLIT_H_
