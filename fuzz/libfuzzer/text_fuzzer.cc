// StableHLO text of any bytes: it is refused with a place, or becomes a tree
// whose generic form is text that becomes the same tree.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "spec/error.h"
#include "spec/text/parse.h"
#include "spec/text/print.h"
#include "spec/text/program_text.h"

namespace assay::text {
namespace {

// A mutator finds a large tensor or an alias of aliases soon, and nothing in
// it.
constexpr Limits kLimits = {
    .max_depth = 100, .max_elements_bytes = 1 << 20, .max_nodes = 100'000};
// Printed text may nest as deep as the text that was read, and be longer.
constexpr Limits kPrinted = {.max_depth = 100};

void CheckChunk(const ChunkText& text) {
  Chunk chunk;
  try {
    chunk = ParseChunk(text, kLimits);
  } catch (const SyntaxError& error) {
    ASSAY_CHECK(!error.message().empty());
    ASSAY_CHECK(error.location().line >= text.first_line);
    ASSAY_CHECK(error.location().column >= 1);
    return;
  }
  const std::string printed = PrintGeneric(chunk);
  ASSAY_CHECK(PrintGeneric(ParseChunk({printed}, kPrinted)) == printed);
  try {
    ReadModule(chunk.module);
  } catch (const SyntaxError&) {
  }
}

// A program is printed as text that becomes the same program.
void CheckProgram(const ChunkText& text) {
  Program program;
  try {
    program = ReadProgram("x.mlir", text, kLimits);
  } catch (const InputError&) {
    return;
  }
  const std::string printed = ProgramText(program);
  ASSAY_CHECK(ProgramText(ReadProgram("y.mlir", {printed}, kPrinted)) ==
              printed);
}

void CheckRegion(std::string_view text) {
  assay::Function region;
  try {
    region = ReadRegion("x", "body", text, kLimits);
  } catch (const InputError&) {
    return;
  }
  const std::string printed = RegionText(region);
  ASSAY_CHECK(RegionText(ReadRegion("y", "body", printed, kPrinted)) ==
              printed);
}

void CheckStatements(const ChunkText& text) {
  try {
    PrintGeneric(ParseStatements(text, kLimits));
  } catch (const SyntaxError&) {
  }
}

}  // namespace
}  // namespace assay::text

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  for (const assay::text::ChunkText& chunk : assay::text::SplitChunks(file)) {
    assay::text::CheckChunk(chunk);
    assay::text::CheckProgram(chunk);
    assay::text::CheckRegion(chunk.text);
    assay::text::CheckStatements(chunk);
  }
  return 0;
}
