// worker_fuzzer gives any bytes to both readers of the worker protocol's lines:
// a worker may be any program, and so may the program that starts our workers.
//
// The runner's side says what every line is or that it is invalid; the worker's
// makes a call of it, with tensors in shared memory, or throws.
#include <signal.h>

#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "backends/host/worker_messages.h"
#include "backends/worker/call_reader.h"
#include "backends/worker/shared_memory.h"
#include "spec/error.h"
#include "spec/json_string.h"

namespace assay {
namespace {

// The handlers that a worker installs would hide faults from libFuzzer.
class KeptHandlers {
 public:
  KeptHandlers() {
    for (size_t i = 0; i < kSignals.size(); ++i)
      sigaction(kSignals[i], nullptr, &actions_[i]);
  }
  ~KeptHandlers() {
    for (size_t i = 0; i < kSignals.size(); ++i)
      sigaction(kSignals[i], &actions_[i], nullptr);
  }

 private:
  static constexpr std::array kSignals = {SIGSEGV, SIGBUS,  SIGFPE,
                                          SIGILL,  SIGABRT, SIGTRAP};
  std::array<struct sigaction, kSignals.size()> actions_;
};

struct Worker {
  Worker() {
    arena.Acquire(1);
    const KeptHandlers kept;
    memory = std::make_unique<SharedMemory>(arena.path(), INT64_MAX);
    reader = std::make_unique<CallReader>(memory.get(), true);
  }
  Arena arena;
  std::unique_ptr<SharedMemory> memory;
  std::unique_ptr<CallReader> reader;
  simdjson::dom::parser parser;
};

void ReadAsRunner(std::string_view line) {
  BackendInfo info;
  if (ParseHello(line, &info).empty()) {
    ASSAY_CHECK(!info.name.empty() && !info.version.empty());
    ASSAY_CHECK(info.over_read_bytes <= kMaxOverReadBytes);
  }
  ParseAnswer(line);
  const std::string quoted = Quote(line);
  ASSAY_CHECK(quoted.size() <= kLongestQuote + 5);
  ASSAY_CHECK(quoted.find('\n') == std::string::npos);
  simdjson::dom::parser parser;
  ASSAY_CHECK(parser.parse(JsonString(line)).error() == simdjson::SUCCESS);
}

void ReadAsWorker(Worker* worker, const std::string& line) {
  simdjson::dom::object message;
  if (worker->parser.parse(line).get(message) != simdjson::SUCCESS) return;
  try {
    worker->reader->Read(message)->abi();
  } catch (const ProtocolError&) {
  } catch (const std::bad_alloc&) {
    // If there is no memory for an existing buffer, the answer is "memory".
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Worker* const worker = new Worker();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    ReadAsRunner(line);
    ReadAsWorker(worker, std::string(line));
    begin = end + 1;
  }
  return 0;
}

}  // namespace assay
