// How fast text becomes a tree: a blob of 100 MB, and the files of a folder.
//
//   text_bench [FOLDER]
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "spec/text/parse.h"

namespace assay::text {
namespace {

// Parses all chunks of all texts.
void Measure(const char* what, const std::vector<std::string>& texts) {
  size_t bytes = 0, chunks = 0, refused = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string& text : texts) {
    bytes += text.size();
    for (const ChunkText& chunk : SplitChunks(text)) {
      ++chunks;
      try {
        ParseChunk(chunk);
      } catch (const SyntaxError&) {
        ++refused;
      }
    }
  }
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - begin;
  fmt::print("{}: {:.1f} MB, {} chunks ({} refused), {:.3f} s, {:.0f} MB/s\n",
             what, static_cast<double>(bytes) * 1e-6, chunks, refused,
             time.count(), static_cast<double>(bytes) * 1e-6 / time.count());
}

std::string Blob() {
  constexpr size_t kElements = 12'500'000;
  std::string text = "%0 = stablehlo.constant dense<\"0x";
  for (size_t i = 0; i < kElements; ++i)
    text += fmt::format("{:08X}", static_cast<uint32_t>(i * 2654435761u));
  return text + fmt::format("\"> : tensor<{}xf32>\n", kElements);
}

}  // namespace
}  // namespace assay::text

int main(int argc, char** argv) {
  assay::text::Measure("blob", {assay::text::Blob()});
  if (argc < 2) return 0;
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(argv[1])) {
    if (entry.path().extension() != ".mlir") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream),
                       std::istreambuf_iterator<char>());
  }
  assay::text::Measure("files", texts);
}
