// Files of lines, and the sums that show that none was changed, lost or added.
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

// Reads a file line by line, in the memory of the longest line.
class LineReader {
 public:
  static constexpr size_t kLongestLine = size_t{16} << 20;

  // Throws InputError if it cannot be read.
  explicit LineReader(const std::string& file);

  // Whether there is another whole line. Throws InputError for one that is
  // longer than kLongestLine.
  bool Next();
  // Without its end. It may be changed: nothing else refers to it.
  std::string& line() { return line_; }
  int64_t number() const { return number_; }
  int64_t bytes() const { return bytes_; }  // of the lines so far
  // At the end: whether something follows the last whole line.
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

// The last field of a line that is a JSON object, "sum": the CRC-32 (that of
// zlib) of all lines of the file up to this one, without sums and line ends,
// in hexadecimal.
class LineSum {
 public:
  // What ends a line of which `open` is there already: all but the sum, the
  // closing brace and the line's end.
  std::string End(std::string_view open);
  // Takes the sum out of a line. False if it has none, or another one than the
  // lines so far.
  bool Take(std::string* line);

 private:
  uint32_t sum_ = 0;
};

// What a line is said to be whose sum is wrong.
inline constexpr char kWrongSum[] =
    "has no sum, or not that of the lines up to it: one of them was changed, "
    "lost, added or moved";

}  // namespace assay

#endif  // ASSAY_CASES_READ_LINE_READER_H_
