// Results as JSON Lines: a header that says what ran where, a line for each
// verdict, a footer with the counts. README.md describes the lines.
//
// The file appears under its name when it is complete; until then it is
// NAME.partial, the journal from which an interrupted run is continued. Chunks
// of sweeps stand in NAME.chunks until then.
#ifndef ASSAY_REPORTS_JSON_LINES_H_
#define ASSAY_REPORTS_JSON_LINES_H_

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/read/line_reader.h"
#include "cases/run/sweep.h"
#include "cases/run/verdict.h"
#include "reports/chunk_journal.h"
#include "reports/results.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

// A line of a verdict, from behind its "kind" on, but for what ends it
// (LineSum).
void AppendVerdict(const Verdict& verdict, fmt::memory_buffer* out);

class JsonLinesWriter {
 public:
  // Begins a new journal. Throws InputError if the file cannot be written, or
  // another run is writing it.
  JsonLinesWriter(const std::string& path, const RunHeader& header);
  // Without Finish, the journal stays and holds all that was written.
  ~JsonLinesWriter();
  JsonLinesWriter(const JsonLinesWriter&) = delete;
  JsonLinesWriter& operator=(const JsonLinesWriter&) = delete;

  // In the order of the suite, for one backend after the other. Reaches the
  // file at the latest with the first write 200 ms later, or after 64 KiB;
  // throws InputError if it cannot.
  void Write(const Verdict& verdict);
  // A chunk of a sweep. Reaches its file at once.
  void WriteChunk(int64_t number, const Verdict& verdict) {
    chunks_.Write(number, verdict);
  }
  // Everything that was written reaches the file: before a long wait.
  void Flush();
  // Writes the footer and gives the file its name. `failed`: backends that did
  // not start, or were given up.
  void Finish(const Summary& summary, double seconds,
              const std::vector<std::string>& failed);

 private:
  friend struct Journal;
  // Opens and locks the journal, whatever is in it.
  explicit JsonLinesWriter(const std::string& path);
  void Begin(const RunHeader& header);
  void Continue(const PartialResults& read);
  // Of the line that begins there in the buffer.
  void EndLine(size_t begin);

  std::string path_;
  ChunkJournal chunks_;
  int file_ = -1;
  LineSum sum_;
  fmt::memory_buffer buffer_;
  std::chrono::steady_clock::time_point flushed_;
};

// A run that is continued.
struct Journal {
  Results done;  // the verdicts that are there
  std::map<std::string, std::map<size_t, ChunkVerdicts>>
      chunks;  // by backend, by index of the case
  // Appends after them; null if the run was complete already.
  std::unique_ptr<JsonLinesWriter> writer;

  // Opens NAME.partial, and drops a truncated last line. Without it, begins a
  // new journal, also where a complete NAME of the same run is, which is judged
  // again. Throws InputError if what is there, NAME.partial or else NAME,
  // belongs to another run or is no results file.
  static Journal Resume(const std::string& path, const RunHeader& header);
};

}  // namespace assay

#endif  // ASSAY_REPORTS_JSON_LINES_H_
