// Where a series of measurements changed for good.
#ifndef ASSAY_REPORTS_PAGE_CHANGE_POINTS_H_
#define ASSAY_REPORTS_PAGE_CHANGE_POINTS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

// Returns the positions, ascending, of the first values of what follows a
// change. The series is cut in two where that lowers the sum of distances from
// the median the most, and each part again, as long as the gain is more than
// noise explains. Noise is estimated from the median difference of neighbours,
// so that a step does not count as noise, and is at least a hundredth of the
// median. A part has two values or more.
std::vector<size_t> ChangePoints(std::span<const double> values);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_CHANGE_POINTS_H_
