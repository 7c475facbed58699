// The journal of sweeps: NAME.chunks, a line for every chunk that is judged, so
// that a run of hours that is killed goes on with the next chunk.
//
// The lines are those of results with kind "chunk" and the chunk's number. They
// belong to the run of NAME.partial; without that they mean nothing, and with
// the whole NAME the file disappears.
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
  // Of the results file `path`. Opens nothing: few runs have sweeps.
  explicit ChunkJournal(const std::string& path) : path_(path + ".chunks") {}
  ~ChunkJournal();
  ChunkJournal(const ChunkJournal&) = delete;
  ChunkJournal& operator=(const ChunkJournal&) = delete;

  // By backend, by index of the case, what is there; a truncated last line is
  // dropped. Throws InputError if a line is wrong.
  std::map<std::string, std::map<size_t, ChunkVerdicts>> Read();
  // Appends. Throws InputError if it cannot.
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
