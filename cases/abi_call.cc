// DLTensor wants its base aligned to 256 bytes, so the address of element 0 is
// split into a base and a byte offset.
#include "cases/abi_call.h"

namespace assay {
namespace {

constexpr uintptr_t kBaseAlignment = 256;  // of DLTensor.data

}  // namespace

AbiCall::AbiCall(const Op& op) {
  call_.struct_size = sizeof(call_);
  call_.op = op.op.c_str();
  for (const Attribute& attribute : op.attributes) {
    AssayAttribute abi = {};
    abi.name = attribute.name.c_str();
    abi.text = texts_.emplace_back(AttributeText(attribute)).c_str();
    if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
      Tensor& constant = constants_.emplace_back(*tensor);
      constant_tensors_.push_back(Make(constant.type(),
                                       RowMajorStrides(constant.type().shape),
                                       constant.data()));
      abi.value = &constant_tensors_.back();
    }
    attributes_.push_back(abi);
  }
  for (const Region& region : op.regions)
    regions_.push_back(region.text.c_str());
}

AssayTensor AbiCall::Make(const TensorType& type, const Strides& strides,
                          std::byte* element0) {
  Storage& storage =
      storage_.emplace_back(Storage{type.ToString(), type.shape, strides});
  const ElementTypeInfo& info = Info(type.element_type);
  const uintptr_t address = reinterpret_cast<uintptr_t>(element0);
  AssayTensor tensor = {};
  tensor.tensor.data =
      reinterpret_cast<void*>(address / kBaseAlignment * kBaseAlignment);
  tensor.tensor.byte_offset = address % kBaseAlignment;
  tensor.tensor.device = {kDLCPU, 0};
  tensor.tensor.ndim = static_cast<int>(type.shape.size());
  tensor.tensor.dtype = {info.dlpack_code, info.dlpack_bits, 1};
  tensor.tensor.shape = storage.shape.data();
  tensor.tensor.strides = storage.strides.data();
  tensor.type = storage.type.c_str();
  return tensor;
}

void AbiCall::AddInput(const TensorType& type, const Strides& strides,
                       std::byte* element0) {
  inputs_.push_back(Make(type, strides, element0));
}

void AbiCall::AddOutput(const TensorType& type, const Strides& strides,
                        std::byte* element0) {
  outputs_.push_back(Make(type, strides, element0));
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
