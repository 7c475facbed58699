#include "reports/page/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cases/read/json.h"
#include "reports/page/chart.h"
#include "reports/page/html.h"
#include "reports/reasons.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kMostVerdictBytes = 40'000;
constexpr size_t kMostReason = 400, kMostFact = 1000;

std::string VerdictRow(const RunHeader& header, const PageVerdict& verdict,
                       const Matrix& matrix) {
  const auto info = std::ranges::find(header.backends, verdict.backend,
                                      &RunHeader::BackendInfo::spec);
  const bool is_known = info != header.backends.end();
  const CellTally total = matrix.TotalOf(verdict.backend);
  const std::array<BarPart, 4> parts = {BarPart{"fail", total.failed},
                                        {"known", total.known},
                                        {"pass", total.passed},
                                        {"none", total.not_judged}};
  constexpr const char* kTags[] = {"pass\">✓", "fail\">✗", "none\">–"};
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td "
      "class=\"verdict\"><span class=\"tag {} {}</span></td><td "
      "class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td>{}</td></tr>\n",
      HtmlLine(verdict.backend),
      is_known ? HtmlLine(info->name + " " + info->version) : "",
      is_known ? HtmlLine(info->policy) : "",
      kTags[static_cast<size_t>(verdict.kind)], HtmlLine(verdict.text),
      total.passed, total.failed, total.known, total.not_judged,
      ShareText(total.judged(), total.cases()),
      StackedBar(parts,
                 fmt::format("{} failed, {} known failures, {} passed, {} not "
                             "judged",
                             total.failed, total.known, total.passed,
                             total.not_judged)));
}

std::string NotJudged(const RunCounts& counts) {
  if (counts.cases == 0) return "<p>There is no case.</p>\n";
  const int64_t not_judged = counts.cases - counts.judged;
  if (not_judged == 0) return "<p>Every case was judged.</p>\n";
  const auto reasons = FoldedReasons(counts.not_judged, kMaxReasons);
  std::string rows;
  int64_t rest = 0;
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (i < kMaxReasons) {
      rows += fmt::format(
          "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}"
          "</td></tr>\n",
          reasons[i].first, ShareText(reasons[i].first, counts.cases),
          HtmlCut(reasons[i].second, kMostReason));
    } else {
      rest += reasons[i].first;
    }
  }
  if (rest > 0)
    rows += fmt::format(
        "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{} "
        "other reasons</td></tr>\n",
        rest, ShareText(rest, counts.cases), reasons.size() - kMaxReasons);
  return ScrolledTable(
      "Cases that were not judged", "",
      fmt::format("<caption>Not judged: {} of {} cases</caption>\n<thead>\n<tr>"
                  "<th scope=\"col\">cases</th><th scope=\"col\">share</th><th "
                  "scope=\"col\">why</th></tr>\n</thead>\n<tbody>\n",
                  not_judged, counts.cases) +
          rows + "</tbody>\n");
}

// Returns a host of a header in words, or as it is if it is no object.
std::string HostText(const std::string& host) {
  const Json json = Json::parse(host, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return host;
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const char* before,
                       const char* behind) {
    const auto field = json.find(name);
    if (field == json.end()) return;
    parts.push_back(
        before +
        (field->is_string() ? field->get<std::string>() : field->dump()) +
        behind);
  };
  add("cpu", "", "");
  add("cores", "", " cores");
  add("system", "", "");
  add("compiler", "compiler ", "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Facts(const RunHeader& header, double seconds) {
  const auto row = [](const char* name, const std::string& value) {
    return value.empty() ? ""
                         : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name,
                                       HtmlCut(value, kMostFact));
  };
  std::string selection;
  std::vector<std::string> hosts;
  for (const std::string& host : header.hosts) hosts.push_back(HostText(host));
  if (!header.ops.empty())
    selection = fmt::format("{}", fmt::join(header.ops, ", "));
  return "<dl>\n" + row("Time", header.time) +
         row("Suite",
             fmt::format("{} cases of {}, sha256 {}", header.cases,
                         fmt::join(header.suite, ", "), header.suite_sha256)) +
         row("Selection", selection) +
         row("Shard", header.shard.count > 1
                          ? fmt::format("{} of {}", header.shard.index,
                                        header.shard.count)
                          : "") +
         row("Took", seconds > 0 ? fmt::format("{:.1f} s", seconds) : "") +
         row("Command", fmt::format("{}", fmt::join(header.command, " "))) +
         row("Host", fmt::format("{}", fmt::join(hosts, "; "))) + "</dl>\n";
}

}  // namespace

RunCounts RunCounts::Of(const Summary& summary) {
  return {summary.cases(), summary.judged(), summary.elements(), summary.open(),
          summary.not_judged()};
}

std::string OverviewSection(const RunHeader& header,
                            const std::vector<PageVerdict>& verdicts,
                            const RunCounts& counts, const Matrix& matrix,
                            double seconds) {
  BoundedHtml rows(kMostVerdictBytes);
  for (const PageVerdict& verdict : verdicts)
    rows.Add(VerdictRow(header, verdict, matrix));
  std::string text =
      "<section id=\"overview\">\n<h2>Overview</h2>\n" +
      ScrolledTable(
          "Verdicts", "class=\"verdicts\"",
          "<caption>Backends and what they did on the suite, in "
          "cases</caption>\n<thead>\n<tr><th scope=\"col\">backend</th><th "
          "scope=\"col\">version</th><th scope=\"col\">policy</th><th "
          "scope=\"col\">verdict</th><th scope=\"col\">passed</th><th "
          "scope=\"col\">failed</th><th scope=\"col\">known</th><th "
          "scope=\"col\">not judged</th><th scope=\"col\">judged</th><th "
          "scope=\"col\">shares</th></tr>\n</thead>\n<tbody>\n" +
              rows.text() + "</tbody>\n");
  if (rows.left_out() > 0)
    text += fmt::format(
        "<p class=\"left-out\">{} more backends are left out.</p>\n",
        rows.left_out());
  if (counts.elements > 0)
    text +=
        "<p>" + HtmlLine(UnseenText(counts.open, counts.elements)) + "</p>\n";
  return text + "<div class=\"two\">\n<div>\n<h3>Not judged</h3>\n" +
         NotJudged(counts) + "</div>\n<div>\n<h3>The run</h3>\n" +
         Facts(header, seconds) + "</div>\n</div>\n</section>\n";
}

}  // namespace assay
