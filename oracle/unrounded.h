// Intermediate results need not be rounded, where the policy lets a backend
// fuse ops: `contraction` joins a product and a sum, `excess_precision`
// computes in a wider type.
//
// A result that is not rounded lies between the neighbours of the rounded one.
// What follows from it lies between what follows from these, where the op that
// takes it is monotone.
#ifndef ASSAY_ORACLE_UNROUNDED_H_
#define ASSAY_ORACLE_UNROUNDED_H_

#include <cstdint>
#include <vector>

#include "oracle/scalars.h"
#include "spec/policy.h"
#include "spec/program.h"

namespace assay {

// Returns whether policy excess_precision lets results of a type of floats be
// of a wider one.
bool MayHaveExcess(const Policy& policy, ElementType type);

class Unrounded {
 public:
  explicit Unrounded(const Policy& policy);

  // Returns whether any result may be left unrounded.
  bool Any() const { return contracts_ || has_excess_; }
  // Returns whether the op may be given operands that were not rounded.
  bool MayTake(const Op& op) const;
  // Returns whether its results may be left unrounded, for some values.
  bool MayGive(const Op& op) const;
  // Returns whether one element of its result may be, that is `result` for
  // these operands: it is not if it is exact. Precondition: MayGive.
  static bool IsRounded(const Op& op, const std::vector<ElementBits>& operands,
                        ElementBits result);
  // Returns whether results hand an operand on that was not rounded, such as a
  // negated product.
  bool PassesOn(const Op& op) const;

  // Returns what an operand may be that was not rounded.
  static Possible Widened(ElementType type, const Possible& rounded);

 private:
  bool HasExcess(const ValueType& type) const;

  const Policy& policy_;
  bool contracts_, has_excess_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_UNROUNDED_H_
