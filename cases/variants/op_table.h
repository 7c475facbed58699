// What can be called: for every op, the lists that a case is chosen from.
//
// They are made of the op files alone, when they are asked for: all element
// types, enum values and numbers are tried on the smallest shapes, and what the
// constraints accept is kept. So a drawn call is valid because its parts are,
// and no formula is evaluated for it.
#ifndef ASSAY_CASES_VARIANTS_OP_TABLE_H_
#define ASSAY_CASES_VARIANTS_OP_TABLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spec/op_spec.h"

namespace assay {

// How the shapes of operands follow from that of the result.
enum class ShapeRule : uint8_t {
  kSame,            // each has it
  kBroadcast,       // they broadcast to it
  kBitcast,         // a last dimension holds the parts of an element
  kBroadcastInDim,  // broadcast_dimensions says where
};

// Element types and attributes that go together, whatever the shape.
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
  // Of a pointwise op, whose types follow from the call: empty.
  std::vector<Signature> signatures = {};
  // Combinations of enum values and truth values. Signatures have theirs.
  std::vector<std::vector<Attribute>> attributes = {};
  std::vector<DrawnNumber> numbers = {};
  // Operands that may be of rank 0 beside others of a higher one: bit k.
  uint32_t may_be_zero_d = 0;

  bool IsPointwise() const { return signatures.empty(); }
};

// The names of operands among the inputs, in order.
std::vector<const InputSpec*> OperandsOf(const OpSpec& spec);

// The ops that are run and that `is_wanted` accepts.
std::vector<OpEntry> MakeOpTable(
    const std::function<bool(const OpSpec&)>& is_wanted);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_OP_TABLE_H_
