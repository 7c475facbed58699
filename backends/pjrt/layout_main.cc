// Prints the layouts of pjrt_abi.h as JSON, which abi_test.py compares with a
// second source.
#include <cstddef>
#include <cstdio>

#include "backends/pjrt/pjrt_abi.h"

namespace {

using namespace assay::pjrt;

struct Field {
  const char* type;   // the name in the PJRT C API
  const char* field;  // "": the whole structure
  size_t at;          // its offset, or its size
};

#define SIZE(type, ours) \
  { "PJRT_" type, "", sizeof(ours) }
#define AT(type, ours, name, field) \
  { "PJRT_" type, name, offsetof(ours, field) }

constexpr Field kFields[] = {
    SIZE("Api_Version", ApiVersion),
    AT("Api_Version", ApiVersion, "major_version", major_version),
    AT("Api_Version", ApiVersion, "minor_version", minor_version),
    SIZE("Error_Destroy_Args", ErrorDestroyArgs),
    SIZE("Error_Message_Args", ErrorMessageArgs),
    AT("Error_Message_Args", ErrorMessageArgs, "message", message),
    AT("Error_Message_Args", ErrorMessageArgs, "message_size", message_size),
    AT("Error_GetCode_Args", ErrorGetCodeArgs, "code", code),
    SIZE("Plugin_Initialize_Args", PluginInitializeArgs),
    SIZE("Event_Destroy_Args", EventArgs),
    SIZE("Event_Await_Args", EventArgs),
    AT("Event_Await_Args", EventArgs, "event", event),
    SIZE("NamedValue", NamedValue),
    AT("NamedValue", NamedValue, "name", name),
    AT("NamedValue", NamedValue, "name_size", name_size),
    AT("NamedValue", NamedValue, "type", type),
    AT("NamedValue", NamedValue, "value_size", value_size),
    SIZE("Client_Create_Args", ClientCreateArgs),
    AT("Client_Create_Args", ClientCreateArgs, "create_options",
       create_options),
    AT("Client_Create_Args", ClientCreateArgs, "num_options", num_options),
    AT("Client_Create_Args", ClientCreateArgs, "client", client),
    SIZE("Client_PlatformName_Args", ClientTextArgs),
    AT("Client_PlatformName_Args", ClientTextArgs, "platform_name", text),
    AT("Client_PlatformName_Args", ClientTextArgs, "platform_name_size",
       text_size),
    SIZE("Client_PlatformVersion_Args", ClientTextArgs),
    SIZE("Client_AddressableDevices_Args", ClientAddressableDevicesArgs),
    AT("Client_AddressableDevices_Args", ClientAddressableDevicesArgs,
       "addressable_devices", devices),
    AT("Client_AddressableDevices_Args", ClientAddressableDevicesArgs,
       "num_addressable_devices", num_devices),
    SIZE("Program", Program),
    AT("Program", Program, "code", code),
    AT("Program", Program, "code_size", code_size),
    AT("Program", Program, "format", format),
    AT("Program", Program, "format_size", format_size),
    SIZE("Client_Compile_Args", ClientCompileArgs),
    AT("Client_Compile_Args", ClientCompileArgs, "client", client),
    AT("Client_Compile_Args", ClientCompileArgs, "program", program),
    AT("Client_Compile_Args", ClientCompileArgs, "compile_options",
       compile_options),
    AT("Client_Compile_Args", ClientCompileArgs, "compile_options_size",
       compile_options_size),
    AT("Client_Compile_Args", ClientCompileArgs, "executable", executable),
    SIZE("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs, "data",
       data),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs, "type",
       type),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs, "dims",
       dims),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs, "num_dims",
       num_dims),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs,
       "host_buffer_semantics", host_buffer_semantics),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs, "device",
       device),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs,
       "done_with_host_buffer", done_with_host_buffer),
    AT("Client_BufferFromHostBuffer_Args", BufferFromHostBufferArgs, "buffer",
       buffer),
    SIZE("LoadedExecutable_Destroy_Args", LoadedExecutableArgs),
    SIZE("LoadedExecutable_GetExecutable_Args", GetExecutableArgs),
    AT("LoadedExecutable_GetExecutable_Args", GetExecutableArgs, "executable",
       executable),
    SIZE("Executable_Destroy_Args", ExecutableArgs),
    SIZE("Executable_NumOutputs_Args", NumOutputsArgs),
    AT("Executable_NumOutputs_Args", NumOutputsArgs, "num_outputs",
       num_outputs),
    AT("ExecuteOptions", ExecuteOptions, "launch_id", launch_id),
    AT("ExecuteOptions", ExecuteOptions, "non_donatable_input_indices",
       non_donatable_input_indices),
    AT("ExecuteOptions", ExecuteOptions, "num_non_donatable_input_indices",
       num_non_donatable_input_indices),
    AT("ExecuteOptions", ExecuteOptions, "incarnation_ids", incarnation_ids),
    SIZE("LoadedExecutable_Execute_Args", ExecuteArgs),
    AT("LoadedExecutable_Execute_Args", ExecuteArgs, "options", options),
    AT("LoadedExecutable_Execute_Args", ExecuteArgs, "argument_lists",
       argument_lists),
    AT("LoadedExecutable_Execute_Args", ExecuteArgs, "num_devices",
       num_devices),
    AT("LoadedExecutable_Execute_Args", ExecuteArgs, "num_args", num_args),
    AT("LoadedExecutable_Execute_Args", ExecuteArgs, "output_lists",
       output_lists),
    AT("LoadedExecutable_Execute_Args", ExecuteArgs, "device_complete_events",
       device_complete_events),
    SIZE("Buffer_Destroy_Args", BufferArgs),
    SIZE("Buffer_ElementType_Args", BufferElementTypeArgs),
    AT("Buffer_ElementType_Args", BufferElementTypeArgs, "type", type),
    SIZE("Buffer_Dimensions_Args", BufferDimensionsArgs),
    AT("Buffer_Dimensions_Args", BufferDimensionsArgs, "dims", dims),
    AT("Buffer_Dimensions_Args", BufferDimensionsArgs, "num_dims", num_dims),
    SIZE("Buffer_MemoryLayout", MemoryLayout),
    AT("Buffer_MemoryLayout", MemoryLayout, "type", type),
    SIZE("Buffer_MemoryLayout_Tiled", TiledLayout),
    AT("Buffer_MemoryLayout_Tiled", TiledLayout, "minor_to_major",
       minor_to_major),
    AT("Buffer_MemoryLayout_Tiled", TiledLayout, "minor_to_major_size",
       minor_to_major_size),
    SIZE("Buffer_ToHostBuffer_Args", BufferToHostBufferArgs),
    AT("Buffer_ToHostBuffer_Args", BufferToHostBufferArgs, "host_layout",
       host_layout),
    AT("Buffer_ToHostBuffer_Args", BufferToHostBufferArgs, "dst", dst),
    AT("Buffer_ToHostBuffer_Args", BufferToHostBufferArgs, "dst_size",
       dst_size),
    AT("Buffer_ToHostBuffer_Args", BufferToHostBufferArgs, "event", event),
};

