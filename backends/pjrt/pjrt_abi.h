// The part of the PJRT C API that a client of one device needs.
//
// The layouts are those of the API's major version 0, whose structures grow
// only at their end. Functions are called by their number in the table that a
// plugin exports. pjrt_abi_test.py compares both with a second source.
#ifndef ASSAY_BACKENDS_PJRT_PJRT_ABI_H_
#define ASSAY_BACKENDS_PJRT_PJRT_ABI_H_

#include <cstddef>
#include <cstdint>

namespace assay::pjrt {

inline constexpr int kApiMajor = 0;
// Plugins of older versions have another table.
inline constexpr int kLeastApiMinor = 81;

// These objects are the plugin's.
struct Error;
struct Event;
struct Client;
struct Device;
struct Executable;
struct LoadedExecutable;
struct Buffer;

struct ApiVersion {
  size_t struct_size;
  void* extension_start;
  int major_version;
  int minor_version;
};

// The numbers of functions in the table.
enum class Slot : size_t {
  kErrorDestroy = 0,
  kErrorMessage = 1,
  kErrorGetCode = 2,
  kPluginInitialize = 3,
  kEventDestroy = 5,
  kEventAwait = 8,
  kClientCreate = 10,
  kClientPlatformName = 12,
  kClientPlatformVersion = 14,
  kClientAddressableDevices = 16,
  kClientCompile = 20,
  kClientBufferFromHostBuffer = 22,
  kExecutableDestroy = 40,
  kExecutableNumOutputs = 44,
  kLoadedExecutableDestroy = 50,
  kLoadedExecutableGetExecutable = 51,
  kLoadedExecutableExecute = 55,
  kBufferDestroy = 58,
  kBufferElementType = 59,
  kBufferDimensions = 60,
  kBufferToHostBuffer = 70,
};
inline constexpr size_t kSlots =
    static_cast<size_t>(Slot::kBufferToHostBuffer) + 1;

struct Api {
  size_t struct_size;
  void* extension_start;
  ApiVersion version;
  // Each takes a pointer to its arguments. They return nullptr or an error,
  // but those that destroy an error or give its message return nothing.
  void* functions[kSlots];
};

// All structures of arguments begin like this.
struct Head {
  size_t struct_size;
  void* extension_start;
};

struct ErrorDestroyArgs {
  Head head;
  Error* error;
};
struct ErrorMessageArgs {
  Head head;
  const Error* error;
  const char* message;
  size_t message_size;
};
struct ErrorGetCodeArgs {
  Head head;
  const Error* error;
  int32_t code;
};
inline constexpr int32_t kInvalidArgument = 3, kUnimplemented = 12;

struct PluginInitializeArgs {
  Head head;
};

struct EventArgs {  // of Event_Destroy and Event_Await
  Head head;
  Event* event;
};

enum class NamedValueType : int32_t { kString = 0, kInt64 = 1, kBool = 4 };
struct NamedValue {
  Head head;
  const char* name;
  size_t name_size;
  NamedValueType type;
  union {
    const char* string_value;
    int64_t int64_value;
    bool bool_value;
  };
  size_t value_size;
};

struct ClientCreateArgs {
  Head head;
  const NamedValue* create_options;
  size_t num_options;
  void* kv_callbacks[4];  // and their arguments
  Client* client;
  void* kv_try_get[2];
};
struct ClientTextArgs {  // of Client_PlatformName and Client_PlatformVersion
  Head head;
  Client* client;
  const char* text;
  size_t text_size;
};
struct ClientAddressableDevicesArgs {
  Head head;
  Client* client;
  Device* const* devices;
  size_t num_devices;
};

struct Program {
  Head head;
  const char* code;
  size_t code_size;
  const char* format;
  size_t format_size;
};
struct ClientCompileArgs {
  Head head;
  Client* client;
  const Program* program;
  const char* compile_options;
  size_t compile_options_size;
  LoadedExecutable* executable;
};

struct BufferFromHostBufferArgs {
  Head head;
  Client* client;
  const void* data;
  int32_t type;
  const int64_t* dims;
  size_t num_dims;
  const int64_t* byte_strides;
  size_t num_byte_strides;
  int32_t host_buffer_semantics;
  Device* device;
  void* memory;
  void* device_layout;
  Event* done_with_host_buffer;
  Buffer* buffer;
};
inline constexpr int32_t kImmutableUntilTransferCompletes = 1;

struct LoadedExecutableArgs {  // of LoadedExecutable_Destroy
  Head head;
  LoadedExecutable* executable;
};
struct GetExecutableArgs {
  Head head;
  LoadedExecutable* loaded_executable;
  Executable* executable;
};
struct ExecutableArgs {  // of Executable_Destroy
  Head head;
  Executable* executable;
};
struct NumOutputsArgs {
  Head head;
  Executable* executable;
  size_t num_outputs;
};

struct ExecuteOptions {
  Head head;
  void* callbacks[2];
  size_t num_callbacks[2];
  int launch_id;
  const int64_t* non_donatable_input_indices;
  size_t num_non_donatable_input_indices;
  void* context;
  const char* call_location;
  size_t num_tasks;
  int* task_ids;
  int64_t* incarnation_ids;
};
struct ExecuteArgs {
  Head head;
  LoadedExecutable* executable;
  ExecuteOptions* options;
  Buffer* const* const* argument_lists;
  size_t num_devices;
  size_t num_args;
  Buffer** const* output_lists;
  Event** device_complete_events;
  Device* execute_device;
};

struct BufferArgs {  // of Buffer_Destroy
  Head head;
  Buffer* buffer;
};
struct BufferElementTypeArgs {
  Head head;
  Buffer* buffer;
  int32_t type;
};
struct BufferDimensionsArgs {
  Head head;
  Buffer* buffer;
  const int64_t* dims;
  size_t num_dims;
};

struct TiledLayout {
  Head head;
  const int64_t* minor_to_major;
  size_t minor_to_major_size;
  const int64_t* tile_dims;
  const size_t* tile_dim_sizes;
  size_t num_tiles;
};
struct MemoryLayout {
  Head head;
  TiledLayout tiled;
  int32_t type;  // 0: it is tiled
};
struct BufferToHostBufferArgs {
  Head head;
  Buffer* src;
  MemoryLayout* host_layout;
  void* dst;
  size_t dst_size;
  Event* event;
};

}  // namespace assay::pjrt

#endif  // ASSAY_BACKENDS_PJRT_PJRT_ABI_H_
