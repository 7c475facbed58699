// A plugin of the PJRT C API for tests, which is wrong in one way:
// FAKE_WRONG_MAJOR, FAKE_SMALL and FAKE_WITHOUT_FUNCTION.
#include "backends/pjrt/pjrt_abi.h"

namespace {

using namespace assay::pjrt;

Error* Succeed(void*) { return nullptr; }

Error* GiveDevice(void* args) {
  static char device;
  static Device* const devices[] = {reinterpret_cast<Device*>(&device)};
  auto* const given = static_cast<ClientAddressableDevicesArgs*>(args);
  given->devices = devices;
  given->num_devices = 1;
  return nullptr;
}

Error* GiveText(void* args) {
  auto* const given = static_cast<ClientTextArgs*>(args);
  given->text = "fake";
  given->text_size = 4;
  return nullptr;
}

Api MakeApi() {
  Api api = {};
  api.struct_size = sizeof(Api);
  api.version = {sizeof(ApiVersion), nullptr, kApiMajor, kLeastApiMinor};
  for (void*& function : api.functions)
    function = reinterpret_cast<void*>(&Succeed);
  const auto set = [&](Slot slot, Error* (*function)(void*)) {
    api.functions[static_cast<size_t>(slot)] =
        reinterpret_cast<void*>(function);
  };
  set(Slot::kClientAddressableDevices, GiveDevice);
  set(Slot::kClientPlatformName, GiveText);
  set(Slot::kClientPlatformVersion, GiveText);
#if defined(FAKE_WRONG_MAJOR)
  api.version.major_version = 7;
#elif defined(FAKE_SMALL)
  api.struct_size = 16;
#elif defined(FAKE_WITHOUT_FUNCTION)
  api.struct_size -= sizeof(void*);
#endif
  return api;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const assay::pjrt::Api*
GetPjrtApi() {
  static const assay::pjrt::Api api = MakeApi();
  return &api;
}
