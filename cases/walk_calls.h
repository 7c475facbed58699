// What walks are asked with: calls of an op, of every width of element that it
// has, whose results show where an element came from.
#ifndef ASSAY_CASES_WALK_CALLS_H_
#define ASSAY_CASES_WALK_CALLS_H_

#include <map>
#include <string>
#include <vector>

#include "cases/op_table.h"

namespace assay {

enum class WalkTypes { kInTurn, kNarrowest, kSubByte };

class WalkCalls {
 public:
  explicit WalkCalls(OpEntry entry);

  const OpEntry& entry() const { return entry_; }
  // Of the types, number `n`, which may be any: they take turns, but for calls
  // of more elements those of which the oracle takes long. nullptr if the op
  // has none of them.
  const Signature* Choose(WalkTypes types, size_t n, int64_t elements) const;
  // A call of it on operands of these shapes, with a result of `result`. Which
  // dimensions broadcast_in_dim takes is right-aligned.
  Op Call(const Signature& signature, const std::vector<Shape>& operands,
          const Shape& result) const;
  // Whether the op repeats an operand of that shape over `result`, beside
  // others of that shape.
  bool Broadcasts(const Shape& operand, const Shape& result, size_t k) const;
  // Of operands of two elements: whether the first element of the result is
  // another one where those that are moved have their second one in its place.
  bool TellsFirst(const Signature& signature,
                  const std::vector<Tensor>& pairs,
                  const std::vector<bool>& is_moved) const;

 private:
  // Where signatures told by that type are kept; nullptr if there are enough of
  // its width.
  std::vector<Signature>* ListFor(ElementType type);
  void AddSignatures();
  void AddPointwise();
  void ChooseNumbers();
  // Keeps those signatures of the same operands that show most, and more than
  // `least`.
  void KeepTelling(std::vector<Signature>* signatures, double least) const;
  // Functions of complex numbers: a hundred times longer than a sum.
  bool IsSlow(const Signature& signature) const;
  // The share of elements of the result that change when an operand's elements
  // are moved by one: the least of all operands.
  double Telling(const Signature& signature) const;

  OpEntry entry_;
  std::vector<Attribute> numbers_;
  // By the bytes of an element of the first operand that is no predicate.
  std::map<int, std::vector<Signature>> by_bytes_;
  std::vector<Signature> sub_byte_;
};

}  // namespace assay

#endif  // ASSAY_CASES_WALK_CALLS_H_
