// A call of a plugin, and what came of it.
#ifndef ASSAY_BACKENDS_HOST_WATCHED_CALL_H_
#define ASSAY_BACKENDS_HOST_WATCHED_CALL_H_

#include <cstdint>
#include <functional>
#include <string>

#include "backends/host/executor.h"

namespace assay {

// Puts one or several calls to a plugin. Returns a status of the ABI; the text
// receives what the plugin says of it.
using PluginCall = std::function<int32_t(std::string*)>;
// Runs it, puts the floating-point environment back, and says what came of it.
using CallWatch = std::function<Answer(const PluginCall&)>;

Answer AnswerOfStatus(int32_t status, std::string text);

// Exceptions are answers; faults are not.
Answer WatchExceptions(const PluginCall& run);
// Faults are answers too (guarded_call.h). `address`, if it is there, receives
// that of a page fault, or nullptr.
Answer WatchFaults(const PluginCall& run, const void** address = nullptr);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_WATCHED_CALL_H_
