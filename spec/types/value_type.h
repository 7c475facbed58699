// Types of values: tensors, tokens and tuples ("Types" of the StableHLO
// specification). Most ops have tensors alone.
#ifndef ASSAY_SPEC_TYPES_VALUE_TYPE_H_
#define ASSAY_SPEC_TYPES_VALUE_TYPE_H_

#include <string>
#include <variant>
#include <vector>

#include "spec/types/tensor.h"

namespace assay {

struct ValueType;

struct TokenType {
  friend bool operator==(TokenType, TokenType) = default;
};

struct TupleType {
  std::vector<ValueType> types;
  friend bool operator==(const TupleType&, const TupleType&) = default;
};

struct ValueType {
  ValueType() = default;
  ValueType(TensorType tensor)
      : rep(std::move(tensor)) {}  // implicit: most are
  ValueType(Shape shape, ElementType element_type)
      : rep(TensorType(std::move(shape), element_type)) {}
  ValueType(TokenType token) : rep(token) {}
  ValueType(TupleType tuple) : rep(std::move(tuple)) {}

  bool IsTensor() const { return std::holds_alternative<TensorType>(rep); }
  // nullptr if it is another type.
  const TensorType* AsTensor() const { return std::get_if<TensorType>(&rep); }
  const TupleType* AsTuple() const { return std::get_if<TupleType>(&rep); }
  // Precondition: it is a tensor type.
  const TensorType& tensor() const { return std::get<TensorType>(rep); }
  TensorType& tensor() { return std::get<TensorType>(rep); }
  // Implicit: most functions are of tensors, and so are most ops.
  operator const TensorType&() const { return tensor(); }

  // Returns whether no dimension of any tensor in it is dynamic.
  bool IsStatic() const;
  // Returns whether any tensor in it is quantized.
  bool IsQuantized() const;
  // "tensor<2xi8>", "!stablehlo.token", "tuple<tensor<2xi8>, tuple<>>".
  std::string ToString() const;
  friend bool operator==(const ValueType&, const ValueType&) = default;
  friend bool operator==(const ValueType& a, const TensorType& b) {
    return a.AsTensor() != nullptr && a.tensor() == b;
  }

  std::variant<TensorType, TokenType, TupleType> rep;
};

// The types of a function: "(tensor<i8>, tensor<i8>) -> tensor<i8>".
struct FunctionType {
  std::vector<ValueType> inputs, outputs;
  std::string ToString() const;
  friend bool operator==(const FunctionType&, const FunctionType&) = default;
};

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_VALUE_TYPE_H_
