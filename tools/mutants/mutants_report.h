// The results of the planted bugs are a table for the terminal and for
// Markdown, and JSON Lines for the coverage report.
#ifndef ASSAY_TOOLS_MUTANTS_MUTANTS_REPORT_H_
#define ASSAY_TOOLS_MUTANTS_MUTANTS_REPORT_H_

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "tools/mutants/control.h"
#include "tools/mutants/planted_bugs.h"
#include "tools/mutants/search_arm.h"
#include "tools/mutants/walk_table.h"

namespace assay {

// This is the result of the suite on one bug.
struct SuiteResult {
  int64_t cases = 0;   // those that did not pass
  bool is_all = true;  // false: judging stopped when that was enough
  std::string by;      // the first of those
  Outcome how = Outcome::kPass;
  std::set<std::string> clauses;             // that decided failed elements
  std::map<std::string, WalkCell> ops = {};  // of a bug of walks

  // A bug is killed if at least one case noticed it, a bug of walks if every
  // case of its kind did.
  bool IsKilled() const;
};

// This is the result of the suite on the kernel without a bug.
struct SoundResult {
  std::map<Outcome, int64_t> outcomes;
  std::vector<std::string> failures;  // cases

  int64_t judged() const;
};

struct ControlResult {
  int kills = 0;  // of the seeds
  Control::Result first;
};

struct Mutant {
  PlantedBug bug;
  std::optional<SuiteResult> suite;
  std::optional<ControlResult> control;
  std::map<std::string, SearchResult> searches;  // by arm: "fuzz", "engine2"
};

struct MutantsReport {
  struct ControlSize {
    std::string closeness;  // how it compares, as ClosenessNames() has it
    int seeds = 0;
    int64_t calls = 0;               // of one seed
    int64_t compared = 0, open = 0;  // elements of all seeds
  };

  std::vector<Mutant> mutants;
  size_t cases = 0;                    // of the suite
  std::optional<SoundResult> sound;    // with the suite arm
  std::optional<ControlSize> control;  // with the control arm
  // On the cases that are programs, which ran whole, if a bug is of programs.
  std::optional<SoundResult> sound_programs;
  std::vector<std::string> found_on_sound;  // of the fuzz arm
  WalkGaps walk_gaps;                       // with the suite arm

  // Returns whether the kernel without a bug passes, no arm kills a bug with an
  // argument, and the suite kills all others. Without the suite arm, engine 1
  // must find nothing on that kernel, and find every bug without an argument.
  bool IsComplete() const;
  std::string ToText() const;
  std::string ToMarkdown() const;
  // Returns a header, a line for each bug and arm, and a footer.
  std::string ToJsonLines(const std::vector<std::string>& command,
                          const std::vector<std::string>& suite) const;

 private:
  std::vector<std::vector<std::string>> Table() const;
  std::string SuiteSummary() const;
  std::string Walks() const;
  std::vector<std::string> SearchArms() const;
  std::string SearchSummary(const std::string& arm) const;
  std::string ControlSummary() const;
  bool IsKilledByControl(const Mutant& mutant) const;
};

// This is the Wilson score interval, at 95 %, for a proportion of `hits` in
// `of`.
struct Interval {
  double low, high;
};
Interval WilsonInterval(int64_t hits, int64_t of);

// An output file appears whole or not at all, and is known to be writable
// before the work begins.
class OutputFile {
 public:
  // Throws InputError if the file cannot be written. An empty path stands for
  // no file.
  explicit OutputFile(std::string path);
  // Nothing is left behind unless Write was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Throws InputError.
  void Write(const std::string& content);

 private:
  std::string path_, partial_;
  std::ofstream stream_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_MUTANTS_REPORT_H_
