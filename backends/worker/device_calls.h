// Calls on tensors of a device: collected as they arrive and run together,
// because each transfer and each wait would take longer than a small call.
#ifndef ASSAY_BACKENDS_WORKER_DEVICE_CALLS_H_
#define ASSAY_BACKENDS_WORKER_DEVICE_CALLS_H_

#include <memory>
#include <unordered_set>
#include <vector>

#include "backends/device_memory.h"
#include "backends/loader.h"
#include "backends/worker/watched_call.h"

namespace assay {

// Used by the thread that opened the device.
class DeviceCalls {
 public:
  // What the worker's hello announces as `batch`.
  static constexpr size_t kMostTogether = 512;

  // `backend`, `reader` and `page` outlive the object.
  DeviceCalls(const Backend* backend, std::unique_ptr<DeviceDriver> device,
              CallReader* reader, volatile WorkerPage* page);

  // Takes a call. Appends the results of the calls that this has run, in their
  // order. Throws ProtocolError, and DeviceError when the device is lost and
  // with it all calls that have no result yet.
  void Take(uint64_t number, const simdjson::dom::object& message,
            std::vector<CallResult>* results);
  // Runs the calls that were taken and have no result yet.
  void Run(std::vector<CallResult>* results);
  bool empty() const { return calls_.empty(); }

 private:
  struct Call {
    uint64_t number = 0;
    std::unique_ptr<AbiCall> abi;
    std::vector<HostTensor> operands;
    size_t guard_bytes = kGuardBytes;
    DevicePlacement placement;
  };

  bool SharesSlots(const Call& call) const;
  void MakePlace(Call* call, std::vector<CallResult>* results);
  bool IsFull() const;
  void NoteStarted(uint64_t first, uint64_t last);
  bool RunTogether(std::span<const Call> calls,
                   std::vector<CallResult>* results);
  bool CallBackend(std::span<const Call> calls,
                   std::vector<CallResult>* results);

  const Backend* backend_;
  std::unique_ptr<DeviceDriver> device_;
  DeviceMemory memory_;
  CallReader* reader_;
  volatile WorkerPage* page_;
  std::vector<Call> calls_;
  size_t bytes_ = 0;                    // that they copy
  std::unordered_set<uint64_t> slots_;  // that they use
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_DEVICE_CALLS_H_
