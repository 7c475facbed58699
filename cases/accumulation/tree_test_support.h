// Trees of every shape, for tests.
#ifndef ASSAY_CASES_ACCUMULATION_TREE_TEST_SUPPORT_H_
#define ASSAY_CASES_ACCUMULATION_TREE_TEST_SUPPORT_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "cases/accumulation/sum_tree.h"

namespace assay {

inline std::vector<int32_t> TermsFrom(int32_t first, int32_t end,
                                      int32_t step = 1) {
  std::vector<int32_t> terms;
  for (int32_t i = first; i < end; i += step) terms.push_back(i);
  return terms;
}

// Chunks of k, each added in turn, are added in turn.
inline SumTree ChunkTree(int32_t n, int32_t k) {
  SumTreeBuilder builder(n);
  std::vector<int32_t> chunks;
  for (int32_t i = 0; i < n; i += k)
    chunks.push_back(builder.JoinInTurn(TermsFrom(i, std::min(i + k, n))));
  builder.JoinInTurn(chunks);
  return builder.Build();
}

// Each of k lanes has every k-th term.
inline SumTree StridedTree(int32_t n, int32_t k) {
  SumTreeBuilder builder(n);
  std::vector<int32_t> lanes;
  for (int32_t i = 0; i < std::min(k, n); ++i)
    lanes.push_back(builder.JoinInTurn(TermsFrom(i, n, k)));
  builder.JoinInTurn(lanes);
  return builder.Build();
}

inline SumTree Butterfly(int32_t n) {
  SumTreeBuilder builder(n);
  builder.JoinHalves(TermsFrom(0, n));
  return builder.Build();
}

inline SumTree FromTheEnd(int32_t n) {
  SumTreeBuilder builder(n);
  std::vector<int32_t> terms = TermsFrom(0, n);
  std::ranges::reverse(terms);
  builder.JoinInTurn(terms);
  return builder.Build();
}

// As tensor cores do: the sum so far and the next k terms are added at once.
inline SumTree FusedTree(int32_t n, int32_t k) {
  SumTreeBuilder builder(n);
  int32_t sum = builder.Join(TermsFrom(0, std::min(k, n)));
  for (int32_t i = k; i < n; i += k) {
    std::vector<int32_t> at_once = TermsFrom(i, std::min(i + k, n));
    at_once.push_back(sum);
    sum = builder.Join(at_once);
  }
  return builder.Build();
}

// Any two of what is left are joined, again and again; a node in ten has up to
// five children.
inline SumTree RandomTree(int32_t n, uint64_t seed, bool is_binary = true) {
  std::mt19937_64 random(seed);
  SumTreeBuilder builder(n);
  std::vector<int32_t> left = TermsFrom(0, n);
  while (left.size() > 1) {
    size_t width = is_binary || random() % 10 != 0 ? 2 : 2 + random() % 4;
    width = std::min(width, left.size());
    std::vector<int32_t> joined;
    for (size_t k = 0; k < width; ++k) {
      const auto at = static_cast<std::ptrdiff_t>(random() % left.size());
      joined.push_back(left[static_cast<size_t>(at)]);
      left.erase(left.begin() + at);
    }
    left.push_back(builder.Join(joined));
  }
  return builder.Build();
}

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_TREE_TEST_SUPPORT_H_