struct Function {
  const char* name;
  Slot slot;
};
constexpr Function kFunctions[] = {
    {"PJRT_Error_Destroy", Slot::kErrorDestroy},
    {"PJRT_Error_Message", Slot::kErrorMessage},
    {"PJRT_Error_GetCode", Slot::kErrorGetCode},
    {"PJRT_Plugin_Initialize", Slot::kPluginInitialize},
    {"PJRT_Event_Destroy", Slot::kEventDestroy},
    {"PJRT_Event_Await", Slot::kEventAwait},
    {"PJRT_Client_Create", Slot::kClientCreate},
    {"PJRT_Client_PlatformName", Slot::kClientPlatformName},
    {"PJRT_Client_PlatformVersion", Slot::kClientPlatformVersion},
    {"PJRT_Client_AddressableDevices", Slot::kClientAddressableDevices},
    {"PJRT_Client_Compile", Slot::kClientCompile},
    {"PJRT_Client_BufferFromHostBuffer", Slot::kClientBufferFromHostBuffer},
    {"PJRT_Executable_Destroy", Slot::kExecutableDestroy},
    {"PJRT_Executable_NumOutputs", Slot::kExecutableNumOutputs},
    {"PJRT_LoadedExecutable_Destroy", Slot::kLoadedExecutableDestroy},
    {"PJRT_LoadedExecutable_GetExecutable",
     Slot::kLoadedExecutableGetExecutable},
    {"PJRT_LoadedExecutable_Execute", Slot::kLoadedExecutableExecute},
    {"PJRT_Buffer_Destroy", Slot::kBufferDestroy},
    {"PJRT_Buffer_ElementType", Slot::kBufferElementType},
    {"PJRT_Buffer_Dimensions", Slot::kBufferDimensions},
    {"PJRT_Buffer_ToHostBuffer", Slot::kBufferToHostBuffer},
};

}  // namespace

int main() {
  std::printf("{\"table\": %zu, \"functions\": {", offsetof(Api, functions));
  const char* comma = "";
  for (const Function& function : kFunctions) {
    std::printf("%s\"%s\": %zu", comma, function.name,
                static_cast<size_t>(function.slot));
    comma = ", ";
  }
  std::printf("}, \"fields\": [");
  comma = "";
  for (const Field& field : kFields) {
    std::printf("%s[\"%s\", \"%s\", %zu]", comma, field.type, field.field,
                field.at);
    comma = ", ";
  }
  std::printf("]}\n");
}
