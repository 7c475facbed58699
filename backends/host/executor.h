// Executor: where calls run. In this process, or in a worker; the runner does
// not know which.
//
// Calls are submitted with their operands already placed in the executor's
// arena, and answered in order. A worker takes calls ahead of their answers, so
// that neither side waits for the other.
#ifndef ASSAY_BACKENDS_HOST_EXECUTOR_H_
#define ASSAY_BACKENDS_HOST_EXECUTOR_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/host/arena.h"
#include "backends/host/device_driver.h"
#include "backends/host/loader.h"
#include "spec/program.h"

namespace assay {

// A tensor of a call. The pointers need to live until Submit returns.
struct PlacedTensor {
  const TensorType* type;
  const Strides* strides;  // in elements
  Slot slot;
  std::byte* element0;  // in `slot`, in this process
  bool is_scalar = false;
};

struct PlacedCall {
  const Op* op;  // whose attributes and regions are those of the call
  std::vector<PlacedTensor> inputs, outputs;
  // Beside each tensor, as far as its slot goes: what is looked at afterwards.
  size_t guard_bytes = kGuardBytes;
};

enum class CallStatus {
  kOk,
  kUnsupported,
  kInvalid,
  kError,
  kCrash,
  kTimeout,
  kMemory,
  // Not run, or its answer was lost, because a call before it ended the worker.
  // The memory of the call may hold anything: place it and submit it again.
  kLost,
};

struct Answer {
  CallStatus status = CallStatus::kOk;
  std::string message;
  // A page fault beside a slot: which (its begin), and how far from its begin.
  struct Fault {
    uint64_t slot;
    int64_t distance;
  };
  std::optional<Fault> fault;
  bool environment_changed = false;
  bool ended_process = false;  // the worker died of the call, or was killed
};

// With the number of its call.
struct NumberedAnswer {
  uint64_t number = 0;
  Answer answer;
};

// A device failed under several calls, none of which can be blamed, and this
// process cannot use it any more: another one may ask again, one at a time.
class DeviceLost : public BackendError {
 public:
  using BackendError::BackendError;
};

// What is known of a backend once it has started.
struct BackendInfo {
  std::string spec;  // as the command line names it
  std::string name, version, path;
  bool is_ours = false;  // one of those that come with the command
  bool validates = false;
  bool validates_pointwise = false;
  uint64_t over_read_bytes = 0;
  uint64_t batch = 1;  // calls that it may run together
};

class Executor {
 public:
  virtual ~Executor() = default;
  const BackendInfo& info() const { return info_; }
  Arena& arena() { return arena_; }
  // How many calls to keep unanswered for the executor to be busy all the time.
  virtual size_t window() const = 0;
  // Both throw BackendError when the backend cannot go on at all.
  virtual void Submit(const PlacedCall& call) = 0;
  // The answer of the oldest call that has none yet; waits for it.
  // Precondition: there is such a call.
  virtual Answer Next() = 0;
  // How often a worker died and was started again.
  virtual int restarts() const { return 0; }
  // How many processes calls went to before the one of the last call.
  virtual int process() const { return 0; }
  // Ends that process, so that the next call is the first of its own. False if
  // calls run in this one. Precondition: no call is unanswered.
  virtual bool Renew() { return false; }

 protected:
  BackendInfo info_;
  Arena arena_;
};

// Where plugins and devices come from. Tests have others.
struct PluginParts {
  // Throws BackendError.
  std::function<std::unique_ptr<Backend>(const std::string&)> load =
      Backend::Load;
  DeviceOpener open_device = OpenDevice;
};

class DeviceCalls;

// Runs calls in this process, on the host one at a time, when they are
// submitted. Faults are caught (guarded_call.h); hangs are not.
class InProcessExecutor : public Executor {
 public:
  // `together`: calls that a device runs at a time. A fault of the device is
  // the answer of the call where it is one, and DeviceLost where they are more;
  // either way it is the end of what this process can ask of the device.
  // `open` opens the device of a backend that has its tensors on one. Throws
  // BackendError.
  explicit InProcessExecutor(std::unique_ptr<Backend> backend,
                             size_t together = 1,
                             const DeviceOpener& open = OpenDevice);
  ~InProcessExecutor() override;
  size_t window() const override { return on_device_ ? together_ : 1; }
  // Both throw BackendError when the device is lost.
  void Submit(const PlacedCall& call) override;
  Answer Next() override;

 private:
  Answer Run(const AssayCall& call, const PlacedCall& placed);
  template <class F>
  void OnDevice(F ask);

  std::unique_ptr<Backend> backend_;
  size_t together_;
  std::unique_ptr<DeviceCalls> on_device_;  // of a backend that has one
  std::string device_fault_;                // empty: there was none
  std::deque<Answer> answers_;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_EXECUTOR_H_
