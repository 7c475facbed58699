// The command `assay lint` checks the files of the specification and of the
// suite; --fix corrects their form.
#include "tools/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "backends/host/installation.h"
#include "cases/case.h"
#include "cases/read/canonical.h"
#include "reports/print.h"
#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/command.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct LintFlags {
  std::vector<std::string> paths;
  bool fix = false;
  std::string spec;  // a Markdown file
  std::string memory;
};

FileKind KindOf(const Json& json) {
  if (!json.is_object()) return FileKind::kOther;
  if (json.contains("cases")) return FileKind::kCases;
  if (json.contains("walks")) return FileKind::kWalks;
  if (json.contains("functions")) return FileKind::kPointwise;
  if (json.contains("constraints") || json.contains("semantics"))
    return FileKind::kOp;
  if (json.contains("values")) return FileKind::kPolicy;
  if (json.contains("E1")) return FileKind::kEncodings;
  if (!json.empty() && json.front().is_object() &&
      json.front().contains("constraints"))
    return FileKind::kElements;
  if (json.contains("short")) return FileKind::kTextForms;
  return json.contains("$schema") ? FileKind::kSchema : FileKind::kOther;
}

// The reader holds the files to check, as texts. A file that cannot be read or
// parsed is reported and counted, and the others are still checked.
class Reader {
 public:
  explicit Reader(int64_t most_bytes) : most_bytes_(most_bytes) {}

  void AddText(const std::string& name, std::string text) {
    try {
      Json json = ParseJson(name, text, most_bytes_);
      const FileKind kind = KindOf(json);
      std::vector<JsonSchema::Violation> violations;
      if (kind == FileKind::kCases) {
        violations = CaseViolations(json);
        json = Json();  // both at once would take twice the memory
        json = ParseJsonExactly(name, text, most_bytes_);
      }
      files_.push_back({name, std::move(text), std::move(json), kind,
                        std::move(violations)});
    } catch (const InputError& e) {
      Refuse(e);
    }
  }

  void AddPaths(const std::vector<std::string>& paths) {
    std::vector<std::string> names = JsonFilesUnder(paths);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names) {
      try {
        AddText(name, ReadTextFile(name));
      } catch (const InputError& e) {
        Refuse(e);
      }
    }
  }

  std::vector<LintFile>& files() { return files_; }
  int64_t unreadable() const { return unreadable_; }

 private:
  void Refuse(const InputError& e) {
    PrintText(stderr, "assay: {}\n", e.what());
    ++unreadable_;
  }

  int64_t most_bytes_;
  std::vector<LintFile> files_;
  int64_t unreadable_ = 0;
};

// Adds the specification's files: those of the source tree around the command,
// or else those that the command carries.
void AddSpec(bool fix, Reader* reader, Complaints* complaints) {
  const fs::path& root = ThisInstallation().source;
  if (root.empty()) {
    if (fix)
      throw InputError("--fix", "there is no source tree here; name the files");
    for (const EmbeddedFile& file : EmbeddedFiles())
      reader->AddText(std::string(file.path), std::string(file.text));
    return;
  }
  reader->AddPaths({(root / "spec").string(),
                    (root / "cases/case.schema.json").string(),
                    (root / "cases/walks.schema.json").string()});
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    const std::string name = (root / file.path).string();
    const auto it = std::ranges::find(reader->files(), name, &LintFile::name);
    // Cases are read with the embedded files, so the files on disk must be the
    // same.
    if (it == reader->files().end() ||
        it->json != ParseJson(name, std::string(file.text)))
      complaints->Add(
          name, "", "is not what this command was built with; build it again");
  }
}

// Replaces a file in one move, and only by the same content in another form.
void Rewrite(const LintFile& file, const std::string& canonical) {
  ASSAY_CHECK(ParseJson(file.name, canonical) ==
              ParseJson(file.name, file.text));
  // A symbolic link stays, and the file that it names is replaced.
  const fs::path target = fs::canonical(file.name);
  fs::path partial = target;
  partial += ".partial";
  try {
    std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
    stream << canonical;
    stream.close();
    if (!stream) throw InputError(partial.string(), "cannot be written");
    fs::permissions(partial, fs::status(target).permissions());
    fs::rename(partial, target);
  } catch (...) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
  PrintText("fixed {}\n", file.name);
}

void CheckForm(const LintFile& file, bool fix, Complaints* complaints) {
  const std::string canonical = CanonicalJson(file.name, file.text);
  if (canonical == file.text) return;
  if (fix) {
    Rewrite(file, canonical);
    return;
  }
  const auto at = std::ranges::mismatch(file.text, canonical).in1;
  complaints->Add(
      file.name, "",
      fmt::format("line {} is not in canonical form; `assay lint --fix {}` "
                  "lays the file out",
                  std::count(file.text.begin(), at, '\n') + 1,
                  ShellPath(file.name)));
}

std::string ReadSpecification(const std::string& file) {
  std::string text = ReadTextFile(file);
  if (text.find("\n#### Constraints") == std::string::npos)
    throw InputError(file,
                     "is not the StableHLO specification: no section of it has "
                     "'#### Constraints'");
  return text;
}

