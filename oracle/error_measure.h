// How far results with an accuracy budget lie from the real values: the worst,
// and how many lie how far. Also how small an error the elements would notice,
// for a suite that accepts everything is none.
#ifndef ASSAY_ORACLE_ERROR_MEASURE_H_
#define ASSAY_ORACLE_ERROR_MEASURE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "oracle/expectation.h"

namespace assay {

struct ErrorMeasure {
  // Upper ends of the classes of the histogram, in units in the last place; the
  // last class has none.
  static constexpr std::array<double, 8> kEnds = {0.5, 0.75, 1, 1.5,
                                                  2,   3,    4, 8};
  int64_t elements = 0;  // that were measured: the real value and the result
                         // are finite, and the policy has a budget for them
  double worst = 0;      // in units in the last place of the real value
  double budget = 0;     // that holds where the worst is; 0: an inequality
  std::array<int64_t, kEnds.size() + 1> histogram = {};
  // The smallest relative errors, upward and downward, with which correct
  // results would be refused: of the element where that is smallest.
  double notices_up = std::numeric_limits<double>::infinity();
  double notices_down = std::numeric_limits<double>::infinity();

  // Adds what another part of the same results says.
  void Merge(const ErrorMeasure& other);
  // Of an error of either sign.
  double notices() const { return std::max(notices_up, notices_down); }
};

struct MeasuredErrors {
  ErrorMeasure errors;
  int64_t worst_at = -1;  // row-major position of the worst; -1 if none is
                          // measured
};
// Precondition: `expectation.reals` is there and `actual` has its type.
MeasuredErrors MeasureErrors(const Expectation& expectation,
                             const Tensor& actual);

}  // namespace assay

#endif  // ASSAY_ORACLE_ERROR_MEASURE_H_
