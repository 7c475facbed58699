// The tests of pointwise calls use these tensors of C++ types and these calls.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_TEST_SUPPORT_H_

#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <string>
#include <utility>
#include <vector>

#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/core/strided_tensor_test_support.h"

namespace assay::simd_test {

using TypeCode = assay::simd_test::Type;

// DTypeOf maps a C++ type to the data type of its tensors.
template <class T>
struct DTypeOf;
template <>
struct DTypeOf<bool> {
  static constexpr TypeCode kType = kBool;
};
template <>
struct DTypeOf<int8_t> {
  static constexpr TypeCode kType = {kDLInt, 8};
};
template <>
struct DTypeOf<int32_t> {
  static constexpr TypeCode kType = {kDLInt, 32};
};
template <>
struct DTypeOf<int64_t> {
  static constexpr TypeCode kType = {kDLInt, 64};
};
template <>
struct DTypeOf<uint16_t> {
  static constexpr TypeCode kType = {kDLUInt, 16};
};
template <>
struct DTypeOf<float> {
  static constexpr TypeCode kType = {kDLFloat, 32};
};
template <>
struct DTypeOf<double> {
  static constexpr TypeCode kType = {kDLFloat, 64};
};

template <class T>
class Values {
 public:
  Values(const Dims& shape, const std::vector<T>& values)
      : Values(shape, RowMajor(shape), values) {}
  Values(const Dims& shape, const Dims& strides, const std::vector<T>& values)
      : tensor_(DTypeOf<T>::kType, shape, strides) {
    for (size_t i = 0; i < tensor_.count() && !values.empty(); ++i) {
      const T value = values[i % values.size()];
      memcpy(tensor_.At(i), &value, sizeof(T));
    }
  }
  // Makes a tensor of rank 0 or, with the flag, a number.
  static Values Single(T value, uint32_t flags = 0) {
    return Values(value, flags, nullptr);
  }

  std::vector<T> Get() {
    std::vector<T> values;
    for (size_t i = 0; i < tensor_.count(); ++i) {
      T value;
      memcpy(&value, tensor_.At(i), sizeof(T));
      values.push_back(value);
    }
    EXPECT_TRUE(tensor_.CanariesLive());
    return values;
  }
  AssayTensor& assay() { return tensor_.assay(); }

 private:
  Values(T value, uint32_t flags, std::nullptr_t)
      : Values(Dims{}, Dims{}, std::vector<T>{value}) {
    tensor_.assay().flags = flags;
  }

  StridedTensor tensor_;
};

struct Answer {
  int32_t status;
  std::string message;
};

// These are names and values of attributes of kind enum.
using TextAttributes = std::vector<std::pair<const char*, const char*>>;

inline Answer RunPointwise(const std::string& name, const std::string& methods,
                           const std::vector<AssayTensor>& inputs,
                           const std::vector<AssayTensor>& outputs,
                           const TextAttributes& more = {}) {
  std::vector<AssayAttribute> attributes(1 + more.size());
  attributes[0].name = "promotion_methods";
  attributes[0].text = methods.c_str();
  for (size_t i = 0; i < more.size(); ++i) {
    attributes[1 + i].name = more[i].first;
    attributes[1 + i].text = more[i].second;
  }
  const std::string op = "pointwise." + name;
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op.c_str();
  call.num_inputs = static_cast<int32_t>(inputs.size());
  call.inputs = inputs.data();
  call.num_outputs = static_cast<int32_t>(outputs.size());
  call.outputs = outputs.data();
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  char text[200] = "";
  const int32_t status = assay_backend()->run(&call, text, sizeof(text));
  return {status, text};
}

#define EXPECT_OK(call)                                   \
  do {                                                    \
    const Answer answer = (call);                         \
    EXPECT_EQ(answer.status, ASSAY_OK) << answer.message; \
  } while (false)

inline void ExpectInvalid(const Answer& answer, const std::string& what) {
  EXPECT_EQ(answer.status, ASSAY_INVALID) << answer.message;
  EXPECT_NE(answer.message.find(what), std::string::npos) << answer.message;
}

inline constexpr const char* kDefault = R"([[0, 1, "DEFAULT"]])";

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_TEST_SUPPORT_H_