int Lint(const LintFlags& flags) {
  const std::string text =
      flags.spec.empty() ? "" : ReadSpecification(flags.spec);
  const int64_t memory = ParseBytes(flags.memory);
  Reader reader(MostJsonBytes(memory));
  Complaints complaints;
  if (flags.paths.empty()) AddSpec(flags.fix, &reader, &complaints);
  ProgramCounts programs;
  std::vector<std::string> paths;
  for (const std::string& path : flags.paths) {
    if (!path.ends_with(".mlir")) {
      paths.push_back(path);
      continue;
    }
    const ProgramCounts of_file = LintPrograms(path, memory);
    programs.programs += of_file.programs;
    programs.wrong += of_file.wrong;
  }
  reader.AddPaths(flags.paths.empty() ? DefaultSuite() : paths);
  CaseLinter cases(memory, &complaints);
  SentenceCounts sentences;
  std::set<std::string> linted_ops;
  int64_t kinds[static_cast<size_t>(FileKind::kOther) + 1] = {};
  for (const LintFile& file : reader.files()) {
    ++kinds[static_cast<size_t>(file.kind)];
    if (file.kind == FileKind::kOther) {
      complaints.Add(
          file.name, "",
          "is none of ours: cases have \"op\" and \"cases\", walks "
          "\"walks\", ops "
          "\"op\", \"constraints\" and \"semantics\", types and constants "
          "\"constraints\" each, policies \"values\", schemas "
          "\"$schema\"");
      continue;
    }
    CheckForm(file, flags.fix, &complaints);
    if (file.kind == FileKind::kCases) {
      cases.Lint(file);
    } else if (file.kind == FileKind::kWalks) {
      cases.LintWalks(file);
    } else if (CheckSchema(file, &complaints).empty()) {
      const int64_t before = complaints.count();
      if (file.kind == FileKind::kOp) LintOp(file, &complaints);
      if (file.kind == FileKind::kElements) LintElements(file, &complaints);
      if (file.kind == FileKind::kTextForms) LintTextForms(file, &complaints);
      if (file.kind == FileKind::kPolicy) LintPolicy(file, &complaints);
      if (file.kind == FileKind::kOp)
        linted_ops.insert(file.json.at("op").get<std::string>());
      if (flags.spec.empty() || complaints.count() > before) continue;
      if (file.kind == FileKind::kOp)
        LintSentences(file, text, &sentences, &complaints);
      if (file.kind == FileKind::kElements)
        LintElementSentences(file, text, &sentences, &complaints);
    }
  }
  const auto files = [&](FileKind kind) {
    return kinds[static_cast<size_t>(kind)];
  };
  if (!flags.spec.empty()) {
    LintSections(flags.spec, text, linted_ops, &complaints);
    PrintSentenceCounts(flags.spec, sentences);
  }
  if (programs.programs > 0)
    PrintText("{} programs of StableHLO text, {} of them wrong\n",
              programs.programs, programs.wrong);
  PrintText(
      "{} ops, {} policies, {} schemas, {} files of {} cases (`covers` of {} "
      "held against the oracle): {} complaints\n",
      files(FileKind::kOp), files(FileKind::kPolicy), files(FileKind::kSchema),
      files(FileKind::kCases) + files(FileKind::kWalks), cases.cases(),
      cases.evaluated(), complaints.count());
  if (reader.unreadable() > 0 || programs.wrong > 0) return kExitUsage;
  return complaints.count() > 0 ? kExitFindings : kExitOk;
}

}  // namespace

void Complaints::Add(const std::string& file, const std::string& pointer,
                     const std::string& reason) {
  const InputError line(pointer.empty() ? file : file + ": " + pointer, reason);
  PrintText("{}\n", line.what());
  ++count_;
}

std::pair<std::string, std::string> Complaints::Split(
    const std::string& file, const std::string& error) {
  std::string_view rest = error;
  if (!rest.starts_with(file)) return {"", error};
  rest.remove_prefix(file.size());
  const size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return {"", error};
  std::string_view pointer = rest.substr(0, colon);
  if (pointer.starts_with('#')) pointer.remove_prefix(1);
  return {std::string(pointer), std::string(rest.substr(colon + 2))};
}

void Complaints::AddError(const std::string& file, const std::string& error) {
  const auto [pointer, reason] = Split(file, error);
  Add(file, pointer, reason);
}

void RegisterLint(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "lint", "Check ops, policies and cases, and lay their files out");
  auto flags = std::make_shared<LintFlags>();
  command
      ->add_option(
          "PATH", flags->paths,
          "Files and folders, and .mlir files. Default: the specification "
          "and the suite")
      ->type_name("");
  command->add_flag("--fix", flags->fix,
                    "Rewrite files that are not in canonical form");
  command
      ->add_option("--spec", flags->spec,
                   "The StableHLO specification: is each constraint's sentence "
                   "still the one that was read, and is each sentence of the "
                   "semantics quoted?")
      ->type_name("FILE.md");
  AddMemoryTo(*command, &flags->memory);
  command->callback([=] { *exit_code = Lint(*flags); });
}

}  // namespace assay
