// Calls on tensors of a device: collected as they arrive and run together,
// because each transfer and each wait would take longer than a small call.
// Where it is asked for, the next ones are collected while the device runs the
// last.
#ifndef ASSAY_BACKENDS_DEVICE_CALLS_H_
#define ASSAY_BACKENDS_DEVICE_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "backends/abi_call.h"
#include "backends/device_memory.h"
#include "backends/executor.h"
#include "backends/loader.h"
#include "backends/watched_call.h"

namespace assay {

// Used by the thread that opened the device.
class DeviceCalls {
 public:
  // Its operands lie in host memory.
  struct Call {
    uint64_t number = 0;
    std::unique_ptr<AbiCall> abi;
    std::vector<HostTensor> operands;  // inputs, then outputs
    size_t guard_bytes = kGuardBytes;  // as of PlacedCall
    DevicePlacement placement;         // not the caller's business
  };
  struct Options {
    CallWatch watch;
    size_t most_together = 1;
    // Whether those that are enough to run are left to the device, and waited
    // for when the next are: their answers come so much later.
    bool leaves_running = false;
    // Told which calls, by their numbers, are under way from now on.
    std::function<void(uint64_t first, uint64_t last)> on_start =
        [](uint64_t, uint64_t) {};
  };

  // `backend` outlives the object.
  DeviceCalls(const Backend* backend, std::unique_ptr<DeviceDriver> device,
              Options options);
  ~DeviceCalls();
  DeviceCalls(const DeviceCalls&) = delete;
  DeviceCalls& operator=(const DeviceCalls&) = delete;

  // Takes a call. Appends the answers of the calls that this has run, in their
  // order. Throws DeviceError when the device is lost and with it all calls
  // that have no answer yet.
  void Take(Call call, std::vector<NumberedAnswer>* answers);
  // Runs the calls that were taken and have no answer yet.
  void Run(std::vector<NumberedAnswer>* answers);
  bool empty() const { return running_.calls.empty() && taken_.calls.empty(); }
  // The least number of them. Precondition: there are some.
  uint64_t first() const {
    return (running_.calls.empty() ? taken_ : running_).calls.front().number;
  }

 private:
  struct Group {
    std::vector<Call> calls;
    size_t bytes = 0;                    // that they copy
    std::unordered_set<uint64_t> slots;  // that they use
  };
  // What a plugin said of calls that the device may not have run yet.
  struct Begun {
    std::vector<Answer> each;
    bool is_clear = false;  // They are each one's own.
  };

  bool SharesSlots(const Call& call) const;
  void MakePlace(Call* call, std::vector<NumberedAnswer>* answers);
  bool IsFull() const;
  void Start();
  void Finish(std::vector<NumberedAnswer>* answers);
  Begun Begin(std::span<const Call> calls);
  bool End(std::span<const Call> calls, Begun begun,
           std::vector<NumberedAnswer>* answers);
  bool CallBackend(std::span<const Call> calls, std::vector<Answer>* answers);

  const Backend* backend_;
  std::unique_ptr<DeviceDriver> device_;
  DeviceMemory memory_;
  Options options_;
  Group taken_;
  Group running_;  // Before those.
  Begun begun_;    // Of them.
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_DEVICE_CALLS_H_
