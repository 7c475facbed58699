// This is a worker for tests, whose device is host memory (fake_device_host.h).
//
// Its arguments are PLUGIN [each] [MIB]. With `each`, it gives calls to the
// plugin one by one, else together. MIB is the memory that other processes
// leave of the device.
#include <cstdlib>
#include <string>

#include "backends/host/fake_device_host.h"
#include "backends/worker/host.h"

// A plugin calls this function. From then on the device fails, as after a fault
// of a real device.
extern "C" void assay_fake_device_fault(const char* why) {
  assay::FakeDeviceHost::device->Fail(why);
}

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
  return assay::ServeAsWorker(argc < 2 ? argc : 2, argv,
                              assay::FakeDeviceHost::Parts(options, runs_each));
}
