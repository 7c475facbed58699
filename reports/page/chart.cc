#include "reports/page/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/page/html.h"

namespace assay {
namespace {

constexpr double kBarWidth = 200, kLeastPart = 1.5;
constexpr int kColumn = 6, kHistogramHeight = 20;
constexpr double kLineWidth = 120, kLineHeight = 24, kMargin = 3;
constexpr double kLeastSpan = 0.1;  // of the greatest value

// Returns "12.5", and "12" for 12.
std::string Number(double value) {
  return fmt::format("{:g}", std::round(10 * value) / 10);
}

std::string Svg(double width, double height, std::string_view css_class,
                std::string_view title, const std::string& content) {
  return fmt::format(
      "<svg class=\"{0}\" role=\"img\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" "
      "height=\"{2}\"><title>{3}</title>{4}</svg>",
      css_class, Number(width), Number(height), HtmlLine(title), content);
}

}  // namespace

std::string StackedBar(std::span<const BarPart> parts, std::string_view title) {
  int64_t whole = 0;
  double widened = 0;  // what small parts have more than their share
  const auto share = [&](const BarPart& part) {
    return kBarWidth * static_cast<double>(part.count) /
           static_cast<double>(whole);
  };
  for (const BarPart& part : parts) whole += part.count;
  const auto is_small = [&](const BarPart& part) {
    return part.count > 0 && share(part) < kLeastPart;
  };
  double large = 0;
  for (const BarPart& part : parts) {
    if (part.count == 0) continue;
    if (is_small(part)) {
      widened += kLeastPart;
    } else {
      large += share(part);
    }
  }
  std::string content;
  double left = 0;
  for (const BarPart& part : parts) {
    if (part.count == 0) continue;
    const double width = is_small(part)
                             ? kLeastPart
                             : share(part) / large * (kBarWidth - widened);
    content +=
        fmt::format("<rect class=\"{}\" x=\"{}\" width=\"{}\" height=\"12\"/>",
                    part.css_class, Number(left), Number(width));
    left += width;
  }
  return Svg(kBarWidth, 12, "stack", title, content);
}

std::string Histogram(std::span<const int64_t> counts, std::string_view title) {
  const int64_t most = counts.empty() ? 0 : *std::ranges::max_element(counts);
  std::string path;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] <= 0) continue;
    const int height = std::max(
        2, static_cast<int>(std::lround(
               kHistogramHeight * std::log1p(static_cast<double>(counts[i])) /
               std::log1p(static_cast<double>(most)))));
    path += fmt::format("M{} {}v-{}h{}v{}z", kColumn * i, kHistogramHeight,
                        height, kColumn - 1, height);
  }
  return Svg(kColumn * static_cast<double>(counts.size()), kHistogramHeight,
             "histogram", title, "<path d=\"" + path + "\"/>");
}

std::string Sparkline(std::span<const double> values,
                      const std::vector<size_t>& marks,
                      std::string_view title) {
  const double least = values.empty() ? 0 : *std::ranges::min_element(values);
  const double most = values.empty() ? 0 : *std::ranges::max_element(values);
  // The line fills the picture, unless all of it would be noise.
  const double span = std::max(most - least, kLeastSpan * most);
  const double middle = (least + most) / 2;
  const auto x = [&](double i) {
    return values.size() < 2
               ? kLineWidth / 2
               : kMargin + i * (kLineWidth - 2 * kMargin) /
                               static_cast<double>(values.size() - 1);
  };
  const auto y = [&](double value) {
    const double above = span > 0 ? (value - middle) / span : 0;
    return kLineHeight / 2 - above * (kLineHeight - 2 * kMargin);
  };
  std::string content, path;
  for (const size_t mark : marks)
    content += fmt::format("<path class=\"change\" d=\"M{} 0v{}\"/>",
                           Number(x(static_cast<double>(mark) - 0.5)),
                           Number(kLineHeight));
  for (size_t i = 0; i < values.size(); ++i)
    path +=
        fmt::format("{}{} {}", i == 0 ? "M" : "L",
                    Number(x(static_cast<double>(i))), Number(y(values[i])));
  content += fmt::format("<path class=\"line\" d=\"{}\"/>", path);
  if (!values.empty())
    content += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2\"/>",
                           Number(x(static_cast<double>(values.size() - 1))),
                           Number(y(values.back())));
  return Svg(kLineWidth, kLineHeight, "sparkline", title, content);
}

}  // namespace assay
