// The command may lie in any of three trees.
#include "backends/host/installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "spec/printable_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool IsFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Returns the installed tree that contains the folder of the command or of its
// worker, or an empty path.
fs::path PrefixOf(const fs::path& folder) {
  if (folder.filename() == "bin") return folder.parent_path();
  const fs::path parent = folder.parent_path();
  if (folder.filename() == "assay" && parent.filename() == "libexec")
    return parent.parent_path();
  return "";
}

// Returns the path relative to the current directory, unless that is outside of
// it.
std::string Shown(const fs::path& path) {
  std::error_code error;
  const std::string near = fs::proximate(path, error).string();
  return error || near.starts_with("..") ? path.string() : near;
}

}  // namespace

Installation FindInstallation(const fs::path& folder,
                              const fs::path& to_source) {
  if (const fs::path prefix = PrefixOf(folder);
      !prefix.empty() && IsFolder(prefix / "share/assay")) {
    const fs::path share = prefix / "share/assay";
    return {Installation::Kind::kInstalled,
            folder,
            share / "cases",
            prefix / "lib/assay/backends",
            share / "python",
            share / "venv",
            prefix / "libexec/assay/assay-worker",
            ""};
  }
  const fs::path plugins = folder / "backends";
  const fs::path worker = folder / "assay-worker";
  const fs::path source = (folder / to_source).lexically_normal();
  if (IsFolder(source / "cases/conformance")) {
    return {Installation::Kind::kInSourceTree,
            folder,
            source / "cases",
            plugins,
            source / "backends/python",
            source / "build/venv",
            worker,
            source};
  }
  const fs::path share = folder / "share/assay";
  return {Installation::Kind::kCopied,
          folder,
          share / "cases",
          plugins,
          share / "python",
          share / "venv",
          worker,
          ""};
}

const Installation& ThisInstallation() {
  static const Installation installation = [] {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return FindInstallation(program.parent_path(), ASSAY_TO_SOURCE);
  }();
  return installation;
}

const std::vector<std::string>& OurPlugins() {
  static const std::vector<std::string> names = [] {
    std::istringstream words(ASSAY_PLUGINS);
    std::vector<std::string> parsed;
    for (std::string word; words >> word;) parsed.push_back(word);
    return parsed;
  }();
  return names;
}

bool IsOurPlugin(const std::string& name) {
  return std::ranges::find(OurPlugins(), name) != OurPlugins().end();
}

std::string WhyMissing(const Installation& installation,
                       const std::string& name) {
  const std::string file = (installation.plugins / (name + ".so")).string();
  if (!IsOurPlugin(name)) return "not there; looked for " + file;
#ifndef ASSAY_HAS_CUDA
  if (name.ends_with("cuda")) {
    return "not there: this build was made without nvcc; looked for " + file;
  }
#endif
  if (installation.kind != Installation::Kind::kInSourceTree)
    return "not in this build of assay; looked for " + file;
  return fmt::format("not built: `cmake --build {} --target {}` builds it",
                     ShellPath(Shown(installation.program)),
                     "assay_backend_" + name);
}

}  // namespace assay
