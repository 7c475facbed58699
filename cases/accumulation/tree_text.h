// Trees of sums for people: a short name of the shape, and the tree as text.
#ifndef ASSAY_CASES_ACCUMULATION_TREE_TEXT_H_
#define ASSAY_CASES_ACCUMULATION_TREE_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/accumulation/sum_tree.h"

namespace assay {

// A Run is a subtree whose terms have one distance from each to the next.
struct TermRun {
  enum class Kind : uint8_t { kNone, kLeaf, kInTurn, kPairwise };
  Kind kind = Kind::kLeaf;
  int32_t first = 0, last = 0, step = 1;
};
// Returns what each node of the tree is: one term, terms that are added one
// after another from the first, terms that are added pairwise, or something
// else.
std::vector<TermRun> RunsOf(const SumTree& tree);

// Returns the name of the shape: "sequential", "pairwise", "chunks of 32,
// sequential", "4 lanes, strided", "butterfly", .., or "other".
std::string ShapeName(const SumTree& tree);

// Returns "((0+1)+2)".
std::string CompactText(const SumTree& tree);

// Returns the tree as lines, of which there are at most `most_lines`. Runs and
// subtrees that are alike take a line together.
std::string IndentedText(const SumTree& tree, int most_lines);

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_TREE_TEXT_H_
