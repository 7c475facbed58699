// An AbiCall is an op call, or the call of a whole program, for the plugin ABI:
// it owns what the C structures point to.
#ifndef ASSAY_BACKENDS_HOST_ABI_CALL_H_
#define ASSAY_BACKENDS_HOST_ABI_CALL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/host/abi_function.h"
#include "backends/host/abi_values.h"
#include "spec/program.h"

namespace assay {

class AbiCall {
 public:
  explicit AbiCall(std::string op);
  // Makes the call of a whole program, which has neither attributes nor
  // regions. `function` is its entry, or nullptr if that form is not asked for;
  // it must outlive this object.
  AbiCall(std::string program, std::string entry, const Function* function);
  AbiCall(const AbiCall&) = delete;
  AbiCall& operator=(const AbiCall&) = delete;

  // `element0` is where element [0, .., 0] lies. Strides count elements.
  // `is_scalar` sets ASSAY_SCALAR.
  void AddInput(const TensorType& type, const Strides& strides,
                std::byte* element0, bool is_scalar = false);
  void AddOutput(const TensorType& type, const Strides& strides,
                 std::byte* element0);
  // Adds the attributes and regions of `op`, and says how its operands are
  // divided.
  void AddMembers(const Op& op);
  void SetGroups(std::vector<int32_t> sizes, int32_t captures);
  // A numeric attribute has a value, which lies at `element0`.
  void AddAttribute(std::string name, std::string text);
  void AddAttribute(std::string name, std::string text, const TensorType& type,
                    const Strides& strides, std::byte* element0);
  // The last arguments of the text and of the function, which is the same one,
  // are the captures of the call. nullptr: there is no such form of it.
  void AddRegion(std::string text, const Function* function);
  // Moves the call to a device: `element0` has the addresses there, of the
  // inputs and then of the outputs. Values of attributes stay in host memory.
  void MoveTo(const DLDevice& device, const std::vector<uint64_t>& element0);
  // The result is valid until the next Add.
  const AssayCall& abi();
  bool IsProgram() const { return program_.stablehlo != nullptr; }
  // The same, of a program. It counts its time in `seconds`.
  const AssayProgram& program(AssaySeconds* seconds);

 private:
  AbiValues values_;
  AbiFunctions converter_{&values_};
  std::vector<AssayTensor> inputs_, outputs_;
  std::vector<AssayAttribute> attributes_;
  std::vector<const char*> regions_;
  std::vector<AssayFunction> functions_;
  bool has_functions_ = true;
  std::vector<int32_t> group_sizes_;
  AssayCall call_ = {};
  AssayProgram program_ = {};
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_ABI_CALL_H_
