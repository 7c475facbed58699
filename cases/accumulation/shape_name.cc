// A shape is recognised from what its parts are: terms that are added one after
// another or pairwise, with one distance between them, are a run, and a tree
// whose leaves are runs has a shape as well.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "cases/accumulation/tree_text.h"

namespace assay {
namespace {

using Node = SumTree::Node;

// The ways in which n terms are divided into two parts, again and again: the
// largest power of two, which is what adding neighbours comes to, or halves.
enum Division : uint8_t { kPower = 1, kUpperHalf = 2, kLowerHalf = 4 };

uint8_t DivisionsOf(int32_t left, int32_t size) {
  uint8_t divisions = 0;
  if (left ==
      static_cast<int32_t>(std::bit_floor(static_cast<uint32_t>(size - 1))))
    divisions |= kPower;
  if (left == (size + 1) / 2) divisions |= kUpperHalf;
  if (left == size / 2) divisions |= kLowerHalf;
  return divisions;
}

// Returns the runs, and in `*divisions` how each of them is divided.
std::vector<TermRun> FindRuns(const SumTree& tree,
                              std::vector<uint8_t>* divisions) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<TermRun> runs(nodes.size());
  divisions->assign(nodes.size(), kPower | kUpperHalf | kLowerHalf);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    TermRun& run = runs[i];
    run.first = node.least;
    run.last = node.greatest;
    if (node.IsLeaf()) continue;
    run.kind = TermRun::Kind::kNone;
    uint8_t& division = (*divisions)[i];
    if (node.children.size() != 2) {
      division = 0;
      continue;
    }
    const auto left = static_cast<size_t>(node.children[0]),
               right = static_cast<size_t>(node.children[1]);
    const TermRun &a = runs[left], &b = runs[right];
    const bool is_pair = nodes[left].IsLeaf() && nodes[right].IsLeaf();
    const int32_t step = is_pair                ? b.first - a.first
                         : nodes[left].IsLeaf() ? b.step
                                                : a.step;
    const bool joins = b.first == a.last + step &&
                       (nodes[left].IsLeaf() || a.step == step) &&
                       (nodes[right].IsLeaf() || b.step == step);
    run.step = step;
    division =
        joins ? static_cast<uint8_t>((*divisions)[left] & (*divisions)[right] &
                                     DivisionsOf(nodes[left].size, node.size))
              : uint8_t{0};
    if (division != 0) run.kind = TermRun::Kind::kPairwise;
    const bool in_turn =
        a.kind == TermRun::Kind::kLeaf || a.kind == TermRun::Kind::kInTurn;
    if (joins && in_turn && nodes[right].IsLeaf())
      run.kind = TermRun::Kind::kInTurn;
  }
  return runs;
}

// Returns the tree whose leaves are these nodes of `tree`, numbered by their
// least terms. Precondition: each leaf of `tree` is in one of them.
SumTree Contract(const SumTree& tree, const std::vector<size_t>& units) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<int32_t> number(nodes.size(), -1);
  std::vector<size_t> sorted = units;
  std::ranges::sort(sorted, {}, [&](size_t u) { return nodes[u].least; });
  for (size_t u = 0; u < sorted.size(); ++u)
    number[sorted[u]] = static_cast<int32_t>(u);
  SumTreeBuilder builder(static_cast<int32_t>(sorted.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (number[i] != -1 || nodes[i].IsLeaf()) continue;
    std::vector<int32_t> children;
    for (const int32_t child : nodes[i].children)
      children.push_back(number[static_cast<size_t>(child)]);
    // Nodes within a unit are not numbered.
    if (std::ranges::find(children, -1) == children.end())
      number[i] = builder.Join(children);
  }
  return builder.Build();
}

SumTree SubtreeOf(const SumTree& tree, size_t root) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<size_t> below = {root}, leaves;
  for (size_t at = 0; at < below.size(); ++at) {
    for (const int32_t child : nodes[below[at]].children)
      below.push_back(static_cast<size_t>(child));
    if (nodes[below[at]].IsLeaf()) leaves.push_back(below[at]);
  }
  std::ranges::sort(leaves, {}, [&](size_t l) { return nodes[l].least; });
  std::vector<int32_t> number(nodes.size(), -1);
  for (size_t l = 0; l < leaves.size(); ++l)
    number[leaves[l]] = static_cast<int32_t>(l);
  SumTreeBuilder builder(static_cast<int32_t>(leaves.size()));
  std::ranges::sort(below);
  for (const size_t i : below) {
    if (nodes[i].IsLeaf()) continue;
    std::vector<int32_t> children;
    for (const int32_t child : nodes[i].children)
      children.push_back(number[static_cast<size_t>(child)]);
    number[i] = builder.Join(children);
  }
  return builder.Build();
}

