// The table has the element types and the attributes of a call that go
// together, for every op whose calls can be searched (call_search.h).
//
// They are made of the op files alone, when they are needed: operands of each
// element type, alone and with i1 among them, and all enum and truth values are
// tried on the smallest shapes, and those that the constraints accept are kept.
// An op that takes no such operands is not in the table.
#ifndef ASSAY_CASES_VARIANTS_OP_TABLE_H_
#define ASSAY_CASES_VARIANTS_OP_TABLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spec/op_spec.h"

namespace assay {

// A Signature has element types and attributes that go together, whatever the
// shape.
struct Signature {
  std::vector<ElementType> operands, results;
  std::vector<Attribute> attributes;  // enum and truth values
};

// A number among the attributes, with values of it that the constraints accept
// whatever the shapes are.
struct DrawnNumber {
  std::string name;
  TensorType type;
  std::vector<int64_t> values;
};

struct OpEntry {
  const OpSpec* spec = nullptr;
  std::vector<const InputSpec*> operands = {};  // of it
  // Empty for a pointwise op, because its types follow from the call.
  std::vector<Signature> signatures = {};
  // All combinations of enum values and truth values, also those that
  // signatures have.
  std::vector<std::vector<Attribute>> attributes = {};
  std::vector<DrawnNumber> numbers = {};  // of elementwise ops

  bool IsPointwise() const { return signatures.empty(); }
};

// Returns the operands among the inputs, in order.
std::vector<const InputSpec*> OperandsOf(const OpSpec& spec);

// Returns whether an input is a constant of floats, of any value.
bool IsFloatConstant(const InputSpec& input);

// Returns every combination of the values of enums and of truth values. A
// constant that may be absent adds the combination without it.
std::vector<std::vector<Attribute>> CombinationsOfValues(const OpSpec& spec);

// Returns a call of these types without shapes; of a variadic operand or result
// it has so many.
Op CallOfTypes(const OpEntry& entry, const Signature& signature,
               size_t count = 1);

// Returns the entries of those ops that `is_wanted` accepts: of the pointwise
// ones, and of those whose calls can be searched.
std::vector<OpEntry> MakeOpTable(
    const std::function<bool(const OpSpec&)>& is_wanted);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_OP_TABLE_H_
