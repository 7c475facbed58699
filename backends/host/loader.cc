// The loader calls dlopen, checks the version, and sets the options behind `?`.
#include "backends/host/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "backends/host/cuda_driver.h"
#include "backends/host/installation.h"
#include "spec/nearest.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// pjrt:PATH.so is the plugin pjrt, which loads PATH.so.
constexpr std::string_view kPjrt = "pjrt:";
constexpr const char* kPluginOption = "plugin";

// A name has no slash and no ".so"; everything else is a path.
bool IsPath(const std::string& name) {
  if (name.starts_with(kPjrt)) return false;
  return name.find('/') != std::string::npos || name.ends_with(".so");
}

std::string NameOf(const std::string& spec) {
  return spec.substr(0, spec.find('?'));
}

std::string OptionsOf(const std::string& spec) {
  const size_t question = spec.find('?');
  return question == std::string::npos ? "" : spec.substr(question + 1);
}

constexpr const char* kDeviceOption = "device";

// Returns the file of a path, or of the environment of a name, which
// `tools/dev backend NAME` makes. Throws BackendError.
fs::path FindPjrtPlugin(const Installation& installation,
                        const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos || name.ends_with(".so")) {
    if (fs::is_regular_file(name, error)) return fs::absolute(name);
    throw BackendError(fmt::format("backend 'pjrt:{}': no such file", name));
  }
  const fs::path environment = installation.environments / name / "lib";
  for (auto entry = fs::recursive_directory_iterator(environment, error);
       !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (file.ends_with("_plugin.so")) return entry->path();
  }
  throw BackendError(fmt::format(
      "backend 'pjrt:{}': no file '*_plugin.so' below {}; tools/dev backend {} "
      "installs one, if it knows it, and pjrt:PATH.so names any other",
      name, environment.string(), name));
}

std::vector<std::string> KnownNames() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : Backend::List()) names.push_back(name);
  return names;
}

}  // namespace

PluginFile Backend::Find(const std::string& spec) {
  PluginFile file{NameOf(spec), "", {}};
  if (spec.find('?') != std::string::npos)
    file.options = ParseOptions(spec, OptionsOf(spec));
  std::error_code error;
  if (file.name.starts_with(kPjrt)) {
    const std::string path = file.name.substr(kPjrt.size());
    file.name = kPjrt.substr(0, kPjrt.size() - 1);
    file.options[kPluginOption] =
        FindPjrtPlugin(ThisInstallation(), path).string();
  }
  if (IsPath(file.name)) {
    if (!fs::exists(file.name, error))
      throw BackendError(fmt::format("backend '{}': no such file", file.name));
    file.path = fs::absolute(file.name).string();
    return file;
  }
  const Installation& installation = ThisInstallation();
  const auto path_of = [&](const std::string& name) {
    return (installation.plugins / (name + ".so")).string();
  };
  const auto device = file.options.find(kDeviceOption);
  if (device != file.options.end() && !IsPath(device->second)) {
    const std::string name = file.name + "-" + device->second;
    if (IsOurPlugin(name) || fs::exists(path_of(name), error)) {
      file.name = name;
      file.options.erase(device);
    }
  }
  file.path = path_of(file.name);
  if (!fs::exists(file.path, error))
    throw BackendError(fmt::format(
        "backend '{}' is {}{}", file.name, WhyMissing(installation, file.name),
        IsOurPlugin(file.name) ? "" : DidYouMean(file.name, KnownNames())));
  return file;
}

bool Backend::IsOurs(const std::string& spec) {
  return !IsPath(NameOf(spec)) && !spec.starts_with(kPjrt);
}

std::unique_ptr<Backend> Backend::Load(const std::string& spec) {
  const PluginFile file = Find(spec);
  const std::string& path = file.path;
  // The library is never closed, because a plugin may leave threads or exit
  // handlers behind.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw BackendError(fmt::format("backend '{}': {}", spec, dlerror()));
  using Entry = const AssayBackend* (*)();
  const Entry entry = reinterpret_cast<Entry>(dlsym(library, "assay_backend"));
  if (entry == nullptr)
    throw BackendError(fmt::format(
        "backend '{}': {} is not a plugin: it does not export assay_backend",
        spec, path));
  // A plugin is in the process only once, and so are its options.
  static std::map<std::string, std::string> loaded;
  const auto [first, is_first] = loaded.emplace(path, spec);
  if (!is_first && OptionsOf(first->second) != OptionsOf(spec))
    throw BackendError(fmt::format(
        "backend '{}': its plugin is already in use as '{}'; judge the two in "
        "runs of their own",
        spec, first->second));
  std::unique_ptr<Backend> backend = Adopt(NameOf(spec), entry());
  backend->spec_ = spec;
  backend->path_ = path;
  backend->is_ours_ = IsOurs(spec);
  if (!file.options.empty()) backend->Configure(file.options);
  if (backend->device().device_type == kDLCUDA) {
    try {
      RequireCudaDevice(backend->device().device_id);
    } catch (const DeviceError& e) {
      throw BackendError(fmt::format("backend '{}': {}", spec, e.what()));
    }
  }
  return backend;
}

