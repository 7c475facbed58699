// The files of the suite are those beside the command, or those that --cases
// names.
#include "cases/case.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "backends/host/installation.h"
#include "cases/read/mlir_cases.h"
#include "cases/read/pattern.h"
#include "cases/run/parallel.h"
#include "spec/error.h"

namespace assay {
namespace fs = std::filesystem;
namespace {

// The values of a file take many times as much memory as its text, so those of
// larger files are in memory for one file at a time.
constexpr size_t kLargeFile = size_t{1} << 20;

// Returns the op of a file's cases, found without reading the rest; nullopt if
// the text is not that of a case file.
std::optional<std::string> OpOf(const std::string& text) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document file;
  std::string_view op;
  if (parser.iterate(padded).get(file) || file["op"].get(op)) return {};
  return std::string(op);
}

std::vector<Case> ReadText(const std::string& file, const std::string& text,
                           const ReadOptions& options,
                           std::vector<LeftOut>* left_out) {
  if (IsMlir(file)) return ReadMlirCases(file, text, options, left_out);
  return ParseCases(
      file, ParseJsonExactly(file, text, MostJsonBytes(options.memory_limit)),
      options);
}

}  // namespace

const Op& Case::UnderTest() const {
  const std::vector<Op>& body = program.main().body;
  const auto it = std::ranges::find(body, op, &Op::op);
  return it == body.end() ? body.front() : *it;
}

Case MadeEarlier(Case c) {
  c.runs_twice = false;
  c.expect.clear();
  c.variant.reset();
  return c;
}

std::string Case::TypeText() const {
  if (trait)
    return trait->call.operands.empty() ? "" : trait->call.operands[0].text;
  if (verified_text) return "";
  const Op& call = UnderTest();
  // A call without operands and results has no type.
  if (call.inputs.empty() && call.outputs.empty()) return "";
  return call.FirstType().ToString();
}

std::vector<Case> ReadCaseFile(const std::string& file,
                               const ReadOptions& options,
                               std::vector<LeftOut>* left_out) {
  std::vector<LeftOut> unused;
  return ReadText(file, ReadTextFile(file), options,
                  left_out != nullptr ? left_out : &unused);
}

namespace {

std::vector<std::string> FilesUnder(const std::vector<std::string>& paths,
                                    const std::set<std::string>& extensions) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() &&
            extensions.contains(entry.path().extension().string()))
          files.push_back(entry.path().string());
      }
    } else if (fs::exists(path, error)) {
      files.push_back(path);
    } else {
      throw InputError(path, "no such file or folder");
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<std::string> JsonFilesUnder(const std::vector<std::string>& paths) {
  return FilesUnder(paths, {".json"});
}

std::vector<std::string> CaseFilesUnder(const std::vector<std::string>& paths) {
  return FilesUnder(paths, {".json", ".mlir"});
}

std::vector<Case> ReadSuite(const std::vector<std::string>& paths,
                            const ReadOptions& options,
                            std::vector<LeftOut>* left_out) {
  const std::vector<std::string> files = CaseFilesUnder(paths);
  std::vector<std::vector<Case>> cases_of(files.size());
  std::vector<std::vector<LeftOut>> left_out_of(files.size());
  std::mutex large;
  ForEachInParallel(files.size(), options.threads, [&](size_t i) {
    const std::string text = ReadTextFile(files[i]);
    // The ops of StableHLO text are known when it is read.
    if (!options.ops.empty() && !IsMlir(files[i])) {
      const std::optional<std::string> op = OpOf(text);
      if (op && !options.ops.contains(*op)) return;
    }
    std::unique_lock lock(large, std::defer_lock);
    if (text.size() > kLargeFile) lock.lock();
    cases_of[i] = ReadText(files[i], text, options, &left_out_of[i]);
  });
  if (left_out != nullptr) {
    for (std::vector<LeftOut>& some : left_out_of)
      std::ranges::move(some, std::back_inserter(*left_out));
  }
  size_t count = 0;
  for (const std::vector<Case>& cases : cases_of) count += cases.size();
  std::vector<Case> suite;
  suite.reserve(count);
  std::unordered_map<std::string_view, size_t> file_of;  // by a case's name
  for (size_t i = 0; i < files.size(); ++i) {
    for (Case& c : cases_of[i]) {
      suite.push_back(std::move(c));
      const Case& added = suite.back();
      const auto [it, inserted] = file_of.emplace(added.name, i);
      if (!inserted)
        throw InputError(added.where,
                         fmt::format("the case '{}' is also in {}", added.name,
                                     files[it->second]));
    }
    cases_of[i] = {};
  }
  return suite;
}

std::vector<std::string> DefaultSuite() {
  const char* const named = std::getenv("ASSAY_SUITE");
  const fs::path root = named ? named : ThisInstallation().suite;
  if (!fs::is_directory(root / "conformance"))
    throw InputError(root.string(),
                     "no suite: the folder has no conformance/ (set "
                     "ASSAY_SUITE, or name --cases)");
  std::vector<std::string> paths;
  for (const char* folder : {"conformance", "regressions", "walks"}) {
    if (fs::is_directory(root / folder))
      paths.push_back((root / folder).lexically_normal().string());
  }
  return paths;
}

bool Matches(const std::string& pattern, const Case& c) {
  return Matches(pattern, c.name, c.TypeText());
}

}  // namespace assay
