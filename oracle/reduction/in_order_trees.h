// All results of the binary trees over a row of terms whose in-order traversal
// has the terms in order, and initial values among them.
//
// A part of the row is what stands between two of its gaps. Its results are
// those of two parts that make it, put together, and of the part with initial
// values on either side. Rows mostly repeat few values, so that tuples and the
// results of parts are numbered, and what two of them make is looked up.
#ifndef ASSAY_ORACLE_REDUCTION_IN_ORDER_TREES_H_
#define ASSAY_ORACLE_REDUCTION_IN_ORDER_TREES_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "oracle/reduction/float_bounds.h"
#include "oracle/reduction/tree_sets.h"

namespace assay {

class InOrderTrees {
 public:
  // A row of which a part has more results than these is not decided.
  static constexpr size_t kMost = 128;

  struct Results {
    TreeSet all;
    // Whether an initial value changes a node of some tree.
    bool inits_matter = false;
  };

  // `inits` says how many initial values there may be among the terms.
  InOrderTrees(Region* body, const std::vector<ElementType>& types,
               InitCount inits)
      : inits_(inits), folder_(body, types) {}

  // Returns the results by row. The rows have as many terms, of which there
  // are; the last element of each is the initial value, which all of them
  // share. Rows that come after very much work are not decided.
  std::vector<Results> Of(const std::vector<std::vector<Tuple>>& rows);

  // Returns about how many pairs of parts rows of so many terms have.
  static int64_t PairsOf(int64_t rows, int64_t terms);

 private:
  using Number = uint32_t;
  using Pair = std::pair<Number, Number>;

  // A result of a part, and the fewest initial values that give it, or one of
  // the numbers of them if each matters.
  struct Counted {
    Number tuple;
    int64_t inits;
    friend auto operator<=>(const Counted&, const Counted&) = default;
  };
  struct Part {
    Possible::Kind kind = Possible::Kind::kRanges;
    std::vector<Counted> results;  // in ascending order
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Hash {
    size_t operator()(const Pair& pair) const;
    size_t operator()(const Tuple& tuple) const;
    size_t operator()(const Part& part) const;
  };
  // What the function gives for two tuples.
  struct Node {
    Possible::Kind kind;
    absl::InlinedVector<Number, 2> tuples;
  };
  struct Row {
    std::vector<Number> terms;
    bool inits_matter = false;
    // What is known before the whole is, because a part is not ranges.
    std::optional<Number> end;
  };

  Number NumberOf(const Tuple& tuple);
  Number NumberOf(Part part);
  bool IsRanges(Number part) const {
    return parts_[part].kind == Possible::Kind::kRanges;
  }
  // Returns whether the part still has few results.
  bool AddTo(Number tuple, int64_t inits, Part* part) const;
  // Applies the function to the pairs of tuples that it was not applied to.
  void ApplyTo(const std::vector<Pair>& pairs);
  // Puts each pair of parts together that was not.
  void PutTogether(const std::vector<Pair>& pairs);
  Number UnionOf(Number a, Number b);
  // Adds to each part what initial values on its sides make of it.
  void AddInits(const std::vector<Number>& parts);
  void SetOnlyInits(const Tuple& init);
  // By the first of their terms, their number, and row.
  using PartsOfRows = std::vector<std::vector<std::vector<Number>>>;
  // Returns by row the part of so many terms from one on.
  std::vector<Number> Joined(const PartsOfRows& parts, size_t begin,
                             size_t length, std::vector<Row>* rows);
  std::vector<Number> WholeOf(std::vector<Row>* rows);
  void Forget();

  const InitCount inits_;
  TreeFolder folder_;
  std::unordered_map<Tuple, Number, Hash> tuple_numbers_;
  std::vector<Tuple> tuples_;
  std::unordered_map<Part, Number, Hash> part_numbers_;
  std::vector<Part> parts_;
  std::unordered_map<Pair, Node, Hash> nodes_;
  std::unordered_map<Pair, Number, Hash> together_, unions_;
  std::unordered_map<Number, Number> with_inits_;
  Number only_inits_ = 0;
  int64_t steps_ = 0;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_IN_ORDER_TREES_H_
