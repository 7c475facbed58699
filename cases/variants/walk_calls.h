// Walks need calls of an op, of every width of element that it has, whose
// results show where an element came from.
#ifndef ASSAY_CASES_VARIANTS_WALK_CALLS_H_
#define ASSAY_CASES_VARIANTS_WALK_CALLS_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/search/call_search.h"
#include "cases/variants/op_table.h"

namespace assay {

// Returns whether the walks of an op can be made: it has operands, each of them
// may have the shape of the result, and there is nothing else to choose but
// numbers and, where it repeats an operand, lists that say how.
bool CanBeWalked(const OpSpec& spec);

enum class WalkTypes { kInTurn, kNarrowest, kSubByte };

class WalkCalls {
 public:
  explicit WalkCalls(OpEntry entry);

  const OpEntry& entry() const { return entry_; }
  // Chooses signature number `n`, which may be any number, because the types
  // take turns; but calls of many elements skip the types on which the oracle
  // is slow. Returns nullptr if none of these types of the op tells elements
  // apart.
  const Signature* Choose(WalkTypes types, size_t n, int64_t elements) const;
  // Chooses in the same way among the signatures whose result has the type of
  // operand `k`.
  const Signature* ChooseInPlace(size_t k, size_t n) const;
  // Returns a call of the op on operands of these shapes, with a result of
  // `result`. Lists of dimensions are right-aligned where the op lets them.
  Op Call(const Signature& signature, const std::vector<Shape>& operands,
          const Shape& result) const;
  // Returns whether the op repeats an operand of that shape over `result`,
  // beside others of that shape.
  bool Broadcasts(const Shape& operand, const Shape& result, size_t k) const;
  // Returns whether the op has sub-byte types, even if it has one result for
  // all their values.
  bool HasSubByte() const { return has_sub_byte_; }
  bool HasInPlace(size_t k) const { return !in_place_[k].empty(); }

 private:
  // Makes the call; nullopt if the op has none on such shapes.
  std::optional<Op> Find(const Signature& signature,
                         const std::vector<Shape>& operands,
                         const Shape& result) const;
  // Returns the list for signatures that are told by that type; nullptr if
  // there are enough of its width.
  std::vector<Signature>* ListFor(ElementType type);
  void AddSignatures();
  void AddPointwise();
  void AddInPlace(const Signature& signature);
  void ChooseNumbers();
  // Keeps those signatures of the same operands that tell most elements apart,
  // and more than `least`.
  void KeepTelling(std::vector<Signature>* signatures, double least) const;
  // Functions of complex numbers take a hundred times longer than a sum.
  bool IsSlow(const Signature& signature) const;
  double TellingOf(const Signature& signature) const;

  OpEntry entry_;
  // The search keeps plans, so that calls of const methods change it: they must
  // not run at the same time.
  std::unique_ptr<CallSearch> search_;
  std::vector<Attribute> numbers_;
  // The key is the number of bytes of an element of the first operand that is
  // no predicate.
  std::map<int, std::vector<Signature>> by_bytes_;
  std::vector<Signature> sub_byte_;
  bool has_sub_byte_ = false;
  std::vector<std::vector<Signature>> in_place_;  // by operand
};

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_WALK_CALLS_H_
