#include "cases/accumulation/reveal.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace assay {
namespace {

// So many questions are put together, so that a backend works on several.
constexpr size_t kQuestionsTogether = 64;

using Terms = std::vector<int32_t>;

// Asks how many of some units are inside of the subtree of two terms.
class Asker {
 public:
  Asker(const AnswerQuestions& answer, const RevealOptions& options)
      : answer_(answer), options_(options) {}

  struct Pair {
    int32_t plus, minus;
    const Terms* units;
    std::vector<std::pair<int32_t, int32_t>> more = {};
  };
  // Returns how many units are inside, with the terms of the pairs, which are
  // among them.
  std::vector<int64_t> Inside(const std::vector<Pair>& pairs) {
    std::vector<int64_t> inside;
    for (const Pair& pair : pairs) inside.push_back(std::ssize(*pair.units));
    std::vector<TreeQuestion> questions;
    std::vector<size_t> of;  // the pair of a question
    const auto ask = [&] {
      questions_ += std::ssize(questions);
      if (questions_ > options_.most_questions)
        throw NotRevealed(fmt::format("it takes more than {} calls",
                                      options_.most_questions));
      const std::vector<int64_t> outside = answer_(questions);
      for (size_t q = 0; q < of.size(); ++q) inside[of[q]] -= outside[q];
      questions.clear();
      of.clear();
    };
    for (size_t p = 0; p < pairs.size(); ++p) {
      std::span<const int32_t> units = *pairs[p].units;
      while (!units.empty()) {
        const size_t count = static_cast<size_t>(
            std::min(options_.most_units, std::ssize(units)));
        questions.push_back(
            {pairs[p].plus, pairs[p].minus, units.first(count), pairs[p].more});
        of.push_back(p);
        units = units.subspan(count);
        if (questions.size() == kQuestionsTogether) ask();
      }
    }
    if (!questions.empty()) ask();
    return inside;
  }
  int64_t questions() const { return questions_; }

