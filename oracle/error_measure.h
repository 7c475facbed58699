// Errors of results with an accuracy budget are measured from the real values:
// the worst, and a histogram. Also measured is how small an error the elements
// would notice, because a suite that accepts everything would be useless.
#ifndef ASSAY_ORACLE_ERROR_MEASURE_H_
#define ASSAY_ORACLE_ERROR_MEASURE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "oracle/expectation.h"

namespace assay {

struct ErrorMeasure {
  // These are the upper ends of the classes of the histogram, in units in the
  // last place; the last class has none.
  static constexpr std::array<double, 8> kEnds = {0.5, 0.75, 1, 1.5,
                                                  2,   3,    4, 8};
  int64_t elements = 0;  // that were measured: the real value and the result
                         // are finite, and the policy has a budget for them
  double worst = 0;      // in units in the last place of the real value
  double budget = 0;     // that holds where the worst is; 0: an inequality
  std::array<int64_t, kEnds.size() + 1> histogram = {};
  // The smallest relative errors, upward and downward, with which correct
  // results would be refused: those of the element where they are smallest.
  double notices_up = std::numeric_limits<double>::infinity();
  double notices_down = std::numeric_limits<double>::infinity();

  // Adds the errors of another part of the same results.
  void Merge(const ErrorMeasure& other);
  // Returns the smallest error of either sign that is noticed.
  double notices() const { return std::max(notices_up, notices_down); }
};

struct MeasuredErrors {
  ErrorMeasure errors;
  int64_t worst_at = -1;  // row-major position of the worst; -1 if none is
                          // measured
};
// Precondition: `expectation.reals` exists and `actual` has its type.
MeasuredErrors MeasureErrors(const Expectation& expectation,
                             const Tensor& actual);

}  // namespace assay

#endif  // ASSAY_ORACLE_ERROR_MEASURE_H_
