// A Chainer says what elements become by updates that a function applies one
// after another, in any order: the results of scatter.
//
// There is one answer where the function is shown to give the same in every
// order (region_laws.h). Few updates of an element have all of their orders
// tried (tree_sets.h). Of a function that reads the update alone, the last one
// decides, which may be any of them. Sums and products of more floats have
// bounds (float_bounds.h). Everything else is not decided.
#ifndef ASSAY_ORACLE_REDUCTION_CHAINS_H_
#define ASSAY_ORACLE_REDUCTION_CHAINS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "oracle/reduction/float_bounds.h"
#include "oracle/reduction/reducer.h"
#include "oracle/region.h"
#include "oracle/region_laws.h"

namespace assay {

// The updates of some elements. Those of element i are [ends[i - 1], ends[i]).
struct Updates {
  std::vector<Scalars> elements, updates;  // by result of the function
  std::vector<int64_t> ends;               // by element
};

class Chainer {
 public:
  // More updates of an element do not have all of their orders tried.
  static constexpr int64_t kFewUpdates = 6;

  // `computation` is a region of `call`, and has two arguments for each result.
  Chainer(const Function& computation, const OpCall& call);

  // The rows of the Reduction are the elements. Where a conversion left several
  // values to what is applied, more than one update decides nothing.
  // Precondition: each element is updated.
  Reduction Apply(const Updates& updates);

  // Returns the clauses of the computation's ops that were executed so far.
  std::vector<OpMarks> marks() const;

 private:
  bool IsFloatMonoid() const;
  // Returns whether it is, and a policy lets nodes have other operands or be
  // rounded otherwise.
  bool HasOtherNodes() const;
  bool IsIntegerSumOrProduct() const;
  // Precondition: it is one.
  bool MayOverflow(const Updates& updates, int64_t element) const;
  bool AreKnown(const Updates& updates, int64_t element) const;
  // Returns whether it is little work to try all orders of few updates.
  bool TriesOrdersFirst(const Updates& updates) const;
  // Returns whether the updates of an element are known to have one result.
  bool OrderDoesNotMatter(const Updates& updates, int64_t element,
                          bool tries_orders_first);
  // These decide elements of these numbers, in one of the ways.
  void ApplyInOrder(const Updates& updates,
                    const std::vector<int64_t>& elements, Reduction* reduction);
  void TryAllOrders(const Updates& updates,
                    const std::vector<int64_t>& elements, Reduction* reduction);
  void TakeAnyLast(const Updates& updates, const std::vector<int64_t>& elements,
                   Reduction* reduction);
  void Bound(const Updates& updates, int64_t element,
             Reduction* reduction) const;
  void ApplyToComponents(const Updates& updates,
                         const std::vector<int64_t>& elements,
                         Reduction* reduction);
  void SetResults(int64_t element, const TreeSet& set, Reduction* reduction);

  const Function& function_;
  const OpCall call_;
  const AccumulationRules rules_;
  const bool any_tree_;
  Region computation_;
  const std::vector<Function> component_functions_;
  std::vector<std::unique_ptr<Chainer>> components_;
  std::vector<ElementType> types_;
  const OpSpec* monoid_ = nullptr;  // the op that is the whole computation
  bool reads_element_ = false;      // besides the update
  std::optional<Shown> commutes_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_CHAINS_H_
