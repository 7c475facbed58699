// This file leads from a backend's name to the command line of its worker.
#include "backends/host/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <string_view>

#include "backends/host/cuda_driver.h"
#include "backends/host/installation.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScriptEnd = "_worker.py";
constexpr std::string_view kLibrary = "assay_worker.py";  // of the workers

// Throws BackendError.
std::string WorkerProgram(const std::string& spec) {
  const fs::path& worker = ThisInstallation().worker;
  std::error_code error;
  if (!fs::exists(worker, error))
    throw BackendError(
        fmt::format("backend '{}': {} is not there", spec, worker.string()));
  return worker.string();
}

// `exec` avoids a shell between the runner and the worker. A command that is
// more than one program with its arguments keeps the shell.
std::string ForShell(const std::string& command) {
  const bool is_simple =
      command.find_first_of(";&|(){}<>\n=") == std::string::npos;
  return is_simple ? "exec " + command : command;
}

WorkerCommand PythonWorker(const std::string& spec) {
  const size_t question = spec.find('?');
  const std::string name = spec.substr(7, question - 7);
  WorkerCommand command{spec, {}, {}, "", false, true};
  if (question != std::string::npos)
    command.options = ParseOptions(spec, spec.substr(question + 1));
  const bool is_name = !name.empty() && name.find('/') == std::string::npos &&
                       name + std::string(kScriptEnd) != kLibrary;
  const Installation& installation = ThisInstallation();
  const fs::path script =
      installation.python / (name + std::string(kScriptEnd));
  std::error_code error;
  if (!is_name || !fs::exists(script, error)) {
    throw BackendError(fmt::format("backend '{}': there is no {}{} in {}", spec,
                                   name, kScriptEnd,
                                   installation.python.string()));
  }
  // An environment of the worker's own, which `tools/dev backend NAME` makes,
  // is preferred to the system's interpreter.
  const fs::path own = installation.environments / name / "bin/python";
  const std::string python =
      fs::exists(own, error) ? own.string() : "/usr/bin/python3";
  command.words = {WorkerProgram(spec), "--", python, script.string()};
  command.path = script.string();
  if (const fs::path requirements =
          installation.python / ("requirements-" + name + ".txt");
      fs::exists(requirements, error)) {
    command.remedy =
        installation.kind == Installation::Kind::kInSourceTree
            ? "run tools/dev backend " + name
            : fmt::format("install {} into {}", requirements.string(),
                          (installation.environments / name).string());
  }
  return command;
}

}  // namespace

std::vector<std::string> ListPythonWorkers() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(ThisInstallation().python, error)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(kScriptEnd) && file != kLibrary)
      names.push_back(file.substr(0, file.size() - kScriptEnd.size()));
  }
  std::ranges::sort(names);
  return names;
}

WorkerCommand FindWorker(const std::string& spec) {
  if (spec.starts_with("cmd:"))
    return {
        spec,
        {WorkerProgram(spec), "--", "/bin/sh", "-c", ForShell(spec.substr(4))},
        {},
        "",
        false,
        true};
  if (spec.starts_with("python:")) return PythonWorker(spec);
  PluginFile file = Backend::Find(spec);
  return {spec,
          {WorkerProgram(spec), file.name},
          std::move(file.options),
          file.path,
          Backend::IsOurs(spec),
          true};
}

namespace {

constexpr const char kDevice[] = "device", kAll[] = "all";

bool HasAllDevices(const std::map<std::string, std::string>& options) {
  const auto device = options.find(kDevice);
  return device != options.end() && device->second == kAll;
}

int CountDevices(const std::string& spec) {
  try {
    // The driver does not work in a process that was forked after it was
    // opened, as the jobs of a campaign are.
    static const int count = CountCudaDevices();
    return count;
  } catch (const DeviceError& e) {
    throw BackendError(fmt::format("backend '{}': {}", spec, e.what()));
  }
}

// Returns how many executors of a backend this process has opened before.
int NumberOfExecutor(const std::string& spec) {
  static std::mutex mutex;
  static std::map<std::string, int> opened;
  const std::lock_guard lock(mutex);
  return opened[spec]++;
}

}  // namespace

std::map<std::string, std::string> OptionsOfJob(
    std::map<std::string, std::string> options, int n, int devices) {
  if (HasAllDevices(options)) options[kDevice] = std::to_string(n % devices);
  return options;
}

int LeastJobs(const std::string& spec) {
  const size_t question = spec.find('?');
  if (question == std::string::npos || spec.starts_with("cmd:") ||
      !HasAllDevices(ParseOptions(spec, spec.substr(question + 1))))
    return 1;
  return CountDevices(spec);
}

void Executor::Choose(const HowToRun& how) {
  if (how.granularity == Granularity::kOp && !info_.runs_calls)
    throw BackendError(fmt::format(
        "backend '{}': it runs whole programs alone, no calls of one op",
        info_.spec));
  const bool is_of_programs = how.granularity == Granularity::kProgram ||
                              how.operands != ProgramOperands::kArguments ||
                              how.compiles > 1;
  if (is_of_programs && !info_.runs_programs)
    throw BackendError(
        fmt::format("backend '{}': it runs no whole programs", info_.spec));
  how_ = how;
}

namespace {

std::unique_ptr<Executor> Open(const std::string& spec,
                               const OpenOptions& options) {
  if (!options.in_process) {
    WorkerCommand command = FindWorker(spec);
    if (HasAllDevices(command.options)) {
      command.options = OptionsOfJob(std::move(command.options),
                                     options.job + NumberOfExecutor(spec),
                                     CountDevices(spec));
    }
    return std::make_unique<WorkerExecutor>(std::move(command), options.limits);
  }
  if (spec.starts_with("cmd:") || spec.starts_with("python:"))
    throw BackendError(
        fmt::format("backend '{}': only a plugin runs --in-process", spec));
  if (HasAllDevices(Backend::Find(spec).options))
    throw BackendError(fmt::format(
        "backend '{}': one process has one device; leave out --in-process",
        spec));
  return std::make_unique<InProcessExecutor>(
      options.parts.load(spec), options.together, options.parts.open_device);
}

}  // namespace

std::unique_ptr<Executor> OpenBackend(const std::string& spec,
                                      const OpenOptions& options) {
  std::unique_ptr<Executor> executor = Open(spec, options);
  executor->Choose(options.how);
  return executor;
}

}  // namespace assay
