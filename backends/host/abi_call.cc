#include "backends/host/abi_call.h"

#include <utility>

#include "spec/text/program_text.h"

namespace assay {

AbiCall::AbiCall(std::string op) {
  call_.struct_size = sizeof(call_);
  call_.op = values_.Text(std::move(op));
}

AbiCall::AbiCall(std::string program, std::string entry,
                 const Function* function) {
  program_.struct_size = sizeof(program_);
  program_.length = program.size();
  program_.stablehlo = values_.Text(std::move(program));
  program_.entry = values_.Text(std::move(entry));
  program_.num_replicas = program_.num_partitions = 1;
  if (function != nullptr &&
      converter_.Convert(*function, &functions_.emplace_back()))
    program_.function = functions_.data();
}

void AbiCall::AddMembers(const Op& op) {
  for (const Attribute& attribute : op.attributes)
    attributes_.push_back(values_.Make(attribute));
  const std::vector<TypedName> captures = Captures(op);
  for (const Function& region : op.regions) {
    const Function function = WithCaptures(region, captures);
    AddRegion(FunctionText(function), &function);
  }
  SetGroups(GroupSizesOf(op), static_cast<int32_t>(captures.size()));
}

void AbiCall::SetGroups(std::vector<int32_t> sizes, int32_t captures) {
  group_sizes_ = std::move(sizes);
  call_.num_captures = captures;
}

void AbiCall::AddAttribute(std::string name, std::string text) {
  attributes_.push_back(
      values_.Make(std::move(name), std::move(text), nullptr));
}

void AbiCall::AddAttribute(std::string name, std::string text,
                           const TensorType& type, const Strides& strides,
                           std::byte* element0) {
  const AssayTensor value = values_.Make(type, strides, element0);
  attributes_.push_back(values_.Make(std::move(name), std::move(text), &value));
}

void AbiCall::AddRegion(std::string text, const Function* function) {
  regions_.push_back(values_.Text(std::move(text)));
  has_functions_ = has_functions_ && function != nullptr &&
                   converter_.Convert(*function, &functions_.emplace_back());
}

void AbiCall::AddInput(const TensorType& type, const Strides& strides,
                       std::byte* element0, bool is_scalar) {
  inputs_.push_back(values_.Make(type, strides, element0));
  if (is_scalar) inputs_.back().flags = ASSAY_SCALAR;
}

void AbiCall::AddOutput(const TensorType& type, const Strides& strides,
                        std::byte* element0) {
  outputs_.push_back(values_.Make(type, strides, element0));
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
  call_.num_input_groups = static_cast<int32_t>(group_sizes_.size());
  call_.input_group_sizes = group_sizes_.data();
  call_.functions =
      has_functions_ && !functions_.empty() ? functions_.data() : nullptr;
  return call_;
}

const AssayProgram& AbiCall::program(AssaySeconds* seconds) {
  program_.num_inputs = static_cast<int32_t>(inputs_.size());
  program_.inputs = inputs_.data();
  program_.num_outputs = static_cast<int32_t>(outputs_.size());
  program_.outputs = outputs_.data();
  program_.seconds = seconds;
  return program_;
}

}  // namespace assay
