// These are the rules of the trait Broadcastable: which shape follows from
// those of the operands, and whether the result may have its shape.
//
// Structure and names are those of the trait's document (clauses BC-01 to BC-38
// of ops/mlir.broadcastable.json): InferDim, ExpandRank, InferShape and
// InferResultShape infer, Verify verifies. Every decision keeps the label of
// the clause that made it, so that an explanation can show them one by one and
// a test can break one. Calls of pointwise ops broadcast their operands' shapes
// with the same functions.
#ifndef ASSAY_SPEC_POINTWISE_BROADCAST_H_
#define ASSAY_SPEC_POINTWISE_BROADCAST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/formula/formula.h"
#include "spec/policy.h"
#include "spec/program.h"
#include "spec/types/shaped_type.h"

namespace assay {

inline constexpr std::string_view kBroadcastable = "mlir.broadcastable";

// This is the size of an inferred dimension whose operands have different
// sizes. InferDim of it and another size returns it: an error dominates.
inline constexpr int64_t kIncompatible = -2;

// The revisions of the document differ in these rules, or leave them open.
struct BroadcastRules {
  // This is the truth of "an inferred `?` may be static in the result", BC-35:
  // it is true in the newer revision and false in the older one; undefined
  // means that either answer is right.
  Truth dynamic_to_static = Truth::kTrue;
  // This is the truth of "0 and a size above 1 are compatible", BC-17.
  // Undefined means that either answer is right.
  Truth zero_with_many = Truth::kFalse;

  // Returns the rules by the policy's keys broadcastable_dynamic_to_static and
  // broadcastable_zero.
  static BroadcastRules Of(const Policy& policy);
};

// An InferredDim is one use of InferDim.
struct InferredDim {
  int64_t dim0 = 0, dim1 = 0;
  int64_t dim = 0;          // kDynamic, kIncompatible, or a size
  std::string_view clause;  // "BC-14"; empty if dim0 or dim1 is kIncompatible
  Truth compatible = Truth::kTrue;
};
InferredDim InferDim(int64_t dim0, int64_t dim1,
                     const BroadcastRules& rules = {});

// Prepends dimensions of size 1 until the rank is reached.
void ExpandRank(Shape* shape, size_t rank);

struct InferredShape {
  Shape shape;
  std::vector<InferredDim> dims;  // one for each dimension of `shape`
};
InferredShape InferShape(Shape shape0, Shape shape1,
                         const BroadcastRules& rules = {});

struct BroadcastOperand {
  std::string name;            // "lhs", "operands[0]": for messages
  std::optional<Shape> shape;  // nullopt: unranked
};

// Two operands differ in this dimension.
struct BroadcastError {
  size_t dimension;         // of the inferred shape
  std::string_view clause;  // "BC-15", "BC-17"
  Truth truth;              // kFalse, or kUndefined if either answer is right
  std::string reason;       // "dimension 0 is 3 in lhs and 2 in rhs; (1, 3) .."
};

// An Inference says how a result shape came about.
struct Inference {
  struct Step {
    size_t operand;  // the operand that is joined
    // This is its shape joined with the one inferred for the operands before
    // it.
    InferredShape joined;
  };
  std::vector<BroadcastOperand> operands;
  std::optional<size_t> first;  // the first operand with a rank
  std::vector<Step> steps;      // one for each further operand with a rank
  // This is nullopt if no operand has a rank, so that nothing can be inferred.
  // It has kIncompatible dimensions if inference failed.
  std::optional<Shape> shape;
  std::vector<BroadcastError> errors;  // at most one for each dimension
  std::set<std::string_view> clauses;  // clauses that took part

  bool failed() const;
};
Inference InferResultShape(std::span<const BroadcastOperand> operands,
                           const BroadcastRules& rules = {});

// Returns the shape that operands of these shapes are broadcast to, or nullopt
// if they are not compatible; `*reason` then names the dimension and the
// operands. Without operands the rank is 0. Precondition: the shapes are
// static.
std::optional<Shape> BroadcastShapes(std::span<const BroadcastOperand> operands,
                                     std::string* reason);

// This is a call of an op with the trait.
struct BroadcastCall {
  std::vector<ShapedType> operands, results;

  // Returns the call as one of the op mlir.broadcastable: the types, as texts,
  // are its attributes, because values have no such types.
  Op ToOp() const;
  // Precondition: `op` is from ToOp.
  static BroadcastCall FromOp(const Op& op);
};

// A VerifiedDim is one row of the table of verification.
struct VerifiedDim {
  int64_t inferred, actual;
  std::string_view clause;  // "BC-34" to "BC-37"
  Truth ok;
};

// This constraint does not hold (kFalse), or a policy requires nothing about it
// (kUndefined).
struct BroadcastViolation {
  std::string_view constraint;
  Truth truth;
  std::string reason;
};

struct Verification {
  Inference inference;
  std::vector<VerifiedDim> dims;  // empty if dimensions are not verified
  // Nothing is verified after this clause, one of BC-30 to BC-32. It is empty
  // if the dimensions are verified.
  std::string_view ended;
  std::vector<BroadcastViolation> violations;
  // These clauses took part, including those of the inference.
  std::set<std::string_view> clauses;

  // Returns kTrue unless a violation says otherwise, or kUndefined if
  // verification of the call does not reach the constraint.
  Truth TruthOfConstraint(std::string_view label) const;
};
Verification Verify(const BroadcastCall& call,
                    const BroadcastRules& rules = {});

// This is what happens when the call is run with operands of these shapes.
struct RuntimeShape {
  std::optional<Shape> shape;  // of the result; nullopt: undefined behaviour
  std::string_view clause;     // the clause that decides: BC-18, BC-19, BC-35
  std::string reason;
};
// Preconditions: Verify finds nothing, all operands are ranked, and `shapes`
// are their shapes with every `?` replaced.
RuntimeShape InferRuntimeShape(const BroadcastCall& call,
                               std::span<const Shape> shapes,
                               const Verification& verification);

}  // namespace assay

#endif  // ASSAY_SPEC_POINTWISE_BROADCAST_H_
