// Results are JSON Lines: a header that says what ran where, a line for each
// verdict, a footer with the counts. README.md describes the lines.
//
// The file gets its name when it is complete; until then it is NAME.partial,
// the journal from which an interrupted run is continued. Chunks of sweeps are
// in NAME.chunks until then.
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
  // Without Finish, the journal stays and holds everything that was written.
  ~JsonLinesWriter();
  JsonLinesWriter(const JsonLinesWriter&) = delete;
  JsonLinesWriter& operator=(const JsonLinesWriter&) = delete;

  // Verdicts come in the order of the suite, for one backend after the other. A
  // verdict reaches the file at the latest with the first write 200 ms later,
  // or after 64 KiB. Throws InputError if it cannot be written.
  void Write(const Verdict& verdict);
  // Writes a chunk of a sweep, which reaches its file at once.
  void WriteChunk(int64_t number, const Verdict& verdict) {
    chunks_.Write(number, verdict);
  }
  // Writes everything to the file, as before a long wait.
  void Flush();
  // Writes the footer and gives the file its name. `failed` are backends that
  // did not start, or were given up.
  void Finish(const Summary& summary, double seconds,
              const std::vector<std::string>& failed);

 private:
  friend struct Journal;
  // Opens and locks the journal, whatever is in it.
  explicit JsonLinesWriter(const std::string& path);
  void Begin(const RunHeader& header);
  void Continue(const PartialResults& read);
  // Ends the line that begins there in the buffer.
  void EndLine(size_t begin);

  std::string path_;
  ChunkJournal chunks_;
  int file_ = -1;
  LineSum sum_;
  fmt::memory_buffer buffer_;
  std::chrono::steady_clock::time_point flushed_;
};

// This is a run that is continued.
struct Journal {
  Results done;  // the verdicts that exist
  // The keys are the backend and the index of the case.
  std::map<std::string, std::map<size_t, ChunkVerdicts>> chunks;
  // The writer appends after these verdicts; it is null if the run was complete
  // already.
  std::unique_ptr<JsonLinesWriter> writer;

  // Opens NAME.partial, and drops a truncated last line. If that does not
  // exist, begins a new journal, also if there is a complete NAME of the same
  // run, which is judged again. Throws InputError if the existing file,
  // NAME.partial or else NAME, belongs to another run or is not a results file.
  static Journal Resume(const std::string& path, const RunHeader& header);
};

}  // namespace assay

#endif  // ASSAY_REPORTS_JSON_LINES_H_
