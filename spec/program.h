// Programs: functions of ops in dataflow order. What the specification calls
// Program, Func, Op, and an op's input attributes.
//
// A case is a program; a single op call is its short form. Values are named; a
// name is a function's input or an op's output.
#ifndef ASSAY_SPEC_PROGRAM_H_
#define ASSAY_SPEC_PROGRAM_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "spec/accuracy.h"
#include "spec/types/tensor.h"

namespace assay {

// An enum constant, such as comparison_direction LT.
struct Symbol {
  std::string name;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

// Attributes are constants: tensors, strings, enums.
struct Attribute {
  std::string name;
  std::variant<Tensor, std::string, Symbol> value;
};

// The text of a constant: "LT", "true", "[1, 2]".
std::string AttributeText(const Attribute& attribute);

// An input function (anonymous function) of an op, as StableHLO text.
struct Region {
  std::string text;
};

struct TypedName {
  std::string name;
  TensorType type;
};

struct Op {
  struct Operand {
    std::string name;   // The input's name in the op's specification: "lhs".
    std::string value;  // The value it is bound to.
    TensorType type;
    // Given as a scalar, not as a tensor of rank 0: decides promotion only.
    bool is_scalar = false;
  };
  struct Result {
    std::string name;  // The output's name in the op's specification: "result".
    std::string value;  // The value it defines.
    TensorType type;
    // The operand in whose memory it lies, by its name: a call in place.
    std::string in_place = {};
  };

  std::string op;               // [dialect.]name
  std::vector<Operand> inputs;  // in the specification's order
  std::vector<Attribute> attributes;
  std::vector<Region> regions;
  std::vector<Result> outputs;
  // An attribute of ops in newer revisions; it replaces the policy's budget.
  std::optional<ResultAccuracy> result_accuracy = std::nullopt;
};

struct Function {
  std::string name;
  std::vector<TypedName> inputs;
  std::vector<Op> body;
  std::vector<std::string> results;  // names of returned values
};

struct Program {
  std::vector<Function> functions;
  const Function& main() const { return functions.front(); }
};

}  // namespace assay

#endif  // ASSAY_SPEC_PROGRAM_H_
