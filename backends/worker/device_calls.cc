// What several calls did together cannot always be told apart. Then they are
// run once more, one at a time: until they are copied back, host memory has
// what they began with. Only a fault that loses the device ends the worker, and
// it is the runner that asks again one at a time.
#include "backends/worker/device_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace assay {
namespace {

// Calls on more than this run alone.
constexpr size_t kLargeCall = size_t{4} << 20;
// What calls that run together copy.
constexpr size_t kMostBytes = DeviceMemory::kStagingBytes / 4 * 3;

}  // namespace

DeviceCalls::DeviceCalls(const Backend* backend,
                         std::unique_ptr<DeviceDriver> device,
                         CallReader* reader, volatile WorkerPage* page)
    : backend_(backend),
      device_(std::move(device)),
      memory_(device_.get()),
      reader_(reader),
      page_(page) {}

// The last first: whoever looks in between sees too many calls in flight, not
// too few.
void DeviceCalls::NoteStarted(uint64_t first, uint64_t last) {
  page_->last_started = last;
  page_->started = first;
}

bool DeviceCalls::SharesSlots(const Call& call) const {
  for (const HostTensor& operand : call.operands) {
    if (slots_.contains(operand.slot.begin)) return true;
  }
  return false;
}

bool DeviceCalls::IsFull() const {
  return calls_.size() >= kMostTogether || bytes_ >= kMostBytes ||
         memory_.placed_bytes() >= memory_.most_placed_bytes();
}

void DeviceCalls::Take(uint64_t number, const simdjson::dom::object& message,
                       std::vector<CallResult>* results) {
  NoteStarted(calls_.empty() ? number : calls_.front().number, number);
  Call call;
  call.number = number;
  try {
    call.abi = reader_->Read(message, &call.operands);
    uint64_t guard = 0;
    if (message["guard"].get(guard) == simdjson::SUCCESS)
      call.guard_bytes = std::min(size_t{guard}, kGuardBytes);
  } catch (const std::bad_alloc&) {
    Run(results);
    results->push_back({number, "memory", "no memory for the call", false});
    return;
  }
  size_t bytes = 0;
  for (const HostTensor& operand : call.operands)
    bytes += static_cast<size_t>(operand.end - operand.begin);
  const bool is_large = bytes > kLargeCall;
  if (is_large || SharesSlots(call)) {
    Run(results);
    NoteStarted(number, number);
  }
  try {
    MakePlace(&call, results);
  } catch (const std::bad_alloc&) {
    results->push_back(
        {number, "memory", memory_.WantOfMemory(call.operands), false});
    return;
  }
  call.abi->MoveTo(backend_->device(), call.placement.element0);
  bytes_ += call.placement.bytes;
  for (const DevicePlacement::Range& range : call.placement.ranges)
    slots_.insert(range.slot);
  calls_.push_back(std::move(call));
  if (is_large || IsFull()) Run(results);
}

// Calls that wait may hold the memory that this one needs.
void DeviceCalls::MakePlace(Call* call, std::vector<CallResult>* results) {
  try {
    call->placement = memory_.Place(call->operands, call->guard_bytes);
    return;
  } catch (const std::bad_alloc&) {
    if (calls_.empty()) throw;
  }
  Run(results);
  NoteStarted(call->number, call->number);
  call->placement = memory_.Place(call->operands, call->guard_bytes);
}

void DeviceCalls::Run(std::vector<CallResult>* results) {
  if (calls_.empty()) return;
  const std::span<const Call> calls(calls_);
  if (!RunTogether(calls, results)) {
    for (size_t i = 0; i < calls.size(); ++i)
      RunTogether(calls.subspan(i, 1), results);
  }
  for (const Call& call : calls_) memory_.Release(call.placement);
  calls_.clear();
  slots_.clear();
  bytes_ = 0;
}

// False if it cannot be said of each of several calls what came of it; then
// there are no results, and host memory is as it was.
bool DeviceCalls::RunTogether(std::span<const Call> calls,
                              std::vector<CallResult>* results) {
  NoteStarted(calls.front().number, calls.back().number);
  std::vector<const DevicePlacement*> placements;
  for (const Call& call : calls) placements.push_back(&call.placement);
  memory_.Upload(placements);
  std::vector<CallResult> run;
  bool is_clear = CallBackend(calls, &run);
  const CallResult waited = Watch(0, [&](std::string* text) -> int32_t {
    const Backend::Status status = backend_->Synchronise();
    if (status.status == ASSAY_OK) return ASSAY_OK;
    *text =
        fmt::format("{} from synchronise: {}", status.status, status.message);
    return ASSAY_ERROR;
  });
  const bool is_ok = std::string_view(waited.status) == "ok";
  if (!is_ok) {
    run.front().status = waited.status;
    run.front().text = waited.text;
  }
  run.front().environment_changed |= waited.environment_changed;
  is_clear = is_clear && is_ok && !waited.environment_changed;
  if (!is_clear && calls.size() > 1) {
    // Unless the device is lost.
    device_->Synchronise();
    return false;
  }
  memory_.Download();
  for (CallResult& result : run) results->push_back(std::move(result));
  return true;
}

// A result for each call; false if they are not each one's own.
bool DeviceCalls::CallBackend(std::span<const Call> calls,
                              std::vector<CallResult>* results) {
  if (!backend_->has_run_batch()) {
    for (const Call& call : calls) {
      results->push_back(Watch(call.number, [&](std::string* text) {
        return backend_->Run(call.abi->abi(), text);
      }));
    }
    return true;
  }
  std::vector<AssayCall> abi;
  for (const Call& call : calls) abi.push_back(call.abi->abi());
  std::vector<Backend::Status> each;
  const CallResult whole = Watch(calls.front().number, [&](std::string* text) {
    Backend::Status status = backend_->RunBatch(abi, &each);
    *text = std::move(status.message);
    return status.status;
  });
  if (std::string_view(whole.status) != "ok") {
    results->assign(calls.size(), whole);
    return false;
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    CallResult& result = results->emplace_back();
    result.number = calls[i].number;
    result.text = std::move(each[i].message);
    result.status = NameOfStatus(each[i].status, &result.text);
    result.environment_changed = whole.environment_changed;
  }
  return !whole.environment_changed;
}

}  // namespace assay
