// The command `assay import` writes StableHLO programs as cases in JSON, one
// file for each op under test of each file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>

#include "cases/read/case_json.h"
#include "cases/read/mlir_cases.h"
#include "reports/print.h"
#include "spec/error.h"
#include "tools/artifact_text.h"
#include "tools/command.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct ImportFlags {
  std::vector<std::string> files;
  std::string out = ".";
  std::string memory;
};

class Importer {
 public:
  explicit Importer(const ImportFlags& flags)
      : out_(flags.out), options_{ParseBytes(flags.memory)} {
    std::error_code error;
    fs::create_directories(out_, error);
    if (!fs::is_directory(out_, error))
      throw InputError(out_.string(), "cannot be made a folder");
  }

  void Import(const std::string& file) {
    const std::string text =
        IsMlir(file) ? ReadTextFile(file) : TextOfArtifact(file);
    std::vector<LeftOut> left_out;
    std::map<std::string, std::vector<Json>> cases_of;  // by op
    for (const Case& c : ReadMlirCases(file, text, options_, &left_out)) {
      if (const std::string why = WhyNotInJson(c); !why.empty()) {
        left_out.push_back({c.name, c.where, "not in JSON", why});
        continue;
      }
      std::string id = c.name;
      std::ranges::replace(id, '/', '.');
      cases_of[c.op].push_back(CaseWithLiteralsAsJson(c, id));
    }
    for (const LeftOut& each : left_out)
      PrintText("not imported: {}: {}\n", each.where, each.reason);
    std::ranges::move(left_out, std::back_inserter(left_out_));
    for (const auto& [op, cases] : cases_of) Write(file, op, cases);
  }

  int Finish(size_t files) const {
    PrintText(
        "{} cases of {} files in {} files; {} not imported{}\n", cases_, files,
        written_.size(), left_out_.size(),
        left_out_.empty() ? "" : fmt::format(" ({})", CountsOf(left_out_)));
    return cases_ > 0 ? kExitOk : kExitNothingJudged;
  }

 private:
  // Names of cases begin with the stem of their file, so that files of one op
  // can be read together.
  void Write(const std::string& file, const std::string& op,
             const std::vector<Json>& cases) {
    const std::string stem = fs::path(file).stem().string();
    const std::string path =
        (out_ / (stem == op ? op + ".json" : op + "." + stem + ".json"))
            .string();
    const auto [source, is_new] = written_.emplace(path, file);
    if (!is_new)
      throw InputError(file, fmt::format("has the name of {}: import one of "
                                         "them into another folder (--out)",
                                         source->second));
    KeepCases(path, op, cases);
    cases_ += cases.size();
    PrintText("{}: {} cases\n", path, cases.size());
  }

  const fs::path out_;
  const ReadOptions options_;
  std::map<std::string, std::string> written_;  // from which file
  std::vector<LeftOut> left_out_;
  size_t cases_ = 0;
};

// Returns the files, and all of StableHLO text below the folders.
std::vector<std::string> FilesToImport(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    for (const std::string& file : CaseFilesUnder({path})) {
      if (file == path || IsMlir(file)) files.push_back(file);
    }
  }
  return files;
}

int Import(const ImportFlags& flags) {
  const std::vector<std::string> files = FilesToImport(flags.files);
  Importer importer(flags);
  for (const std::string& file : files) importer.Import(file);
  return importer.Finish(files.size());
}

}  // namespace

void RegisterImport(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "import", "Write the cases of StableHLO programs as case files in JSON");
  auto flags = std::make_shared<ImportFlags>();
  command
      ->add_option("FILE", flags->files,
                   "StableHLO text (.mlir), and folders of it; MLIR bytecode, "
                   "portable artifacts and what jax.export writes are read "
                   "with the Python package jaxlib")
      ->required()
      ->type_name("");
  AddText(*command, "--out", &flags->out, "FOLDER",
          "The folder of the files; in one that is there, cases of "
          "the same name are replaced")
      ->capture_default_str();
  AddMemoryTo(*command, &flags->memory);
  command->callback([=] { *exit_code = Import(*flags); });
}

}  // namespace assay
