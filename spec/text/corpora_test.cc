// The text that others wrote: StableHLO's own tests ($ASSAY_PEER_DIR) and the
// examples of the specification ($ASSAY_SPEC_TEXT). All of it is read, or is in
// a list of what is refused, and why. A change of what is refused shows here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "spec/text/program_text.h"
#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

namespace fs = std::filesystem;
using ListJson = nlohmann::ordered_json;

std::string BytesOf(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(stream) << path;
  return bytes;
}

const char kFolder[] = ASSAY_SOURCE_DIR "/spec/text/";

// One row a line, as in the file.
void ExpectList(const std::string& name, const std::vector<ListJson>& found) {
  std::string text;
  for (const ListJson& row : found) text += row.dump() + "\n";
  const std::string made = ASSAY_BINARY_DIR "/" + name;
  std::ofstream(made, std::ios::binary) << text;
  EXPECT_EQ(text, BytesOf(kFolder + name))
      << "what is refused now is in " << made;
}

// Returns a row for each constraint that an example violates, and for what no
// op of the specification is.
std::vector<ListJson> WrongIn(const Chunk& chunk) {
  std::vector<ListJson> rows;
  const std::vector<Statement>& statements = chunk.module.regions[0].statements;
  const bool has_functions =
      std::ranges::find(statements, "func.func", &Statement::op) !=
      statements.end();
  try {
    for (const Violation& violation :
         has_functions ? VerifyProgram(chunk) : VerifyStatements(chunk))
      rows.push_back({{"line", violation.location.line},
                      {"violates", violation.spec->id + "/" +
                                       violation.constraint->label}});
  } catch (const SyntaxError& error) {
    rows.push_back({{"line", error.location().line},
                    {"column", error.location().column},
                    {"reason", error.message()}});
  }
  return rows;
}

TEST(Corpora, TestsOfThePeerAreReadAndPrintedOrInTheList) {
  const char* const folder = std::getenv("ASSAY_PEER_DIR");
  if (folder == nullptr)
    GTEST_SKIP() << "ASSAY_PEER_DIR is not set: the peer's tests are not read";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<ListJson> refusals;
  int count = 0;
  for (const fs::path& path : files) {
    const std::string file = BytesOf(path);
    int number = 0;
    for (const ChunkText& chunk : SplitChunks(file)) {
      ++number;
      ++count;
      std::string once;
      try {
        once = PrintGeneric(ParseChunk(chunk));
      } catch (const SyntaxError& error) {
        refusals.push_back({{"file", path.lexically_relative(folder).string()},
                            {"chunk", number},
                            {"line", error.location().line},
                            {"reason", error.message()}});
        continue;
      }
      ASSERT_EQ(Printed(once), once) << path << " " << number;
    }
  }
  ExpectList("peer_refusals.jsonl", refusals);
  EXPECT_EQ(count, 2990);
}

TEST(Corpora, ExamplesOfTheSpecificationAreVerifiedOrInTheList) {
  const char* const path = std::getenv("ASSAY_SPEC_TEXT");
  if (path == nullptr)
    GTEST_SKIP() << "ASSAY_SPEC_TEXT is not set: its examples are not read";
  const std::string text = BytesOf(path);
  std::vector<ListJson> known;
  std::istringstream rows(
      BytesOf(std::string(kFolder) + "spec_refusals.jsonl"));
  for (std::string row; std::getline(rows, row);)
    known.push_back(ListJson::parse(row));
  constexpr std::string_view kOpen = "\n```mlir\n", kClose = "\n```";
  std::vector<ListJson> refusals;
  int count = 0;
  for (size_t at = 0; (at = text.find(kOpen, at)) != std::string::npos;) {
    at += kOpen.size();
    const size_t end = text.find(kClose, at) + 1;
    ++count;
    const int line = static_cast<int>(std::count(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    try {
      const Chunk chunk = ParseStatements(
          {std::string_view(text).substr(at, end - at), line + 1});
      for (ListJson& row : WrongIn(chunk)) {
        for (const ListJson& other : known) {
          if (other.at("line") == row.at("line"))
            row["fault"] = other.value("fault", "");
        }
        refusals.push_back(std::move(row));
      }
    } catch (const SyntaxError& error) {
      ListJson row = {{"line", error.location().line},
                      {"column", error.location().column},
                      {"reason", error.message()}};
      // The list alone says which fault the text has.
      for (const ListJson& other : known)
        if (other.at("line") == row.at("line"))
          row["fault"] = other.value("fault", "");
      refusals.push_back(std::move(row));
    }
    at = end;
  }
  ExpectList("spec_refusals.jsonl", refusals);
  EXPECT_EQ(count, 113);
}

}  // namespace
}  // namespace assay::text
