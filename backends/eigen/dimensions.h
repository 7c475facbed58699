// Lists of dimensions of a call, and several dimensions of a tensor as one.
#ifndef ASSAY_BACKENDS_EIGEN_DIMENSIONS_H_
#define ASSAY_BACKENDS_EIGEN_DIMENSIONS_H_

#include <stdint.h>

#include <vector>

#include "backends/backend.h"
#include "backends/eigen/operands.h"

namespace assay::eigen {

using Numbers = std::vector<int64_t>;
using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

// Reads an attribute such as "[0, 2]", none of whose dimensions was taken
// before.
Numbers Take(const AssayCall& call, const char* name,
             std::vector<bool>* is_taken);

// Returns the dimensions that were not taken.
Numbers Rest(const std::vector<bool>& is_taken);

struct One {
  int64_t size, stride;  // in elements
};

One AsOne(const DLTensor& tensor, const Numbers& dimensions);

// Takes so many dimensions of the result, from the n-th one on.
One Next(const DLTensor& result, size_t count, int64_t* n);

template <typename T>
T* First(const AssayTensor& tensor) {
  return reinterpret_cast<T*>(static_cast<char*>(tensor.tensor.data) +
                              tensor.tensor.byte_offset);
}

// Calls f with a value of the C++ type that all tensors of a call with two
// operands have, which are numbers.
template <typename F>
void VisitNumbers(const AssayCall& call, F f) {
  Visit(call.inputs[0], [&](auto t) {
    using T = decltype(t);
    if (!HasElements<T>(call.inputs[1]) || !HasElements<T>(call.outputs[0]))
      throw Unsupported("a mix of types");
    if constexpr (std::is_same_v<T, bool>) {
      throw Unsupported("elements of " + ElementText(call.inputs[0]));
    } else {
      f(t);
    }
  });
}

}  // namespace assay::eigen

#endif  // ASSAY_BACKENDS_EIGEN_DIMENSIONS_H_
