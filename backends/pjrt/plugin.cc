#include "backends/pjrt/plugin.h"

#include <dlfcn.h>

#include <array>

namespace assay::pjrt {
namespace {

// All functions that a client calls.
constexpr std::array kCalled = {Slot::kErrorDestroy,
                                Slot::kErrorMessage,
                                Slot::kErrorGetCode,
                                Slot::kPluginInitialize,
                                Slot::kEventDestroy,
                                Slot::kEventAwait,
                                Slot::kClientCreate,
                                Slot::kClientPlatformName,
                                Slot::kClientPlatformVersion,
                                Slot::kClientAddressableDevices,
                                Slot::kClientCompile,
                                Slot::kClientBufferFromHostBuffer,
                                Slot::kExecutableDestroy,
                                Slot::kExecutableNumOutputs,
                                Slot::kLoadedExecutableDestroy,
                                Slot::kLoadedExecutableGetExecutable,
                                Slot::kLoadedExecutableExecute,
                                Slot::kBufferDestroy,
                                Slot::kBufferElementType,
                                Slot::kBufferDimensions,
                                Slot::kBufferToHostBuffer};

}  // namespace

Plugin::Plugin(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw PluginError(dlerror());
  using Entry = const Api* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "GetPjrtApi"));
  if (entry == nullptr)
    throw PluginError(path +
                      " is no PJRT plugin: it does not export GetPjrtApi");
  api_ = entry();
  if (api_ == nullptr) throw PluginError(path + ": GetPjrtApi returned NULL");
  if (api_->struct_size < offsetof(Api, functions))
    throw PluginError(path + ": its PJRT_Api has " +
                      std::to_string(api_->struct_size) +
                      " bytes, which is too small for a version");
  const ApiVersion& version = api_->version;
  if (version.major_version != kApiMajor ||
      version.minor_version < kLeastApiMinor)
    throw PluginError(
        path + ": it has version " + std::to_string(version.major_version) +
        "." + std::to_string(version.minor_version) +
        " of the PJRT API; this backend needs " + std::to_string(kApiMajor) +
        "." + std::to_string(kLeastApiMinor) + " or a later one of major " +
        std::to_string(kApiMajor));
  for (const Slot slot : kCalled) {
    const size_t end =
        offsetof(Api, functions) +
        (static_cast<size_t>(slot) + 1) * sizeof(api_->functions[0]);
    if (end > api_->struct_size ||
        api_->functions[static_cast<size_t>(slot)] == nullptr)
      throw PluginError(path + ": its PJRT_Api lacks function number " +
                        std::to_string(static_cast<size_t>(slot)));
  }
  auto args = Zeroed<PluginInitializeArgs>();
  Call(Slot::kPluginInitialize, &args);
}

void Plugin::Throw(Error* error) const {
  if (error == nullptr) return;
  auto message = Zeroed<ErrorMessageArgs>();
  message.error = error;
  Function<void(void*)>(Slot::kErrorMessage)(&message);
  auto code = Zeroed<ErrorGetCodeArgs>();
  code.error = error;
  Drop(Function<Error*(void*)>(Slot::kErrorGetCode)(&code));
  const std::string text(message.message, message.message_size);
  Drop(error);
  throw PluginError(text, code.code);
}

void Plugin::Drop(Error* error) const {
  if (error == nullptr) return;
  auto args = Zeroed<ErrorDestroyArgs>();
  args.error = error;
  Function<void(void*)>(Slot::kErrorDestroy)(&args);
}

}  // namespace assay::pjrt
