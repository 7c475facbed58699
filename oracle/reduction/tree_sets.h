// All results of a reduction of few terms: those of every binary tree that is
// allowed, by dynamic programming over the sets of terms that a subtree may
// have. Trees with initial values among the terms are in in_order_trees.h.
//
// A function of N results has tuples of N values, which do not mix.
#ifndef ASSAY_ORACLE_REDUCTION_TREE_SETS_H_
#define ASSAY_ORACLE_REDUCTION_TREE_SETS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/region.h"
#include "oracle/relation.h"
#include "oracle/scalars.h"

namespace assay {

struct TreeSet {
  static constexpr size_t kMost = 64;

  void Add(const Tuple& tuple);

  std::vector<Tuple> tuples;
  // If it is not kRanges, some tree has a result that is open or not known, or
  // there are more than `most`.
  Possible::Kind kind = Possible::Kind::kRanges;
  size_t most = kMost;
};

// Makes the kind of a set that of one of its members, if that is worse: open
// instead of known, and undecided instead of both.
void Worsen(Possible::Kind by, Possible::Kind* kind);

// The parts of a sequence that subtrees may have, smaller ones first.
class TreeParts {
 public:
  struct Part {
    // The number of the term that is the whole part; -1: it has more leaves.
    int64_t term = -1;
    // Pairs of parts that make this one.
    std::vector<std::pair<size_t, size_t>> splits;
  };
  // Trees of the terms in order.
  static TreeParts InOrder(int64_t terms);
  // Trees of the terms in any order, for a function that commutes.
  static TreeParts AnyOrder(int64_t terms);
  // Chains that begin with the first term, behind which the others come one by
  // one, in any order.
  static TreeParts Chains(int64_t terms);

  const std::vector<Part>& parts() const { return parts_; }
  // The part that is the whole sequence.
  size_t root() const { return root_; }

 private:
  std::vector<Part> parts_;
  size_t root_ = 0;
};

// Returns a column of values.
Scalars ColumnOf(ElementType type, const std::vector<TupleValue>& values);

// A TreeFolder applies a function to pairs of tuples, many at a time.
class TreeFolder {
 public:
  explicit TreeFolder(Region* body, std::vector<ElementType> types)
      : body_(*body), types_(std::move(types)) {}

  // Adds the result of (lhs, rhs) to a set, which must outlive Run.
  void Add(const Tuple& lhs, const Tuple& rhs, TreeSet* into);
  void Run();
  int64_t applications() const { return applications_; }

 private:
  struct Application {
    Tuple lhs, rhs;
    TreeSet* into;
  };
  Region& body_;
  std::vector<ElementType> types_;
  std::vector<Application> waiting_;
  int64_t applications_ = 0;
};

// Returns, by row and part, the results of all its trees, up to `most` of them.
// `leaves` has the terms of a row.
std::vector<std::vector<TreeSet>> SetsOfTrees(
    const TreeParts& parts, const std::vector<std::vector<Tuple>>& leaves,
    TreeFolder* folder, size_t most = TreeSet::kMost);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_TREE_SETS_H_