bool IsButterfly(const SumTree& tree) {
  const int32_t n = tree.num_leaves();
  if (n < 4 || !std::has_single_bit(static_cast<uint32_t>(n))) return false;
  SumTreeBuilder builder(n);
  std::vector<int32_t> leaves;
  for (int32_t i = 0; i < n; ++i) leaves.push_back(i);
  builder.JoinHalves(std::move(leaves));
  return builder.Build() == tree;
}

// Returns whether each term is added to the sum of all that follow it.
bool IsFromTheEnd(const SumTree& tree) {
  for (const Node& node : tree.nodes()) {
    if (!node.IsLeaf() &&
        (node.children.size() != 2 || !node.IsRange() ||
         !tree.nodes()[static_cast<size_t>(node.children[0])].IsLeaf()))
      return false;
  }
  return tree.num_leaves() > 2;
}

// Returns nullopt unless each addition adds one term.
std::optional<std::string> NameOfChain(const SumTree& tree) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<int32_t> order;  // from the last to the first
  size_t at = nodes.size() - 1;
  while (!nodes[at].IsLeaf()) {
    if (nodes[at].children.size() != 2) return std::nullopt;
    const auto a = static_cast<size_t>(nodes[at].children[0]),
               b = static_cast<size_t>(nodes[at].children[1]);
    if (!nodes[a].IsLeaf() && !nodes[b].IsLeaf()) return std::nullopt;
    const bool is_a = nodes[a].IsLeaf() && !nodes[b].IsLeaf();
    order.push_back(nodes[is_a ? a : b].least);
    at = is_a ? b : a;
  }
  order.push_back(nodes[at].least);
  std::ranges::reverse(order);
  const int32_t n = tree.num_leaves(), step = order[1] - order[0];
  std::vector<int32_t> lane_by_lane;
  for (int32_t first = 0; first < step; ++first) {
    for (int32_t i = first; i < n; i += step) lane_by_lane.push_back(i);
  }
  if (order == lane_by_lane)
    return fmt::format("one after another, by a stride of {}", step);
  return "one after another, not in order";
}

std::string NameOfTop(const SumTree& top);

// Returns nullopt unless the parts of the sum are runs.
std::optional<std::string> NameOfRuns(const SumTree& tree) {
  std::vector<uint8_t> divisions;
  const std::vector<TermRun> runs = FindRuns(tree, &divisions);
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<size_t> below = {nodes.size() - 1}, units;
  std::vector<TermRun> found;
  for (size_t at = 0; at < below.size(); ++at) {
    const size_t i = below[at];
    if (runs[i].kind != TermRun::Kind::kNone) {
      units.push_back(i);
      continue;
    }
    for (const int32_t child : nodes[i].children)
      below.push_back(static_cast<size_t>(child));
  }
  std::ranges::sort(units, {}, [&](size_t u) { return nodes[u].least; });
  const auto count = static_cast<int32_t>(units.size());
  const Node& first = nodes[units[0]];
  const TermRun& run = runs[units[0]];
  if (first.size < 2 || count < 2) return std::nullopt;
  const bool is_strided = run.step > 1;
  bool in_turn = false, pairwise = false;
  // The first and the last chunk may be smaller than those between them.
  const int32_t chunk = count > 2 ? nodes[units[1]].size
                                  : std::max(first.size, nodes[units[1]].size);
  for (int32_t u = 0; u < count; ++u) {
    const size_t unit = units[static_cast<size_t>(u)];
    const Node& node = nodes[unit];
    if (node.size > 2) {
      in_turn |= runs[unit].kind == TermRun::Kind::kInTurn;
      pairwise |= runs[unit].kind == TermRun::Kind::kPairwise;
    }
    const bool is_inner = u > 0 && u + 1 < count;
    if (is_strided ? node.least != u || run.step != count ||
                         (node.size > 1 && runs[unit].step != count)
                   : !node.IsRange() || node.size > chunk ||
                         (is_inner && node.size != chunk))
      return std::nullopt;
  }
  if (in_turn && pairwise) return std::nullopt;
  const char* const inner = pairwise ? "pairwise " : "";
  const std::string top = NameOfTop(Contract(tree, units));
  if (is_strided)
    return fmt::format("strided by {} {}lanes, {}", count, inner, top);
  return fmt::format("{}chunks of {}{}, {}", inner,
                     first.size == chunk ? "" : "up to ", chunk, top);
}

