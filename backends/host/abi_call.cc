// The base of a DLTensor is aligned to 256 bytes, so the address of element 0
// is split into a base and a byte offset.
#include "backends/host/abi_call.h"

#include "spec/text/program_text.h"

namespace assay {
namespace {

constexpr uintptr_t kBaseAlignment = 256;  // of DLTensor.data

void SetAddress(uintptr_t element0, DLTensor* tensor) {
  tensor->data =
      reinterpret_cast<void*>(element0 / kBaseAlignment * kBaseAlignment);
  tensor->byte_offset = element0 % kBaseAlignment;
}

}  // namespace

AbiCall::AbiCall(std::string op) {
  call_.struct_size = sizeof(call_);
  call_.op = texts_.emplace_front(std::move(op)).c_str();
}

void AbiCall::AddAttributes(const Op& op) {
  for (const Attribute& attribute : op.attributes) {
    const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
    if (tensor == nullptr) {
      AddAttribute(attribute.name, AttributeText(attribute));
      continue;
    }
    Tensor& constant = constants_.emplace_front(*tensor);
    AddAttribute(attribute.name, AttributeText(attribute), constant.type(),
                 RowMajorStrides(constant.type().shape), constant.data());
  }
  for (const Function& region : op.regions) AddRegion(FunctionText(region));
}

void AbiCall::AddAttribute(std::string name, std::string text) {
  AssayAttribute& attribute = attributes_.emplace_back();
  attribute.name = texts_.emplace_front(std::move(name)).c_str();
  attribute.text = texts_.emplace_front(std::move(text)).c_str();
}

void AbiCall::AddAttribute(std::string name, std::string text,
                           const TensorType& type, const Strides& strides,
                           std::byte* element0) {
  AddAttribute(std::move(name), std::move(text));
  attributes_.back().value =
      &constant_tensors_.emplace_front(Make(type, strides, element0));
}

void AbiCall::AddRegion(std::string text) {
  regions_.push_back(texts_.emplace_front(std::move(text)).c_str());
}

AssayTensor AbiCall::Make(const TensorType& type, const Strides& strides,
                          std::byte* element0) {
  Storage& storage =
      storage_.emplace_front(Storage{type.ToString(), type.shape, strides});
  const ElementTypeInfo& info = Info(type.element_type);
  AssayTensor tensor = {};
  SetAddress(reinterpret_cast<uintptr_t>(element0), &tensor.tensor);
  tensor.tensor.device = {kDLCPU, 0};
  tensor.tensor.ndim = static_cast<int>(type.shape.size());
  tensor.tensor.dtype = {info.dlpack_code, info.dlpack_bits, 1};
  tensor.tensor.shape = storage.shape.data();
  tensor.tensor.strides = storage.strides.data();
  tensor.type = storage.type.c_str();
  return tensor;
}

void AbiCall::AddInput(const TensorType& type, const Strides& strides,
                       std::byte* element0, bool is_scalar) {
  inputs_.push_back(Make(type, strides, element0));
  if (is_scalar) inputs_.back().flags = ASSAY_SCALAR;
}

void AbiCall::AddOutput(const TensorType& type, const Strides& strides,
                        std::byte* element0) {
  outputs_.push_back(Make(type, strides, element0));
}

void AbiCall::MoveTo(const DLDevice& device,
                     const std::vector<uint64_t>& element0) {
  auto address = element0.begin();
  for (std::vector<AssayTensor>* tensors : {&inputs_, &outputs_}) {
    for (AssayTensor& tensor : *tensors) {
      SetAddress(*address++, &tensor.tensor);
      tensor.tensor.device = device;
    }
  }
}

const AssayCall& AbiCall::abi() {
  call_.num_inputs = static_cast<int32_t>(inputs_.size());
  call_.inputs = inputs_.data();
  call_.num_outputs = static_cast<int32_t>(outputs_.size());
  call_.outputs = outputs_.data();
  call_.num_attributes = static_cast<int32_t>(attributes_.size());
  call_.attributes = attributes_.data();
  call_.num_regions = static_cast<int32_t>(regions_.size());
  call_.regions = regions_.data();
  return call_;
}

}  // namespace assay
