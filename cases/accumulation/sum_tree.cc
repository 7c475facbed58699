#include "cases/accumulation/sum_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spec/error.h"

namespace assay {

SumTree SumTree::FromParents(int32_t n, const std::vector<int32_t>& parents) {
  const size_t count = parents.size();
  ASSAY_CHECK(n > 0 && count >= static_cast<size_t>(n));
  std::vector<std::vector<int32_t>> below(count);
  int32_t root = -1;
  for (size_t i = 0; i < count; ++i) {
    if (parents[i] >= 0) {
      below[static_cast<size_t>(parents[i])].push_back(static_cast<int32_t>(i));
    } else {
      ASSAY_CHECK(root == -1);
      root = static_cast<int32_t>(i);
    }
  }
  // From the top, each node before its children; the other way round, sizes and
  // ranges are known of the children first.
  std::vector<int32_t> order = {root};
  for (size_t at = 0; at < order.size(); ++at) {
    const std::vector<int32_t>& children =
        below[static_cast<size_t>(order[at])];
    order.insert(order.end(), children.begin(), children.end());
  }
  ASSAY_CHECK(order.size() == count);
  std::vector<Node> of(count);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    Node& node = of[static_cast<size_t>(*it)];
    std::vector<int32_t>& children = below[static_cast<size_t>(*it)];
    if (*it < n) {
      ASSAY_CHECK(children.empty());
      node.least = node.greatest = *it;
      continue;
    }
    ASSAY_CHECK(children.size() >= 2);
    const auto least = [&](int32_t child) {
      return of[static_cast<size_t>(child)].least;
    };
    std::ranges::sort(children, {}, least);
    node.size = 0;
    node.least = least(children[0]);
    for (const int32_t child : children) {
      node.size += of[static_cast<size_t>(child)].size;
      node.greatest =
          std::max(node.greatest, of[static_cast<size_t>(child)].greatest);
    }
  }
  // A node follows all of its children, in their order.
  SumTree tree;
  tree.nodes_.reserve(count);
  std::vector<int32_t> number(count);
  std::vector<std::pair<int32_t, size_t>> path = {{root, 0}};
  while (!path.empty()) {
    auto& [node, next] = path.back();
    const std::vector<int32_t>& children = below[static_cast<size_t>(node)];
    if (next < children.size()) {
      path.emplace_back(children[next++], 0);
      continue;
    }
    Node& done = of[static_cast<size_t>(node)];
    for (const int32_t child : children)
      done.children.push_back(number[static_cast<size_t>(child)]);
    number[static_cast<size_t>(node)] =
        static_cast<int32_t>(tree.nodes_.size());
    tree.nodes_.push_back(std::move(done));
    path.pop_back();
  }
  return tree;
}

int32_t SumTree::widest() const {
  size_t widest = 0;
  for (const Node& node : nodes_)
    widest = std::max(widest, node.children.size());
  return static_cast<int32_t>(widest);
}

int32_t SumTree::depth() const {
  std::vector<int32_t> depths(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    for (const int32_t child : nodes_[i].children)
      depths[i] = std::max(depths[i], depths[static_cast<size_t>(child)] + 1);
  }
  return depths.back();
}

int32_t SumTreeBuilder::Join(const std::vector<int32_t>& children) {
  if (children.size() == 1) return children[0];
  const auto node = static_cast<int32_t>(parents_.size());
  parents_.push_back(-1);
  for (const int32_t child : children)
    parents_[static_cast<size_t>(child)] = node;
  return node;
}

int32_t SumTreeBuilder::JoinInTurn(const std::vector<int32_t>& nodes) {
  int32_t sum = nodes[0];
  for (size_t i = 1; i < nodes.size(); ++i) sum = Join({sum, nodes[i]});
  return sum;
}

int32_t SumTreeBuilder::JoinNeighbours(std::vector<int32_t> nodes) {
  while (nodes.size() > 1) {
    std::vector<int32_t> pairs;
    for (size_t i = 0; i < nodes.size(); i += 2) {
      pairs.push_back(i + 1 < nodes.size() ? Join({nodes[i], nodes[i + 1]})
                                           : nodes[i]);
    }
    nodes = std::move(pairs);
  }
  return nodes[0];
}

int32_t SumTreeBuilder::JoinHalves(std::vector<int32_t> nodes) {
  while (nodes.size() > 1) {
    const size_t half = (nodes.size() + 1) / 2;
    for (size_t i = 0; half + i < nodes.size(); ++i)
      nodes[i] = Join({nodes[i], nodes[half + i]});
    nodes.resize(half);
  }
  return nodes[0];
}

namespace {

std::vector<int32_t> AllLeaves(int32_t n) {
  std::vector<int32_t> leaves(static_cast<size_t>(n));
  std::iota(leaves.begin(), leaves.end(), 0);
  return leaves;
}

}  // namespace

SumTree SequentialTree(int32_t n) {
  SumTreeBuilder builder(n);
  builder.JoinInTurn(AllLeaves(n));
  return builder.Build();
}

SumTree PairwiseTree(int32_t n) {
  SumTreeBuilder builder(n);
  builder.JoinNeighbours(AllLeaves(n));
  return builder.Build();
}

OrderVerdict JudgeOrder(const SumTree& tree) {
  const std::vector<SumTree::Node>& nodes = tree.nodes();
  const SumTree::Node* worst = nullptr;
  for (const SumTree::Node& node : nodes) {
    if (!node.IsRange() && (worst == nullptr || node.size < worst->size))
      worst = &node;
  }
  OrderVerdict verdict;
  if (worst == nullptr) {
    verdict.kind = tree.widest() > 2 ? OrderVerdict::Kind::kFused
                                     : OrderVerdict::Kind::kInOrder;
    return verdict;
  }
  // Its children are ranges, since no smaller node is none; there is a gap
  // behind one of them. The two around it are joined by this node alone.
  verdict.kind = OrderVerdict::Kind::kOutOfOrder;
  verdict.size = worst->size;
  for (size_t k = 0; k + 1 < worst->children.size(); ++k) {
    const auto child = [&](size_t c) -> const SumTree::Node& {
      return nodes[static_cast<size_t>(worst->children[c])];
    };
    if (child(k).greatest + 1 == child(k + 1).least) continue;
    verdict.first = child(k).greatest;
    verdict.foreign = verdict.first + 1;
    verdict.second = child(k + 1).least;
    break;
  }
  return verdict;
}

}  // namespace assay
