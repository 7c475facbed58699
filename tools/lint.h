// The parts of `assay lint` share the files to check and the complaints.
// lint.cc finds, formats and sorts files by kind, lint_spec.cc,
// lint_semantics.cc and lint_cases.cc check their content.
#ifndef ASSAY_TOOLS_LINT_H_
#define ASSAY_TOOLS_LINT_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/read/json.h"
#include "cases/read/json_schema.h"
#include "spec/op_spec.h"

namespace assay {

enum class FileKind {
  kCases,
  kWalks,
  kOp,
  kElements,
  kEncodings,
  kPointwise,
  kPolicy,
  kTextForms,
  kSchema,
  kOther
};

struct LintFile {
  std::string name;
  std::string text;
  Json json;
  FileKind kind = FileKind::kOther;
  // In `json` of a file of cases, a number is its text. These are the
  // violations of the schema that were found with the numbers themselves.
  std::vector<JsonSchema::Violation> violations = {};
};

// Prints complaints as they come, a line each, and counts them.
class Complaints {
 public:
  // `pointer` is a JSON pointer, "" for the whole file. Control characters of
  // the input are escaped.
  void Add(const std::string& file, const std::string& pointer,
           const std::string& reason);
  // Adds an InputError of a reader about `file`, which may say "FILE#/pointer:
  // reason".
  void AddError(const std::string& file, const std::string& error);
  // Splits such an error into pointer and reason.
  static std::pair<std::string, std::string> Split(const std::string& file,
                                                   const std::string& error);
  int64_t count() const { return count_; }

 private:
  int64_t count_ = 0;
};

// Returns the violations of the embedded schema of case files.
std::vector<JsonSchema::Violation> CaseViolations(const Json& json);

// Checks `file` against the embedded schema of its kind; if it is a schema,
// checks that it is a valid one. Every violation is a complaint. Returns the
// JSON pointers of all of them.
std::vector<std::string> CheckSchema(const LintFile& file,
                                     Complaints* complaints);

// Checks that formulas parse and type-check, that the form in text is one, and
// that clauses and policies name existing keys and policies.
void LintOp(const LintFile& file, Complaints* complaints);
// Checks that no op has its form in two files.
void LintTextForms(const LintFile& file, Complaints* complaints);
void LintPolicy(const LintFile& file, Complaints* complaints);

// Checks that the formulas of types and constants parse.
void LintElements(const LintFile& file, Complaints* complaints);

// These are the results of --spec.
struct SentenceCounts {
  int64_t ops = 0, elements = 0, other_sources = 0;
  // Sentences of constraints.
  int64_t matching = 0, changed = 0, missing = 0, added = 0;
  // Sentences of the semantics: they are quoted by clauses, are listed as
  // unquoted, introduce a list, or are neither.
  int64_t quoted = 0, unquoted = 0, introductions = 0, unread = 0;
};
// Compares the hashes and the quotations of an op file with `text`, the
// specification in Markdown. Precondition: the file is a valid op file.
void LintSentences(const LintFile& file, const std::string& text,
                   SentenceCounts* counts, Complaints* complaints);
// Does so for the hashes of types or constants.
// Precondition: the file is a valid one of these.
void LintElementSentences(const LintFile& file, const std::string& text,
                          SentenceCounts* counts, Complaints* complaints);
// Complains about each sentence of the op's semantics that is not accounted
// for, and about keys of "unquoted" that account for none.
void LintSemantics(const OpSpec& spec, const std::string& file,
                   const std::string& text, SentenceCounts* counts,
                   Complaints* complaints);
// Complains about each section of an op in `text` for which there is no op
// file: neither in the command nor in `linted`, ids of ops.
void LintSections(const std::string& text_file, const std::string& text,
                  const std::set<std::string>& linted, Complaints* complaints);

void PrintSentenceCounts(const std::string& text_file,
                         const SentenceCounts& counts);

// Reads every chunk of a file of StableHLO text, and checks the constraints of
// its ops: one that expects an error must be refused. Returns how many there
// are, and prints an error for each that is wrong.
struct ProgramCounts {
  int64_t programs = 0, wrong = 0;
};
// `memory` limits the tensors of a chunk.
ProgramCounts LintPrograms(const std::string& path, int64_t memory);

class FileLinter;

// One object reads the cases of all files, because names are unique over all of
// them.
class CaseLinter {
 public:
  // `memory` limits the tensors of a case, and the values of a file.
  CaseLinter(int64_t memory, Complaints* complaints)
      : memory_(memory), complaints_(complaints) {}
  void Lint(const LintFile& file);
  // Checks the cases that are made of a file of walks.
  void LintWalks(const LintFile& file);
  // Counts the cases that were read.
  int64_t cases() const { return cases_; }
  // Counts the cases whose `covers` was compared with the oracle.
  int64_t evaluated() const { return evaluated_; }

 private:
  void LintCase(const Case& c, const std::string& pointer, FileLinter* linter);

  int64_t memory_;
  Complaints* complaints_;
  std::map<std::string, std::string> place_of_;  // by the name of the case
  int64_t cases_ = 0;
  int64_t evaluated_ = 0;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_LINT_H_