std::unique_ptr<Backend> Backend::Adopt(const std::string& spec,
                                        const AssayBackend* abi) {
  const auto refuse = [&](const std::string& why) {
    throw BackendError(fmt::format("backend '{}': {}", spec, why));
  };
  if (abi == nullptr) refuse("assay_backend() returned NULL");
  if (abi->abi_major != ASSAY_ABI_MAJOR) {
    refuse(fmt::format("built for ABI {}.{}; this assay has {}.{}",
                       abi->abi_major, abi->abi_minor, ASSAY_ABI_MAJOR,
                       ASSAY_ABI_MINOR));
  }
  if (abi->struct_size < offsetof(AssayBackend, run) + sizeof(abi->run) ||
      abi->name == nullptr || abi->version == nullptr) {
    refuse("its AssayBackend lacks name, version or run");
  }
  if (abi->over_read_bytes > kMaxOverReadBytes)
    refuse(fmt::format("over_read_bytes is {}; at most {} are given",
                       abi->over_read_bytes, kMaxOverReadBytes));
  if (abi->device.device_type != kDLCPU && abi->device.device_type != kDLCUDA) {
    refuse(fmt::format("tensors on DLPack device type {} are not supported",
                       static_cast<int>(abi->device.device_type)));
  }
  std::unique_ptr<Backend> backend(new Backend());
  backend->spec_ = spec;
  backend->abi_ = abi;
  if (!backend->runs_calls() && !backend->runs_programs())
    refuse("its AssayBackend has neither run nor run_program");
  if (spec.find('?') != std::string::npos)
    backend->Configure(ParseOptions(spec, OptionsOf(spec)));
  return backend;
}

std::map<std::string, std::string> ParseOptions(const std::string& spec,
                                                const std::string& options) {
  std::map<std::string, std::string> parsed;
  for (size_t start = 0; start <= options.size();) {
    const size_t end = std::min(options.find('&', start), options.size());
    const std::string option = options.substr(start, end - start);
    start = end + 1;
    const size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      throw BackendError(
          fmt::format("backend '{}': '{}' is not key=value", spec, option));
    parsed[option.substr(0, equals)] = option.substr(equals + 1);
  }
  return parsed;
}

void Backend::Configure(
    const std::map<std::string, std::string>& options) const {
  if (!options.empty() && abi_->configure == nullptr)
    throw BackendError(fmt::format("backend '{}': it has no options", spec_));
  for (const auto& [key, value] : options) {
    std::array<char, 512> message = {};
    const int32_t status = abi_->configure(key.c_str(), value.c_str(),
                                           message.data(), message.size());
    message.back() = '\0';
    if (status != ASSAY_OK) {
      throw BackendError(fmt::format(
          "backend '{}': {}", spec_,
          message[0] ? message.data()
                     : fmt::format("it refused '{}={}'", key, value)));
    }
  }
}

void Backend::Start() const {
  if (!Has(&AssayBackend::start)) return;
  std::array<char, 512> message = {};
  const int32_t status = abi_->start(message.data(), message.size());
  message.back() = '\0';
  if (status != ASSAY_OK)
    throw BackendError(BackendErrorPrefix(spec_) +
                       (message[0] ? message.data() : "it does not start"));
}

std::vector<std::pair<std::string, std::string>> Backend::List() {
  const Installation& installation = ThisInstallation();
  std::set<std::string> found;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(installation.plugins, error)) {
    if (entry.path().extension() == ".so")
      found.insert(entry.path().stem().string());
  }
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string& name : found) {
    std::string reason;
    try {
      Load((installation.plugins / (name + ".so")).string());
    } catch (const BackendError& e) {
      reason = e.what();
    }
    names.emplace_back(name, reason);
  }
  for (const std::string& name : OurPlugins()) {
    if (!found.contains(name))
      names.emplace_back(name, WhyMissing(installation, name));
  }
  std::ranges::sort(names);
  return names;
}

int32_t Backend::Run(const AssayCall& call, std::string* message) const {
  std::array<char, 512> text = {};
  const int32_t status = abi_->run(&call, text.data(), text.size());
  text.back() = '\0';
  *message = EscapeLine(text.data());
  return status;
}

int32_t Backend::RunProgram(const AssayProgram& program,
                            std::string* message) const {
  // What a compiler says is longer than what a kernel says.
  std::array<char, 4096> text = {};
  const int32_t status = abi_->run_program(&program, text.data(), text.size());
  text.back() = '\0';
  *message = EscapeLine(text.data());
  return status;
}

Backend::Status Backend::RunBatch(const std::vector<AssayCall>& calls,
                                  std::vector<Status>* each) const {
  constexpr size_t kCapacity = 512;
  // A status that a plugin does not set must not count as a result.
  std::vector<int32_t> statuses(calls.size(), ASSAY_ERROR);
  std::vector<char> messages(calls.size() * kCapacity);
  const int32_t status = abi_->run_batch(
      calls.data(), calls.size(), statuses.data(), messages.data(), kCapacity);
  each->clear();
  for (size_t i = 0; i < calls.size(); ++i) {
    char* const message = messages.data() + i * kCapacity;
    message[kCapacity - 1] = '\0';
    each->push_back({statuses[i], EscapeLine(message)});
  }
  return {status, calls.empty() ? "" : each->front().message};
}

Backend::Status Backend::Synchronise() const {
  if (!Has(&AssayBackend::synchronise)) return {};
  std::array<char, 512> text = {};
  const int32_t status = abi_->synchronise(text.data(), text.size());
  text.back() = '\0';
  return {status, EscapeLine(text.data())};
}

}  // namespace assay
