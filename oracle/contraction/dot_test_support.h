// Tests of contractions make calls of dot_general on two vectors with these
// functions.
#ifndef ASSAY_ORACLE_CONTRACTION_DOT_TEST_SUPPORT_H_
#define ASSAY_ORACLE_CONTRACTION_DOT_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "oracle/oracle.h"

namespace assay {

inline Attribute DimensionsOf(const std::string& name,
                              const std::vector<int64_t>& values) {
  return {name,
          IntegerTensor({{std::ssize(values)}, ElementType::kI64}, values)};
}

// Returns the product of two matrices or vectors, of which the last dimension
// of lhs and the first one of rhs are contracted.
inline FloatCall DotCall(const Tensor& lhs, const Tensor& rhs,
                         ElementType result,
                         const std::string& precision = "DEFAULT") {
  FloatCall call;
  call.op.op = "dot_general";
  call.inputs = {lhs, rhs};
  call.op.inputs = {{"lhs", "lhs", lhs.type()}, {"rhs", "rhs", rhs.type()}};
  const int64_t last = std::ssize(lhs.type().shape) - 1;
  call.op.attributes = {
      DimensionsOf("lhs_batching_dimensions", {}),
      DimensionsOf("rhs_batching_dimensions", {}),
      DimensionsOf("lhs_contracting_dimensions", {last}),
      DimensionsOf("rhs_contracting_dimensions", {0}),
      {"precision_config",
       AttributeList{{Symbol{precision}, Symbol{precision}}}}};
  TensorType type;
  type.element_type = result;
  for (int64_t d = 0; d < last; ++d)
    type.shape.push_back(lhs.type().shape[static_cast<size_t>(d)]);
  for (size_t d = 1; d < rhs.type().shape.size(); ++d)
    type.shape.push_back(rhs.type().shape[d]);
  call.op.outputs = {{"result", "result", type}};
  return call;
}

inline Evaluation EvaluateDot(const FloatCall& call,
                              const std::string& policy) {
  return Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kNone);
}

// Returns a vector of values of a type.
template <class T>
Tensor VectorOf(const std::vector<T>& values) {
  Tensor tensor(TensorType({std::ssize(values)}, T::kElementType));
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), values[i].ToBits());
  return tensor;
}

// Returns whether the first element of a result may have these bits.
inline bool AllowsFirst(const Evaluation& evaluation, ElementBits bits) {
  const Expectation& expectation = evaluation.outputs[0];
  Tensor actual(expectation.lo.type());
  for (int64_t i = 0; i < actual.size(); ++i)
    actual.SetBits(i, expectation.lo.Bits(i));
  actual.SetBits(0, bits);
  return Judge(expectation, actual).ok();
}

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_DOT_TEST_SUPPORT_H_
