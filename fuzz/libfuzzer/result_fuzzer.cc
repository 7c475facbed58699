// result_fuzzer gives any bytes to the reader of results files: whole files and
// journals that end anywhere. Every error must be an InputError; results that
// are read can be merged with themselves, and their verdicts written and read
// again.
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

#include "reports/json_lines.h"
#include "reports/result_line.h"
#include "reports/results.h"
#include "spec/error.h"

namespace assay {
namespace {

// A MemoryFile is a file in memory, under a path.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("results", MFD_CLOEXEC)) {
    if (fd_ < 0)
      throw std::system_error(errno, std::generic_category(), "memory file");
  }
  void Hold(const std::string& text) const {
    ASSAY_CHECK(ftruncate(fd_, 0) == 0);
    ASSAY_CHECK(pwrite(fd_, text.data(), text.size(), 0) ==
                static_cast<ssize_t>(text.size()));
  }
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
};

// Returns the text with right sums, because no mutation would find them.
std::string Summed(std::string_view text) {
  std::string summed;
  LineSum sum;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const size_t field = line.rfind(R"(,"sum":")");
    if (end == std::string_view::npos || !line.ends_with('}'))
      return summed.append(text);
    const std::string_view open = line.substr(
        0, field == std::string_view::npos ? line.size() - 1 : field);
    summed.append(open).append(sum.End(open));
    text.remove_prefix(end + 1);
  }
  return summed;
}

std::string LineOf(const Verdict& verdict) {
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{{\"kind\":\"result\"");
  AppendVerdict(verdict, &line);
  return fmt::to_string(line) + "}\n";
}

void CheckVerdict(const Verdict& verdict) {
  simdjson::dom::parser parser;
  const std::string line = LineOf(verdict);
  simdjson::dom::object object;
  ASSAY_CHECK(parser.parse(line).get(object) == simdjson::SUCCESS);
  Verdict again;
  ParseResult(object, &again);
  ASSAY_CHECK(LineOf(again) == line);
}

void CheckResults(Results results) {
  const std::string header = HeaderLine(results.header);
  ASSAY_CHECK(HeaderLine(ParseHeader("again", header)) == header);
  results.ForEach(CheckVerdict);
  std::vector<Results> parts;
  parts.push_back(std::move(results));
  try {
    Merge(std::move(parts));
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const MemoryFile file;
  file.Hold(Summed({reinterpret_cast<const char*>(data), size}));
  bool is_whole = true;
  try {
    CheckResults(ReadResults(file.path()));
  } catch (const InputError&) {
    is_whole = false;
  }
  try {
    PartialResults partial = ReadPartialResults(file.path());
    if (partial.has_header) CheckResults(std::move(partial.results));
  } catch (const InputError&) {
    // Any text that is read as whole results is a valid journal, too.
    ASSAY_CHECK(!is_whole);
  }
  return 0;
}

}  // namespace assay
