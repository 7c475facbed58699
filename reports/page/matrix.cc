#include "reports/page/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "reports/page/html.h"

namespace assay {
namespace {

constexpr size_t kMostMatrixBytes = 400'000;
// A table with more columns than these cannot be read.
constexpr size_t kMostBackends = 40;
constexpr size_t kMostNoteBytes = 30'000;
constexpr size_t kMostPolicyBytes = 3000;

// Returns what the cell does not say itself.
std::string CellTitle(const CellTally& cell) {
  if (cell.judged() == 0 || (cell.passed == cell.cases() && cell.open == 0))
    return "";
  std::string text = fmt::format("{} passed", cell.passed);
  if (cell.failed > 0) text += fmt::format(", {} failed", cell.failed);
  if (cell.known > 0) text += fmt::format(", {} known failures", cell.known);
  if (cell.not_judged > 0)
    text += fmt::format(", {} not judged", cell.not_judged);
  if (cell.open > 0)
    text += fmt::format("; {} elements accepted unseen", cell.open);
  return text;
}

// How much of what was judged fails: a deeper color for half, and for nearly
// all.
int Depth(const CellTally& cell) {
  const int64_t wrong = cell.failed + cell.known;
  return 10 * wrong >= 9 * cell.judged() ? 3
         : 2 * wrong >= cell.judged()    ? 2
                                         : 1;
}

std::string CellHtml(const std::string& op, const std::string& backend,
                     const CellTally& cell) {
  const CellTally::State state = cell.state();
  std::string ratio = state == CellTally::State::kNotJudged
                          ? fmt::format("0/{}", cell.cases())
                          : fmt::format("{}/{}", cell.passed, cell.judged());
  std::string content = fmt::format(
      "<span class=\"sym\">{}</span> {}{}", SymbolOf(state), ratio,
      cell.open > 0 ? "<sup><a href=\"#note-unseen\">u</a></sup>" : "");
  const bool wrong = cell.failed > 0;
  if (wrong)
    content = fmt::format(
        "<a class=\"to-causes\" href=\"#causes\" data-op=\"{}\" "
        "data-backend=\"{}\"><span class=\"sym\">{}</span> {}</a>{}",
        HtmlName(op), HtmlName(backend), SymbolOf(state), ratio,
        cell.open > 0 ? "<sup><a href=\"#note-unseen\">u</a></sup>" : "");
  const bool has_depth =
      state == CellTally::State::kFails || state == CellTally::State::kKnown;
  const std::string title = CellTitle(cell);
  return fmt::format("<td class=\"cell {}{}\" data-sort=\"{:.6g}\"{}>{}</td>",
                     ClassOf(state),
                     has_depth ? fmt::format(" deep{}", Depth(cell)) : "",
                     state == CellTally::State::kNotJudged
                         ? 2.0
                         : static_cast<double>(cell.passed) /
                               static_cast<double>(cell.judged()),
                     title.empty() ? "" : " title=\"" + title + "\"", content);
}

// Returns the footnotes: each policy, with its values.
std::string Footnotes(const std::vector<RunHeader::BackendInfo>& backends,
                      std::map<std::string, size_t>* numbers) {
  BoundedHtml text(kMostNoteBytes);
  for (const RunHeader::BackendInfo& backend : backends) {
    const auto [it, is_new] =
        numbers->emplace(backend.policy, numbers->size() + 1);
    if (!is_new) continue;
    std::string values;
    for (const auto& [key, value] : backend.policy_values)
      values +=
          fmt::format("{}{} = {}", values.empty() ? "" : ", ", key, value);
    text.Add(fmt::format(
        "<li id=\"policy-{}\"><b>{}</b>{} decides what is accepted where the "
        "texts are open.{}</li>\n",
        it->second, HtmlName(backend.policy),
        backend.policy_file.empty()
            ? ""
            : " (" + HtmlName(backend.policy_file) + ")",
        values.empty()
            ? ""
            : "<details><summary>its values</summary><p>" +
                  HtmlCut(values, kMostPolicyBytes) + "</p></details>"));
  }
  return text.text();
}

}  // namespace

CellTally::State CellTally::state() const {
  if (failed > 0) return State::kFails;
  if (known > 0) return State::kKnown;
  return passed > 0 ? State::kPasses : State::kNotJudged;
}

void CellTally::Add(const Verdict& verdict, const Expectedness& expectedness) {
  open += verdict.open;
  ++(!IsJudged(verdict.outcome)                           ? not_judged
     : verdict.outcome == Outcome::kPass                  ? passed
     : expectedness.kind == Expectedness::Kind::kExpected ? known
                                                          : failed);
}

void CellTally::Add(const CellTally& other) {
  passed += other.passed;
  failed += other.failed;
  known += other.known;
  not_judged += other.not_judged;
  open += other.open;
}

const char* ClassOf(CellTally::State state) {
  constexpr const char* kClasses[] = {"pass", "fail", "known", "none"};
  return kClasses[static_cast<size_t>(state)];
}

const char* SymbolOf(CellTally::State state) {
  constexpr const char* kSymbols[] = {"✓", "✗", "◐", "–"};
  return kSymbols[static_cast<size_t>(state)];
}

void Matrix::Add(const Verdict& verdict, const Expectedness& expectedness) {
  rows_[verdict.op][verdict.backend].Add(verdict, expectedness);
}

CellTally Matrix::TotalOf(const std::string& backend) const {
  CellTally total;
  for (const auto& [op, row] : rows_) {
    if (const auto it = row.find(backend); it != row.end())
      total.Add(it->second);
  }
  return total;
}

std::string Matrix::RowHtml(const std::string& op, const Row& row,
                            const std::vector<std::string>& backends) const {
  std::string cells;
  std::set<CellTally::State> states;
  for (const std::string& backend : backends) {
    const auto it = row.find(backend);
    const CellTally cell = it == row.end() ? CellTally() : it->second;
    states.insert(cell.state());
    cells += CellHtml(op, backend, cell);
  }
  // A backend that was not asked differs from nobody. Of one backend, what
  // differs is what does not pass.
  const size_t judged =
      states.size() - states.count(CellTally::State::kNotJudged);
  const bool differs = backends.size() > 1
                           ? judged > 1
                           : !states.contains(CellTally::State::kPasses);
  const CellTally::State worst =
      states.contains(CellTally::State::kFails)   ? CellTally::State::kFails
      : states.contains(CellTally::State::kKnown) ? CellTally::State::kKnown
      : states.contains(CellTally::State::kPasses)
          ? CellTally::State::kPasses
          : CellTally::State::kNotJudged;
  const std::string specification = SpecificationId(op);
  const std::string name =
      specification.empty()
          ? HtmlName(op)
          : fmt::format("<a href=\"#{}\">{}</a>", specification, HtmlName(op));
  return fmt::format(
      "<tr class=\"row\" tabindex=\"-1\" data-find=\"{0} {1}\" "
      "data-state=\"{1}\"{2}><th scope=\"row\">{3}</th>{4}</tr>\n",
      HtmlName(op), ClassOf(worst), differs ? " data-differs" : "", name,
      cells);
}

std::string Matrix::ToHtml(const RunHeader& header) const {
  const size_t shown = std::min(header.backends.size(), kMostBackends);
  const std::vector<RunHeader::BackendInfo> infos(
      header.backends.begin(),
      header.backends.begin() + static_cast<std::ptrdiff_t>(shown));
  std::vector<std::string> backends;
  for (const RunHeader::BackendInfo& info : infos)
    backends.push_back(info.spec);
  std::map<std::string, size_t> notes;
  const std::string footnotes = Footnotes(infos, &notes);
  std::string head =
      "<tr><th scope=\"col\"><button type=\"button\" class=\"sort\" "
      "data-column=\"0\">op</button></th>";
  for (size_t i = 0; i < infos.size(); ++i)
    head += fmt::format(
        "<th scope=\"col\"><button type=\"button\" class=\"sort\" "
        "data-column=\"{0}\">{1}</button><sup><a href=\"#policy-{2}\" "
        "title=\"policy {3}\">{2}</a></sup></th>",
        i + 1, HtmlName(infos[i].spec), notes.at(infos[i].policy),
        HtmlName(infos[i].policy));

  std::map<OpGroup, std::vector<std::string>> groups;
  for (const auto& [op, row] : rows_) groups[GroupOf(op)].push_back(op);
  BoundedHtml rows(kMostMatrixBytes);
  for (const auto& [group, ops] : groups) {
    Row total;
    for (const std::string& op : ops) {
      for (const auto& [backend, cell] : rows_.at(op)) total[backend].Add(cell);
    }
    std::string group_cells;
    for (const std::string& backend : backends) {
      const CellTally& cell = total[backend];
      group_cells += fmt::format("<td title=\"{}\">{}</td>", CellTitle(cell),
                                 cell.judged() == 0
                                     ? "not judged"
                                     : ShareText(cell.passed, cell.judged()));
    }
    rows.Add(fmt::format(
        "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\">{} <span "
        "class=\"muted\">{}</span></th>{}</tr>\n",
        HtmlLine(group.name), ops.size(), group_cells));
    for (const std::string& op : ops)
      rows.Add(RowHtml(op, rows_.at(op), backends));
    rows.Add("</tbody>\n");
  }
  std::string text = fmt::format(
      "<section id=\"matrix\">\n<h2>Ops by backend</h2>\n"
      "<p class=\"controls\"><label><input type=\"checkbox\" id=\"differ\"> "
      "{}</label> <label>Show <select id=\"state\"><option value=\"\">every "
      "op</option><option value=\"fail\">✗ with failures</option><option "
      "value=\"known\">◐ with known failures</option><option "
      "value=\"pass\">✓ that pass</option><option value=\"none\">– not "
      "judged</option></select></label> <span class=\"muted\" id=\"shown\" "
      "role=\"status\"></span></p>\n",
      infos.size() > 1 ? "only differences" : "only what does not pass");
  text += ScrolledTable(
      "Ops by backend", "class=\"matrix\" id=\"matrix-table\"",
      "<caption>Cases that pass, of those judged: ✓ all pass, ✗ some fail, ◐ "
      "the failures are known, – none was judged. A cell with ✗ leads to its "
      "causes.</caption>\n<thead>\n" +
          head + "</tr>\n</thead>\n" + rows.text());
  if (rows.left_out() > 0)
    text += fmt::format(
        "<p class=\"left-out\">{} more rows are left out; the "
        "results file has all of them.</p>\n",
        rows.left_out());
  if (shown < header.backends.size())
    text += fmt::format(
        "<p class=\"left-out\">{} more backends are left out.</p>\n",
        header.backends.size() - shown);
  return text + "<ol class=\"notes\">\n" + footnotes +
         "</ol>\n<p class=\"notes\" id=\"note-unseen\"><sup>u</sup> Some "
         "elements were accepted unseen: an open clause decides them, and the "
         "policy accepts any value.</p>\n</section>\n";
}

}  // namespace assay
