// Host is the worker's side of PROTOCOL.md: it hosts one plugin and runs its
// calls.
#ifndef ASSAY_BACKENDS_WORKER_HOST_H_
#define ASSAY_BACKENDS_WORKER_HOST_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/device_calls.h"
#include "backends/host/executor.h"
#include "backends/host/loader.h"
#include "backends/worker/call_reader.h"
#include "backends/worker/process_state.h"
#include "backends/worker/shared_memory.h"

namespace assay {

class Host {
 public:
  // `input` and `output` are the descriptors of messages and answers.
  Host(std::string spec, int input, int output, PluginParts parts);
  // Handles messages until there are no more. Returns the exit status. Throws
  // ProtocolError, and DeviceError when the device is lost: the process must
  // then end.
  int Serve();

 private:
  void Take(const std::string& line);
  void Hello(const simdjson::dom::object& hello);
  [[noreturn]] void Refuse(const std::string& why);
  void Run(uint64_t number, const simdjson::dom::object& message);
  void RunOnDevice(uint64_t number, const simdjson::dom::object& message);
  void RunCollected();
  void NoteStarted(uint64_t first, uint64_t last);
  bool HasInput() const;
  void Tell(std::span<const NumberedAnswer> answers);
  void Write();
  void EndIfChanged();

  std::string spec_;
  int input_, output_;
  PluginParts parts_;
  std::string out_;
  int collected_ = 0;                                  // answers in it
  uint64_t first_collected_ = 0, last_collected_ = 0;  // numbers of their calls
  simdjson::dom::parser parser_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<CallReader> reader_;
  std::unique_ptr<DeviceCalls> device_calls_;  // of a backend on a device
  std::unique_ptr<ProcessState> state_;        // as it is to stay
};

// This is the main function of a worker that hosts plugins: it serves the
// standard streams. Returns the exit status.
int ServeAsWorker(int argc, char** argv, PluginParts parts);

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_HOST_H_
