// The part of `assay lint` that reads StableHLO text.
#include <fmt/format.h>

#include <algorithm>

#include "cases/read/flat_function.h"
#include "cases/read/json.h"
#include "cases/read/mlir_cases.h"
#include "reports/print.h"
#include "spec/error.h"
#include "spec/text/program_text.h"
#include "tools/lint.h"

namespace assay {
namespace {

// Throws SyntaxError for what is wrong in a function that no case of the chunk
// is. What is not judged is no fault of the text.
void LintWithoutChecks(const text::Module& module) {
  const FunctionsOfText functions = text::FunctionsByName(module);
  const ChecksOfFunctions checks(functions);
  for (const text::Function& function : module.functions) {
    if (checks.Has(function) || function.body == nullptr) continue;
    try {
      BindRegion(function.name, FlattenResults(function, functions).region,
                 function.statement->location);
    } catch (const text::NotJudged&) {
      continue;
    }
  }
  for (const text::Module& inner : module.modules) LintWithoutChecks(inner);
}

// Throws InputError or SyntaxError for what is wrong in the chunk, and for what
// is not judged.
void LintChunk(const std::string& path, const text::ChunkText& chunk,
               int64_t memory) {
  text::Limits limits;
  limits.max_elements_bytes = MostJsonBytes(memory);
  if (ExpectsError(chunk)) {
    const VerifiedText invalid{std::string(chunk.text), chunk.first_line};
    if (!RefusalOf(invalid, limits.max_elements_bytes))
      throw text::SyntaxError({chunk.first_line, 1},
                              "an error is expected, and there is none");
    return;
  }
  const text::Chunk tree = text::ParseChunk(chunk, limits);
  const text::Module module = text::ReadModule(tree.module);
  if (!HasChecks(module)) {
    BindProgram(tree, Reading::kVerified);
    return;
  }
  LintWithoutChecks(module);
  std::vector<LeftOut> left_out;
  ReadMlirCases(path, chunk, {.memory_limit = memory}, &left_out);
  if (!left_out.empty())
    throw InputError(left_out[0].where, left_out[0].reason);
}

}  // namespace

ProgramCounts LintPrograms(const std::string& path, int64_t memory) {
  ProgramCounts counts;
  std::string text;
  try {
    text = ReadTextFile(path);
  } catch (const InputError& e) {
    PrintText(stderr, "assay: {}\n", e.what());
    return {1, 1};
  }
  for (const text::ChunkText& chunk : text::SplitChunks(text)) {
    if (text::IsBlankText(chunk.text)) continue;
    ++counts.programs;
    const auto refuse = [&](const InputError& error) {
      PrintText(stderr, "assay: {}\n", error.what());
      ++counts.wrong;
    };
    try {
      LintChunk(path, chunk, memory);
    } catch (const text::SyntaxError& e) {
      refuse(InputError(
          fmt::format("{}:{}:{}", path, e.location().line, e.location().column),
          e.message()));
    } catch (const InputError& e) {
      refuse(e);
    }
  }
  return counts;
}

}  // namespace assay
