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

// Says which results policy excess_precision lets be of a wider type.
class ExcessPrecision {
 public:
  explicit ExcessPrecision(const Policy& policy);
  bool Any() const { return below_f32_; }
  bool Allows(ElementType type) const;

 private:
  bool below_f32_, f32_;
};

class Unrounded {
 public:
  explicit Unrounded(const Policy& policy);

  // Returns whether any result may be left unrounded.
  bool Any() const { return contracts_ || excess_.Any(); }
  // Returns whether the op may be given operands that were not rounded.
  bool MayTake(const Op& op) const;
  // Returns whether a result of an op may be left unrounded, for some values.
  bool MayGive(const Op& op, size_t output) const;
  // Returns whether one element of the result may be, that is `result` for
  // these operands: it is not if it is exact. Precondition: MayGive.
  static bool IsRounded(const Op& op, const std::vector<ElementBits>& operands,
                        ElementBits result);
  // Returns whether a result hands an operand on that was not rounded, such as
  // a negated product.
  bool PassesOn(const Op& op, size_t output) const;

  // Returns what an operand may be that was not rounded.
  static Possible Widened(ElementType type, const Possible& rounded);

 private:
  bool HasExcess(const ValueType& type) const;

  bool contracts_;
  ExcessPrecision excess_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_UNROUNDED_H_
