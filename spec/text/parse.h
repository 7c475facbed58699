// From text to its tree.
#ifndef ASSAY_SPEC_TEXT_PARSE_H_
#define ASSAY_SPEC_TEXT_PARSE_H_

#include <string_view>
#include <vector>

#include "spec/text/syntax.h"

namespace assay::text {

// A program of a file: files of tests are many, between lines "// -----".
struct ChunkText {
  std::string_view text;
  int first_line = 1;
};
std::vector<ChunkText> SplitChunks(std::string_view file);

// Returns whether nothing stands in the text but comments: a line that
// separates chunks may be the last one.
bool IsBlankText(std::string_view text);

// One chunk. Throws SyntaxError.
Chunk ParseChunk(const ChunkText& chunk, const Limits& limits = {});

// Statements without a function around them, as documents print them: a name
// that nothing defines stands for a value of its own at each of its uses, and
// one that is defined again for the later value. They become the body of a
// builtin.module.
Chunk ParseStatements(const ChunkText& chunk, const Limits& limits = {});

// The text of one type. Throws SyntaxError.
TypePtr ParseType(std::string_view text);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_PARSE_H_
