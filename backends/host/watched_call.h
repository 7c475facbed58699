// A watched call is a call of a plugin, whose outcome becomes an answer.
#ifndef ASSAY_BACKENDS_HOST_WATCHED_CALL_H_
#define ASSAY_BACKENDS_HOST_WATCHED_CALL_H_

#include <cstdint>
#include <functional>
#include <string>

#include "backends/host/abi_call.h"
#include "backends/host/executor.h"
#include "backends/host/loader.h"

namespace assay {

// A PluginCall gives one or several calls to a plugin. Returns a status of the
// ABI; the text receives the plugin's message.
using PluginCall = std::function<int32_t(std::string*)>;
// A CallWatch runs the call, restores the floating-point environment, and
// returns the outcome.
using CallWatch = std::function<Answer(const PluginCall&)>;

Answer AnswerOfStatus(int32_t status, std::string text);

// Exceptions become answers; faults do not.
Answer WatchExceptions(const PluginCall& run);
// Faults become answers too (guarded_call.h). If `address` is not nullptr, it
// receives the address of a page fault, or nullptr.
Answer WatchFaults(const PluginCall& run, const void** address = nullptr);

// Gives a call, or a program, to a backend whose tensors lie on the host.
Answer RunWatched(const Backend& backend, AbiCall* call,
                  const CallWatch& watch);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_WATCHED_CALL_H_
