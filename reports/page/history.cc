#include "reports/page/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "reports/evidence.h"
#include "reports/page/change_points.h"
#include "reports/page/chart.h"
#include "reports/page/html.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr size_t kMostHistoryBytes = 90'000;
constexpr size_t kMostPoints = 3;  // that are named in a row

constexpr const char* kErrorMeasure = "worst error / budget";
constexpr const char* kFailedMeasure = "failed cases";
constexpr const char* kTimeMeasure = "seconds";

std::string BackendsOf(const RunHeader& header) {
  std::string text;
  for (const RunHeader::BackendInfo& backend : header.backends)
    text += (text.empty() ? "" : ", ") + backend.spec;
  return text;
}

std::vector<std::string> FilesOf(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  if (error) throw InputError(folder, "cannot be read: " + error.message());
  for (const auto& entry : entries) {
    if (entry.path().extension() == ".jsonl")
      files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

History::History(const std::string& folder, int64_t most_bytes) {
  std::vector<std::pair<std::string, std::string>> by_time;
  for (const std::string& file : FilesOf(folder)) {
    if (IsEvidence(file)) {
      ++left_out_;
    } else {
      by_time.emplace_back(ReadResultsHeader(file).time, file);
    }
  }
  std::ranges::sort(by_time);
  const size_t older = by_time.size() - std::min(by_time.size(), kMostRuns);
  left_out_ += static_cast<int64_t>(older);
  for (size_t i = older; i < by_time.size(); ++i)
    Add(ReadResults(by_time[i].second, most_bytes));
}

void History::Raise(Series* series, size_t run, double value) {
  double& kept = series->emplace(run, value).first->second;
  kept = std::max(kept, value);
}

void History::Add(const Results& results) {
  const std::string backends = BackendsOf(results.header);
  const bool is_there = std::ranges::any_of(runs_, [&](const Run& run) {
    return run.time == results.header.time &&
           run.suite == results.header.suite_sha256 && run.backends == backends;
  });
  if (is_there) return;
  const size_t run = runs_.size();
  runs_.push_back({results.header.time, results.header.suite_sha256, backends});
  if (results.seconds > 0)
    Raise(&series_[{backends, "suite", kTimeMeasure}], run, results.seconds);
  for (const RunHeader::BackendInfo& backend : results.header.backends)
    Raise(&series_[{backend.spec, "suite", kFailedMeasure}], run, 0);
  results.ForEach([&](const Verdict& verdict) {
    if (IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass)
      ++series_[{verdict.backend, "suite", kFailedMeasure}][run];
    if (!verdict.accuracy || verdict.accuracy->errors.budget <= 0) return;
    Raise(&series_[{verdict.backend, verdict.op, kErrorMeasure}], run,
          verdict.accuracy->errors.worst / verdict.accuracy->errors.budget);
  });
}

std::string History::RowHtml(const std::string& backend,
                             const std::string& subject,
                             const std::string& measure,
                             const Series& series) const {
  std::vector<double> values;
  std::vector<size_t> runs;
  for (const auto& [run, value] : series) {
    runs.push_back(run);
    values.push_back(value);
  }
  const std::vector<size_t> points = ChangePoints(values);
  std::string changes;
  for (size_t i = 0; i < points.size() && i < kMostPoints; ++i) {
    // The last ones are the news.
    const size_t at = points[points.size() - 1 - i];
    const bool rises = values[at] > values[at - 1];
    changes +=
        fmt::format("<span class=\"tag {}\">{} {:.4g} → {:.4g}</span> {} ",
                    rises ? "fail" : "pass", rises ? "↑" : "↓", values[at - 1],
                    values[at], HtmlLine(runs_[runs[at]].time));
  }
  if (points.size() > kMostPoints)
    changes += fmt::format("and {} earlier", points.size() - kMostPoints);
  return fmt::format(
      "<tr class=\"row\" tabindex=\"-1\" data-find=\"{0} {1} {2}\"><td>{0}</td>"
      "<th scope=\"row\">{1}</th><td>{2}</td><td>{3}</td><td "
      "class=\"number\">{4:.4g}</td><td class=\"number\">{5:.4g}</td><td "
      "data-sort=\"{6}\">{7}</td></tr>\n",
      HtmlLine(backend), HtmlLine(subject), measure,
      Sparkline(values, points,
                fmt::format("{} runs from {:.4g} to {:.4g}", values.size(),
                            values.front(), values.back())),
      values.front(), values.back(), points.size(), changes);
}

PageSection History::Section() const {
  BoundedHtml rows(kMostHistoryBytes);
  // What changed comes first, then the suite, then ops by name.
  for (const bool changed : {true, false}) {
    for (const auto& [key, series] : series_) {
      std::vector<double> values;
      for (const auto& [run, value] : series) values.push_back(value);
      if (ChangePoints(values).empty() == changed) continue;
      const auto& [backend, subject, measure] = key;
      rows.Add(RowHtml(backend, subject, measure, series));
    }
  }
  std::set<std::string> suites;
  for (const Run& run : runs_) suites.insert(run.suite);
  std::string head = "<thead>\n<tr>";
  constexpr const char* kColumns[] = {"backend", "of",   "measure", "",
                                      "first",   "last", "changes"};
  for (size_t i = 0; i < std::size(kColumns); ++i)
    head += *kColumns[i] == '\0'
                ? "<th scope=\"col\">runs</th>"
                : fmt::format(
                      "<th scope=\"col\"><button type=\"button\" "
                      "class=\"sort\" data-column=\"{}\">{}</button>"
                      "</th>",
                      i, kColumns[i]);
  std::string text =
      fmt::format(
          "<section id=\"history\">\n<h2>History</h2>\n<p>{} runs{}. A dashed "
          "line is a change that lasts: it is more than the noise of the "
          "series explains.</p>\n",
          runs_.size(),
          suites.size() > 1
              ? fmt::format(" of {} suites, so that a change may be one of the "
                            "cases",
                            suites.size())
              : "") +
      ScrolledTable("History", "id=\"history-table\"",
                    "<caption>Measures of the runs, oldest first</caption>\n" +
                        head + "</tr>\n</thead>\n<tbody>\n" + rows.text() +
                        "</tbody>\n");
  if (rows.left_out() > 0)
    text +=
        fmt::format("<p class=\"left-out\">{} more rows are left out.</p>\n",
                    rows.left_out());
  if (left_out_ > 0)
    text += fmt::format(
        "<p class=\"left-out\">{} files are left out: they are older than the "
        "newest {}, or evidence on clauses.</p>\n",
        left_out_, kMostRuns);
  return {"history", "History", text + "</section>\n"};
}

}  // namespace assay
