// How far a result may be from the real value: in units in the last place, or
// by the inequality that newer revisions of StableHLO attach to an op.
#ifndef ASSAY_SPEC_ACCURACY_H_
#define ASSAY_SPEC_ACCURACY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/element_type.h"

namespace assay {

// `result_accuracy` in mode TOLERANCE (StableHLO RFC of 2024-10-15):
//   |real - result| <= max(atol, |real| * max(rtol, ulps * epsilon))
// with epsilon = 2^(1 - precision). It speaks of results as they are, so there
// is no rounding outward, and no sign to keep.
struct ResultAccuracy {
  double atol = 0;
  double rtol = 0;
  int64_t ulps = 0;
};

// A row of a policy.
struct Budget {
  std::vector<std::string> ops;
  std::vector<std::string> types;  // element types, "narrow", "complex"
  double ulp = 0.5;  // of the real value; 0.5 is one rounding and nothing else
  std::optional<ResultAccuracy> result_accuracy;  // instead of `ulp`
  std::string reason;

  // `type`: of the op's first operand.
  bool Covers(std::string_view op, ElementType type) const;
};

}  // namespace assay

#endif  // ASSAY_SPEC_ACCURACY_H_
