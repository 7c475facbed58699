#include "backends/pjrt/device_client.h"

#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "backends/pjrt/types.h"

namespace assay::pjrt {
namespace {

// A CompileOptionsProto whose executable_build_options (field 3) are
// device_ordinal (1) = -1, num_replicas (4) = 1 and num_partitions (5) = 1.
constexpr char kCompileOptions[] =
    "\x1a\x0f"
    "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
    "\x20\x01"
    "\x28\x01";

constexpr char kFormat[] = "mlir";

NamedValue ValueOf(const std::string& name, const std::string& text) {
  NamedValue value = Zeroed<NamedValue>();
  value.name = name.data();
  value.name_size = name.size();
  char* end = nullptr;
  errno = 0;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  value.value_size = 1;
  if (text == "true" || text == "false") {
    value.type = NamedValueType::kBool;
    value.bool_value = text == "true";
  } else if (!text.empty() && *end == '\0' && errno == 0) {
    value.type = NamedValueType::kInt64;
    value.int64_value = number;
  } else {
    value.type = NamedValueType::kString;
    value.string_value = text.data();
    value.value_size = text.size();
  }
  return value;
}

std::string ShapeText(const int64_t* dims, size_t num_dims) {
  std::string text = "[";
  for (size_t d = 0; d < num_dims; ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(dims[d]);
  return text + "]";
}

void* DataOf(const AssayTensor& tensor) {
  return static_cast<std::byte*>(tensor.tensor.data) +
         tensor.tensor.byte_offset;
}

}  // namespace

// The buffers of a call are freed with it.
class DeviceClient::Buffers {
 public:
  explicit Buffers(const Plugin& plugin) : plugin_(plugin) {}
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers() {
    for (Buffer* const buffer : buffers) {
      if (buffer == nullptr) continue;
      auto args = Zeroed<BufferArgs>();
      args.buffer = buffer;
      plugin_.Destroy(Slot::kBufferDestroy, &args);
    }
  }

  std::vector<Buffer*> buffers;

