// A CallReader converts a call of PROTOCOL.md to a call of the plugin ABI.
#ifndef ASSAY_BACKENDS_WORKER_CALL_READER_H_
#define ASSAY_BACKENDS_WORKER_CALL_READER_H_

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/host/abi_call.h"
#include "backends/host/device_memory.h"
#include "backends/worker/shared_memory.h"

namespace assay {

// The message is not one of the protocol.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CallReader {
 public:
  // `reads_functions` as of Backend.
  CallReader(SharedMemory* memory, bool reads_functions)
      : memory_(memory), reads_functions_(reads_functions) {}
  // Reads a message, which has the field "call". `operands` receives where
  // inputs and outputs lie, in this order. The call is valid until the next one
  // is read, if it is one of a program. Throws ProtocolError, and
  // std::bad_alloc if a buffer cannot be mapped.
  std::unique_ptr<AbiCall> Read(const simdjson::dom::object& message,
                                std::vector<HostTensor>* operands = nullptr);

 private:
  struct Placed {
    const TensorType* type;
    Strides strides;
    const Slot* slot;
    std::byte* element0;
  };
  std::unique_ptr<AbiCall> ReadEntry(const simdjson::dom::object& program);
  Placed ReadTensor(const simdjson::dom::object& tensor);
  static void AddTo(std::vector<HostTensor>* operands, const Placed& tensor);
  const TensorType& TypeOf(std::string_view text);

  SharedMemory* memory_;
  const bool reads_functions_;
  std::optional<Program> program_;
  std::unordered_map<std::string, TensorType> types_;  // by their text
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_CALL_READER_H_
