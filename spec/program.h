// Programs are functions of ops in dataflow order. The specification calls the
// parts Program, Func, Op, and an op's input values, attributes and functions.
//
// A case is a program; a single op call is its short form. Values are named; a
// name is a function's input or an op's output.
#ifndef ASSAY_SPEC_PROGRAM_H_
#define ASSAY_SPEC_PROGRAM_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/accuracy.h"
#include "spec/types/tensor.h"
#include "spec/types/value_type.h"

namespace assay {

// A Symbol is an enum constant, such as comparison_direction LT.
struct Symbol {
  std::string name;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

// The name of a function of the program, as an attribute: @add.
struct FunctionName {
  std::string name;
  friend bool operator==(const FunctionName&, const FunctionName&) = default;
};

struct Attribute;
struct AttributeValue;

// A loop that does not end is TBD, so that a program is not followed further
// after so many steps: an op is one, and so is the end of a function.
inline constexpr int64_t kFuel = int64_t{1} << 16;

// Attributes of an op by their names, such as those of a composite.
struct Dictionary {
  std::vector<Attribute> members;
};

struct AttributeList {
  std::vector<AttributeValue> elements;
};

// A constant that the text gives to an op: a tensor (of rank 0 for a number or
// a truth value), a text, an enum constant, a function, a list or a dictionary.
struct AttributeValue : std::variant<Tensor, std::string, Symbol, FunctionName,
                                     AttributeList, Dictionary> {
  using variant::variant;
};

struct Attribute {
  std::string name;
  AttributeValue value;
};

// The text of a constant: "LT", "true", "[1, 2]".
std::string AttributeText(const AttributeValue& value);
std::string AttributeText(const Attribute& attribute);

struct TypedName {
  std::string name;
  ValueType type;
  friend bool operator==(const TypedName&, const TypedName&) = default;
};

struct Function;

// How many processes execute a program; nullopt: the program does not say it.
struct ProcessCounts {
  std::optional<int64_t> replicas, partitions;
};

struct Op {
  struct Operand {
    std::string name;   // The input's name in the op's specification: "lhs".
    std::string value;  // The value it is bound to.
    ValueType type;
    // Given as a scalar, not as a tensor of rank 0: decides promotion only.
    bool is_scalar = false;
    // The elements, where the program gives them as a constant and constraints
    // of the op ask for them.
    std::optional<Tensor> known = std::nullopt;
  };
  struct Result {
    std::string name;  // The output's name in the op's specification: "result".
    std::string value;  // The value it defines.
    ValueType type;
    // The number of the operand in whose memory it lies: a call in place.
    std::optional<size_t> in_place = std::nullopt;
  };

  std::string op;  // [dialect.]name
  // All in the order of the specification. Those of a variadic input or output
  // stand next to one another and share its name.
  std::vector<Operand> inputs;
  std::vector<Attribute> attributes;
  // Input functions; the name of each is the input's: "body".
  std::vector<Function> regions;
  std::vector<Result> outputs;
  // Ops in newer revisions have this attribute; it replaces the policy's
  // budget.
  std::optional<ResultAccuracy> result_accuracy = std::nullopt;
  // The function of the program that the op calls, which an attribute names;
  // nullptr if it calls none.
  std::shared_ptr<const Function> callee = nullptr;
  ProcessCounts processes = {};

  // The operands of one input, the results of one output, the functions of one
  // input: one each, or any number of a variadic one.
  std::span<const Operand> Inputs(std::string_view name) const;
  std::span<const Result> Outputs(std::string_view name) const;
  std::span<const Function> Regions(std::string_view name) const;
  // nullptr if the call leaves it out.
  const Attribute* FindAttribute(std::string_view name) const;
  // Returns the type that calls of the op are told apart by: that of the first
  // operand, or of the first result where there is none. Precondition: there is
  // one of them.
  const ValueType& FirstType() const;
};

// A function of a program, or an input function of an op. The latter may also
// use values of the functions around it, which are its captures.
struct Function {
  std::string name;
  std::vector<TypedName> inputs;
  std::vector<Op> body;
  std::vector<TypedName> results;  // returned values

  FunctionType Type() const;
};

// The values that a function uses and does not define, in the order of their
// first use, also by functions inside it.
std::vector<TypedName> Captures(const Function& function);
// The values that the functions of an op use and do not define, each once.
std::vector<TypedName> Captures(const Op& op);

// The functions that a function calls, and those that these call, each once: a
// function stands behind those that it calls.
std::vector<const Function*> CalledBy(const Function& function);

// The tensors of a value: a tensor is its own, those of a tuple are the tensors
// of its members one after the other, and a token has none. Those of the tuple
// "t" are called "t[0]", "t[1][0]", ..: no value of a program has '[' in its
// name.
std::vector<TypedName> TensorsOf(const TypedName& value);
// The members of a tuple, under such names. Precondition: it is a tuple.
std::vector<TypedName> MembersOf(const TypedName& tuple);
// Returns whether all values are tensors, those of the functions inside and of
// called ones too.
bool HasTensorsAlone(const Function& function);

struct Program {
  std::vector<Function> functions;  // the first is the one that runs

  const Function& main() const { return functions.front(); }
  // nullptr if there is no such function.
  const Function* Find(std::string_view name) const;
};

}  // namespace assay

#endif  // ASSAY_SPEC_PROGRAM_H_
