// These functions return the tensors of a call as Eigen's arrays: contiguous
// vectors of the element types that Eigen has. They decline other tensors by
// throwing.
#ifndef ASSAY_BACKENDS_EIGEN_OPERANDS_H_
#define ASSAY_BACKENDS_EIGEN_OPERANDS_H_

#include <stdint.h>

#include <Eigen/Core>
#include <complex>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "backends/backend.h"

namespace assay::eigen {

// The call is answered with ASSAY_UNSUPPORTED.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
using Vector = Eigen::Array<T, Eigen::Dynamic, 1>;

// Returns "i8" for "tensor<2x3xi8>", so that the reasons of many calls are one
// in a report.
inline std::string ElementText(const AssayTensor& tensor) {
  const std::string text = tensor.type;
  const size_t begin =
      text.find_first_not_of("0123456789x", text.find('<') + 1);
  return text.substr(begin, text.size() - begin - 1);
}

// Calls f with a value of the C++ type of the tensor's elements.
template <typename F>
void Visit(const AssayTensor& tensor, F f) {
  const DLDataType type = tensor.tensor.dtype;
  switch (type.code * 1000 + type.bits) {
    case ASSAY_DL_BOOL * 1000 + 8:
      return f(bool());
    case kDLInt * 1000 + 8:
      return f(int8_t());
    case kDLInt * 1000 + 16:
      return f(int16_t());
    case kDLInt * 1000 + 32:
      return f(int32_t());
    case kDLInt * 1000 + 64:
      return f(int64_t());
    case kDLUInt * 1000 + 8:
      return f(uint8_t());
    case kDLUInt * 1000 + 16:
      return f(uint16_t());
    case kDLUInt * 1000 + 32:
      return f(uint32_t());
    case kDLUInt * 1000 + 64:
      return f(uint64_t());
    case kDLFloat * 1000 + 16:
      return f(Eigen::half());
    case kDLBfloat * 1000 + 16:
      return f(Eigen::bfloat16());
    case kDLFloat * 1000 + 32:
      return f(float());
    case kDLFloat * 1000 + 64:
      return f(double());
    case kDLComplex * 1000 + 64:
      return f(std::complex<float>());
    case kDLComplex * 1000 + 128:
      return f(std::complex<double>());
  }
  throw Unsupported("Eigen has no " + ElementText(tensor));
}

template <typename T>
bool HasElements(const AssayTensor& tensor) {
  bool is_same = false;
  Visit(tensor, [&](auto t) { is_same = std::is_same_v<T, decltype(t)>; });
  return is_same;
}

// Returns the elements of a contiguous tensor in row-major order.
template <typename T>
Eigen::Map<const Vector<T>> Elements(const AssayTensor& tensor) {
  const DLTensor& t = tensor.tensor;
  int64_t count = 1;
  for (int d = 0; d < t.ndim; ++d) count *= t.shape[d];
  int64_t expected = 1;
  for (int d = t.ndim - 1; d >= 0 && count > 0; --d) {
    if (t.shape[d] != 1 && t.strides[d] != expected) {
      throw Unsupported("a layout that is not row-major");
    }
    expected *= t.shape[d];
  }
  if (!HasElements<T>(tensor)) {
    throw Unsupported("another type than expected: " + ElementText(tensor));
  }
  const char* const first = static_cast<const char*>(t.data) + t.byte_offset;
  return {reinterpret_cast<const T*>(first), count};
}

template <typename X>
void Assign(const AssayTensor& result, const X& expression) {
  using T = typename X::Scalar;
  const Eigen::Map<const Vector<T>> elements = Elements<T>(result);
  Eigen::Map<Vector<T>>(const_cast<T*>(elements.data()), elements.size()) =
      expression;
}

// These functions are in files of their names.
void Convert(const AssayTensor& operand, const AssayTensor& result);
void DotGeneral(const AssayCall& call);
void Reduce(const AssayCall& call);

}  // namespace assay::eigen

#endif  // ASSAY_BACKENDS_EIGEN_OPERANDS_H_
