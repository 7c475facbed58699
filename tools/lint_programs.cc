// The part of `assay lint` that reads StableHLO text.
#include <algorithm>

#include "cases/read/json.h"
#include "reports/print.h"
#include "spec/error.h"
#include "spec/text/program_text.h"
#include "tools/lint.h"

namespace assay {
namespace {

// Returns whether nothing stands in the text but comments: a line that
// separates chunks may be the last one.
bool IsBlank(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos &&
        !line.substr(begin).starts_with("//"))
      return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace

ProgramCounts LintPrograms(const std::string& path, int64_t memory) {
  ProgramCounts counts;
  text::Limits limits;
  limits.max_elements_bytes = memory;
  std::string text;
  try {
    text = ReadTextFile(path);
  } catch (const InputError& e) {
    PrintText(stderr, "assay: {}\n", e.what());
    return {1, 1};
  }
  for (const text::ChunkText& chunk : text::SplitChunks(text)) {
    if (IsBlank(chunk.text)) continue;
    ++counts.programs;
    try {
      ReadProgram(path, chunk, limits);
    } catch (const InputError& e) {
      PrintText(stderr, "assay: {}\n", e.what());
      ++counts.wrong;
    }
  }
  return counts;
}

}  // namespace assay
