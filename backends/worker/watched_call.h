// A call of a plugin, and what an answer says of it.
#ifndef ASSAY_BACKENDS_WORKER_WATCHED_CALL_H_
#define ASSAY_BACKENDS_WORKER_WATCHED_CALL_H_

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "backends/backend.h"
#include "backends/guarded_call.h"
#include "backends/worker/call_reader.h"

namespace assay {

struct CallResult {
  uint64_t number = 0;
  const char* status = "error";  // as PROTOCOL.md names it
  std::string text;
  bool environment_changed = false;
};

// Names a status of the ABI; `*text` becomes what the answer says with it.
inline const char* NameOfStatus(int32_t status, std::string* text) {
  switch (status) {
    case ASSAY_OK:
      text->clear();
      return "ok";
    case ASSAY_UNSUPPORTED:
      return "unsupported";
    case ASSAY_INVALID:
      return "invalid";
    default:
      *text = fmt::format("status {}: {}", status, *text);
      return "error";
  }
}

// What comes of `run(text)`, which returns a status of the ABI. The floating
// point environment is put back. Throws ProtocolError if `run` does.
template <class F>
CallResult Watch(uint64_t number, F run) {
  CallResult result;
  result.number = number;
  const FloatEnvironment before = FloatEnvironment::Current();
  try {
    const int32_t status = run(&result.text);
    result.status = NameOfStatus(status, &result.text);
  } catch (const ProtocolError&) {
    throw;
  } catch (const std::bad_alloc&) {
    result.status = "memory";
    result.text = "no memory for the call";
  } catch (const std::exception& e) {
    result.status = "crash";
    result.text = fmt::format("an exception left the call: {}", e.what());
  } catch (...) {
    result.status = "crash";
    result.text = "an exception left the call";
  }
  result.environment_changed = before != FloatEnvironment::Current();
  before.Restore();
  return result;
}

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_WATCHED_CALL_H_
