// Prints every chunk of a file in generic form, for spec/text/jaxlib_test.py:
//
//   text_print FILE    a line "// -----" in front of each chunk but the first;
//                      of a refused one "// refused: LINE:COLUMN: why"
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "spec/text/parse.h"
#include "spec/text/print.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: text_print FILE\n");
    return 2;
  }
  std::ifstream stream(argv[1], std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    fmt::print(stderr, "{}: cannot be read\n", argv[1]);
    return 2;
  }
  bool is_first = true;
  for (const assay::text::ChunkText& chunk : assay::text::SplitChunks(file)) {
    if (!is_first) fmt::print("// -----\n");
    is_first = false;
    try {
      fmt::print("{}", PrintGeneric(assay::text::ParseChunk(chunk)));
    } catch (const assay::text::SyntaxError& error) {
      fmt::print("// refused: {}\n", error.what());
    }
  }
}
