// The tree of a sum is revealed from its results alone, after the idea of
// FPRev (Xie, Gao, Wang, Xue, USENIX ATC 2025).
//
// Two terms are M and -M, and others 1, where M is so large that M + 1 = M. All
// ones that are added before M and -M meet are lost, so that the sum counts
// those outside of the smallest subtree that has both in it. Asked for one term
// and each of the others, these counts say which subtrees lie on the way from
// that term to the root, and which terms join at each; what joins is revealed
// in the same way.
//
// That takes at most n ln n questions on the average for any binary tree of n
// terms, if the first term is drawn: a term is asked for again below a node of
// its way only if the drawn one is on the other side. If the terms are added in
// their order, n - 1 questions prove it: one for each node, of a term on either
// side. This is tried first, and of many terms with fewer questions: parts of
// one size are taken to be added alike, and then many nodes are proven by one
// question, in which each has an M and a -M of its own.
#ifndef ASSAY_CASES_ACCUMULATION_REVEAL_H_
#define ASSAY_CASES_ACCUMULATION_REVEAL_H_

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cases/accumulation/sum_tree.h"

namespace assay {

// Why a tree cannot be told.
class NotRevealed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Asks how many of `units` are outside of the smallest subtree that has the
// terms `plus` and `minus` in it. These two may be among the units, and do not
// count. All other terms are 0. If there are more pairs, those units are asked
// for that none of the pairs loses.
struct TreeQuestion {
  int32_t plus = 0, minus = 0;
  std::span<const int32_t> units;
  std::span<const std::pair<int32_t, int32_t>> more = {};
};
using AnswerQuestions =
    std::function<std::vector<int64_t>(std::span<const TreeQuestion>)>;

struct RevealOptions {
  // A question has at most so many units; there are several if more are asked
  // for.
  int64_t most_units = INT64_MAX;
  // If it takes more questions than this to ask for each node with all units,
  // each is asked for with as many as a question has: those that say where its
  // terms end, and others that are drawn. So trees of other orders are found by
  // chance.
  int64_t most_for_proof = INT64_MAX;
  // From so many terms on, parts of one size are taken to be added alike.
  int32_t least_for_levels = 2048;
  // Then NotRevealed is thrown.
  int64_t most_questions = INT64_MAX;
  uint64_t seed = 1;
};

struct RevealedTree {
  SumTree tree;
  int64_t questions = 0;
  bool is_proven = true;  // see most_for_proof
};

// Throws NotRevealed, also if the answers are those of no tree. Precondition:
// n > 0.
RevealedTree RevealTree(int32_t n, const AnswerQuestions& answer,
                        const RevealOptions& options = {});

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_REVEAL_H_
