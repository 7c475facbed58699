// DeviceCalls runs calls on tensors of a device: it collects them as they
// arrive and runs them together, because each transfer and each wait would take
// longer than a small call.
#ifndef ASSAY_BACKENDS_HOST_DEVICE_CALLS_H_
#define ASSAY_BACKENDS_HOST_DEVICE_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "backends/host/abi_call.h"
#include "backends/host/device_memory.h"
#include "backends/host/executor.h"
#include "backends/host/loader.h"
#include "backends/host/watched_call.h"

namespace assay {

// The thread that opened the device must use the object.
class DeviceCalls {
 public:
  // The operands of a Call lie in host memory.
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
    // This is called with the first and last number of the calls that are in
    // progress from now on.
    std::function<void(uint64_t first, uint64_t last)> on_start =
        [](uint64_t, uint64_t) {};
  };

  // `backend` must outlive the object.
  DeviceCalls(const Backend* backend, std::unique_ptr<DeviceDriver> device,
              Options options);

  // Takes a call. Appends the answers of the calls that this has run, in their
  // order. Throws DeviceError when the device is lost and with it all calls
  // that have no answer yet.
  void Take(Call call, std::vector<NumberedAnswer>* answers);
  // Runs the calls that were taken and have no answer yet.
  void Run(std::vector<NumberedAnswer>* answers);
  bool empty() const { return calls_.empty(); }
  // Returns the least number of these calls. Precondition: there is one.
  uint64_t first() const { return calls_.front().number; }

 private:
  bool SharesSlots(const Call& call) const;
  void MakePlace(Call* call, std::vector<NumberedAnswer>* answers);
  bool IsFull() const;
  bool RunTogether(std::span<const Call> calls,
                   std::vector<NumberedAnswer>* answers);
  bool CallBackend(std::span<const Call> calls, std::vector<Answer>* answers);

  const Backend* backend_;
  std::unique_ptr<DeviceDriver> device_;
  DeviceMemory memory_;
  Options options_;
  std::vector<Call> calls_;
  size_t bytes_ = 0;                    // that they copy
  std::unordered_set<uint64_t> slots_;  // that they use
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_DEVICE_CALLS_H_
