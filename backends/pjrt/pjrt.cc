// The backend `pjrt` runs whole programs with any plugin of the PJRT C API:
// pjrt:PATH.so?option=value.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include "backends/backend.h"
#include "backends/pjrt/device_client.h"
#include "backends/pjrt/types.h"

namespace assay::pjrt {
namespace {

extern AssayBackend backend;

std::string plugin_path;
std::map<std::string, std::string> client_options;
std::unique_ptr<DeviceClient> client;
std::string name, version;

int32_t Say(int32_t status, const std::string& text, char* message,
            size_t capacity) {
  std::snprintf(message, capacity, "%s", text.c_str());
  return status;
}

// What a compiler says of a program goes on for many lines; the first says it.
std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Returns why a compiler failed, without what differs from program to program:
// "<unknown>:0: error: loc(..): failed to legalize operation 'arith.addf' ..:
// %16 = .." fails to legalize 'arith.addf'.
std::string Reason(const std::string& text) {
  std::string reason = FirstLine(text);
  if (const size_t at = reason.find("): failed to "); at != std::string::npos)
    reason = reason.substr(at + 3);
  if (const size_t value = reason.find(": %"); value != std::string::npos)
    reason.resize(value);
  return reason;
}

int32_t Configure(const char* key, const char* value, char*, size_t) {
  if (std::strcmp(key, "plugin") == 0) {
    plugin_path = value;
  } else if (std::strcmp(key, "xla_flags") == 0) {
    setenv("XLA_FLAGS", value, 1);
  } else {
    client_options[key] = value;
  }
  return ASSAY_OK;
}

int32_t Start(char* message, size_t capacity) {
  if (plugin_path.empty())
    return Say(ASSAY_ERROR, "it needs a plugin: pjrt:PATH.so", message,
               capacity);
  try {
    client = std::make_unique<DeviceClient>(plugin_path, client_options);
    name = "pjrt " + client->platform();
    version = FirstLine(client->version());
  } catch (const std::exception& e) {
    return Say(ASSAY_ERROR, FirstLine(e.what()), message, capacity);
  }
  backend.name = name.c_str();
  backend.version = version.c_str();
  return ASSAY_OK;
}

// Returns whether the plugin refuses the text itself. MLIR's diagnostics, which
// have an error code in common with failures of the compiler, name a place in
// the text: "-:5:7: error: ..".
bool IsAboutText(const PluginError& error) {
  return error.code() == kInvalidArgument ||
         std::string_view(error.what()).starts_with("-:");
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

int32_t RunProgram(const AssayProgram* program, char* message,
                   size_t capacity) {
  const std::span inputs(program->inputs,
                         static_cast<size_t>(program->num_inputs));
  const std::span outputs(program->outputs,
                          static_cast<size_t>(program->num_outputs));
  for (const auto& tensors : {inputs, outputs}) {
    for (const AssayTensor& tensor : tensors) {
      if (TypeOf(tensor) == 0)
        return Say(ASSAY_UNSUPPORTED, "the PJRT API has no such element type",
                   message, capacity);
    }
  }
  const std::string_view text(program->stablehlo, program->length);
  const bool is_new = !client->Has(text);
  LoadedExecutable* executable = nullptr;
  auto start = std::chrono::steady_clock::now();
  try {
    executable = client->Compile(text);
  } catch (const PluginError& e) {
    program->seconds->compile += SecondsSince(start);
    return Say(IsAboutText(e) ? ASSAY_INVALID : ASSAY_UNSUPPORTED,
               Reason(e.what()), message, capacity);
  }
  if (is_new) program->seconds->compile += SecondsSince(start);
  // A program that violates a constraint is compiled alone.
  if (inputs.empty() && outputs.empty()) return ASSAY_OK;
  start = std::chrono::steady_clock::now();
  try {
    client->Execute(executable, inputs, outputs);
  } catch (const PluginError& e) {
    return Say(e.code() == kUnimplemented ? ASSAY_UNSUPPORTED : ASSAY_ERROR,
               FirstLine(e.what()), message, capacity);
  }
  program->seconds->execute += SecondsSince(start);
  return ASSAY_OK;
}

AssayBackend backend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = "pjrt",
    .version = "1",
    .device = {kDLCPU, 0},
    .capabilities = ASSAY_VALIDATES,
    .over_read_bytes = 0,
    .configure = Configure,
    .run = nullptr,
    .run_batch = nullptr,
    .run_program = RunProgram,
    .synchronise = nullptr,
    .start = Start,
};

}  // namespace
}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) const AssayBackend*
assay_backend() {
  return &assay::pjrt::backend;
}
