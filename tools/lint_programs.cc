// The part of `assay lint` that reads StableHLO text.
#include "cases/read/json.h"
#include "reports/print.h"
#include "spec/error.h"
#include "spec/text/program_text.h"
#include "tools/lint.h"

namespace assay {

ProgramCounts LintPrograms(const std::string& path) {
  ProgramCounts counts;
  std::string text;
  try {
    text = ReadTextFile(path);
  } catch (const InputError& e) {
    PrintText(stderr, "assay: {}\n", e.what());
    return {1, 1};
  }
  for (const text::ChunkText& chunk : text::SplitChunks(text)) {
    ++counts.programs;
    try {
      ReadProgram(path, chunk);
    } catch (const InputError& e) {
      PrintText(stderr, "assay: {}\n", e.what());
      ++counts.wrong;
    }
  }
  return counts;
}

}  // namespace assay
