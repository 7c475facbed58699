// Results are the contents of a results file in memory. README.md describes the
// file.
//
// A million verdicts must fit beside everything else, and most of them say the
// same: texts and lists are kept once, and a verdict is put together when it is
// asked for (about 100 bytes a verdict besides the names of the cases).
#ifndef ASSAY_REPORTS_RESULTS_H_
#define ASSAY_REPORTS_RESULTS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/read/line_reader.h"
#include "cases/run/verdict.h"
#include "reports/run_header.h"

namespace assay {

// A TextPool has each text once, by number. Number 0 is the empty text.
class TextPool {
 public:
  TextPool() { Number(""); }
  // Texts are referred to by address; moving keeps the addresses.
  TextPool(TextPool&&) = default;
  TextPool& operator=(TextPool&&) = default;

  uint32_t Number(std::string_view text);
  const std::string& operator[](uint32_t number) const {
    return texts_[number];
  }
  size_t size() const { return texts_.size(); }
  int64_t bytes() const { return bytes_; }  // about

 private:
  int64_t bytes_ = 0;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

// A ListPool has each list of texts once, by number.
class ListPool {
 public:
  ListPool() { Number({}); }
  uint32_t Number(const std::vector<std::string>& list);
  const std::vector<std::string>& operator[](uint32_t number) const {
    return lists_[number];
  }
  // This is an estimate: each list is also stored as a text.
  int64_t bytes() const { return 3 * joined_.bytes(); }

 private:
  TextPool joined_;
  std::deque<std::vector<std::string>> lists_;
};

class Results {
 public:
  std::string file;  // where they come from, for messages
  RunHeader header;
  double seconds = 0;  // that the run took; of a merge, the sum
  // These backends did not start, or were given up, which is exit 3.
  std::set<std::string> failed;

  void Append(const Verdict& verdict);
  size_t size() const { return records_.size(); }
  int64_t bytes() const;  // that are kept, about
  // Fills `*verdict`, whose storage is used again.
  void Get(size_t i, Verdict* verdict) const;
  // The verdict only exists during the call.
  void ForEach(const std::function<void(const Verdict&)>& each) const;
  // These do not put the verdict together.
  const std::string& BackendOf(size_t i) const;
  const std::string& CaseOf(size_t i) const;
  int64_t IndexOf(size_t i) const { return records_[i].index; }

 private:
  struct Record {
    int64_t index, elements, open, unchecked_literals;
    int64_t layout_dependent, distinct_tuples, aliased, not_repeated, reordered,
        packed;
    double error;  // NaN if there is none
    uint32_t case_name, op, type, result_type, backend, basis;  // texts_
    uint32_t message, replay, variant;                          // texts_
    uint32_t clauses, violated, covered, layouts, flush, also;  // lists_
    Outcome outcome;
  };
  std::vector<Record> records_;
  TextPool texts_;
  ListPool lists_;
  std::map<size_t, std::map<Outcome, int64_t>> repeats_;  // by position
  std::map<size_t, Accuracy> accuracies_;                 // by position
  std::map<size_t, Verdict::Chunks> chunks_;              // by position
};

// Reads a complete file. Throws InputError with file and line if it is not a
// results file, is truncated, contradicts itself, has a line whose sum is
// wrong, or if what is kept of it takes more than `most_bytes`.
Results ReadResults(const std::string& path, int64_t most_bytes = INT64_MAX);

// Returns the header of a file, whatever follows it. Throws InputError.
RunHeader ReadResultsHeader(const std::string& path);

// These are the results of a run that was interrupted.
struct PartialResults {
  Results results;
  int64_t bytes = 0;         // of the lines that are whole
  LineSum sum;               // of those
  bool has_header = false;   // if not, there is nothing
  bool is_complete = false;  // the footer is there
};
// Reads NAME.partial; a truncated last line is left out. Throws InputError.
PartialResults ReadPartialResults(const std::string& path);

// Merges files: the shards of a run, then runs of other backends on the same
// suite. The result is that of one run: backends in the order in which they
// first appear, each in the order of the suite. Throws InputError that names
// two files and the field in which they differ, or the shards that are missing.
Results Merge(std::vector<Results> parts);

}  // namespace assay

#endif  // ASSAY_REPORTS_RESULTS_H_
