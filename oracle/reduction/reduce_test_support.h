// The tests of reductions write bodies and calls with these functions, and
// enumerate trees without the oracle.
#ifndef ASSAY_ORACLE_REDUCTION_REDUCE_TEST_SUPPORT_H_
#define ASSAY_ORACLE_REDUCTION_REDUCE_TEST_SUPPORT_H_

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "oracle/region_test_support.h"
#include "oracle/scalars.h"

namespace assay {

// Returns a function of two scalars that is one op.
inline std::string BodyOf(const std::string& op, const std::string& type,
                          bool is_swapped = false) {
  return fmt::format(
      "^bb0(%a: tensor<{1}>, %b: tensor<{1}>): %0 = stablehlo.{0} {2} : "
      "tensor<{1}> stablehlo.return %0 : tensor<{1}>",
      op, type, is_swapped ? "%b, %a" : "%a, %b");
}

// The maximum, and the least index of those that are.
inline std::string ArgmaxOf(const std::string& type) {
  return fmt::format(
      "^bb0(%a: tensor<{0}>, %i: tensor<i32>, %b: tensor<{0}>, "
      "%j: tensor<i32>): "
      "%0 = stablehlo.compare GT, %a, %b, {1} : "
      "(tensor<{0}>, tensor<{0}>) -> tensor<i1> "
      "%1 = stablehlo.compare EQ, %a, %b, {1} : "
      "(tensor<{0}>, tensor<{0}>) -> tensor<i1> "
      "%2 = stablehlo.compare LT, %i, %j, SIGNED : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1> "
      "%3 = stablehlo.and %1, %2 : tensor<i1> "
      "%4 = stablehlo.or %0, %3 : tensor<i1> "
      "%5 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<{0}> "
      "%6 = stablehlo.select %4, %i, %j : tensor<i1>, tensor<i32> "
      "stablehlo.return %5, %6 : tensor<{0}>, tensor<i32>",
      type, type[0] == 'i' ? "SIGNED" : "FLOAT");
}

// Reduces all of the dimensions that are given; results have the type of the
// operands unless `result` says another.
inline FloatCall ReduceCall(const std::vector<Tensor>& inputs,
                            const std::vector<Tensor>& inits,
                            const std::string& body,
                            const std::vector<int64_t>& dimensions,
                            std::optional<ElementType> result = {}) {
  Shape shape;
  const Shape& from = inputs[0].type().shape;
  for (size_t d = 0; d < from.size(); ++d) {
    if (std::ranges::find(dimensions, static_cast<int64_t>(d)) ==
        dimensions.end())
      shape.push_back(from[d]);
  }
  std::vector<TensorType> results;
  for (const Tensor& input : inputs)
    results.emplace_back(shape, result.value_or(input.element_type()));
  return MakeRegionCall("reduce", {{inputs, inits},
                                   body,
                                   {ListAttribute("dimensions", dimensions)},
                                   results});
}

inline FloatCall ReduceRow(ElementType type,
                           const std::vector<std::string>& terms,
                           const std::string& init, const std::string& body) {
  return ReduceCall({RowOfTexts(type, terms)},
                    {TensorOfTexts(type, {}, {init})}, body, {0});
}

// Returns what an element may be as bits in text, in any order; "nan" for a NaN
// whose bits are open; "a..b" for a range; "open", "undecided".
inline std::set<std::string> AllowedAt(const Evaluation& evaluation,
                                       size_t output = 0, int64_t i = 0) {
  const Expectation& expectation = evaluation.outputs[output];
  const ElementType type = expectation.lo.element_type();
  if (expectation.IsOpen(i))
    return {evaluation.undecided > 0 ? "undecided" : "open"};
  std::set<std::string> texts;
  const Expectation::Alternative first{i, expectation.lo.Bits(i),
                                       expectation.hi.Bits(i)};
  std::vector<Expectation::Alternative> all = {first};
  for (const auto& other : expectation.AlternativesOf(i)) all.push_back(other);
  for (const auto& of : all) {
    const bool is_any = HasNan(type, of.lo) && !expectation.KeepsNan(i);
    std::string text = is_any ? "nan" : FormatValue(type, of.lo);
    if (of.hi != of.lo) text += ".." + FormatValue(type, of.hi);
    texts.insert(text);
  }
  return texts;
}

// Calls `f` with the results of every binary tree over a sequence.
template <class V>
std::vector<V> TreesOver(const std::vector<V>& sequence,
                         const std::function<V(const V&, const V&)>& body) {
  if (sequence.size() == 1) return sequence;
  std::vector<V> results;
  for (size_t split = 1; split < sequence.size(); ++split) {
    const std::vector<V> left(sequence.begin(),
                              sequence.begin() + static_cast<int>(split));
    const std::vector<V> right(sequence.begin() + static_cast<int>(split),
                               sequence.end());
    for (const V& a : TreesOver(left, body)) {
      for (const V& b : TreesOver(right, body)) results.push_back(body(a, b));
    }
  }
  return results;
}

// Returns the results of all trees over the terms with `least` to `most`
// initial values among them, anywhere.
template <class V>
std::vector<V> AllTrees(const std::vector<V>& terms, const V& init, int least,
                        int most,
                        const std::function<V(const V&, const V&)>& body) {
  std::vector<V> results;
  std::function<void(std::vector<V>, size_t, int)> insert =
      [&](std::vector<V> sequence, size_t from, int left) {
        if (left == 0) {
          if (sequence.empty()) return;
          for (const V& value : TreesOver<V>(sequence, body))
            results.push_back(value);
          return;
        }
        for (size_t at = from; at <= sequence.size(); ++at) {
          std::vector<V> longer = sequence;
          longer.insert(longer.begin() + static_cast<int>(at), init);
          insert(longer, at + 1, left - 1);
        }
      };
  for (int count = least; count <= most; ++count) insert(terms, 0, count);
  return results;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_REDUCE_TEST_SUPPORT_H_
