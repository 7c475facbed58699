// The journal of sweeps is NAME.chunks, with a line for every chunk that is
// judged, so that a run of hours that is killed goes on with the next chunk.
//
// The lines are those of results with kind "chunk" and the chunk's number. They
// belong to the run of NAME.partial; without that file they mean nothing, and
// when NAME is complete the journal is removed.
#ifndef ASSAY_REPORTS_CHUNK_JOURNAL_H_
#define ASSAY_REPORTS_CHUNK_JOURNAL_H_

#include <cstdint>
#include <map>
#include <string>

#include "cases/read/line_reader.h"
#include "cases/run/sweep.h"

namespace assay {

// Throws InputError with the reason that errno gives.
[[noreturn]] void CannotWrite(const std::string& path);

class ChunkJournal {
 public:
  // The journal belongs to the results file `path`. The constructor opens
  // nothing, because few runs have sweeps.
  explicit ChunkJournal(const std::string& path) : path_(path + ".chunks") {}
  ~ChunkJournal();
  ChunkJournal(const ChunkJournal&) = delete;
  ChunkJournal& operator=(const ChunkJournal&) = delete;

  // Returns the journal's contents by backend and by index of the case; a
  // truncated last line is dropped. Throws InputError if a line is wrong.
  std::map<std::string, std::map<size_t, ChunkVerdicts>> Read();
  // Appends a line. Throws InputError if it cannot be written.
  void Write(int64_t number, const Verdict& verdict);
  // Removes the file, if there is one.
  void Discard();

 private:
  std::string path_;
  LineSum sum_;  // of the lines that are there
  int file_ = -1;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_CHUNK_JOURNAL_H_
