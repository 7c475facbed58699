// The table has the lists from which the parts of a call are chosen, for every
// op whose parts can be chosen one by one.
//
// They are made of the op files alone, when they are needed: all element types,
// enum values and numbers are tried on the smallest shapes, and those that the
// constraints accept are kept. So a drawn call is valid because its parts are,
// and no formula is evaluated for it.
#ifndef ASSAY_CASES_VARIANTS_OP_TABLE_H_
#define ASSAY_CASES_VARIANTS_OP_TABLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spec/op_spec.h"

namespace assay {

// A ShapeRule says how the shapes of operands follow from that of the result.
enum class ShapeRule : uint8_t {
  kSame,            // each has it
  kBroadcast,       // they broadcast to it
  kBitcast,         // a last dimension holds the parts of an element
  kBroadcastInDim,  // broadcast_dimensions says where
  kProposed,        // code draws shapes and attributes together
};

// A Signature has element types and attributes that go together, whatever the
// shape.
struct Signature {
  std::vector<ElementType> operands, results;
  std::vector<Attribute> attributes;  // but those that OpEntry draws
};

struct DrawnNumber {  // an attribute: a number that the constraints bound
  std::string name;
  TensorType type;
  std::vector<int64_t> values;
};

struct OpEntry {
  const OpSpec* spec = nullptr;
  std::vector<const InputSpec*> operands = {};  // of it
  ShapeRule rule = ShapeRule::kSame;
  // Empty for a pointwise op, because its types follow from the call.
  std::vector<Signature> signatures = {};
  // Combinations of enum values and truth values; those in a signature are not
  // here.
  std::vector<std::vector<Attribute>> attributes = {};
  std::vector<DrawnNumber> numbers = {};
  // Bit k is set if operand k may have rank 0 beside operands of a higher rank.
  uint32_t may_be_zero_d = 0;

  bool IsPointwise() const { return signatures.empty(); }
};

// Returns the operands among the inputs, in order.
std::vector<const InputSpec*> OperandsOf(const OpSpec& spec);

// Returns whether the parts of a call of an op can be chosen one by one: it is
// run, and its operands and attributes follow from types and from the shape of
// the result.
bool IsChosenByParts(const OpSpec& spec);

// Returns the entries of those ops that `is_wanted` accepts.
std::vector<OpEntry> MakeOpTable(
    const std::function<bool(const OpSpec&)>& is_wanted);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_OP_TABLE_H_
