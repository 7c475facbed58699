// Each flag of the gate and of the rendered files has one declaration, for
// parsing and help.
#include "tools/command.h"
#include "tools/outcome_report.h"

namespace assay {

void OutcomeFlags::AddTo(CLI::App& command) {
  CLI::Option* option =
      AddText(command, "--baseline", &baseline, "FILE",
              "What is known to fail, with reasons; exit 1 if anything "
              "is worse or better, 5 if an entry is stale");
  command
      .add_flag("--update-baseline", update_baseline,
                "Record this run in the file of --baseline; entries that stay "
                "keep reason, issue, owner and day")
      ->needs(option);
  command
      .add_option("--reason", reason,
                  "The reason in the new entries of --update-baseline")
      ->type_name("TEXT");
  command
      .add_option("--require", require,
                  "Every case that matches must be judged, and one must match")
      ->type_name("PATTERN");
  command
      .add_option("--require-judged", require_judged,
                  "So many per cent of the elements must be judged, not left "
                  "open")
      ->type_name("PERCENT");
  AddText(command, "--junit", &junit, "FILE", "JUnit XML");
  command.add_flag("--junit-skipped", junit_skipped,
                   "Cases that were not judged are in --junit, too");
  AddText(command, "--markdown", &markdown, "FILE",
          "Markdown, such as for $GITHUB_STEP_SUMMARY");
  AddText(command, "--html", &html, "FILE",
          "A page of all of it for a browser, in one file");
  AddText(command, "--digest", &digest, "FILE",
          "The same, small, for a page of several runs");
  CLI::Option* quietly =
      command.add_flag("-q,--quiet", quiet, "Only the verdict");
  command
      .add_flag("-v,--verbose", verbose,
                "An example of every cause, and the tables: ops, layouts, "
                "errors")
      ->excludes(quietly);
  command.add_option("--color", color, "Default: on a terminal")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("auto|always|never");
}

}  // namespace assay
