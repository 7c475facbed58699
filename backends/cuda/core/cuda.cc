// This file implements the plugin's ABI. It is compiled twice: for the backend
// `cuda` and for `cuda-host`, which runs the same kernels on the host.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/calls/tensors.h"
#include "backends/cuda/core/batch.h"
#include "backends/cuda/core/calls.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

struct Message {
  char* text;
  size_t capacity;
};

__attribute__((format(printf, 3, 4))) int32_t Answer(AssayStatus status,
                                                     const Message& message,
                                                     const char* format, ...) {
  if (message.text != nullptr && message.capacity > 0) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, message.capacity, format, arguments);
    va_end(arguments);
  }
  return status;
}

Options g_options;
int g_device = 0;

bool ReadNumber(const char* text, long* number) {
  char* end = nullptr;
  *number = strtol(text, &end, 10);
  return end != text && *end == '\0' && *number >= 0;
}

int32_t Configure(const char* key, const char* value, char* text,
                  size_t capacity);

// Checks an operand for properties that kernels could not survive. Returns what
// is wrong, or nullptr.
const char* CheckOperand(const DLTensor& tensor) {
  if (tensor.ndim > calls::kMaxDims)
    return "an operand has more dimensions than the 64 that it may have";
  if (tensor.device.device_type != kDeviceType ||
      tensor.device.device_id != g_device)
    return "an operand is not on this device";
  if (calls::CountElements(tensor) == 0) return nullptr;
  if (tensor.data == nullptr) return "an operand is a null pointer";
  if (!IsDevicePointer(calls::FirstElement(tensor)))
    return "an operand is no memory of the device";
  return nullptr;
}

const char* CheckOperands(const AssayCall& call) {
  if (const char* wrong = calls::CheckTensors(call)) return wrong;
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    if (const char* wrong = CheckOperand(call.inputs[k].tensor)) return wrong;
  }
  for (int32_t o = 0; o < call.num_outputs; ++o) {
    if (const char* wrong = CheckOperand(call.outputs[o].tensor)) return wrong;
  }
  return nullptr;
}

int32_t Run(const AssayCall* call, char* text, size_t capacity) {
  const Message message = {text, capacity};
  calls::Complaint complaint;
  if (const char* error = EnterDevice())
    return Answer(ASSAY_ERROR, message, "%s: %s", call->op, error);
  if (const char* wrong = CheckOperands(*call))
    return Answer(ASSAY_INVALID, message, "%s: %s", call->op, wrong);
  const AssayStatus status = RunCall(*call, g_options, &complaint);
  if (status == ASSAY_OK) return status;
  return Answer(status, message, "%s", complaint.text);
}

int32_t RunBatch(const AssayCall* calls, size_t n, int32_t* statuses,
                 char* messages, size_t capacity) {
  Batch batch;
  for (size_t i = 0; i < n; ++i) {
    batch.BeginCall();
    statuses[i] = Run(&calls[i], messages + i * capacity, capacity);
  }
  const char* error = batch.Flush();
  if (error == nullptr) return ASSAY_OK;
  return Answer(ASSAY_ERROR, {n == 0 ? nullptr : messages, capacity}, "%s",
                error);
}

int32_t RunSynchronise(char* text, size_t capacity) {
  const char* error = EnterDevice();
  if (error == nullptr) error = Synchronise();
  if (error == nullptr) return ASSAY_OK;
  return Answer(ASSAY_ERROR, {text, capacity}, "%s", error);
}

AssayBackend g_backend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = kBackendName,
    .version = "0.1.0",
    .device = {kDeviceType, 0},
    .capabilities = ASSAY_VALIDATES_POINTWISE | ASSAY_VALIDATES_MOVEMENT,
    .over_read_bytes = 0,
    .configure = Configure,
    .run = Run,
    .run_batch = RunBatch,
    .run_program = nullptr,
    .synchronise = RunSynchronise,
    .start = nullptr,
};

int32_t ConfigureDevice(const char* value, const Message& message) {
  long device = 0;
  if (!ReadNumber(value, &device) || device > 1 << 20)
    return Answer(ASSAY_ERROR, message, "'%s' is no number of a device", value);
  if (const char* wrong = UseDevice(static_cast<int>(device)))
    return Answer(ASSAY_ERROR, message, "device %ld: %s", device, wrong);
  g_backend.device.device_id = g_device = static_cast<int>(device);
  return ASSAY_OK;
}

int32_t ConfigureSeed(const char* value, const Message& message) {
#ifdef ASSAY_CUDA_ON_HOST
  long seed = 0;
  if (!ReadNumber(value, &seed))
    return Answer(ASSAY_ERROR, message, "'%s' is no seed", value);
  SetThreadSeed(static_cast<uint32_t>(seed));
  return ASSAY_OK;
#else
  return Answer(ASSAY_ERROR, message, "no '%s'", value);
#endif
}

// An option that has one of two values, each with its name.
template <class T>
struct Choice {
  const char* name;
  T value;
};

template <class T>
int32_t Choose(const char* key, const char* value, const Choice<T>& first,
               const Choice<T>& second, const Message& message, T* option) {
  for (const Choice<T>& choice : {first, second}) {
    if (strcmp(value, choice.name) == 0) {
      *option = choice.value;
      return ASSAY_OK;
    }
  }
  return Answer(ASSAY_ERROR, message, "%s has no %s '%s'; it has '%s' and '%s'",
                kBackendName, key, value, first.name, second.name);
}

int32_t Configure(const char* key, const char* value, char* text,
                  size_t capacity) {
  const Message message = {text, capacity};
  if (kDeviceType == kDLCUDA && strcmp(key, "device") == 0)
    return ConfigureDevice(value, message);
  if (kDeviceType == kDLCUDA && strcmp(key, "math") == 0)
    return Choose<Math>(key, value, {"ieee", Math::kIeee},
                        {"fast", Math::kFast}, message, &g_options.math);
  if (strcmp(key, "scatter") == 0)
    return Choose<Updates>(key, value, {"atomic", Updates::kAtomic},
                           {"ordered", Updates::kInOrder}, message,
                           &g_options.updates);
  if (strcmp(key, "products") == 0)
    return Choose<Products>(key, value, {"packed", Products::kPacked},
                            {"ordered", Products::kInOrder}, message,
                            &g_options.products);
  if (kDeviceType == kDLCPU && strcmp(key, "seed") == 0)
    return ConfigureSeed(value, message);
  return Answer(ASSAY_ERROR, message, "%s has no option '%s'; it has %s",
                kBackendName, key,
                kDeviceType == kDLCUDA
                    ? "'device', 'math', 'products' and 'scatter'"
                    : "'products', 'scatter' and 'seed'");
}

}  // namespace
}  // namespace assay::cuda

extern "C" __attribute__((visibility("default"))) const AssayBackend*
assay_backend(void) {
  return assay::cuda::hooks::Offered(&assay::cuda::g_backend);
}
