// A DeviceClient compiles programs with a PJRT plugin, and runs them on its
// first device.
#ifndef ASSAY_BACKENDS_PJRT_DEVICE_CLIENT_H_
#define ASSAY_BACKENDS_PJRT_DEVICE_CLIENT_H_

#include <cstddef>
#include <list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backends/backend.h"
#include "backends/pjrt/plugin.h"

namespace assay::pjrt {

class DeviceClient {
 public:
  // The options are those that the plugin takes when a client is created: whole
  // numbers, "true" and "false", or texts. Throws PluginError.
  DeviceClient(const std::string& path,
               const std::map<std::string, std::string>& options);

  // Returns what the plugin says of itself: "cpu", and a version.
  std::string platform() { return Text(Slot::kClientPlatformName); }
  std::string version();

  // Returns whether the program is one of the last ones that were compiled.
  bool Has(std::string_view text) const { return compiled_.contains(text); }
  // Compiles the program, if it is none of them. Throws PluginError.
  LoadedExecutable* Compile(std::string_view text);
  // Runs it. Throws PluginError, also if the results have other types than the
  // outputs.
  void Execute(LoadedExecutable* executable,
               std::span<const AssayTensor> inputs,
               std::span<const AssayTensor> outputs);

 private:
  // So many programs are kept.
  static constexpr size_t kMostCompiled = 64;
  struct Compiled {
    std::string text;
    LoadedExecutable* executable;
  };
  class Buffers;

  std::string Text(Slot slot);
  void Await(Event* event);
  Buffer* Upload(const AssayTensor& tensor);
  void Download(Buffer* buffer, const AssayTensor& tensor, size_t number);
  size_t OutputsOf(LoadedExecutable* executable);

  Plugin plugin_;
  Client* client_ = nullptr;
  Device* device_ = nullptr;
  std::list<Compiled> programs_;  // the last one that was used comes first
  std::unordered_map<std::string_view, std::list<Compiled>::iterator> compiled_;
};

}  // namespace assay::pjrt

#endif  // ASSAY_BACKENDS_PJRT_DEVICE_CLIENT_H_
