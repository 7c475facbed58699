// This header has the syntax tree of a formula. Only the formula_*.cc files use
// it.
#ifndef ASSAY_SPEC_FORMULA_FORMULA_NODE_H_
#define ASSAY_SPEC_FORMULA_FORMULA_NODE_H_

#include <string>
#include <vector>

#include "spec/formula/formula.h"
#include "spec/formula/formula_type.h"

namespace assay {

struct Formula::Node {
  enum class Kind {
    kInteger,  // integer
    kName,     // text
    kCall,     // text(children...)
    kList,     // [children...]
    kIndex,    // children[0][children[1]]; children[0][] has one child
    kSlice,  // children[0][children[1]:children[2]]; an absent bound is a kNone
    kSpread,  // children[0]...
    kNegate,  // -children[0]
    kNot,
    kAnd,
    kOr,
    kArithmetic,     // children[0] text children[1]
    kComparison,     // children[0] operators[0] children[1] operators[1] ..
    kConditional,    // children[1] if children[0] else children[2]
    kImplication,    // If children[0], then children[1]
    kForAll,         // For all text in children[0], children[1]
    kComprehension,  // [children[1] for text in children[0]]
    kNone,
  };

  Kind kind = Kind::kNone;
  std::string text;
  int64_t integer = 0;
  std::vector<std::string> operators;
  std::vector<Node> children;
};

// The type TensorFloat32, which no tensor of ours has: a constant of its own
// among the precisions of dot_general.
inline constexpr std::string_view kTensorFloat32 = "tf32";
// Returns whether the name is that of a number of processes, which is unknown
// unless the program says it.
inline bool IsProcessCount(std::string_view name) {
  return name == "num_replicas" || name == "num_partitions" ||
         name == "num_processes";
}

// Throws FormulaError if there is no such function or arity.
const FunctionSignature& FindSignature(const std::string& name, size_t arity);

// Returns the tensor type of a type, of a placeholder or of a tensor constant,
// or nullptr for other values.
const TensorType* TypeOf(const Value& value);
// The type that the value is, or the type of a placeholder; else nullopt.
std::optional<ValueType> ValueTypeOf(const Value& value);

// Applies a global function of the specification. Throws FormulaError if there
// is no such function or arity.
Value CallFunction(const std::string& name,
                   const std::vector<Value>& arguments);

// Evaluates lhs op rhs for one operator of = != < <= > >= in. Lists compare
// element by element, a scalar broadcasts.
Value Compare(const std::string& op, const Value& lhs, const Value& rhs);

// Logic has four truth values: false decides a conjunction, then undefined,
// then deferred.
Truth And(Truth a, Truth b);
Truth Or(Truth a, Truth b);
Truth Not(Truth a);
Value ToValue(Truth truth);

// Returns the integer that a value is, of 64 bits or wide; else nothing.
std::optional<__int128> IntegerOf(const Value& value);
// Returns an integer as a value: it is wide only beyond 64 bits.
Value OfInteger(__int128 integer);

// Returns the first undefined value, else an unknown one, else nothing. A
// function of these arguments must return that value.
std::optional<Value> FindUndecided(const std::vector<Value>& values);

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_NODE_H_
