// A Reducer says what rows of terms become by a function, in every order that
// the text and the policy leave: the trees of reduce, which an initial value
// enters some number of times.
//
// One answer is right where the function is a monoid without rounding, or is
// shown to be associative (region_laws.h) and the initial value changes no
// term; if it does, all of its places are tried. Few terms have all of their
// trees enumerated, and more of them if their trees have few results
// (in_order_trees.h). Sums and products of more floats have bounds
// (float_bounds.h). Everything else is not decided. A body that is several
// functions side by side has more than a few terms, or few that give too many
// tuples, reduced by each of them alone; where several values are right for
// more than one of them, the tuples that belong together are looked for.
#ifndef ASSAY_ORACLE_REDUCTION_REDUCER_H_
#define ASSAY_ORACLE_REDUCTION_REDUCER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "oracle/reduction/float_bounds.h"
#include "oracle/reduction/tree_sets.h"
#include "oracle/region.h"
#include "oracle/region_laws.h"

namespace assay {

struct Reduction {
  // What the results rest on, beside the terms.
  enum Reason : uint8_t {
    kNode = 1,   // a node of the tree: the function
    kOrder = 2,  // the order: trees differ
    kInit = 4,   // how often the initial value enters
    kType = 8,   // the type in which floats are accumulated
  };
  std::vector<Scalars> results;  // by result of the function, then by row
  std::vector<uint8_t> reasons;  // by row
  // Rows of which the results are one of several tuples, by the row's number.
  std::vector<TupleChoice> choices;
};

class Reducer {
 public:
  // More terms than these do not have all of their trees enumerated.
  static constexpr int64_t kFewTerms = 8;

  // `body` is a region of `call`, and has two arguments for each result.
  Reducer(const Function& body, const OpCall& call);

  // Reduces `rows` rows of `length` terms: `terms` has a column for each result
  // of the function, row after row. `inits` has the initial values, columns of
  // one element; where it has none, none enters the trees, and there are terms.
  Reduction Reduce(const std::vector<Scalars>& terms, int64_t rows,
                   int64_t length, const std::vector<Scalars>& inits);

  // Returns the clauses of the body's ops that were executed so far.
  std::vector<OpMarks> marks() const;

 private:
  using Row = std::vector<Tuple>;  // the terms, then the initial value

  Reduction ReduceComponents(const std::vector<Scalars>& terms, int64_t rows,
                             int64_t length);

  // Reduces few terms by each component alone where the tuples that they may
  // give together are too many.
  void DecideByComponents(const std::vector<Scalars>& terms, int64_t rows,
                          int64_t length, Reduction* reduction);

  // Returns whether all orders of any terms give the same.
  bool IsExact() const;
  // Returns whether the body is a sum or product of floats.
  bool IsFloatMonoid() const;
  // Returns whether it is, and a policy lets nodes have other operands or be
  // rounded otherwise.
  bool HasOtherNodes() const;
  InitCount InitsFor(int64_t length) const;
  // Combines the terms of each row by one of the trees.
  std::vector<Scalars> Fold(const std::vector<Scalars>& terms, int64_t rows,
                            int64_t length);
  // Does so for the terms from `begin` on, which are few.
  std::vector<Scalars> FoldFew(const std::vector<Scalars>& terms, int64_t begin,
                               int64_t rows, int64_t length);
  void ReduceExactly(const std::vector<Scalars>& terms, int64_t rows,
                     int64_t length, Reduction* reduction);
  // Adds what initial values make of results whose order does not matter.
  void AddInits(InitCount count, Reduction* reduction);
  void OpenOverflows(const Scalars& terms, int64_t rows, int64_t length,
                     Reduction* reduction) const;
  void ReduceFew(const std::vector<Row>& rows, int64_t length,
                 Reduction* reduction);
  // Reduces rows of these numbers by all of their trees (in_order_trees.h).
  void EnumerateTrees(const std::vector<Row>& rows,
                      const std::vector<int64_t>& numbers, int64_t length,
                      Reduction* reduction);
  void ReduceFloats(const Scalars& terms, int64_t rows, int64_t length,
                    Reduction* reduction) const;
  // Returns what a sum or product of the terms from `begin` on may be, of which
  // a NaN counts as one whatever its bits are.
  Possible Bounded(const Tensor& terms, int64_t begin, int64_t length) const;
  Possible Bounded(const Row& row) const;
  void ReduceByProof(const std::vector<Scalars>& terms, int64_t rows,
                     int64_t length, Reduction* reduction);
  // Returns whether all trees over the terms and initial values of a row give
  // the same.
  bool HasOneTree(const std::vector<Scalars>& terms, int64_t row,
                  int64_t length);
  // Reduces rows that have one tree, of these numbers, with initial values
  // anywhere among the terms (follow_inits.cc).
  void FollowInits(const std::vector<Row>& rows,
                   const std::vector<int64_t>& numbers, Reduction* reduction);
  // Returns what such rows may be, by row.
  std::vector<TreeSet> ResultsWithInits(const std::vector<Row>& rows);
  // Returns whether there are few enough terms for that.
  bool MayFollowInits(int64_t length) const;
  // Replaces what each component of a row may be by what they may be together,
  // where that is several tuples.
  void JoinComponents(const std::vector<Scalars>& terms, int64_t rows,
                      int64_t length, Reduction* reduction);
  // Returns, by value, whether the initial value leaves it as it is, on either
  // side of it.
  std::vector<uint8_t> AreLeft(const std::vector<Scalars>& values);
  // Returns, by row, whether this is so of all values of the row, and of the
  // initial value itself. `ends` says by row where its values end.
  std::vector<bool> RowsAreLeft(const std::vector<Scalars>& values,
                                const std::vector<int64_t>& ends);
  void SetAll(int64_t row, const Possible& possible,
              Reduction* reduction) const;
  void SetResults(int64_t row, const TreeSet& set, Reduction* reduction) const;
  Row RowOf(const std::vector<Scalars>& terms, int64_t row,
            int64_t length) const;

  const Function& function_;
  const OpCall call_;
  const AccumulationRules rules_;
  Region body_;
  const std::vector<Function> component_functions_;
  std::vector<std::unique_ptr<Reducer>> components_;
  std::vector<ElementType> types_;
  const OpSpec* monoid_ = nullptr;  // the op that is the whole body
  std::optional<Shown> associative_;
  std::vector<Scalars> inits_;
  Tuple init_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_REDUCER_H_
