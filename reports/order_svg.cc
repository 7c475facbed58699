// Trees of up to 64 terms are drawn with their nodes and edges. Of larger ones
// a picture has bands: each is a level of the tree, from the root above to the
// leaves below, and a color is a subtree.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cases/accumulation/tree_text.h"
#include "reports/order_report.h"

namespace assay {
namespace {

using TreeNode = SumTree::Node;

constexpr int32_t kMostDrawn = 64;
constexpr double kPanelWidth = 560, kPanelHeight = 190, kGap = 30,
                 kTitleHeight = 44;
constexpr int kBands = 24, kBandColumns = 280;

std::string XmlEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      escaped += '?';
    } else {
      escaped += c;
    }
  }
  return escaped;
}

void AddText(double x, double y, int size, const std::string& text,
             std::string* svg) {
  *svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\">{}</text>\n", x, y,
      size, XmlEscaped(text));
}

// Draws the tree with its root above. What is out of order is red.
void DrawNodes(const SumTree& tree, double left, double top, std::string* svg) {
  const std::vector<TreeNode>& nodes = tree.nodes();
  std::vector<double> x(nodes.size()), y(nodes.size());
  std::vector<int> height(nodes.size());
  const double step = kPanelWidth / tree.num_leaves();
  const double rise = (kPanelHeight - 30) / std::max(1, tree.depth());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& node = nodes[i];
    if (node.IsLeaf()) {
      x[i] = left + (node.least + 0.5) * step;
    } else {
      for (const int32_t child : node.children) {
        const auto c = static_cast<size_t>(child);
        x[i] += x[c] / static_cast<double>(node.children.size());
        height[i] = std::max(height[i], height[c] + 1);
      }
    }
    y[i] = top + kPanelHeight - 20 - height[i] * rise;
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const char* const color = nodes[i].IsRange() ? "#345" : "#c22";
    for (const int32_t child : nodes[i].children) {
      const auto c = static_cast<size_t>(child);
      *svg += fmt::format(
          "<path d=\"M{:.1f} {:.1f}H{:.1f}V{:.1f}\" fill=\"none\" "
          "stroke=\"{}\"/>\n",
          x[i], y[i], x[c], y[c], color);
    }
    if (!nodes[i].IsLeaf()) {
      *svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", x[i],
          y[i], color);
    } else {
      AddText(x[i] - (nodes[i].least < 10 ? 2.5 : 5), y[i] + 12,
              step < 10 ? 6 : 9, std::to_string(nodes[i].least), svg);
    }
  }
}

// Stands for every leaf: they look alike.
constexpr int32_t kOneTerm = -1;

// Returns for each of some levels the subtree that each of some terms is in.
std::vector<std::vector<int32_t>> SubtreesByLevel(const SumTree& tree) {
  const std::vector<TreeNode>& nodes = tree.nodes();
  std::vector<int32_t> parent(nodes.size(), -1), depth(nodes.size()),
      leaf(static_cast<size_t>(tree.num_leaves()));
  for (size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].IsLeaf())
      leaf[static_cast<size_t>(nodes[i].least)] = static_cast<int32_t>(i);
    for (const int32_t child : nodes[i].children) {
      parent[static_cast<size_t>(child)] = static_cast<int32_t>(i);
      depth[static_cast<size_t>(child)] = depth[i] + 1;
    }
  }
  const int32_t deepest = tree.depth();
  const int bands = std::min(kBands, deepest + 1);
  const int columns = std::min(kBandColumns, tree.num_leaves());
  std::vector<std::vector<int32_t>> found(
      static_cast<size_t>(bands),
      std::vector<int32_t>(static_cast<size_t>(columns)));
  for (int column = 0; column < columns; ++column) {
    int32_t node = leaf[static_cast<size_t>(int64_t{tree.num_leaves()} *
                                            column / columns)];
    for (int band = bands - 1; band >= 0; --band) {
      const int32_t level =
          bands == 1
              ? 0
              : static_cast<int32_t>(int64_t{deepest} * band / (bands - 1));
      while (depth[static_cast<size_t>(node)] > level)
        node = parent[static_cast<size_t>(node)];
      found[static_cast<size_t>(band)][static_cast<size_t>(column)] =
          nodes[static_cast<size_t>(node)].IsLeaf() ? kOneTerm : node;
    }
  }
  return found;
}

