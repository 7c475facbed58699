// A SumTree says in which order the terms 0, 1, .. of a sum are added: leaves
// are terms, and an inner node adds its children. Addition commutes, so that
// the order of children means nothing.
#ifndef ASSAY_CASES_ACCUMULATION_SUM_TREE_H_
#define ASSAY_CASES_ACCUMULATION_SUM_TREE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class SumTree {
 public:
  struct Node {
    std::vector<int32_t> children;  // none: a leaf
    int32_t size = 1;               // leaves below
    int32_t least = 0, greatest = 0;

    bool IsLeaf() const { return children.empty(); }
    // Returns whether the leaves below are a range of the order of the terms.
    bool IsRange() const { return greatest - least + 1 == size; }
    friend bool operator==(const Node&, const Node&) = default;
  };

  // Nodes 0 to n - 1 are the leaves, and each node has a parent but the root,
  // whose is -1. Preconditions: n > 0, it is a tree, and inner nodes have two
  // children or more.
  static SumTree FromParents(int32_t n, const std::vector<int32_t>& parents);

  // Children stand before their parents, and the root is the last. Those of a
  // node are in the order of their least leaves, so that equal trees have equal
  // nodes.
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& root() const { return nodes_.back(); }
  int32_t num_leaves() const { return root().size; }
  // Returns the most terms that one node adds at once: 2 in a binary tree.
  int32_t widest() const;
  // Returns the number of additions on the longest way from a leaf to the root.
  int32_t depth() const;

  friend bool operator==(const SumTree&, const SumTree&) = default;

 private:
  std::vector<Node> nodes_;
};

// Joins nodes, bottom up. Leaves are nodes 0 to n - 1.
class SumTreeBuilder {
 public:
  explicit SumTreeBuilder(int32_t n)
      : n_(n), parents_(static_cast<size_t>(n), -1) {}
  // Returns the number of the node above `children`; of one child, it is the
  // child.
  int32_t Join(const std::vector<int32_t>& children);
  // Joins one after another: ((a + b) + c) + d.
  int32_t JoinInTurn(const std::vector<int32_t>& nodes);
  // Joins neighbours, and the results of that, until one is left.
  int32_t JoinNeighbours(std::vector<int32_t> nodes);
  // Joins the k-th and the (k + half)-th until one is left.
  int32_t JoinHalves(std::vector<int32_t> nodes);
  // Precondition: one node has no parent.
  SumTree Build() const { return SumTree::FromParents(n_, parents_); }

 private:
  int32_t n_;
  std::vector<int32_t> parents_;
};

// Two trees that `reduce` allows.
SumTree SequentialTree(int32_t n);
SumTree PairwiseTree(int32_t n);

// Says whether the in-order traversal of the tree may have the terms in their
// order, which it may if and only if the leaves below each node are a range.
struct OrderVerdict {
  enum class Kind : uint8_t {
    kInOrder,
    // In order, but a node adds more than two terms at once, which is no node
    // of a binary tree.
    kFused,
    kOutOfOrder,
  };
  Kind kind = Kind::kInOrder;
  // If it is out of order: first < foreign < second, and the smallest sum that
  // has both `first` and `second` in it, of `size` terms, lacks `foreign`.
  int32_t first = 0, second = 0, foreign = 0, size = 0;
};
OrderVerdict JudgeOrder(const SumTree& tree);

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_SUM_TREE_H_
