// What several calls did together cannot always be told apart. Then they are
// run once more, one at a time: until they are copied back, host memory has
// what they began with. Only a fault that loses the device is the end, and who
// opens it again asks one at a time.
#include "backends/device_calls.h"

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
                         std::unique_ptr<DeviceDriver> device, Options options)
    : backend_(backend),
      device_(std::move(device)),
      memory_(device_.get()),
      options_(std::move(options)) {}

// What runs uses memory that goes away with this.
DeviceCalls::~DeviceCalls() {
  if (running_.calls.empty()) return;
  try {
    device_->Synchronise();
  } catch (const DeviceError&) {
    // It runs nothing any more.
  }
}

bool DeviceCalls::SharesSlots(const Call& call) const {
  return std::ranges::any_of(call.operands, [&](const HostTensor& operand) {
    return taken_.slots.contains(operand.slot.begin) ||
           running_.slots.contains(operand.slot.begin);
  });
}

bool DeviceCalls::IsFull() const {
  return taken_.calls.size() >= options_.most_together ||
         taken_.bytes >= kMostBytes ||
         memory_.placed_bytes() >= memory_.most_placed_bytes();
}

void DeviceCalls::Take(Call call, std::vector<NumberedAnswer>* answers) {
  options_.on_start(empty() ? call.number : first(), call.number);
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
  taken_.bytes += call.placement.bytes;
  for (const DevicePlacement::Range& range : call.placement.ranges)
    taken_.slots.insert(range.slot);
  taken_.calls.push_back(std::move(call));
  if (is_large || (IsFull() && !options_.leaves_running)) {
    Run(answers);
  } else if (IsFull()) {
    Finish(answers);
    Start();
  }
}

// Calls that wait may hold the memory that this one needs.
void DeviceCalls::MakePlace(Call* call, std::vector<NumberedAnswer>* answers) {
  try {
    call->placement = memory_.Place(call->operands, call->guard_bytes);
    return;
  } catch (const std::bad_alloc&) {
    if (empty()) throw;
  }
  Run(answers);
  options_.on_start(call->number, call->number);
  call->placement = memory_.Place(call->operands, call->guard_bytes);
}

void DeviceCalls::Run(std::vector<NumberedAnswer>* answers) {
  Finish(answers);
  if (taken_.calls.empty()) return;
  Start();
  Finish(answers);
}

// Precondition: none are running. Of a device that is lost, none are either.
void DeviceCalls::Start() {
  Group group = std::exchange(taken_, {});
  begun_ = Begin(group.calls);
  running_ = std::move(group);
}

void DeviceCalls::Finish(std::vector<NumberedAnswer>* answers) {
  const Group group = std::exchange(running_, {});
  const std::span<const Call> calls(group.calls);
  if (calls.empty()) return;
  if (!End(calls, std::move(begun_), answers)) {
    for (size_t i = 0; i < calls.size(); ++i) {
      const std::span<const Call> alone = calls.subspan(i, 1);
      End(alone, Begin(alone), answers);
    }
  }
  for (const Call& call : calls) memory_.Release(call.placement);
}

DeviceCalls::Begun DeviceCalls::Begin(std::span<const Call> calls) {
  options_.on_start(calls.front().number, calls.back().number);
  std::vector<const DevicePlacement*> placements;
  for (const Call& call : calls) placements.push_back(&call.placement);
  memory_.Upload(placements);
  Begun begun;
  begun.is_clear = CallBackend(calls, &begun.each);
  return begun;
}

// False if it cannot be said of each of several calls what came of it; then
// there are no answers, and host memory is as it was.
bool DeviceCalls::End(std::span<const Call> calls, Begun begun,
                      std::vector<NumberedAnswer>* answers) {
  std::vector<Answer>& each = begun.each;
  const Answer waited = options_.watch([&](std::string* text) -> int32_t {
    const Backend::Status status = backend_->Synchronise();
    if (status.status == ASSAY_OK) return ASSAY_OK;
    *text =
        fmt::format("{} from synchronise: {}", status.status, status.message);
    return ASSAY_ERROR;
  });
  const bool is_ok = waited.status == CallStatus::kOk;
  const bool had_changed = each.front().environment_changed;
  // What ended the call itself comes first.
  const CallStatus first = each.front().status;
  const bool had_end =
      first == CallStatus::kCrash || first == CallStatus::kMemory;
  if (!is_ok && !had_end) each.front() = waited;
  each.front().environment_changed = had_changed || waited.environment_changed;
  const bool is_clear = begun.is_clear && is_ok && !waited.environment_changed;
  if (!is_clear && calls.size() > 1) {
    // Unless the device is lost.
    device_->Synchronise();
    return false;
  }
  memory_.Download();
  for (size_t i = 0; i < calls.size(); ++i)
    answers->push_back({calls[i].number, std::move(each[i])});
  return true;
}

// An answer for each call; false if they are not each one's own.
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