 private:
  const AnswerQuestions& answer_;
  const RevealOptions& options_;
  int64_t questions_ = 0;
};

Terms AllTerms(int32_t n) {
  Terms all(static_cast<size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// The range [begin, end) is a subtree below `parent`, and [begin, known) is one
// as well, of which `top` is the root.
struct Range {
  int32_t begin, known, end, parent, top;
};

// Returns the tree if the terms are added in their order, and nullopt if a size
// is not as it would be then. `sizes_of` returns the sizes of the smallest
// subtrees that have the terms `begin` and `known` of these ranges in them.
template <class F>
std::optional<SumTree> TreeInOrder(int32_t n, const F& sizes_of) {
  std::vector<int32_t> parents(static_cast<size_t>(n), -1);
  std::vector<Range> ranges = {{0, 1, n, -1, 0}};
  while (!ranges.empty()) {
    std::vector<Range> asked;
    while (!ranges.empty() && asked.size() < kQuestionsTogether) {
      const Range range = ranges.back();
      ranges.pop_back();
      if (range.known == range.end) {
        parents[static_cast<size_t>(range.top)] = range.parent;
        continue;
      }
      asked.push_back(range);
    }
    const std::vector<int64_t> sizes = sizes_of(asked);
    for (size_t i = 0; i < asked.size(); ++i) {
      Range range = asked[i];
      const int64_t known = range.begin + sizes[i];
      if (known <= range.known || known > range.end) return std::nullopt;
      const auto node = static_cast<int32_t>(parents.size());
      parents.push_back(-1);
      parents[static_cast<size_t>(range.top)] = node;
      const auto end = static_cast<int32_t>(known);
      ranges.push_back({range.known, range.known + 1, end, node, range.known});
      range.known = end;
      range.top = node;
      ranges.push_back(range);
    }
  }
  return SumTree::FromParents(n, parents);
}

// Each node is asked for with a term of either side, and is of the size of both
// together. So it is both together: by induction from the leaves, each side is
// a subtree, and the smallest subtree with a term of two disjoint ones has both
// in it.
std::optional<SumTree> RevealInOrder(int32_t n, Asker* asker) {
  const Terms all = AllTerms(n);
  return TreeInOrder(n, [&](const std::vector<Range>& asked) {
    std::vector<Asker::Pair> pairs;
    for (const Range& range : asked)
      pairs.push_back({range.begin, range.known, &all});
    return asker->Inside(pairs);
  });
}

// Does the same with fewer questions, if ranges of one size are added alike:
// one of them is asked for, and the tree that follows is proven level by level.
//
// A question has a term M and a term -M in the two sides of several nodes of a
// level, and 1 elsewhere. By induction from the leaves the sides are subtrees,
// so that their sums are M and -M. If no more is lost than the sides, none is
// added to a sum with another term in it before it is 0: what is added to it
// first is made of sides of these nodes alone. For any other node of the level
// there is a question about this one without that. So what is added to the one
// side first is a part of the other, which is all of it, as that is a subtree.
class RepeatedOrder {
 public:
  RepeatedOrder(int32_t n, Asker* asker)
      : n_(n), asker_(*asker), all_(AllTerms(n)) {}

  std::optional<SumTree> Reveal() {
    std::optional<SumTree> tree =
        TreeInOrder(n_, [&](const auto& asked) { return SizesOf(asked); });
    // Without a repetition each node was asked for.
    if (!tree || !has_repetition_ || IsProven(*tree)) return tree;
    return std::nullopt;
  }

 private:
  // The size of a range, and how much of it is known.
  using Part = std::pair<int32_t, int32_t>;

  std::vector<int64_t> SizesOf(const std::vector<Range>& asked) {
    std::vector<Asker::Pair> pairs;
    std::vector<Part> parts, new_parts;
    for (const Range& range : asked) {
      const Part& part = parts.emplace_back(range.end - range.begin,
                                            range.known - range.begin);
      if (sizes_.try_emplace(part, 0).second) {
        new_parts.push_back(part);
        pairs.push_back({range.begin, range.known, &all_});
      } else {
        has_repetition_ = true;
      }
    }
    const std::vector<int64_t> found = asker_.Inside(pairs);
    for (size_t i = 0; i < found.size(); ++i) sizes_[new_parts[i]] = found[i];
    std::vector<int64_t> sizes;
    for (const Part& part : parts) sizes.push_back(sizes_[part]);
    return sizes;
  }

  bool IsProven(const SumTree& tree) {
    const std::vector<SumTree::Node>& nodes = tree.nodes();
    std::vector<size_t> heights(nodes.size());
    std::map<size_t, std::vector<const SumTree::Node*>> levels;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].IsLeaf()) continue;
      for (const int32_t child : nodes[i].children)
        heights[i] =
            std::max(heights[i], heights[static_cast<size_t>(child)] + 1);
      levels[heights[i]].push_back(&nodes[i]);
    }
    std::vector<Asker::Pair> pairs;
    std::vector<int64_t> expected;
    for (const auto& [height, level] : levels) {
      // Any two nodes differ in a digit of their numbers.
      const int digits = std::bit_width(level.size() - 1);
      for (int digit = 0; digit < std::max(digits, 1); ++digit) {
        for (const size_t value : {size_t{0}, size_t{1}})
          AskTogether(nodes, level, digit, value, &pairs, &expected);
      }
      if (asker_.questions() + std::ssize(pairs) >= n_ - 1) return false;
    }
    try {
      return asker_.Inside(pairs) == expected;
    } catch (const NotRevealed&) {
      return false;
    }
  }

  // Adds a question about the nodes whose number has this digit.
  void AskTogether(const std::vector<SumTree::Node>& nodes,
                   const std::vector<const SumTree::Node*>& level, int digit,
                   size_t value, std::vector<Asker::Pair>* pairs,
                   std::vector<int64_t>* expected) const {
    Asker::Pair question{0, 0, &all_};
    int64_t size = 0;
    for (size_t i = 0; i < level.size(); ++i) {
      if ((i >> digit & 1) != value) continue;
      const auto term = [&](size_t child) {
        return nodes[static_cast<size_t>(level[i]->children[child])].least;
      };
      if (size == 0) {
        question.plus = term(0);
        question.minus = term(1);
      } else {
        question.more.emplace_back(term(0), term(1));
      }
      size += level[i]->size;
    }
    if (size == 0) return;
    pairs->push_back(std::move(question));
    expected->push_back(size);
  }

