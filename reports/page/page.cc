#include "reports/page/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/page/html.h"

namespace assay {

// The build embeds page.css and page.js.
extern const char kPageStyle[];
extern const char kPageScript[];

namespace {

constexpr size_t kMostGate = 20'000;
// The sections have bounds of their own, which leave room for what escapes add.
// The help and the script take the rest of the page.
constexpr size_t kScriptBytes = 40'000;
constexpr size_t kMostClauseBytes = 700'000;
// What the head of the page and that of its last section take.
constexpr size_t kMostLegend = 30'000;

std::string Head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src {}; script-src {}; base-uri 'none'; form-action "
      "'none'\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
      ContentHash(kPageStyle), ContentHash(kPageScript), title, kPageStyle);
}

std::string Bar(const PageFacts& facts,
                const std::vector<PageSection>& sections) {
  const bool is_bad =
      facts.exit_code != kExitOk && facts.exit_code != kExitNothingJudged;
  const char* symbol = is_bad ? "✗ " : facts.exit_code == kExitOk ? "✓ " : "– ";
  std::string text = fmt::format(
      "<header class=\"top\">\n<h1>assay <span class=\"tag {}\">{}</span></h1>"
      "\n<nav aria-label=\"Sections\">",
      is_bad                       ? "fail"
      : facts.exit_code == kExitOk ? "pass"
                                   : "none",
      symbol + HtmlLine(facts.headline));
  for (const PageSection& section : sections)
    text += fmt::format("<a href=\"#{}\">{}</a>", section.id, section.title);
  return text +
         "</nav>\n<div class=\"find\"><label for=\"find\">Search</label> "
         "<input "
         "type=\"search\" id=\"find\" autocomplete=\"off\" "
         "spellcheck=\"false\" "
         "placeholder=\"op, clause, case (press /)\"> <button type=\"button\" "
         "id=\"help-button\" aria-label=\"Keys\">?</button></div>\n</header>\n";
}

constexpr std::string_view kHelp =
    "<dialog id=\"help\" aria-labelledby=\"help-title\">\n<h2 "
    "id=\"help-title\">Keys</h2>\n<dl class=\"keys\"><dt><kbd>j</kbd> "
    "<kbd>k</kbd></dt><dd>next and previous row</dd><dt><kbd>Enter</kbd></dt>"
    "<dd>open or close the row</dd><dt><kbd>/</kbd></dt><dd>search</dd><dt>"
    "<kbd>d</kbd></dt><dd>only differences</dd><dt><kbd>?</kbd></dt><dd>this "
    "help</dd><dt><kbd>Esc</kbd></dt><dd>close it, or clear the search</dd>"
    "</dl>\n<p>The address holds search, filter, order and what is open: a "
    "link "
    "shows the same.</p>\n<form method=\"dialog\"><button>Close</button></form>"
    "\n</dialog>\n";

}  // namespace

void Page::Add(const Verdict& verdict, const Expectedness& expectedness) {
  matrix_.Add(verdict, expectedness);
  known_.Add(expectedness, verdict.outcome == Outcome::kPass);
  clauses_.Add(verdict);
  if (expectedness.kind == Expectedness::Kind::kUnexpected)
    causes_.Add(verdict);
}

std::string Page::ToHtml(const PageFacts& facts) const {
  const size_t most_bytes = facts.most_bytes - kScriptBytes;
  std::vector<PageSection> sections = {
      {"overview", "Overview",
       OverviewSection(facts.header, facts.verdicts, facts.counts, matrix_,
                       facts.seconds)}};
  if (!facts.gate.empty())
    sections.push_back(
        {"gate", "Gate",
         "<section id=\"gate\">\n<h2>Baseline and requirements</h2>\n<pre>" +
             HtmlCut(facts.gate, kMostGate) + "</pre>\n</section>\n"});
  sections.push_back({"matrix", "Ops", matrix_.ToHtml(facts.header)});
  sections.push_back({"causes", "Causes",
                      causes_.ToHtml(facts.header, facts.cases_as_json,
                                     facts.most_cause_bytes)});
  sections.push_back({"known", "Known", known_.ToHtml()});
  sections.insert(sections.end(), facts.more.begin(), facts.more.end());
  if (facts.accuracies != nullptr)
    sections.push_back(
        {"accuracy", "Accuracy", AccuracySection(*facts.accuracies)});
  // The last section has the room that the others leave.
  size_t taken = kMostLegend;
  for (const PageSection& section : sections) taken += section.html.size();
  sections.push_back(
      {"specification", "Specification",
       clauses_.ToHtml(facts.coverage,
                       std::min(kMostClauseBytes,
                                most_bytes - std::min(most_bytes, taken)))});
  std::erase_if(sections, [](const PageSection& section) {
    return section.html.empty();
  });
  std::string title = "assay";
  for (size_t i = 0; i < facts.verdicts.size() && i < 3; ++i)
    title += (i == 0 ? ": " : ", ") + HtmlName(facts.verdicts[i].backend);
  std::string text =
      Head(title) + "<body>\n" + Bar(facts, sections) + "<main>\n";
  for (const PageSection& section : sections) {
    if (text.size() + section.html.size() <= most_bytes) {
      text += section.html;
    } else {
      text += fmt::format(
          "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"left-out\">Left out: "
          "the page would be too large.</p>\n</section>\n",
          section.id, section.title);
    }
  }
  return text + "</main>\n<footer><p>Written by assay " +
         HtmlName(facts.header.assay) +
         ". The results file has every verdict.</p></footer>\n" +
         std::string(kHelp) + "<script>" + kPageScript +
         "</script>\n</body>\n</html>\n";
}

}  // namespace assay
