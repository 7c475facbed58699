// An Executor runs calls in this process or in a worker; the runner does not
// know which.
//
// Calls are submitted with their operands already placed in the executor's
// arena, and answered in order. A worker takes calls ahead of their answers, so
// that neither side waits for the other.
#ifndef ASSAY_BACKENDS_HOST_EXECUTOR_H_
#define ASSAY_BACKENDS_HOST_EXECUTOR_H_

#include <atomic>
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

inline constexpr const char* kEntry = "main";

// This is a tensor of a call. The pointers must be valid until Submit returns.
struct PlacedTensor {
  const TensorType* type;
  const Strides* strides;  // in elements
  Slot slot;
  std::byte* element0;  // in `slot`, in this process
  bool is_scalar = false;
};

// This is a program that is run whole.
struct EntryProgram {
  std::string text;  // of a module, whose entry is kEntry
  // The entry; nullptr if the program violates a constraint.
  std::shared_ptr<const Function> function;
};

struct PlacedCall {
  const Op* op;  // whose attributes and regions are those of the call
  std::vector<PlacedTensor> inputs, outputs;
  // This many bytes beside each tensor, as far as its slot extends, are checked
  // afterwards.
  size_t guard_bytes = kGuardBytes;
  // If set, a whole program is run instead, and `op` is not looked at.
  const EntryProgram* program = nullptr;
};

enum class CallStatus {
  kOk,
  kUnsupported,
  kInvalid,
  kError,
  kCrash,
  kTimeout,
  kMemory,
  // The call did not run, or its answer was lost, because a call before it
  // ended the worker. The memory of the call may hold anything: place it and
  // submit it again.
  kLost,
};

// Seconds say what programs took. Backends that do not measure it leave them 0.
struct Seconds {
  double compile = 0, execute = 0;
};

struct Answer {
  CallStatus status = CallStatus::kOk;
  std::string message;
  // This is a page fault beside a slot, given by the slot's begin, and the
  // distance from it.
  struct Fault {
    uint64_t slot;
    int64_t distance;
  };
  std::optional<Fault> fault;
  bool environment_changed = false;
  bool ended_process = false;  // the worker died of the call, or was killed
  Seconds seconds = {};        // of a program
};

// This is an answer with the number of its call.
struct NumberedAnswer {
  uint64_t number = 0;
  Answer answer;
};

// A device failed during several calls, none of which can be blamed, and this
// process cannot use it any more: another process may run them again, one at a
// time.
class DeviceLost : public BackendError {
 public:
  using BackendError::BackendError;
};

// This is what is known of a backend once it has started.
struct BackendInfo {
  std::string spec;  // as the command line names it
  std::string name, version, path;
  bool is_ours = false;  // one of those that come with the command
  bool validates = false;
  bool validates_pointwise = false;
  bool validates_movement = false;
  uint64_t over_read_bytes = 0;
  uint64_t batch = 1;          // calls that it may run together
  bool runs_calls = true;      // of one op
  bool runs_programs = false;  // whole
  bool verifies = false;       // valid programs, too, that are not run
};

// Times are what a backend took, in seconds, in all of its processes.
struct Times {
  double start = 0;                 // until it said hello
  double compile = 0, execute = 0;  // of programs

  void Add(const Seconds& seconds) {
    compile += seconds.compile;
    execute += seconds.execute;
  }
  void Add(const Times& other) {
    start += other.start;
    compile += other.compile;
    execute += other.execute;
  }
};

// A program runs op by op, as a whole, or both ways.
enum class Granularity : uint8_t { kOp, kProgram, kBoth };

// A whole program takes its operands as arguments, has them in its text as
// constants, which a compiler folds, or is run both ways.
enum class ProgramOperands : uint8_t { kArguments, kConstants, kBoth };

// Says how a backend runs programs.
struct HowToRun {
  Granularity granularity = Granularity::kBoth;
  ProgramOperands operands = ProgramOperands::kArguments;
  // A whole program is compiled this many times, each time in another process.
  int compiles = 1;
  // A program is not followed further after so many steps.
  int64_t fuel = kFuel;

  friend bool operator==(const HowToRun&, const HowToRun&) = default;
};

class Executor {
 public:
  virtual ~Executor() = default;
  const BackendInfo& info() const { return info_; }
  // Chooses how programs run. Throws BackendError if the backend does not run
  // what is chosen.
  void Choose(const HowToRun& how);
  const HowToRun& how() const { return how_; }
  bool RunsCalls() const {
    return info_.runs_calls && how_.granularity != Granularity::kProgram;
  }
  bool RunsPrograms() const {
    return info_.runs_programs && how_.granularity != Granularity::kOp;
  }
  Arena& arena() { return arena_; }
  // Returns how many calls to keep unanswered for the executor to be busy all
  // the time.
  virtual size_t window() const = 0;
  // Both throw BackendError when the backend cannot go on at all.
  virtual void Submit(const PlacedCall& call) = 0;
  // Returns the answer of the oldest call that has none yet; waits for it.
  // Precondition: there is such a call.
  virtual Answer Next() = 0;
  // Returns how often a worker died and was started again.
  virtual int restarts() const { return 0; }
  // Returns how many processes calls went to before the process of the last
  // call.
  virtual int process() const { return 0; }
  // Ends that process, so that the next call is the first one of a new process.
  // Returns false if calls run in this process. Precondition: no call is
  // unanswered.
  virtual bool Renew() { return false; }
  const Times& times() const { return times_; }
  // An executor that runs calls in this process counts when it asks the backend
  // and when that has answered, so that the number is odd in between. `count`
  // outlives the executor.
  void CountCallsIn(std::atomic<uint64_t>* count) { calls_ = count; }

 protected:
  std::atomic<uint64_t>* calls_ = nullptr;
  BackendInfo info_;
  Arena arena_;
  Times times_;

 private:
  HowToRun how_;
};

// PluginParts says where plugins and devices come from. Tests have others.
struct PluginParts {
  // Throws BackendError.
  std::function<std::unique_ptr<Backend>(const std::string&)> load =
      Backend::Load;
  DeviceOpener open_device = OpenDevice;
};

class AbiCall;
class DeviceCalls;

// This executor runs calls in this process when they are submitted, on the host
// one at a time. Faults are caught (guarded_call.h); hangs are not.
class InProcessExecutor : public Executor {
 public:
  // `together` is the number of calls that a device runs at a time. A fault of
  // the device is the answer of the call if it is one, and DeviceLost if there
  // are several; either way this process can ask nothing more of the device.
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
  Answer Run(AbiCall* call, const PlacedCall& placed);
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
