// The executor without isolation: for debugging, for fuzzing engines that live
// in the process, and for tests.
#include <fmt/format.h>
#include <string.h>

#include "backends/abi_call.h"
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

InProcessExecutor::InProcessExecutor(std::unique_ptr<Backend> backend)
    : backend_(std::move(backend)) {
  info_ = {backend_->spec(),
           backend_->abi().name,
           backend_->abi().version,
           backend_->path(),
           backend_->is_ours(),
           backend_->validates(),
           backend_->validates_pointwise(),
           backend_->abi().over_read_bytes};
}

void InProcessExecutor::Submit(const PlacedCall& placed) {
  AbiCall call(placed.op->op);
  call.AddAttributes(*placed.op);
  for (const PlacedTensor& t : placed.inputs)
    call.AddInput(*t.type, *t.strides, t.element0, t.is_scalar);
  for (const PlacedTensor& t : placed.outputs)
    call.AddOutput(*t.type, *t.strides, t.element0);
  Answer& answer = answers_.emplace_back();
  int32_t status = ASSAY_OK;
  const FloatEnvironment before = FloatEnvironment::Current();
  const std::optional<Fault> fault =
      CallGuarded([&] { status = backend_->Run(call.abi(), &answer.message); });
  answer.environment_changed = !fault && before != FloatEnvironment::Current();
  before.Restore();
  if (!fault) {
    answer.status = FromAbi(status);
    if (answer.status == CallStatus::kError)
      answer.message = fmt::format("status {}: {}", status, answer.message);
    return;
  }
  answer.status = CallStatus::kCrash;
  answer.message = fault->signal == 0
                       ? "an exception left the call"
                       : fmt::format("signal {} ({})", fault->signal,
                                     strsignal(fault->signal));
  if (fault->address == nullptr) return;
  for (const auto* tensors : {&placed.inputs, &placed.outputs}) {
    for (const PlacedTensor& t : *tensors) {
      if (const auto distance = DistanceFrom(t.slot, fault->address))
        answer.fault = {t.slot.begin, *distance};
    }
  }
}

Answer InProcessExecutor::Next() {
  Answer answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

}  // namespace assay
