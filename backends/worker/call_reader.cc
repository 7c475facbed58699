// Types are parsed once for each text, because a suite uses few types often.
#include "backends/worker/call_reader.h"

#include <stdexcept>

#include "spec/error.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

namespace dom = simdjson::dom;

template <class T>
T Get(const dom::object& object, const char* key) {
  T value;
  if (object[key].get(value) != simdjson::SUCCESS)
    throw ProtocolError(std::string("a call without a proper '") + key + "'");
  return value;
}

uint64_t Unsigned(const dom::element& element) {
  uint64_t value = 0;
  if (element.get(value) != simdjson::SUCCESS)
    throw ProtocolError("a buffer is two numbers");
  return value;
}

int32_t CountOf(const dom::element& element) {
  constexpr uint64_t kMost = 1 << 20;
  uint64_t value = 0;
  if (element.get(value) != simdjson::SUCCESS || value > kMost)
    throw ProtocolError("a number of operands is a small number");
  return static_cast<int32_t>(value);
}

// A function that is no program of ours is there as text alone.
void AddRegion(std::string_view text, AbiCall* call) {
  try {
    const Program program = ReadProgram("region", {text, 1});
    call->AddRegion(std::string(text), &program.main());
  } catch (const InputError&) {
    call->AddRegion(std::string(text), nullptr);
  }
}

}  // namespace

// The function is read only for a backend that asks for it, because that takes
// as long as a compiler does for small programs.
std::unique_ptr<AbiCall> CallReader::ReadEntry(const dom::object& program) {
  std::string text(Get<std::string_view>(program, "text"));
  std::string entry(Get<std::string_view>(program, "entry"));
  program_ = std::nullopt;
  if (reads_functions_) {
    try {
      program_ = ReadProgram("program", {text, 1});
    } catch (const InputError&) {
      // It violates a constraint, or asks for more than there is a form of.
    }
  }
  const Function* const function = program_ ? program_->Find(entry) : nullptr;
  return std::make_unique<AbiCall>(std::move(text), std::move(entry), function);
}

const TensorType& CallReader::TypeOf(std::string_view text) {
  // The number of types is bounded, because a fuzzing run never runs out of new
  // shapes.
  constexpr size_t kMaxTypes = 10000;
  std::string key(text);
  if (const auto it = types_.find(key); it != types_.end()) return it->second;
  std::string reason;
  const auto type = ParseTensorType(text, &reason);
  if (!type) throw ProtocolError("type '" + key + "': " + reason);
  if (types_.size() >= kMaxTypes) types_.clear();
  return types_.emplace(std::move(key), *type).first->second;
}

CallReader::Placed CallReader::ReadTensor(const dom::object& tensor) {
  Placed placed{
      &TypeOf(Get<std::string_view>(tensor, "type")), {}, nullptr, nullptr};
  for (const dom::element& stride : Get<dom::array>(tensor, "strides")) {
    int64_t value = 0;
    if (stride.get(value) != simdjson::SUCCESS)
      throw ProtocolError("a stride is a number");
    placed.strides.push_back(value);
  }
  if (placed.strides.size() != placed.type->shape.size())
    throw ProtocolError("a tensor has a stride for each dimension");
  const auto buffer = Get<dom::array>(tensor, "buffer");
  if (buffer.size() != 2) throw ProtocolError("a buffer is two numbers");
  const uint64_t begin = Unsigned(*buffer.begin());
  const uint64_t bytes = Unsigned(*++buffer.begin());
  const auto at = Get<uint64_t>(tensor, "at");
  try {
    placed.slot = &memory_->Map(begin, bytes);
  } catch (const std::out_of_range& e) {
    throw ProtocolError(e.what());
  }
  if (at < begin || at > begin + bytes)
    throw ProtocolError("a tensor is no part of its buffer");
  placed.element0 = placed.slot->data + (at - begin);
  return placed;
}

void CallReader::AddTo(std::vector<HostTensor>* operands,
                       const Placed& tensor) {
  if (operands == nullptr) return;
  try {
    operands->push_back(LocateTensor(*tensor.type, tensor.strides, *tensor.slot,
                                     tensor.element0));
  } catch (const std::out_of_range& e) {
    throw ProtocolError(e.what());
  }
}

std::unique_ptr<AbiCall> CallReader::Read(const dom::object& message,
                                          std::vector<HostTensor>* operands) {
  dom::object program;
  auto call = message["program"].get(program) == simdjson::SUCCESS
                  ? ReadEntry(program)
                  : std::make_unique<AbiCall>(
                        std::string(Get<std::string_view>(message, "op")));
  const auto each = [&](const char* key, auto add) {
    dom::array array;
    if (message[key].get(array) != simdjson::SUCCESS) return;
    for (const dom::element& element : array) add(element);
  };
  const auto object_of = [](const dom::element& element) {
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS)
      throw ProtocolError("a tensor or an attribute is an object");
    return object;
  };
  int32_t num_inputs = 0;
  each("inputs", [&](const dom::element& element) {
    ++num_inputs;
    const Placed t = ReadTensor(object_of(element));
    bool scalar = false;
    const bool is_scalar =
        object_of(element)["scalar"].get(scalar) == simdjson::SUCCESS && scalar;
    call->AddInput(*t.type, t.strides, t.element0, is_scalar);
    AddTo(operands, t);
  });
  each("outputs", [&](const dom::element& element) {
    const Placed t = ReadTensor(object_of(element));
    call->AddOutput(*t.type, t.strides, t.element0);
    AddTo(operands, t);
  });
  each("attributes", [&](const dom::element& element) {
    const dom::object attribute = object_of(element);
    std::string name(Get<std::string_view>(attribute, "name"));
    std::string text(Get<std::string_view>(attribute, "text"));
    dom::object value;
    if (attribute["value"].get(value) != simdjson::SUCCESS)
      return call->AddAttribute(std::move(name), std::move(text));
    const Placed t = ReadTensor(value);
    call->AddAttribute(std::move(name), std::move(text), *t.type, t.strides,
                       t.element0);
  });
  each("regions", [&](const dom::element& element) {
    std::string_view text;
    if (element.get(text) != simdjson::SUCCESS)
      throw ProtocolError("a region is a text");
    AddRegion(text, call.get());
  });
  dom::element element;
  int32_t captures = 0;
  if (message["captures"].get(element) == simdjson::SUCCESS)
    captures = CountOf(element);
  if (captures > num_inputs)
    throw ProtocolError("a call captures more than its inputs");
  std::vector<int32_t> sizes(static_cast<size_t>(num_inputs - captures), 1);
  if (message["groups"].get(element) == simdjson::SUCCESS) sizes.clear();
  each("groups",
       [&](const dom::element& size) { sizes.push_back(CountOf(size)); });
  call->SetGroups(std::move(sizes), captures);
  return call;
}

}  // namespace assay
