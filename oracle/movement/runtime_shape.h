// Ops that take shapes or sizes as operands have a result of a type that is
// known before. Where the two do not agree when the call runs, the behaviour is
// undefined, which policy runtime_shape_mismatch narrows.
#ifndef ASSAY_ORACLE_MOVEMENT_RUNTIME_SHAPE_H_
#define ASSAY_ORACLE_MOVEMENT_RUNTIME_SHAPE_H_

#include <vector>

#include "oracle/elementwise/elementwise.h"

namespace assay {

// Returns the elements of a tensor of integers. One of 64 bits without a sign
// that int64_t does not have is no size of anything, and becomes -1.
std::vector<int64_t> IntegersOf(const Tensor& tensor);

class RunTimeShape {
 public:
  // The operand of this name has the shape of the result.
  static RunTimeShape OfResult(const OpCall& op, std::string_view operand);
  // Constraints of the op speak of the values of operands.
  static RunTimeShape OfConstraints(const OpCall& op);

  bool agrees() const { return agrees_; }

  // Returns what an element is, if shapes agree, or may be. The clause is the
  // one for shapes that do not.
  template <class T>
  Allowed<T> Decide(auto& clause, ClauseNumber mismatch,
                    const Allowed<T>& otherwise) const {
    return agrees_ ? otherwise : clause(mismatch, Allowed<T>(kAny));
  }

  // Adds all elements of operands that say what the result is like, from
  // operand `first` on.
  static void AddSources(const OpCall& op, size_t first, Sources* sources);

 private:
  explicit RunTimeShape(bool agrees) : agrees_(agrees) {}
  bool agrees_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_MOVEMENT_RUNTIME_SHAPE_H_
