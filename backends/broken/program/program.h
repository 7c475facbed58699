// This is a program as the backend runs it: functions of ops on tensors.
//
// Values have numbers, which stay what they are when ops come and go, so that
// what rewrites a program (bugs.h) has nothing to count again.
#ifndef ASSAY_BACKENDS_BROKEN_PROGRAM_PROGRAM_H_
#define ASSAY_BACKENDS_BROKEN_PROGRAM_PROGRAM_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay::broken::program {

struct TensorType {
  DLDataType element = {};
  std::vector<int64_t> shape = {};

  size_t ElementBytes() const;
  // A type that ReadFunction has read has a size.
  size_t Bytes() const;
  bool operator==(const TensorType& other) const;
};

struct Value {
  int32_t number;
  TensorType type;
};

struct Attribute {
  std::string name, text;
  const AssayTensor* tensor;  // in the caller's memory; may be nullptr
};

struct Function;

struct Op {
  std::string name;
  std::vector<int32_t> inputs;
  // The last of `inputs` are the last arguments of each of the op's functions.
  size_t num_captures = 0;
  std::vector<Value> outputs;
  std::vector<Attribute> attributes = {};
  // An op that controls what is run has these.
  std::vector<Function> functions;
  // The kernel applies this function, which stays as the caller made it.
  const AssayFunction* body = nullptr;
  // The result of a constant, in row-major order.
  std::optional<std::vector<unsigned char>> literal = {};

  size_t NumOperands() const { return inputs.size() - num_captures; }
};

struct Function {
  std::vector<Value> arguments;
  std::vector<Op> ops;
  std::vector<int32_t> results;
  int32_t num_values = 0;

  int32_t NewNumber() { return num_values++; }
};

struct Refusal {
  AssayStatus status = ASSAY_OK;  // which refuses nothing
  std::string text = {};          // begins with the name of the op, if any
};

// Reads a function and checks it: operands are defined before they are used,
// and functions take and return what their op gives and has.
Refusal ReadFunction(const AssayFunction& abi, Function* function);

// Returns the numbers of values that are needed no longer after each op, and in
// front, at position 0, those of arguments that are not needed at all.
std::vector<std::vector<int32_t>> LastUses(const Function& function);

// This is the sound hook, which leaves a program as it is.
void KeepProgram(Function* function);

}  // namespace assay::broken::program

#endif  // ASSAY_BACKENDS_BROKEN_PROGRAM_PROGRAM_H_
