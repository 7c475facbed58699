// Small pictures as inline SVG. They have classes and no colors, so that the
// style sheet draws them dark and light; each has a title that says the same in
// words.
#ifndef ASSAY_REPORTS_PAGE_CHART_H_
#define ASSAY_REPORTS_PAGE_CHART_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct BarPart {
  std::string_view css_class;  // of the style sheet
  int64_t count;
};
// Returns one bar of parts that are as wide as their counts. What is there at
// all is seen, however small it is.
std::string StackedBar(std::span<const BarPart> parts, std::string_view title);

// Returns a bar for each count, as high as the logarithm of the count: of a
// million elements one that is wrong is seen.
std::string Histogram(std::span<const int64_t> counts, std::string_view title);

// Returns a line through values that are not negative, from left to right, with
// a dot at the last one. `marks` are positions of values before which something
// changed.
std::string Sparkline(std::span<const double> values,
                      const std::vector<size_t>& marks, std::string_view title);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_CHART_H_