std::string NameOfTop(const SumTree& top) {
  if (top.num_leaves() == 2) return "joined";
  const std::string name = ShapeName(top);
  return name == "sequential" ? "one after another" : name;
}

// Returns the tree without the terms that are added last, one by one, and their
// number.
std::pair<SumTree, int32_t> WithoutTail(const SumTree& tree) {
  const std::vector<Node>& nodes = tree.nodes();
  size_t at = nodes.size() - 1;
  int32_t tail = 0;
  while (nodes[at].children.size() == 2) {
    const Node& last = nodes[static_cast<size_t>(nodes[at].children[1])];
    if (!last.IsLeaf() || last.least != tree.num_leaves() - 1 - tail) break;
    ++tail;
    at = static_cast<size_t>(nodes[at].children[0]);
  }
  return {SubtreeOf(tree, at), tail};
}

// Returns nullopt unless the sum is made of blocks of neighbours, each of the
// same shape, which is not in order.
std::optional<std::string> NameOfBlocks(const SumTree& tree) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<size_t> below = {nodes.size() - 1}, units;
  const auto is_in_order_at = [&](size_t i) {
    return std::ranges::all_of(nodes[i].children, [&](int32_t child) {
      return nodes[static_cast<size_t>(child)].IsRange();
    });
  };
  for (size_t at = 0; at < below.size(); ++at) {
    const size_t i = below[at];
    // The last terms of a block may be added one by one.
    size_t core = i;
    while (is_in_order_at(core) && nodes[core].children.size() == 2 &&
           nodes[static_cast<size_t>(nodes[core].children[1])].IsLeaf())
      core = static_cast<size_t>(nodes[core].children[0]);
    if (!is_in_order_at(core) || nodes[i].IsLeaf()) {
      if (!nodes[i].IsRange() || nodes[i].IsLeaf()) return std::nullopt;
      units.push_back(i);
      continue;
    }
    for (const int32_t child : nodes[i].children)
      below.push_back(static_cast<size_t>(child));
  }
  if (units.size() < 2) return std::nullopt;
  std::string name;
  int32_t largest = 0;
  for (const size_t unit : units) {
    const std::string of_unit =
        ShapeName(WithoutTail(SubtreeOf(tree, unit)).first);
    if (of_unit == "other" || (!name.empty() && of_unit != name))
      return std::nullopt;
    name = of_unit;
    largest = std::max(largest, nodes[unit].size);
  }
  return fmt::format("blocks of up to {}, {}; each {}", largest,
                     NameOfTop(Contract(tree, units)), name);
}

}  // namespace

std::vector<TermRun> RunsOf(const SumTree& tree) {
  std::vector<uint8_t> divisions;
  return FindRuns(tree, &divisions);
}

std::string ShapeName(const SumTree& tree) {
  const int32_t n = tree.num_leaves();
  if (n == 1) return "one term";
  const TermRun whole = RunsOf(tree).back();
  if (whole.kind == TermRun::Kind::kInTurn) return "sequential";
  if (whole.kind == TermRun::Kind::kPairwise) return "pairwise";
  if (IsFromTheEnd(tree)) return "sequential from the end";
  if (IsButterfly(tree)) return "butterfly";
  if (std::ssize(tree.nodes()) == n + 1)
    return fmt::format("{} terms at once", n);
  if (const auto name = NameOfRuns(tree)) return *name;
  if (const auto name = NameOfChain(tree)) return *name;
  const auto [rest, tail] = WithoutTail(tree);
  if (tail > 0 && rest.num_leaves() > 2) {
    const std::string name = ShapeName(rest);
    if (name != "other")
      return fmt::format("{}; then {} more one after another", name, tail);
  }
  if (const auto name = NameOfBlocks(tree)) return *name;
  // The terms that are left over may be a sum of their own.
  const std::vector<SumTree::Node>& nodes = tree.nodes();
  const std::vector<int32_t>& parts = tree.root().children;
  const auto last = static_cast<size_t>(parts.back());
  if (parts.size() == 2 && nodes[last].IsRange() &&
      nodes[last].greatest == n - 1 &&
      RunsOf(tree)[last].kind == TermRun::Kind::kInTurn) {
    const std::string name =
        ShapeName(SubtreeOf(tree, static_cast<size_t>(parts[0])));
    if (name != "other")
      return fmt::format("{}; then a chunk of {}", name, nodes[last].size);
  }
  return "other";
}

}  // namespace assay
