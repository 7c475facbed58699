// The base of a DLTensor is aligned to 256 bytes, so the address of element 0
// is split into a base and a byte offset.
#include "backends/host/abi_values.h"

#include <utility>

namespace assay {
namespace {

constexpr uintptr_t kBaseAlignment = 256;  // of DLTensor.data

}  // namespace

void SetAddress(uintptr_t element0, DLTensor* tensor) {
  tensor->data =
      reinterpret_cast<void*>(element0 / kBaseAlignment * kBaseAlignment);
  tensor->byte_offset = element0 % kBaseAlignment;
}

const char* AbiValues::Text(std::string text) {
  return texts_.emplace_front(std::move(text)).c_str();
}

AssayTensor AbiValues::Make(const TensorType& type, const Strides& strides,
                            std::byte* element0) {
  Dims& dims = dims_.emplace_front(Dims{type.shape, strides});
  const ElementTypeInfo& info = Info(type.element_type);
  AssayTensor tensor = {};
  SetAddress(reinterpret_cast<uintptr_t>(element0), &tensor.tensor);
  tensor.tensor.device = {kDLCPU, 0};
  tensor.tensor.ndim = static_cast<int>(type.shape.size());
  tensor.tensor.dtype = {info.dlpack_code, info.dlpack_bits, 1};
  tensor.tensor.shape = dims.shape.data();
  tensor.tensor.strides = dims.strides.data();
  tensor.type = Text(type.ToString());
  return tensor;
}

AssayAttribute AbiValues::Make(std::string name, std::string text,
                               const AssayTensor* value) {
  AssayAttribute attribute = {};
  attribute.name = Text(std::move(name));
  attribute.text = Text(std::move(text));
  if (value != nullptr) attribute.value = &values_.emplace_front(*value);
  return attribute;
}

AssayAttribute AbiValues::Make(const Attribute& attribute) {
  const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
  if (tensor == nullptr)
    return Make(attribute.name, AttributeText(attribute), nullptr);
  Tensor& constant = constants_.emplace_front(*tensor);
  const AssayTensor value = Make(
      constant.type(), RowMajorStrides(constant.type().shape), constant.data());
  return Make(attribute.name, AttributeText(attribute), &value);
}

}  // namespace assay
