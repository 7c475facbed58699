// Backends are loaded by `NAME` or `PATH.so`, with options `?key=value&..`.
//
// Our own backends are plugins like any other: installation.h says where
// NAME.so is looked for. A plugin may come in several files, one for a device:
// the option device=X asks for NAME-X.so if that is present or one of ours,
// else it is the plugin's own option. A plugin that cannot be started is a
// BackendError (exit 3); the other backends are still judged.
#ifndef ASSAY_BACKENDS_HOST_LOADER_H_
#define ASSAY_BACKENDS_HOST_LOADER_H_

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "spec/printable_text.h"

namespace assay {

// Vector kernels may read one vector too far, but not more than a page.
inline constexpr uint64_t kMaxOverReadBytes = 4096;

// The text is escaped, as it may quote what a plugin says: an error is one
// line.
class BackendError : public std::runtime_error {
 public:
  explicit BackendError(const std::string& text)
      : std::runtime_error(EscapeLine(text)) {}
};

// Returns the begin of all error messages about the backend `spec`.
inline std::string BackendErrorPrefix(const std::string& spec) {
  return "backend '" + spec + "': ";
}

// Parses the options "key=value&key=value" of the backend `spec`. Throws
// BackendError.
std::map<std::string, std::string> ParseOptions(const std::string& spec,
                                                const std::string& options);

// A spec names a plugin file: "broken?device=cuda-host&bug=SH03" is the plugin
// broken-cuda-host with the option bug.
struct PluginFile {
  std::string name;  // as assay-worker gets it
  std::string path;
  std::map<std::string, std::string> options;
};

class Backend {
 public:
  // `spec` is like "simd?target=avx2" or "./libmine.so". Throws BackendError,
  // also if the machine lacks the device that the backend's tensors lie on.
  static std::unique_ptr<Backend> Load(const std::string& spec);
  // Throws BackendError.
  static PluginFile Find(const std::string& spec);
  // Returns whether `spec` is the name of a plugin that comes with the command.
  static bool IsOurs(const std::string& spec);
  // Loads a plugin that is already in this process, such as one that embeds the
  // suite. `abi` must outlive the result. Does not look for devices.
  static std::unique_ptr<Backend> Adopt(const std::string& spec,
                                        const AssayBackend* abi);
  // Returns the names that are found, and ours, each with "" or the reason why
  // it does not load.
  static std::vector<std::pair<std::string, std::string>> List();
  // Returns whether `spec` names the pseudo-backend that judges the constraints
  // themselves. It is not loaded.
  static bool IsSpec(const std::string& spec) { return spec == "spec"; }

  // Gives the plugin its options, before the first run. Throws BackendError.
  void Configure(const std::map<std::string, std::string>& options) const;
  // Starts the plugin, after the last option. Throws BackendError.
  void Start() const;

  const std::string& spec() const { return spec_; }
  const std::string& path() const { return path_; }
  // Returns whether the plugin was loaded by its name, so that it comes with
  // the command.
  bool is_ours() const { return is_ours_; }
  const AssayBackend& abi() const { return *abi_; }
  // Returns where tensors must lie, which is known once the backend is
  // configured.
  DLDevice device() const { return abi_->device; }
  bool is_on_host() const { return abi_->device.device_type == kDLCPU; }
  bool validates() const { return (abi_->capabilities & ASSAY_VALIDATES) != 0; }
  bool validates_pointwise() const {
    return (abi_->capabilities & ASSAY_VALIDATES_POINTWISE) != 0;
  }
  bool validates_movement() const {
    return (abi_->capabilities & ASSAY_VALIDATES_MOVEMENT) != 0;
  }
  bool verifies() const {
    return validates() && runs_programs() &&
           (abi_->capabilities & ASSAY_VERIFIES) != 0;
  }

  // Runs one call. `*message` receives the backend's message for a status other
  // than ASSAY_OK.
  int32_t Run(const AssayCall& call, std::string* message) const;
  bool runs_calls() const { return abi_->run != nullptr; }
  bool runs_programs() const { return Has(&AssayBackend::run_program); }
  bool reads_functions() const {
    return (abi_->capabilities & ASSAY_READS_FUNCTIONS) != 0;
  }
  // Runs one program. Precondition: runs_programs().
  int32_t RunProgram(const AssayProgram& program, std::string* message) const;
  // A Status is a backend's answer to one call.
  struct Status {
    int32_t status = ASSAY_OK;
    std::string message;
  };
  bool has_run_batch() const { return Has(&AssayBackend::run_batch); }
  // `each` receives as many statuses as there are calls. Precondition:
  // has_run_batch().
  Status RunBatch(const std::vector<AssayCall>& calls,
                  std::vector<Status>* each) const;
  // Returns ASSAY_OK if the backend has no such function.
  Status Synchronise() const;

 private:
  Backend() = default;
  // Returns whether the backend is new enough for a function, and has it.
  template <class F>
  bool Has(F AssayBackend::*function) const {
    const auto* begin = reinterpret_cast<const char*>(abi_);
    const auto* end = reinterpret_cast<const char*>(&(abi_->*function) + 1);
    return static_cast<size_t>(end - begin) <= abi_->struct_size &&
           abi_->*function != nullptr;
  }

  std::string spec_;
  std::string path_;
  bool is_ours_ = false;
  const AssayBackend* abi_ = nullptr;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_LOADER_H_
