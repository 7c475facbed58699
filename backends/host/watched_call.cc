#include "backends/host/watched_call.h"

#include <fmt/format.h>
#include <string.h>

#include <exception>
#include <new>
#include <utility>

#include "backends/host/guarded_call.h"

namespace assay {

Answer AnswerOfStatus(int32_t status, std::string text) {
  switch (status) {
    case ASSAY_OK:
      return {};
    case ASSAY_UNSUPPORTED:
      return {CallStatus::kUnsupported, std::move(text), {}, false};
    case ASSAY_INVALID:
      return {CallStatus::kInvalid, std::move(text), {}, false};
    default:
      return {CallStatus::kError,
              fmt::format("status {}: {}", status, text),
              {},
              false};
  }
}

Answer WatchExceptions(const PluginCall& run) {
  Answer answer;
  const FloatEnvironment before = FloatEnvironment::Current();
  try {
    std::string text;
    const int32_t status = run(&text);
    answer = AnswerOfStatus(status, std::move(text));
  } catch (const std::bad_alloc&) {
    answer = {CallStatus::kMemory, "no memory for the call", {}, false};
  } catch (const std::exception& e) {
    answer = {CallStatus::kCrash,
              fmt::format("an exception left the call: {}", e.what()),
              {},
              false};
  } catch (...) {
    answer = {CallStatus::kCrash, "an exception left the call", {}, false};
  }
  answer.environment_changed = before != FloatEnvironment::Current();
  before.Restore();
  return answer;
}

Answer WatchFaults(const PluginCall& run, const void** address) {
  if (address != nullptr) *address = nullptr;
  int32_t status = ASSAY_OK;
  std::string text;
  const FloatEnvironment before = FloatEnvironment::Current();
  const std::optional<Fault> fault = CallGuarded([&] { status = run(&text); });
  const bool environment_changed =
      !fault && before != FloatEnvironment::Current();
  before.Restore();
  if (!fault) {
    Answer answer = AnswerOfStatus(status, std::move(text));
    answer.environment_changed = environment_changed;
    return answer;
  }
  if (address != nullptr) *address = fault->address;
  return {CallStatus::kCrash,
          fault->signal == 0 ? "an exception left the call"
                             : fmt::format("signal {} ({})", fault->signal,
                                           strsignal(fault->signal)),
          {},
          false};
}

Answer RunWatched(const Backend& backend, AbiCall* call,
                  const CallWatch& watch) {
  if (!call->IsProgram()) {
    return watch(
        [&](std::string* text) { return backend.Run(call->abi(), text); });
  }
  AssaySeconds seconds = {};
  Answer answer = watch([&](std::string* text) {
    return backend.RunProgram(call->program(&seconds), text);
  });
  answer.seconds = {seconds.compile, seconds.execute};
  return answer;
}

}  // namespace assay
