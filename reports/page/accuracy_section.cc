#include "reports/page/accuracy_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "reports/page/chart.h"
#include "reports/page/html.h"
#include "spec/types/element_type.h"

namespace assay {
namespace {

constexpr size_t kMostHeatBytes = 100'000, kMostRowBytes = 240'000;
constexpr size_t kMostWorst = 250;

// Returns the worst error as a part of its budget, or -1 without a budget.
double Ratio(const Accuracy& accuracy) {
  return accuracy.errors.budget > 0
             ? accuracy.errors.worst / accuracy.errors.budget
             : -1;
}

// Errors of results that are wrong altogether have hundreds of digits.
std::string RatioText(double ratio) {
  return ratio < 1e4 ? fmt::format("{:.2f}", ratio)
                     : fmt::format("{:.1e}", ratio);
}

// Returns a class of the style sheet, from "heat0", which is far below the
// budget, to "heat5", which is over it.
std::string HeatClass(double ratio) {
  constexpr double kEnds[] = {0.25, 0.5, 0.75, 0.9, 1};
  const auto* end =
      std::ranges::find_if(kEnds, [&](double bound) { return ratio <= bound; });
  return fmt::format("heat{}", end - std::begin(kEnds));
}

// Types go as they do in `assay list types`; texts that are no type stand last.
int RankOf(const std::string& type) {
  const auto parsed = ParseElementType(type);
  return parsed ? static_cast<int>(*parsed) : 1000;
}

std::string HeatMap(const std::string& backend,
                    const AccuracyTable::mapped_type& rows) {
  std::set<std::string> ops;
  std::set<std::pair<int, std::string>> types;
  for (const auto& [key, accuracy] : rows) {
    if (accuracy.errors.elements == 0) continue;
    ops.insert(key.first);
    types.emplace(RankOf(key.second), key.second);
  }
  if (ops.empty()) return "";
  std::string head = "<tr><th scope=\"col\">op</th>";
  for (const auto& [rank, type] : types)
    head += "<th scope=\"col\">" + HtmlLine(type) + "</th>";
  BoundedHtml body(kMostHeatBytes / 2);
  for (const std::string& op : ops) {
    std::string row = "<tr class=\"row\" tabindex=\"-1\" data-find=\"" +
                      HtmlLine(op) + "\"><th scope=\"row\">" + HtmlLine(op) +
                      "</th>";
    for (const auto& [rank, type] : types) {
      const auto it = rows.find({op, type});
      if (it == rows.end() || it->second.errors.elements == 0) {
        row += "<td></td>";
        continue;
      }
      const double ratio = Ratio(it->second);
      row += ratio < 0 ? fmt::format(
                             "<td class=\"heat none\" title=\"an inequality: "
                             "no budget\">{:.2g}&nbsp;ulp</td>",
                             it->second.errors.worst)
                       : fmt::format(
                             "<td class=\"heat {}\" title=\"{:.4g} of {:.4g} "
                             "ulp\">{}{}</td>",
                             HeatClass(ratio), it->second.errors.worst,
                             it->second.errors.budget, ratio > 1 ? "✗ " : "",
                             RatioText(ratio));
    }
    body.Add(row + "</tr>\n");
  }
  std::string text = ScrolledTable(
      "Worst error beside its budget, " + backend, "class=\"heatmap\"",
      "<caption>" + HtmlLine(backend) +
          ": worst error, as a part of the budget; over 1 it fails</caption>\n"
          "<thead>\n" +
          head + "</tr>\n</thead>\n<tbody>\n" + body.text() + "</tbody>\n");
  if (body.left_out() > 0)
    text += fmt::format("<p class=\"left-out\">{} more ops are left out.</p>\n",
                        body.left_out());
  return text;
}

std::string HistogramTitle(const ErrorMeasure& errors) {
  std::string text;
  double from = 0;
  for (size_t i = 0; i < errors.histogram.size(); ++i) {
    const bool is_last = i == ErrorMeasure::kEnds.size();
    if (errors.histogram[i] > 0)
      text += fmt::format(
          "{}{} {}", text.empty() ? "" : "; ", errors.histogram[i],
          is_last ? fmt::format("over {:g} ulp", from)
                  : fmt::format("to {:g} ulp", ErrorMeasure::kEnds[i]));
    if (!is_last) from = ErrorMeasure::kEnds[i];
  }
  return text;
}

std::string RowHtml(const std::string& backend, const std::string& op,
                    const Accuracy& accuracy) {
  const ErrorMeasure& errors = accuracy.errors;
  const double ratio = Ratio(accuracy);
  return fmt::format(
      "<tr class=\"row\" tabindex=\"-1\" data-find=\"{0} {1} {2}\"><th "
      "scope=\"row\">{1}</th><td>{2}</td><td>{0}</td><td class=\"number\">{3}"
      "</td><td class=\"number\">{4:.4g}</td><td class=\"number\">{5}</td><td "
      "class=\"number\" data-sort=\"{6:.6g}\">{7}</td><td>{8}</td><td "
      "class=\"worst\">{9}</td></tr>\n",
      HtmlLine(backend), HtmlLine(op), HtmlLine(accuracy.type), errors.elements,
      errors.worst, ratio < 0 ? "–" : fmt::format("{:g}", errors.budget), ratio,
      ratio < 0 ? "–" : RatioText(ratio),
      Histogram(errors.histogram, HistogramTitle(errors)),
      HtmlCut(accuracy.worst, kMostWorst));
}

}  // namespace

std::string AccuracySection(const AccuracyTable& accuracies) {
  std::string heat;
  int64_t maps_left_out = 0;
  std::vector<std::tuple<double, std::string, std::string, const Accuracy*>>
      rows;
  for (const auto& [backend, of_backend] : accuracies) {
    const std::string map = HeatMap(backend, of_backend);
    if (heat.size() + map.size() <= kMostHeatBytes) {
      heat += map;
    } else {
      ++maps_left_out;
    }
    for (const auto& [key, accuracy] : of_backend) {
      if (accuracy.errors.elements > 0)
        rows.emplace_back(-Ratio(accuracy), backend, key.first, &accuracy);
    }
  }
  if (rows.empty()) return "";
  if (maps_left_out > 0)
    heat += fmt::format(
        "<p class=\"left-out\">The maps of {} more backends are left "
        "out.</p>\n",
        maps_left_out);
  // Those nearest to their budget come first.
  std::ranges::stable_sort(rows, {},
                           [](const auto& row) { return std::get<0>(row); });
  BoundedHtml body(kMostRowBytes);
  for (const auto& [ratio, backend, op, accuracy] : rows)
    body.Add(RowHtml(backend, op, *accuracy));
  std::string head = "<thead>\n<tr>";
  constexpr const char* kColumns[] = {"op",          "type",      "backend",
                                      "elements",    "worst ulp", "budget",
                                      "worst/budget"};
  for (size_t i = 0; i < std::size(kColumns); ++i)
    head += fmt::format(
        "<th scope=\"col\"><button type=\"button\" class=\"sort\" "
        "data-column=\"{}\">{}</button></th>",
        i, kColumns[i]);
  head +=
      "<th scope=\"col\">errors</th><th scope=\"col\">worst element</th></tr>\n"
      "</thead>\n";
  std::string text =
      "<section id=\"accuracy\">\n<h2>Accuracy</h2>\n<p>Errors are in units in "
      "the last place (ulp) of the real value; a budget is the error that the "
      "policy allows.</p>\n" +
      heat + "<h3>Errors by op and type</h3>\n" +
      ScrolledTable(
          "Errors by op and type", "id=\"accuracy-table\"",
          "<caption>Nearest to the budget first. A histogram has a bar for "
          "errors up to 0.5, 0.75, 1, 1.5, 2, 3, 4 and 8 ulp, and more; its "
          "heights are logarithms.</caption>\n" +
              head + "<tbody>\n" + body.text() + "</tbody>\n");
  if (body.left_out() > 0)
    text +=
        fmt::format("<p class=\"left-out\">{} more rows are left out.</p>\n",
                    body.left_out());
  return text + "</section>\n";
}

}  // namespace assay