  int32_t n_;
  Asker& asker_;
  const Terms all_;
  std::map<Part, int64_t> sizes_;  // of the subtree that is known next
  bool has_repetition_ = false;
};

// Does the same, with the units of one question for a node, or of a few: those
// at equal distances show between which two of them the subtree ends, if it is
// a range, and are put closer until that is known. The others are drawn among
// all terms, and are inside or outside as they have to be.
class SampledOrder {
 public:
  SampledOrder(int32_t n, Asker* asker, const RevealOptions& options)
      : n_(n),
        asker_(*asker),
        most_units_(static_cast<int32_t>(options.most_units)),
        random_(options.seed),
        parents_(static_cast<size_t>(n), -1) {}

  std::optional<SumTree> Reveal() {
    ranges_ = {{0, 1, n_, -1, 0, 2, n_}};
    while (!ranges_.empty()) {
      std::vector<Range> asked;
      while (!ranges_.empty() && asked.size() < kQuestionsTogether) {
        const Range range = ranges_.back();
        ranges_.pop_back();
        if (range.known == range.end) {
          parents_[static_cast<size_t>(range.top)] = range.parent;
        } else {
          asked.push_back(range);
        }
      }
      if (!Ask(asked)) return std::nullopt;
    }
    return SumTree::FromParents(n_, parents_);
  }

 private:
  // As in RevealInOrder; the subtree that has `begin` and `known` in it ends
  // at [least_end, greatest_end].
  struct Range {
    int32_t begin, known, end, parent, top, least_end, greatest_end;
  };
  static Range RangeOf(int32_t begin, int32_t known, int32_t end,
                       int32_t parent, int32_t top) {
    return {begin, known, end, parent, top, known + 1, end};
  }

  bool Ask(const std::vector<Range>& asked) {
    std::vector<Terms> units(asked.size());
    std::vector<Terms> searched(asked.size());
    std::vector<int64_t> certain(asked.size());  // inside, if it is a range
    std::vector<Asker::Pair> pairs;
    for (size_t i = 0; i < asked.size(); ++i) {
      const Range& range = asked[i];
      const int32_t open = range.greatest_end - range.least_end;
      const int32_t count = std::min(open, most_units_ / 2);
      for (int32_t k = 0; k < count; ++k)
        searched[i].push_back(range.least_end +
                              static_cast<int32_t>(int64_t{open} * k / count));
      units[i] = searched[i];
      Terms drawn;
      for (int32_t k = count; k < std::min(most_units_, n_); ++k)
        drawn.push_back(
            static_cast<int32_t>(random_() % static_cast<uint64_t>(n_)));
      std::ranges::sort(drawn);
      drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
      for (const int32_t term : drawn) {
        if (term >= range.least_end && term < range.greatest_end) continue;
        if (term == range.begin || term == range.known) continue;
        units[i].push_back(term);
        certain[i] += term >= range.begin && term < range.least_end;
      }
      pairs.push_back({range.begin, range.known, &units[i]});
    }
    const std::vector<int64_t> inside = asker_.Inside(pairs);
    for (size_t i = 0; i < asked.size(); ++i) {
      const int64_t found = inside[i] - certain[i];
      if (found < 0 || found > std::ssize(searched[i])) return false;
      Narrow(asked[i], searched[i], static_cast<size_t>(found));
    }
    return true;
  }

  // The first `found` of the searched terms are inside.
  void Narrow(Range range, const Terms& searched, size_t found) {
    if (found > 0) range.least_end = searched[found - 1] + 1;
    if (found < searched.size()) range.greatest_end = searched[found];
    if (range.least_end < range.greatest_end) return ranges_.push_back(range);
    const int32_t end = range.least_end;
    const auto node = static_cast<int32_t>(parents_.size());
    parents_.push_back(-1);
    parents_[static_cast<size_t>(range.top)] = node;
    ranges_.push_back(
        RangeOf(range.known, range.known + 1, end, node, range.known));
    ranges_.push_back(RangeOf(range.begin, end, range.end, range.parent, node));
  }

