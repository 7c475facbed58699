// An AbiCall is an op call for the plugin ABI: it owns the texts, shapes and
// strides that the C structures point to.
#ifndef ASSAY_BACKENDS_HOST_ABI_CALL_H_
#define ASSAY_BACKENDS_HOST_ABI_CALL_H_

#include <cstddef>
#include <forward_list>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "spec/program.h"

namespace assay {

class AbiCall {
 public:
  explicit AbiCall(std::string op);
  AbiCall(const AbiCall&) = delete;
  AbiCall& operator=(const AbiCall&) = delete;

  // `element0` is where element [0, .., 0] lies. Strides count elements.
  // `is_scalar` sets ASSAY_SCALAR.
  void AddInput(const TensorType& type, const Strides& strides,
                std::byte* element0, bool is_scalar = false);
  void AddOutput(const TensorType& type, const Strides& strides,
                 std::byte* element0);
  // Adds the attributes and regions of `op`.
  void AddAttributes(const Op& op);
  // A numeric attribute has a value, which lies at `element0`.
  void AddAttribute(std::string name, std::string text);
  void AddAttribute(std::string name, std::string text, const TensorType& type,
                    const Strides& strides, std::byte* element0);
  void AddRegion(std::string text);
  // Moves the call to a device: `element0` has the addresses there, of the
  // inputs and then of the outputs. Values of attributes stay in host memory.
  void MoveTo(const DLDevice& device, const std::vector<uint64_t>& element0);
  // The result is valid until the next Add.
  const AssayCall& abi();

 private:
  AssayTensor Make(const TensorType& type, const Strides& strides,
                   std::byte* element0);

  struct Storage {  // what one tensor points to; a list keeps it in place
    std::string type;
    Shape shape;
    Strides strides;
  };
  std::forward_list<Storage> storage_;
  std::forward_list<std::string> texts_;
  std::forward_list<Tensor> constants_;
  std::forward_list<AssayTensor> constant_tensors_;
  std::vector<AssayTensor> inputs_, outputs_;
  std::vector<AssayAttribute> attributes_;
  std::vector<const char*> regions_;
  AssayCall call_ = {};
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_ABI_CALL_H_
