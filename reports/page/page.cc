#include "reports/page/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/page/accuracy_section.h"
#include "reports/page/html.h"

namespace assay {

// The build embeds page.css and page.js.
extern const char kPageStyle[];
extern const char kPageScript[];

namespace {

constexpr size_t kMostGate = 20'000;

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
                const std::vector<std::pair<std::string, std::string>>& links) {
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
  for (const auto& [id, title] : links)
    text += fmt::format("<a href=\"#{}\">{}</a>", id, title);
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
  std::vector<std::pair<std::string, std::string>> links = {
      {"overview", "Overview"}, {"matrix", "Ops"}, {"causes", "Causes"}};
  const std::string known = known_.ToHtml();
  const std::string accuracy = AccuracySection(facts.summary.accuracies());
  if (!known.empty()) links.emplace_back("known", "Known");
  std::string more;
  for (const PageSection& section : facts.more) {
    links.emplace_back(section.id, section.title);
    more += section.html;
  }
  if (!accuracy.empty()) links.emplace_back("accuracy", "Accuracy");
  links.emplace_back("specification", "Specification");
  std::string title = "assay";
  for (size_t i = 0; i < facts.verdicts.size() && i < 3; ++i)
    title += (i == 0 ? ": " : ", ") + HtmlLine(facts.verdicts[i].backend);
  std::string gate;
  if (!facts.gate.empty())
    gate = "<section id=\"gate\">\n<h2>Baseline and requirements</h2>\n<pre>" +
           HtmlCut(facts.gate, kMostGate) + "</pre>\n</section>\n";
  return Head(title) + "<body>\n" + Bar(facts, links) + "<main>\n" +
         OverviewSection(facts.header, facts.verdicts, facts.summary, matrix_,
                         facts.seconds) +
         gate + matrix_.ToHtml(facts.header) +
         causes_.ToHtml(facts.header, facts.cases_as_json) + known + more +
         accuracy + clauses_.ToHtml(facts.coverage) + "</main>\n<footer><p>" +
         "Written by assay " + HtmlLine(facts.header.assay) +
         ". The results file has every verdict.</p></footer>\n" +
         std::string(kHelp) + "<script>" + kPageScript +
         "</script>\n</body>\n</html>\n";
}

}  // namespace assay