 private:
  const Plugin& plugin_;
};

DeviceClient::DeviceClient(const std::string& path,
                           const std::map<std::string, std::string>& options)
    : plugin_(path) {
  std::vector<NamedValue> values;
  for (const auto& [name, text] : options)
    values.push_back(ValueOf(name, text));
  auto create = Zeroed<ClientCreateArgs>();
  create.create_options = values.data();
  create.num_options = values.size();
  plugin_.Call(Slot::kClientCreate, &create);
  client_ = create.client;
  auto devices = Zeroed<ClientAddressableDevicesArgs>();
  devices.client = client_;
  plugin_.Call(Slot::kClientAddressableDevices, &devices);
  if (devices.num_devices == 0)
    throw PluginError("the client of the plugin has no devices");
  device_ = devices.devices[0];
}

std::string DeviceClient::Text(Slot slot) {
  auto args = Zeroed<ClientTextArgs>();
  args.client = client_;
  plugin_.Call(slot, &args);
  return {args.text, args.text_size};
}

std::string DeviceClient::version() {
  return Text(Slot::kClientPlatformVersion) + " (PJRT " +
         std::to_string(kApiMajor) + "." +
         std::to_string(plugin_.minor_version()) + ")";
}

LoadedExecutable* DeviceClient::Compile(std::string_view text) {
  if (const auto known = compiled_.find(text); known != compiled_.end()) {
    programs_.splice(programs_.begin(), programs_, known->second);
    return programs_.front().executable;
  }
  auto program = Zeroed<Program>();
  program.code = text.data();
  program.code_size = text.size();
  program.format = kFormat;
  program.format_size = sizeof(kFormat) - 1;
  auto args = Zeroed<ClientCompileArgs>();
  args.client = client_;
  args.program = &program;
  args.compile_options = kCompileOptions;
  args.compile_options_size = sizeof(kCompileOptions) - 1;
  plugin_.Call(Slot::kClientCompile, &args);
  programs_.push_front({std::string(text), args.executable});
  compiled_.emplace(programs_.front().text, programs_.begin());
  if (programs_.size() > kMostCompiled) {
    auto destroy = Zeroed<LoadedExecutableArgs>();
    destroy.executable = programs_.back().executable;
    plugin_.Destroy(Slot::kLoadedExecutableDestroy, &destroy);
    compiled_.erase(programs_.back().text);
    programs_.pop_back();
  }
  return args.executable;
}

size_t DeviceClient::OutputsOf(LoadedExecutable* executable) {
  auto get = Zeroed<GetExecutableArgs>();
  get.loaded_executable = executable;
  plugin_.Call(Slot::kLoadedExecutableGetExecutable, &get);
  auto count = Zeroed<NumOutputsArgs>();
  count.executable = get.executable;
  auto destroy = Zeroed<ExecutableArgs>();
  destroy.executable = get.executable;
  try {
    plugin_.Call(Slot::kExecutableNumOutputs, &count);
  } catch (const PluginError&) {
    plugin_.Destroy(Slot::kExecutableDestroy, &destroy);
    throw;
  }
  plugin_.Destroy(Slot::kExecutableDestroy, &destroy);
  return count.num_outputs;
}

void DeviceClient::Await(Event* event) {
  if (event == nullptr) return;
  auto args = Zeroed<EventArgs>();
  args.event = event;
  try {
    plugin_.Call(Slot::kEventAwait, &args);
  } catch (const PluginError&) {
    plugin_.Destroy(Slot::kEventDestroy, &args);
    throw;
  }
  plugin_.Destroy(Slot::kEventDestroy, &args);
}

Buffer* DeviceClient::Upload(const AssayTensor& tensor) {
  auto args = Zeroed<BufferFromHostBufferArgs>();
  args.client = client_;
  args.data = DataOf(tensor);
  args.type = TypeOf(tensor);
  args.dims = tensor.tensor.shape;
  args.num_dims = static_cast<size_t>(tensor.tensor.ndim);
  args.host_buffer_semantics = kImmutableUntilTransferCompletes;
  args.device = device_;
  plugin_.Call(Slot::kClientBufferFromHostBuffer, &args);
  Await(args.done_with_host_buffer);
  return args.buffer;
}

void DeviceClient::Download(Buffer* buffer, const AssayTensor& tensor,
                            size_t number) {
  auto type = Zeroed<BufferElementTypeArgs>();
  type.buffer = buffer;
  plugin_.Call(Slot::kBufferElementType, &type);
  auto shape = Zeroed<BufferDimensionsArgs>();
  shape.buffer = buffer;
  plugin_.Call(Slot::kBufferDimensions, &shape);
  const auto num_dims = static_cast<size_t>(tensor.tensor.ndim);
  const std::string wanted = ShapeText(tensor.tensor.shape, num_dims);
  const std::string found = ShapeText(shape.dims, shape.num_dims);
  if (type.type != TypeOf(tensor) || wanted != found)
    throw PluginError("result " + std::to_string(number) + " of type " +
                      tensor.type + " has element type number " +
                      std::to_string(type.type) + " and shape " + found);
  std::vector<int64_t> minor_to_major;
  for (size_t d = num_dims; d > 0; --d)
    minor_to_major.push_back(static_cast<int64_t>(d - 1));
  auto layout = Zeroed<MemoryLayout>();
  layout.tiled = Zeroed<TiledLayout>();
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = minor_to_major.size();
  auto args = Zeroed<BufferToHostBufferArgs>();
  args.src = buffer;
  args.host_layout = &layout;
  plugin_.Call(Slot::kBufferToHostBuffer, &args);  // asks for the size
  if (args.dst_size != BytesOf(tensor))
    throw PluginError("result " + std::to_string(number) + " of type " +
                      tensor.type + " takes " + std::to_string(args.dst_size) +
                      " bytes");
  args.dst = DataOf(tensor);
  plugin_.Call(Slot::kBufferToHostBuffer, &args);
  Await(args.event);
}

void DeviceClient::Execute(LoadedExecutable* executable,
                           std::span<const AssayTensor> inputs,
                           std::span<const AssayTensor> outputs) {
  const size_t num_outputs = OutputsOf(executable);
  if (num_outputs != outputs.size())
    throw PluginError("the program has " + std::to_string(outputs.size()) +
                      " results, and the executable " +
                      std::to_string(num_outputs));
  Buffers arguments(plugin_), results(plugin_);
  std::vector<int64_t> kept;
  for (const AssayTensor& input : inputs) {
    kept.push_back(std::ssize(kept));
    arguments.buffers.push_back(Upload(input));
  }
  results.buffers.resize(outputs.size());
  auto options = Zeroed<ExecuteOptions>();
  options.non_donatable_input_indices = kept.data();
  options.num_non_donatable_input_indices = kept.size();
  Buffer* const* const argument_list = arguments.buffers.data();
  Buffer** const output_list = results.buffers.data();
  Event* complete = nullptr;
  auto args = Zeroed<ExecuteArgs>();
  args.executable = executable;
  args.options = &options;
  args.argument_lists = &argument_list;
  args.num_devices = 1;
  args.num_args = inputs.size();
  args.output_lists = &output_list;
  args.device_complete_events = &complete;
  plugin_.Call(Slot::kLoadedExecutableExecute, &args);
  Await(complete);
  for (size_t i = 0; i < outputs.size(); ++i)
    Download(results.buffers[i], outputs[i], i);
}

}  // namespace assay::pjrt
