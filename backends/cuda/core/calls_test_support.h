// Tests use these classes for calls of the plugin on operands that they make.
#ifndef ASSAY_BACKENDS_CUDA_CORE_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_CUDA_CORE_CALLS_TEST_SUPPORT_H_

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/backend.h"

extern "C" const AssayBackend* assay_backend(void);

namespace assay::cuda {

using Dims = std::vector<int64_t>;

inline Dims RowMajor(const Dims& shape) {
  Dims strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

// A TestOperand of a signed integer or an IEEE 754 type owns its memory.
template <class T>
struct TestOperand {
  TestOperand(Dims of_shape, std::vector<T> values)
      : TestOperand(of_shape, RowMajor(of_shape), std::move(values)) {}
  TestOperand(Dims of_shape, Dims of_strides, std::vector<T> values)
      : shape(std::move(of_shape)),
        strides(std::move(of_strides)),
        data(std::move(values)) {
    constexpr uint8_t kCode =
        std::is_floating_point_v<T> ? uint8_t{kDLFloat} : uint8_t{kDLInt};
    tensor.tensor.data = data.data();
    tensor.tensor.device = {kDLCPU, 0};
    tensor.tensor.ndim = static_cast<int>(shape.size());
    tensor.tensor.dtype = {kCode, uint8_t{8 * sizeof(T)}, 1};
    tensor.tensor.shape = shape.data();
    tensor.tensor.strides = strides.data();
    tensor.type = "";
  }
  TestOperand(const TestOperand&) = delete;
  TestOperand& operator=(const TestOperand&) = delete;

  Dims shape, strides;
  std::vector<T> data;
  AssayTensor tensor = {};
};

// A Call owns everything that it points to except the operands.
struct Call {
  Call(const char* op, std::vector<AssayTensor> inputs,
       std::vector<AssayTensor> outputs,
       std::vector<AssayAttribute> attributes = {})
      : inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        attributes_(std::move(attributes)) {
    abi.struct_size = sizeof(abi);
    abi.op = op;
    abi.num_inputs = static_cast<int32_t>(inputs_.size());
    abi.inputs = inputs_.data();
    abi.num_outputs = static_cast<int32_t>(outputs_.size());
    abi.outputs = outputs_.data();
    abi.num_attributes = static_cast<int32_t>(attributes_.size());
    abi.attributes = attributes_.data();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  std::string Run(int32_t* status) const {
    char message[256] = "";
    *status = assay_backend()->run(&abi, message, sizeof(message));
    return message;
  }

  AssayCall abi = {};

 private:
  std::vector<AssayTensor> inputs_, outputs_;
  std::vector<AssayAttribute> attributes_;
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_CALLS_TEST_SUPPORT_H_