void DrawBands(const SumTree& tree, double left, double top, std::string* svg) {
  const std::vector<std::vector<int32_t>> bands = SubtreesByLevel(tree);
  const double height = (kPanelHeight - 20) / static_cast<double>(bands.size());
  for (size_t band = 0; band < bands.size(); ++band) {
    const std::vector<int32_t>& of = bands[band];
    const double width = kPanelWidth / static_cast<double>(of.size());
    for (size_t begin = 0; begin < of.size();) {
      size_t end = begin + 1;
      while (end < of.size() && of[end] == of[begin]) ++end;
      // Neighbours have colors that are far from one another.
      const std::string color =
          of[begin] == kOneTerm
              ? "#e2e2e2"
              : fmt::format("hsl({},55%,62%)",
                            tree.nodes()[static_cast<size_t>(of[begin])].least *
                                int64_t{137} % 360);
      *svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"{}\"/>\n",
          left + static_cast<double>(begin) * width,
          top + static_cast<double>(band) * height,
          static_cast<double>(end - begin) * width, height - 0.5, color);
      begin = end;
    }
  }
}

void Draw(const SumTree& tree, const std::string& title, double left,
          double top, std::string* svg) {
  AddText(left, top + 10, 11, title, svg);
  if (tree.num_leaves() <= kMostDrawn) {
    DrawNodes(tree, left, top + 14, svg);
  } else {
    DrawBands(tree, left, top + 18, svg);
  }
}

}  // namespace

std::string OrdersAsSvg(const std::vector<OrdersOfBackend>& found) {
  // A tree that several orders share is drawn once.
  struct Picture {
    const MeasuredOrder* order;
    std::vector<std::string> of;
  };
  std::vector<Picture> pictures;
  for (const OrdersOfBackend& one : found) {
    for (const MeasuredOrder& order : one.orders) {
      if (!order.IsRevealed()) continue;
      auto it = std::ranges::find_if(pictures, [&](const Picture& picture) {
        return *picture.order->tree == *order.tree;
      });
      if (it == pictures.end())
        it = pictures.insert(pictures.end(), {&order, {}});
      it->of.push_back(fmt::format("{} {} {}", one.backend, order.probe->name,
                                   Name(order.type)));
    }
  }
  const double width = 3 * kPanelWidth + 4 * kGap;
  const double row = kTitleHeight + kPanelHeight + kGap;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<g fill=\"#222\">\n",
      width, kGap + row * static_cast<double>(pictures.size()));
  for (size_t i = 0; i < pictures.size(); ++i) {
    const MeasuredOrder& order = *pictures[i].order;
    const double top = kGap + row * static_cast<double>(i);
    const std::vector<std::string>& of = pictures[i].of;
    std::string title = fmt::format("n = {}: {}", order.n, of[0]);
    if (of.size() > 1) title += fmt::format(" and {} more", of.size() - 1);
    AddText(kGap, top + 14, 14, title, &svg);
    const std::pair<std::string, SumTree> panels[] = {
        {order.shape +
             (order.IsLegal() ? " (legal)" : " (not legal by reduce's rule)"),
         *order.tree},
        {"sequential (legal)", SequentialTree(order.n)},
        {"pairwise (legal)", PairwiseTree(order.n)}};
    double left = kGap;
    for (const auto& [name, tree] : panels) {
      Draw(tree, name, left, top + kTitleHeight - 16, &svg);
      left += kPanelWidth + kGap;
    }
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace assay
