// Programs are functions of ops in dataflow order. The specification calls the
// parts Program, Func, Op, and an op's input attributes.
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

// A Symbol is an enum constant, such as comparison_direction LT.
struct Symbol {
  std::string name;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

// Attributes are constants: tensors, strings, enums.
struct Attribute {
  std::string name;
  std::variant<Tensor, std::string, Symbol> value;
};

// Returns the text of a constant: "LT", "true", "[1, 2]".
std::string AttributeText(const Attribute& attribute);

// A Region is an input function (anonymous function) of an op, as StableHLO
// text.
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
    // The operand was given as a scalar, not as a tensor of rank 0. This
    // affects promotion only.
    bool is_scalar = false;
  };
  struct Result {
    std::string name;  // The output's name in the op's specification: "result".
    std::string value;  // The value it defines.
    TensorType type;
    // If the call is in place, this names the operand in whose memory the
    // result lies.
    std::string in_place = {};
  };

  std::string op;               // [dialect.]name
  std::vector<Operand> inputs;  // in the specification's order
  std::vector<Attribute> attributes;
  std::vector<Region> regions;
  std::vector<Result> outputs;
  // Ops in newer revisions have this attribute; it replaces the policy's
  // budget.
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
