// It is not always possible to tell which of several calls that ran together
// did what. Then they are run once more, one at a time: until results are
// copied back, host memory has what the calls began with. Only a fault that
// loses the device is final, and a process that opens it again runs calls one
// at a time.
#include "backends/host/device_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace assay {
namespace {

// Calls on more bytes than this run alone.
constexpr size_t kLargeCall = size_t{4} << 20;
// Calls that run together copy at most this many bytes.
constexpr size_t kMostBytes = DeviceMemory::kStagingBytes / 4 * 3;

}  // namespace

DeviceCalls::DeviceCalls(const Backend* backend,
                         std::unique_ptr<DeviceDriver> device, Options options)
    : backend_(backend),
      device_(std::move(device)),
      memory_(device_.get()),
      options_(std::move(options)) {}

bool DeviceCalls::SharesSlots(const Call& call) const {
  for (const HostTensor& operand : call.operands) {
    if (slots_.contains(operand.slot.begin)) return true;
  }
  return false;
}

bool DeviceCalls::IsFull() const {
  return calls_.size() >= options_.most_together || bytes_ >= kMostBytes ||
         memory_.placed_bytes() >= memory_.most_placed_bytes();
}

void DeviceCalls::Take(Call call, std::vector<NumberedAnswer>* answers) {
  options_.on_start(calls_.empty() ? call.number : first(), call.number);
  size_t bytes = 0;
  for (const HostTensor& operand : call.operands)
    bytes += static_cast<size_t>(operand.end - operand.begin);
  const bool is_large = bytes > kLargeCall;
  if (is_large || SharesSlots(call)) {
    Run(answers);
    options_.on_start(call.number, call.number);
  }
  try {
    MakePlace(&call, answers);
  } catch (const std::bad_alloc&) {
    answers->push_back({call.number,
                        {CallStatus::kMemory,
                         memory_.WantOfMemory(call.operands),
                         {},
                         false}});
    return;
  }
  call.abi->MoveTo(backend_->device(), call.placement.element0);
  bytes_ += call.placement.bytes;
  for (const DevicePlacement::Range& range : call.placement.ranges)
    slots_.insert(range.slot);
  calls_.push_back(std::move(call));
  if (is_large || IsFull()) Run(answers);
}

// Calls that wait may hold the memory that this one needs.
void DeviceCalls::MakePlace(Call* call, std::vector<NumberedAnswer>* answers) {
  try {
    call->placement = memory_.Place(call->operands, call->guard_bytes);
    return;
  } catch (const std::bad_alloc&) {
    if (calls_.empty()) throw;
  }
  Run(answers);
  options_.on_start(call->number, call->number);
  call->placement = memory_.Place(call->operands, call->guard_bytes);
}

void DeviceCalls::Run(std::vector<NumberedAnswer>* answers) {
  if (calls_.empty()) return;
  const std::span<const Call> calls(calls_);
  if (!RunTogether(calls, answers)) {
    for (size_t i = 0; i < calls.size(); ++i)
      RunTogether(calls.subspan(i, 1), answers);
  }
  for (const Call& call : calls_) memory_.Release(call.placement);
  calls_.clear();
  slots_.clear();
  bytes_ = 0;
}

// Returns false if it is not clear what each of several calls did; then there
// are no answers, and host memory is unchanged.
bool DeviceCalls::RunTogether(std::span<const Call> calls,
                              std::vector<NumberedAnswer>* answers) {
  options_.on_start(calls.front().number, calls.back().number);
  std::vector<const DevicePlacement*> placements;
  for (const Call& call : calls) placements.push_back(&call.placement);
  memory_.Upload(placements);
  std::vector<Answer> each;
  bool is_clear = CallBackend(calls, &each);
  const Answer waited = options_.watch([&](std::string* text) -> int32_t {
    const Backend::Status status = backend_->Synchronise();
    if (status.status == ASSAY_OK) return ASSAY_OK;
    *text =
        fmt::format("{} from synchronise: {}", status.status, status.message);
    return ASSAY_ERROR;
  });
  const bool is_ok = waited.status == CallStatus::kOk;
  const bool had_changed = each.front().environment_changed;
  // A failure of the call itself takes precedence.
  const CallStatus first = each.front().status;
  const bool had_end =
      first == CallStatus::kCrash || first == CallStatus::kMemory;
  if (!is_ok && !had_end) each.front() = waited;
  each.front().environment_changed = had_changed || waited.environment_changed;
  is_clear = is_clear && is_ok && !waited.environment_changed;
  if (!is_clear && calls.size() > 1) {
    // This throws if the device is lost.
    device_->Synchronise();
    return false;
  }
  memory_.Download();
  for (size_t i = 0; i < calls.size(); ++i)
    answers->push_back({calls[i].number, std::move(each[i])});
  return true;
}

// Sets an answer for each call. Returns false if the answers are not each
// call's own.
bool DeviceCalls::CallBackend(std::span<const Call> calls,
                              std::vector<Answer>* answers) {
  if (!backend_->has_run_batch()) {
    for (const Call& call : calls) {
      answers->push_back(options_.watch([&](std::string* text) {
        return backend_->Run(call.abi->abi(), text);
      }));
    }
    return true;
  }
  std::vector<AssayCall> abi;
  for (const Call& call : calls) abi.push_back(call.abi->abi());
  std::vector<Backend::Status> each;
  const Answer whole = options_.watch([&](std::string* text) {
    Backend::Status status = backend_->RunBatch(abi, &each);
    *text = std::move(status.message);
    return status.status;
  });
  if (whole.status != CallStatus::kOk) {
    answers->assign(calls.size(), whole);
    return false;
  }
  for (Backend::Status& one : each) {
    answers->push_back(AnswerOfStatus(one.status, std::move(one.message)));
    answers->back().environment_changed = whole.environment_changed;
  }
  return !whole.environment_changed;
}

}  // namespace assay
