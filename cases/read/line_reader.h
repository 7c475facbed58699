// Files of lines are read in little memory, and sums show that no line was
// changed, lost or added.
#ifndef ASSAY_CASES_READ_LINE_READER_H_
#define ASSAY_CASES_READ_LINE_READER_H_

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace assay {

// Throws InputError if `file` is not there or is something else, such as a
// folder, a pipe or a device, which need not have an end.
void RequireRegularFile(const std::string& file);

// A LineReader reads a file line by line, in the memory of the longest line.
class LineReader {
 public:
  static constexpr size_t kLongestLine = size_t{16} << 20;

  // Throws InputError if the file cannot be read.
  explicit LineReader(const std::string& file);

  // Reads the next whole line, and returns false if there is none. Throws
  // InputError for a line that is longer than kLongestLine.
  bool Next();
  // The line without its end. The caller may change it.
  std::string& line() { return line_; }
  int64_t number() const { return number_; }
  int64_t bytes() const { return bytes_; }  // of the lines so far
  // Returns whether, at the end of the file, something follows the last whole
  // line.
  bool is_cut_off() const { return !line_.empty(); }
  std::string where() const;  // "results.jsonl:3"
  [[noreturn]] void Fail(const std::string& reason) const;

 private:
  std::string file_;
  std::ifstream stream_;
  std::string block_;  // of the file
  size_t next_ = 0;    // in block_
  std::string line_;
  int64_t number_ = 0, bytes_ = 0;
};

// A line that is a JSON object ends with the field "sum": the CRC-32 of zlib,
// in hexadecimal, of all lines of the file up to this one, without sums and
// line ends.
class LineSum {
 public:
  // Returns the end of a line: the sum, the closing brace and the end of the
  // line. `open` is all that stands before.
  std::string End(std::string_view open);
  // Takes the sum out of a line. Returns false if the line has none, or another
  // one than the lines so far.
  bool Take(std::string* line);

 private:
  uint32_t sum_ = 0;
};

// An error message says this about a line whose sum is wrong.
inline constexpr char kWrongSum[] =
    "has no sum, or not that of the lines up to it: one of them was changed, "
    "lost, added or moved";

}  // namespace assay

#endif  // ASSAY_CASES_READ_LINE_READER_H_
