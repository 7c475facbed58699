// The executor without isolation: for debugging, for fuzzing engines that live
// in the process, and for tests.
#include <fmt/format.h>
#include <string.h>

#include <new>

#include "backends/abi_call.h"
#include "backends/device_memory.h"
#include "backends/executor.h"
#include "backends/guarded_call.h"

namespace assay {
namespace {

CallStatus FromAbi(int32_t status) {
  switch (status) {
    case ASSAY_OK:
      return CallStatus::kOk;
    case ASSAY_UNSUPPORTED:
      return CallStatus::kUnsupported;
    case ASSAY_INVALID:
      return CallStatus::kInvalid;
    default:
      return CallStatus::kError;
  }
}

}  // namespace

InProcessExecutor::InProcessExecutor(std::unique_ptr<Backend> backend,
                                     const DeviceOpener& open)
    : backend_(std::move(backend)) {
  info_ = {backend_->spec(),
           backend_->abi().name,
           backend_->abi().version,
           backend_->path(),
           backend_->is_ours(),
           backend_->validates(),
           backend_->validates_pointwise(),
           backend_->abi().over_read_bytes};
  if (backend_->is_on_host()) return;
  try {
    device_ = open(backend_->device());
  } catch (const DeviceError& e) {
    throw BackendError(fmt::format("backend '{}': {}", info_.spec, e.what()));
  }
  memory_ = std::make_unique<DeviceMemory>(device_.get());
}

InProcessExecutor::~InProcessExecutor() = default;

void InProcessExecutor::Submit(const PlacedCall& placed) {
  if (!device_fault_.empty() && !answers_.empty()) {
    // The other run of the op that lost the device.
    answers_.push_back({CallStatus::kLost, "", {}, false});
    return;
  }
  if (!device_fault_.empty())
    throw BackendError(fmt::format(
        "backend '{}': the device cannot be used any more in this process: {}",
        info_.spec, device_fault_));
  AbiCall call(placed.op->op);
  call.AddAttributes(*placed.op);
  for (const PlacedTensor& t : placed.inputs)
    call.AddInput(*t.type, *t.strides, t.element0, t.is_scalar);
  for (const PlacedTensor& t : placed.outputs)
    call.AddOutput(*t.type, *t.strides, t.element0);
  answers_.push_back(device_ ? RunOnDevice(&call, placed) : Run(&call, placed));
}

Answer InProcessExecutor::Run(AbiCall* call, const PlacedCall& placed) {
  Answer answer;
  int32_t status = ASSAY_OK;
  const FloatEnvironment before = FloatEnvironment::Current();
  const std::optional<Fault> fault = CallGuarded(
      [&] { status = backend_->Run(call->abi(), &answer.message); });
  answer.environment_changed = !fault && before != FloatEnvironment::Current();
  before.Restore();
  if (!fault) {
    answer.status = FromAbi(status);
    if (answer.status == CallStatus::kError)
      answer.message = fmt::format("status {}: {}", status, answer.message);
    return answer;
  }
  answer.status = CallStatus::kCrash;
  answer.message = fault->signal == 0
                       ? "an exception left the call"
                       : fmt::format("signal {} ({})", fault->signal,
                                     strsignal(fault->signal));
  if (fault->address == nullptr) return answer;
  for (const auto* tensors : {&placed.inputs, &placed.outputs}) {
    for (const PlacedTensor& t : *tensors) {
      if (const auto distance = DistanceFrom(t.slot, fault->address))
        answer.fault = {t.slot.begin, *distance};
    }
  }
  return answer;
}

Answer InProcessExecutor::RunOnDevice(AbiCall* call, const PlacedCall& placed) {
  std::vector<HostTensor> tensors;
  for (const auto* list : {&placed.inputs, &placed.outputs}) {
    for (const PlacedTensor& t : *list)
      tensors.push_back(LocateTensor(*t.type, *t.strides, t.slot, t.element0));
  }
  DevicePlacement placement;
  const DevicePlacement* const placements[] = {&placement};
  try {
    placement = memory_->Place(tensors, placed.guard_bytes);
    call->MoveTo(backend_->device(), placement.element0);
    memory_->Upload(placements);
    Answer answer = Run(call, placed);
    if (answer.status == CallStatus::kOk) {
      const Backend::Status waited = backend_->Synchronise();
      if (waited.status != ASSAY_OK) {
        answer.status = CallStatus::kError;
        answer.message = fmt::format("synchronise: status {}: {}",
                                     waited.status, waited.message);
      }
    }
    memory_->Download();
    memory_->Release(placement);
    return answer;
  } catch (const std::bad_alloc&) {
    memory_->Release(placement);
    return {CallStatus::kMemory, memory_->WantOfMemory(tensors), {}, false};
  } catch (const DeviceError& e) {
    device_fault_ = e.what();
    return {CallStatus::kCrash, e.what(), {}, false};
  }
}

Answer InProcessExecutor::Next() {
  Answer answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

}  // namespace assay
