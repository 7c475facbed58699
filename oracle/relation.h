// A Relation is what holds of the results of an op together, beside what each
// element may be on its own (expectation.h): that they are the operands in
// another order, or that two results are a pair.
#ifndef ASSAY_ORACLE_RELATION_H_
#define ASSAY_ORACLE_RELATION_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "spec/types/tensor.h"

namespace assay {

struct Judgement;

class Relation {
 public:
  Relation() = default;
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;
  virtual ~Relation() = default;
  // Counts the elements that fail by their index, which all outputs share.
  // Precondition: the results have the types of the op's outputs.
  virtual Judgement Judge(std::span<const Tensor> results) const = 0;
  // Returns the lines of a failure: what was returned, and what may be.
  // Precondition: `results` do not satisfy the relation.
  virtual std::string Explain(std::span<const Tensor> results) const = 0;
};

// The elements of all results at one index, of which NaNs may have any bits.
struct TupleValue {
  ElementBits bits = 0;
  bool any_nan = false;
  friend bool operator==(const TupleValue&, const TupleValue&) = default;
};
using Tuple = absl::InlinedVector<TupleValue, 2>;

// Returns a value in its one representation: NaNs whose bits are open are the
// same, in each part of a complex number.
TupleValue CanonicalValue(ElementType type, ElementBits bits, bool any_nan);

// The tuples at some indices are these, in any order.
struct PermutedTuples {
  std::vector<int64_t> indices;
  std::vector<Tuple> tuples;
};

// The results are tuples that come from the operands. If `keeps_nans`, NaNs are
// compared by their bits.
class PermutationRelation : public Relation {
 public:
  PermutationRelation(std::vector<PermutedTuples> groups, bool keeps_nans)
      : groups_(std::move(groups)), keeps_nans_(keeps_nans) {}
  Judgement Judge(std::span<const Tensor> results) const override;
  std::string Explain(std::span<const Tensor> results) const override;

 private:
  // Returns the tuples that are in one of the lists more often than in the
  // other: those returned, and those missing.
  struct Difference {
    std::vector<Tuple> returned, missing;
    int64_t index = -1;  // of one that was returned and should not be
  };
  Difference DifferenceOf(const PermutedTuples& group,
                          std::span<const Tensor> results) const;

  std::vector<PermutedTuples> groups_;
  bool keeps_nans_;
};

// The tuple at an index is one of these.
struct TupleChoice {
  int64_t index;
  std::vector<Tuple> tuples;
};

class ChoiceRelation : public Relation {
 public:
  explicit ChoiceRelation(std::vector<TupleChoice> choices)
      : choices_(std::move(choices)) {}
  Judgement Judge(std::span<const Tensor> results) const override;
  std::string Explain(std::span<const Tensor> results) const override;

 private:
  std::vector<TupleChoice> choices_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_RELATION_H_
