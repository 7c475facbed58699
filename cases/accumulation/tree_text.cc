#include "cases/accumulation/tree_text.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace assay {
namespace {

using Node = SumTree::Node;

// Deeper subtrees are not written, since each level needs room on the line, and
// on the stack.
constexpr int kMostLevels = 12;

// Returns whether two subtrees differ in nothing but where their terms begin.
bool AreAlike(const SumTree& tree, int32_t a, int32_t b) {
  const std::vector<Node>& nodes = tree.nodes();
  // The nodes of a subtree stand together, its root last.
  const auto count = [&](int32_t root) {
    int32_t first = root;
    while (!nodes[static_cast<size_t>(first)].IsLeaf())
      first = nodes[static_cast<size_t>(first)].children[0];
    return root - first + 1;
  };
  const int32_t size = count(a);
  if (size != count(b)) return false;
  const int32_t distance =
      nodes[static_cast<size_t>(b)].least - nodes[static_cast<size_t>(a)].least;
  for (int32_t k = 0; k < size; ++k) {
    const Node &x = nodes[static_cast<size_t>(a - k)],
               &y = nodes[static_cast<size_t>(b - k)];
    if (x.children.size() != y.children.size() || x.size != y.size ||
        y.least - x.least != distance || y.greatest - x.greatest != distance)
      return false;
  }
  return true;
}

class TreeLines {
 public:
  TreeLines(const SumTree& tree, int most_lines)
      : tree_(tree), runs_(RunsOf(tree)), most_lines_(most_lines) {}

  std::string ToText() {
    Add(static_cast<int32_t>(tree_.nodes().size()) - 1, 0, "");
    if (left_out_) text_ += "..\n";
    return text_;
  }

 private:
  const Node& At(int32_t i) const {
    return tree_.nodes()[static_cast<size_t>(i)];
  }

  void Line(int level, const std::string& line) {
    if (lines_ == most_lines_) {
      left_out_ = true;
      return;
    }
    ++lines_;
    text_ += std::string(static_cast<size_t>(2 * level), ' ') + line + "\n";
  }

  std::string RunText(int32_t i) const {
    const TermRun& run = runs_[static_cast<size_t>(i)];
    if (run.kind == TermRun::Kind::kLeaf) return std::to_string(run.first);
    const std::string terms =
        At(i).size == 2 ? fmt::format("{}+{}", run.first, run.last)
        : run.step == 1 ? fmt::format("{}..{}", run.first, run.last)
                        : fmt::format("{}, {}, .., {}", run.first,
                                      run.first + run.step, run.last);
    if (At(i).size == 2) return terms;
    return fmt::format("{} {}", terms,
                       run.kind == TermRun::Kind::kPairwise
                           ? "pairwise"
                           : "one after another");
  }

  // Writes the subtree. `more` says what else the line stands for.
  void Add(int32_t i, int level, const std::string& more) {
    if (left_out_) return;
    const Node& node = At(i);
    if (runs_[static_cast<size_t>(i)].kind != TermRun::Kind::kNone)
      return Line(level, RunText(i) + more);
    const std::string where = node.IsRange() ? "" : ", with gaps";
    if (level == kMostLevels)
      return Line(level, fmt::format("{} terms of {}..{}{}{}", node.size,
                                     node.least, node.greatest, where, more));
    // What is added to the first part, one after another, stands below it.
    std::vector<int32_t> parts;
    int32_t at = i;
    const size_t width = node.children.size();
    while (runs_[static_cast<size_t>(at)].kind == TermRun::Kind::kNone &&
           At(at).children.size() == width) {
      const std::vector<int32_t>& children = At(at).children;
      parts.insert(parts.end(), children.rbegin(), children.rend() - 1);
      at = children[0];
    }
    parts.push_back(at);
    Line(level, fmt::format("{} terms of {}..{}{}: {}{}", node.size, node.least,
                            node.greatest, where,
                            width > 2 ? fmt::format("{} at once", width)
                            : parts.size() == 2
                                ? "the sum of"
                                : fmt::format("{} parts one after another",
                                              parts.size()),
                            more));
    for (size_t p = parts.size(); p-- > 0;) {
      size_t last = p;
      while (last > 0 && AreAlike(tree_, parts[p], parts[last - 1])) --last;
      std::string like;
      if (last < p) {
        like = fmt::format("; {} more like it, up to the one from {}", p - last,
                           At(parts[last]).least);
      }
      Add(parts[p], level + 1, like);
      p = last;
    }
  }

  const SumTree& tree_;
  std::vector<TermRun> runs_;
  int most_lines_, lines_ = 0;
  bool left_out_ = false;
  std::string text_;
};

}  // namespace

std::string CompactText(const SumTree& tree) {
  std::vector<std::string> texts(tree.nodes().size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.IsLeaf()) {
      texts[i] = std::to_string(node.least);
      continue;
    }
    texts[i] = "(";
    for (const int32_t child : node.children) {
      std::string& part = texts[static_cast<size_t>(child)];
      texts[i] += (texts[i].size() > 1 ? "+" : "") + part;
      part.clear();
    }
    texts[i] += ")";
  }
  return texts.back();
}

std::string IndentedText(const SumTree& tree, int most_lines) {
  return TreeLines(tree, most_lines).ToText();
}

}  // namespace assay
