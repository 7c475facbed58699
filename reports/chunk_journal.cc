#include "reports/chunk_journal.h"

#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cases/read/line_reader.h"
#include "reports/json_lines.h"
#include "reports/result_line.h"
#include "spec/error.h"

namespace assay {

void CannotWrite(const std::string& path) {
  throw InputError(path,
                   "cannot be written: " + std::string(std::strerror(errno)));
}

ChunkJournal::~ChunkJournal() {
  if (file_ >= 0) close(file_);
}

std::map<std::string, std::map<size_t, ChunkVerdicts>> ChunkJournal::Read() {
  std::map<std::string, std::map<size_t, ChunkVerdicts>> chunks;
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return chunks;
  LineReader lines(path_);
  simdjson::dom::parser parser;
  while (lines.Next()) {
    if (!sum_.Take(&lines.line())) lines.Fail(kWrongSum);
    try {
      simdjson::dom::object fields;
      int64_t chunk = 0;
      if (parser.parse(lines.line()).get(fields) != simdjson::SUCCESS ||
          fields["chunk"].get(chunk) != simdjson::SUCCESS || chunk < 0)
        throw LineError{"is no line of a chunk"};
      Verdict verdict;
      ParseResult(fields, &verdict);
      const bool is_new =
          chunks[verdict.backend][static_cast<size_t>(verdict.index)]
              .emplace(chunk, std::move(verdict))
              .second;
      if (!is_new) throw LineError{"the chunk stands twice"};
    } catch (const LineError& error) {
      lines.Fail(error.reason);
    }
  }
  std::filesystem::resize_file(path_, static_cast<uintmax_t>(lines.bytes()));
  return chunks;
}

void ChunkJournal::Write(int64_t number, const Verdict& verdict) {
  if (file_ < 0)
    file_ =
        open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) CannotWrite(path_);
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{{\"kind\":\"chunk\",\"chunk\":{}",
                 number);
  AppendVerdict(verdict, &line);
  const std::string end = sum_.End({line.data(), line.size()});
  line.append(end.data(), end.data() + end.size());
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t n =
        write(file_, line.data() + written, line.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) CannotWrite(path_);
    written += static_cast<size_t>(n);
  }
}

void ChunkJournal::Discard() {
  if (file_ >= 0) close(std::exchange(file_, -1));
  sum_ = LineSum();
  if (unlink(path_.c_str()) != 0 && errno != ENOENT) CannotWrite(path_);
}

}  // namespace assay