  int32_t n_;
  Asker& asker_;
  int32_t most_units_;
  std::mt19937_64 random_;
  std::vector<int32_t> parents_;
  std::vector<Range> ranges_;
};

class AnyOrder {
 public:
  AnyOrder(int32_t n, Asker* asker, uint64_t seed)
      : n_(n),
        asker_(*asker),
        random_(seed),
        parents_(static_cast<size_t>(n), -1) {}

  SumTree Reveal() {
    forests_.push_back({AllTerms(n_), std::nullopt, -1});
    while (!forests_.empty()) {
      Forest forest = std::move(forests_.back());
      forests_.pop_back();
      Split(std::move(forest));
    }
    return SumTree::FromParents(n_, parents_);
  }

 private:
  // These are all terms of one or more subtrees below `parent`; `beside` is a
  // term below `parent` that is none of them.
  struct Forest {
    Terms terms;
    std::optional<int32_t> beside;
    int32_t parent;
  };

  int32_t NewNode() {
    parents_.push_back(-1);
    return static_cast<int32_t>(parents_.size()) - 1;
  }
  void SetParent(int32_t node, int32_t parent) {
    parents_[static_cast<size_t>(node)] = parent;
  }

  // Finds the subtree of a drawn term, and what joins on the way to its root.
  void Split(Forest forest) {
    const Terms& terms = forest.terms;
    const int64_t count = std::ssize(terms);
    const int32_t drawn =
        terms[static_cast<size_t>(random_() % static_cast<uint64_t>(count))];
    if (count == 1) return SetParent(drawn, forest.parent);
    Terms units = terms;
    if (forest.beside) units.push_back(*forest.beside);
    std::vector<Asker::Pair> pairs;
    for (const int32_t term : terms) {
      if (term != drawn) pairs.push_back({drawn, term, &units});
    }
    const std::vector<int64_t> sizes = asker_.Inside(pairs);
    std::map<int64_t, Terms> by_size;
    for (size_t i = 0; i < pairs.size(); ++i)
      by_size[sizes[i]].push_back(pairs[i].minus);
    int64_t known = 1;
    int32_t top = drawn;
    for (auto& [size, joined] : by_size) {
      if (size == count + 1 && forest.beside) {
        // The node above joins these as well, and so adds more than two.
        forests_.push_back({std::move(joined), forest.beside, forest.parent});
        continue;
      }
      known += std::ssize(joined);
      if (known != size)
        throw NotRevealed(fmt::format(
            "the results are those of no tree: with M at {} and -M at {}, {} "
            "of the other ones are lost, where {} other terms join before "
            "these two",
            drawn, joined[0], size - 2, known - 2));
      const int32_t node = NewNode();
      SetParent(top, node);
      forests_.push_back({std::move(joined), drawn, node});
      top = node;
    }
    SetParent(top, forest.parent);
  }

  int32_t n_;
  Asker& asker_;
  std::mt19937_64 random_;
  std::vector<int32_t> parents_;
  std::vector<Forest> forests_;
};

}  // namespace

RevealedTree RevealTree(int32_t n, const AnswerQuestions& answer,
                        const RevealOptions& options) {
  Asker asker(answer, options);
  const int64_t for_a_node = (n - 1) / options.most_units + 1;
  if (for_a_node > 1 && for_a_node * n > options.most_for_proof) {
    if (std::optional<SumTree> tree = SampledOrder(n, &asker, options).Reveal())
      return {*std::move(tree), asker.questions(), false};
  } else {
    std::optional<SumTree> tree;
    if (for_a_node == 1 && n >= options.least_for_levels)
      tree = RepeatedOrder(n, &asker).Reveal();
    if (!tree) tree = RevealInOrder(n, &asker);
    if (tree) return {*std::move(tree), asker.questions()};
  }
  SumTree tree = AnyOrder(n, &asker, options.seed).Reveal();
  return {std::move(tree), asker.questions()};
}

}  // namespace assay
