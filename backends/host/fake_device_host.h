// A FakeDeviceHost hosts a plugin for the host as if its tensors lay on a
// device that is host memory (fake_device_driver.h). It is for tests, one at a
// time in a process.
#ifndef ASSAY_BACKENDS_HOST_FAKE_DEVICE_HOST_H_
#define ASSAY_BACKENDS_HOST_FAKE_DEVICE_HOST_H_

#include <functional>
#include <memory>
#include <string>

#include "backends/host/executor.h"
#include "backends/host/fake_device_driver.h"

namespace assay {

struct FakeDeviceHost {
  static inline FakeDevice* device = nullptr;  // the one opened last
  // This is called before every call that is given to the plugin.
  static inline std::function<void(const AssayCall&)> before_call =
      [](const AssayCall&) {};

  // With `each`, calls are given to the plugin one by one, else together.
  static PluginParts Parts(const FakeDevice::Options& options, bool each) {
    PluginParts parts;
    parts.load = [=](const std::string& spec) {
      hosted_ = Backend::Load(spec);
      on_device_ = hosted_->abi();
      on_device_.device = {kDLCUDA, 0};
      on_device_.run = Run;
      if (!each) on_device_.run_batch = RunBatch;
      return Backend::Adopt(spec, &on_device_);
    };
    parts.open_device = [=](const DLDevice&) {
      auto opened = std::make_unique<FakeDevice>(options);
      device = opened.get();
      return opened;
    };
    return parts;
  }

 private:
  static inline std::unique_ptr<Backend> hosted_;
  static inline AssayBackend on_device_ = {};

  static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
    before_call(*call);
    return hosted_->abi().run(call, message, capacity);
  }
  static int32_t RunBatch(const AssayCall* calls, size_t n, int32_t* statuses,
                          char* messages, size_t capacity) {
    for (size_t i = 0; i < n; ++i)
      statuses[i] = Run(&calls[i], messages + i * capacity, capacity);
    return ASSAY_OK;
  }
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_FAKE_DEVICE_HOST_H_
