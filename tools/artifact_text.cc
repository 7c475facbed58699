#include "tools/artifact_text.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>

#include "backends/host/installation.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// Of backends/python/stablehlo_text.py.
constexpr int kNoPackage = 3;

struct Printed {
  std::string text;
  int code = 0;
};

Printed PrintedBy(const std::string& python, const std::string& file) {
  const std::filesystem::path script =
      ThisInstallation().python / "stablehlo_text.py";
  const std::string command =
      fmt::format("{} {} {} 2>/dev/null", ShellPath(python),
                  ShellPath(script.string()), ShellPath(file));
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw InputError(python, "cannot be started");
  Printed printed;
  char buffer[1 << 16];
  for (size_t size; (size = fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
    printed.text.append(buffer, size);
  const int status = pclose(pipe);
  printed.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return printed;
}

}  // namespace

std::string TextOfArtifact(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError(file, "is no file");
  // The environment of the package's own is preferred.
  const std::filesystem::path own =
      ThisInstallation().environments / "stablehlo/bin/python";
  for (const std::string& python : {own.string(), std::string("python3")}) {
    if (python == own && !std::filesystem::exists(own, error)) continue;
    Printed printed = PrintedBy(python, file);
    if (printed.code == 0) return std::move(printed.text);
    if (printed.code == kNoPackage) continue;
    while (printed.text.ends_with('\n')) printed.text.pop_back();
    throw InputError(file, printed.text.empty()
                               ? "cannot be read: python3 does not run"
                               : EscapeLine(Cut(printed.text)));
  }
  throw InputError(file,
                   "is read with the Python package jaxlib, which is not "
                   "there: `tools/dev backend stablehlo` or `pip install "
                   "jaxlib` installs it");
}

}  // namespace assay
