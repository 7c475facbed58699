// A worker whose device is host memory (fake_device_driver.h): hosts a plugin
// for the host as if its tensors lay on a device. For tests.
//
// fake_device_worker PLUGIN [each] [MIB]: with `each`, calls are put to the
// plugin one by one, else together; others have left so much of the device's
// memory.
#include <cstdlib>
#include <string>

#include "backends/fake_device_driver.h"
#include "backends/worker/host.h"

namespace {

assay::FakeDevice* device = nullptr;
const AssayBackend* hosted = nullptr;

int32_t RunBatch(const AssayCall* calls, size_t n, int32_t* statuses,
                 char* messages, size_t capacity) {
  for (size_t i = 0; i < n; ++i)
    statuses[i] = hosted->run(&calls[i], messages + i * capacity, capacity);
  return ASSAY_OK;
}

}  // namespace

// Called by a plugin: from now on the device fails, as after a fault of one.
extern "C" void assay_fake_device_fault(const char* why) { device->Fail(why); }

int main(int argc, char** argv) {
  bool runs_each = false;
  assay::FakeDevice::Options options;
  for (int i = 2; i < argc; ++i) {
    if (std::string(argv[i]) == "each") {
      runs_each = true;
    } else {
      const uint64_t left = std::strtoull(argv[i], nullptr, 10) << 20;
      options.used_by_others = options.memory_bytes - left;
    }
  }
  assay::HostParts parts;
  parts.load = [=](const std::string& spec) {
    static const auto plugin = assay::Backend::Load(spec);
    static AssayBackend on_device = plugin->abi();
    hosted = &plugin->abi();
    on_device.device = {kDLCUDA, 0};
    if (!runs_each) on_device.run_batch = RunBatch;
    return assay::Backend::Adopt(spec, &on_device);
  };
  parts.open_device = [=](const DLDevice&) {
    auto opened = std::make_unique<assay::FakeDevice>(options);
    device = opened.get();
    return opened;
  };
  return assay::ServeAsWorker(argc < 2 ? argc : 2, argv, parts);
}
