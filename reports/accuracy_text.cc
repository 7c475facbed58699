#include "reports/accuracy_text.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/table.h"

namespace assay {
namespace {

std::string HistogramText(const Accuracy& accuracy) {
  const ErrorMeasure& errors = accuracy.errors;
  std::string text = fmt::format("  worst {}\n", accuracy.worst);
  double from = 0;
  for (size_t i = 0; i < errors.histogram.size(); ++i) {
    const bool is_last = i == ErrorMeasure::kEnds.size();
    const std::string to =
        is_last ? "" : fmt::format("{:g}", ErrorMeasure::kEnds[i]);
    if (errors.histogram[i] > 0)
      text += fmt::format("  {:>6} to {:<6} ulp {:>14}  {:>9.5f} %\n",
                          fmt::format("{:g}", from), to, errors.histogram[i],
                          100.0 * static_cast<double>(errors.histogram[i]) /
                              static_cast<double>(errors.elements));
    if (!is_last) from = ErrorMeasure::kEnds[i];
  }
  return text;
}

}  // namespace

std::string AccuracyText(
    const std::string& backend,
    const std::map<std::pair<std::string, std::string>, Accuracy>& rows) {
  TextTable table({"  op", "type", "elements", "worst", "budget",
                   "worst/budget", "notices"},
                  /*left=*/2);
  std::array<int64_t, 4> tiers = {};
  for (const auto& [key, accuracy] : rows) {
    const ErrorMeasure& errors = accuracy.errors;
    for (size_t i = 0; i < tiers.size(); ++i) tiers[i] += accuracy.tiers[i];
    if (errors.elements == 0) continue;
    const auto or_none = [&](double value) {  // an inequality has no budget
      return errors.budget > 0 ? fmt::format("{:.2f}", value) : "-";
    };
    table.Add({"  " + key.first, key.second, std::to_string(errors.elements),
               fmt::format("{:.4f}", errors.worst), or_none(errors.budget),
               or_none(errors.worst / errors.budget),
               std::isfinite(errors.notices())
                   ? fmt::format("2^{:.1f}", std::log2(errors.notices()))
                   : "nothing"});
  }
  return fmt::format(
      "\nErrors of {}, in units in the last place of the real value (of "
      "complex numbers: of its larger part); `notices`: the\nsmallest relative "
      "error of all results that the elements would notice\n{}"
      "Real values: {} exact, {} by libm in double, {} in long double, {} by "
      "ball arithmetic.\n",
      backend, table.ToText(), tiers[0], tiers[1], tiers[2], tiers[3]);
}

std::string SweepText(const Verdict& verdict) {
  std::string text = fmt::format(
      "{} on {}: {}, {} elements in {} chunks; run B, which shows what depends "
      "on memory, of {} of them\n",
      verdict.case_name, verdict.backend, Name(verdict.outcome),
      verdict.elements, verdict.chunks->count, verdict.chunks->run_twice);
  if (verdict.accuracy && verdict.accuracy->errors.elements > 0)
    text += HistogramText(*verdict.accuracy);
  return text;
}

}  // namespace assay
