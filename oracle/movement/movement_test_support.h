// Test support: tensors whose elements tell where they come from.
#ifndef ASSAY_ORACLE_MOVEMENT_MOVEMENT_TEST_SUPPORT_H_
#define ASSAY_ORACLE_MOVEMENT_MOVEMENT_TEST_SUPPORT_H_

#include <vector>

#include "spec/types/tensor.h"

namespace assay {

// Returns `first`, `first` + 1, .. in row-major order.
inline Tensor Counted(const Shape& shape, int64_t first = 1) {
  Tensor tensor(TensorType{shape, ElementType::kI32});
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.SetBits(i, static_cast<ElementBits>(i + first));
  return tensor;
}

inline std::vector<int64_t> ValuesIn(const Tensor& tensor) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(static_cast<int64_t>(tensor.Bits(i)));
  return values;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_MOVEMENT_MOVEMENT_TEST_SUPPORT_H_
