// A Plugin is a shared library that exports the PJRT C API.
#ifndef ASSAY_BACKENDS_PJRT_PLUGIN_H_
#define ASSAY_BACKENDS_PJRT_PLUGIN_H_

#include <cstdint>
#include <stdexcept>
#include <string>

#include "backends/pjrt/pjrt_abi.h"

namespace assay::pjrt {

// The plugin returned an error, or is none.
class PluginError : public std::runtime_error {
 public:
  explicit PluginError(const std::string& text, int32_t code = 0)
      : std::runtime_error(text), code_(code) {}
  int32_t code() const { return code_; }  // 0: it is not the plugin's

 private:
  int32_t code_;
};

class Plugin {
 public:
  // Loads the library and initializes it. Throws PluginError. It is never
  // closed, because it may leave threads behind.
  explicit Plugin(const std::string& path);

  int minor_version() const { return api_->version.minor_version; }

  // Calls a function of the plugin, with its arguments. Throws PluginError with
  // the plugin's text.
  template <class Args>
  void Call(Slot slot, Args* args) const {
    Throw(Function<Error*(void*)>(slot)(args));
  }
  // The same where nothing can be done about an error.
  template <class Args>
  void Destroy(Slot slot, Args* args) const {
    Drop(Function<Error*(void*)>(slot)(args));
  }

 private:
  template <class F>
  F* Function(Slot slot) const {
    return reinterpret_cast<F*>(api_->functions[static_cast<size_t>(slot)]);
  }
  void Throw(Error* error) const;
  void Drop(Error* error) const;

  const Api* api_ = nullptr;
};

// Returns arguments that are all 0 but for their size.
template <class Args>
Args Zeroed() {
  Args args = {};
  args.head.struct_size = sizeof(Args);
  return args;
}

}  // namespace assay::pjrt

#endif  // ASSAY_BACKENDS_PJRT_PLUGIN_H_
