// This is the executor without isolation: for debugging, for engines and
// campaigns of the fuzzer whose processes are their own isolation, and for
// tests.
#include <fmt/format.h>

#include <utility>

#include "backends/host/abi_call.h"
#include "backends/host/device_calls.h"
#include "backends/host/device_memory.h"
#include "backends/host/executor.h"
#include "backends/host/guarded_call.h"
#include "backends/host/watched_call.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// The count is odd as long as this object lives (Executor::CountCallsIn).
class CountedCall {
 public:
  explicit CountedCall(std::atomic<uint64_t>* count) : count_(count) {
    if (count_ != nullptr) count_->fetch_add(1, std::memory_order_relaxed);
  }
  ~CountedCall() {
    if (count_ != nullptr) count_->fetch_add(1, std::memory_order_relaxed);
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

 private:
  std::atomic<uint64_t>* count_;
};

}  // namespace

InProcessExecutor::InProcessExecutor(std::unique_ptr<Backend> backend,
                                     size_t together, const DeviceOpener& open)
    : backend_(std::move(backend)), together_(together) {
  backend_->Start();
  info_ = {backend_->spec(),
           Cut(EscapeLine(backend_->abi().name)),
           Cut(EscapeLine(backend_->abi().version)),
           backend_->path(),
           backend_->is_ours(),
           backend_->validates(),
           backend_->validates_pointwise(),
           backend_->validates_movement(),
           backend_->abi().over_read_bytes};
  info_.runs_calls = backend_->runs_calls();
  info_.runs_programs = backend_->runs_programs();
  info_.verifies = backend_->verifies();
  if (backend_->is_on_host()) return;
  const auto watch = [](const PluginCall& run) { return WatchFaults(run); };
  try {
    on_device_ =
        std::make_unique<DeviceCalls>(backend_.get(), open(backend_->device()),
                                      DeviceCalls::Options{watch, together});
  } catch (const DeviceError& e) {
    throw BackendError(fmt::format("backend '{}': {}", info_.spec, e.what()));
  }
}

InProcessExecutor::~InProcessExecutor() = default;

void InProcessExecutor::Submit(const PlacedCall& placed) {
  if (!device_fault_.empty() && !answers_.empty()) {
    // This is the other run of the op that lost the device.
    answers_.push_back({CallStatus::kLost, "", {}, false});
    return;
  }
  if (!device_fault_.empty())
    throw BackendError(fmt::format(
        "backend '{}': the device cannot be used any more in this process: {}",
        info_.spec, device_fault_));
  std::unique_ptr<AbiCall> call;
  if (placed.program != nullptr) {
    call = std::make_unique<AbiCall>(
        placed.program->text, kEntry,
        backend_->reads_functions() ? placed.program->function.get() : nullptr);
  } else {
    call = std::make_unique<AbiCall>(placed.op->op);
    call->AddMembers(*placed.op);
  }
  for (const PlacedTensor& t : placed.inputs)
    call->AddInput(*t.type, *t.strides, t.element0, t.is_scalar);
  for (const PlacedTensor& t : placed.outputs)
    call->AddOutput(*t.type, *t.strides, t.element0);
  // The tensors of programs lie on the host.
  if (!on_device_ || call->IsProgram()) {
    answers_.push_back(Run(call.get(), placed));
    return;
  }
  std::vector<HostTensor> operands;
  for (const auto* tensors : {&placed.inputs, &placed.outputs}) {
    for (const PlacedTensor& t : *tensors)
      operands.push_back(LocateTensor(*t.type, *t.strides, t.slot, t.element0));
  }
  OnDevice([&](std::vector<NumberedAnswer>* answers) {
    on_device_->Take(
        {0, std::move(call), std::move(operands), placed.guard_bytes, {}},
        answers);
  });
}

Answer InProcessExecutor::Run(AbiCall* call, const PlacedCall& placed) {
  const CountedCall counted(calls_);
  const void* address = nullptr;
  Answer answer = RunWatched(*backend_, call, [&](const PluginCall& run) {
    return WatchFaults(run, &address);
  });
  if (address == nullptr) return answer;
  for (const auto* tensors : {&placed.inputs, &placed.outputs}) {
    for (const PlacedTensor& t : *tensors) {
      if (const auto distance = DistanceFrom(t.slot, address))
        answer.fault = {t.slot.begin, *distance};
    }
  }
  return answer;
}

template <class F>
void InProcessExecutor::OnDevice(F ask) {
  const CountedCall counted(calls_);
  std::vector<NumberedAnswer> answers;
  try {
    ask(&answers);
  } catch (const DeviceError& e) {
    device_fault_ = e.what();
    if (together_ > 1)
      throw DeviceLost(fmt::format("backend '{}': the device is lost: {}",
                                   info_.spec, device_fault_));
    answers.push_back({0, {CallStatus::kCrash, e.what(), {}, false}});
  }
  for (NumberedAnswer& answer : answers)
    answers_.push_back(std::move(answer.answer));
}

Answer InProcessExecutor::Next() {
  if (answers_.empty()) {
    OnDevice([&](std::vector<NumberedAnswer>* answers) {
      on_device_->Run(answers);
    });
  }
  Answer answer = std::move(answers_.front());
  answers_.pop_front();
  times_.Add(answer.seconds);
  return answer;
}

}  // namespace assay
