// A ScalarOp is an elementwise op that is applied to scalars of which some are
// not one value.
//
// An operand that is one of several values is tried with each. One that lies in
// a range is tried with the ends of the range, if the op is monotone there
// (`ranges` in its op file): what lies between the ends then gives nothing
// beyond what these give. Otherwise the result is undecided.
#ifndef ASSAY_ORACLE_SCALAR_OP_H_
#define ASSAY_ORACLE_SCALAR_OP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/scalars.h"

namespace assay {

class ScalarOp {
 public:
  // Returns whether the op can be one: it is elementwise, and no composition of
  // ops.
  static bool Is(const Op& op);

  // Precondition: Is(op). The shapes of its operands do not matter.
  ScalarOp(const Op& op, const Policy& policy, Marks wanted);

  // Applies the op to columns of scalars, all of one size.
  Scalars Apply(const std::vector<const Scalars*>& operands);
  // Applies the op once.
  Possible Apply(const std::vector<Possible>& operands);

  const OpSpec& spec() const { return spec_; }
  // Returns the clauses that were executed so far.
  uint64_t marks() const { return marks_; }

 private:
  using Ends = std::vector<std::vector<ElementBits>>;  // by operand
  class Points;

  void SetFromPoints(const Points& points, Scalars* result);

  Evaluation Evaluate(const std::vector<Tensor>& values, const Policy& policy);
  Scalars ApplyToValues(const std::vector<const Scalars*>& operands);
  // Applies the op to one range of each operand.
  Possible ApplyToRanges(const std::vector<Possible>& operands);
  // Returns the values to try of each operand; none if they do not decide.
  Ends EndsOf(const std::vector<Possible>& operands) const;
  Possible Between(const Evaluation& at_ends) const;
  // Returns by how many values of the result's type a result between the ends
  // may lie beyond the results of these. Returns nullopt if that is not known.
  std::optional<int64_t> Slack(const Expectation& at_ends) const;

  Op op_;
  const OpSpec& spec_;
  const Policy& policy_;
  const Marks wanted_;
  const bool may_be_flushed_;
  const OpSpec::Monotone* const monotone_;  // nullptr: not known to be
  std::vector<ElementType> operand_types_;
  ElementType result_type_;
  uint64_t marks_ = 0;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_SCALAR_OP_H_
