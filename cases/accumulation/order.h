// How a summation adds: its tree, and what its additions are like. All of it is
// told from results alone.
#ifndef ASSAY_CASES_ACCUMULATION_ORDER_H_
#define ASSAY_CASES_ACCUMULATION_ORDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/accumulation/reveal.h"
#include "cases/accumulation/sum_tree.h"
#include "cases/accumulation/summation.h"

namespace assay {

// Terms with which a type shows trees. A large term is the product of `large`
// and `factor`, and absorbs `most_units` units, which are counted exactly. Sums
// of more than `absorbed_by` bits may be too precise for that.
struct UnitScheme {
  double large, factor, unit;
  int64_t most_units;
  int absorbed_by;
};
// Returns the schemes of a floating-point type, the most powerful first; the
// last ones need products. There is none for types without zero or sign.
std::vector<UnitScheme> UnitSchemes(ElementType type, bool has_factors);

// Reveals the tree by the first scheme that shows one. Throws NotRevealed, and
// what `summation` throws.
RevealedTree RevealOrder(Summation* summation, const RevealOptions& options);

// Returns for each of `others` how many terms are in the smallest subtree that
// has it and `first` in it. Throws NotRevealed, and what `summation` throws.
std::vector<int64_t> SubtreeSizes(Summation* summation, int32_t first,
                                  const std::vector<int32_t>& others);

// A field is missing where the type or the op has no such question, or where
// the answer is none.
struct AdditionTraits {
  // The precision of the sum of the first two terms that meet, and of the sum
  // that is next to the last one. `is_least`: the type has no numbers that
  // would show more.
  struct Bits {
    int bits;
    bool is_least;
  };
  std::optional<Bits> first_sum, last_sum;
  enum class Rounding : uint8_t { kNearest, kTowardZero };
  std::optional<Rounding> rounding;  // of the first
  // A product is not rounded before it is added. Where the sum has room for all
  // digits of products, that is no choice.
  std::optional<bool> keeps_products;
  // Subnormal partial sums become 0.
  std::optional<bool> flushes;
  // How often the initial value enters, if it is 1 and all terms are 0.
  std::optional<double> inits;
  // Where three terms or more are added at once: digits below the largest of
  // them that take part.
  std::optional<Bits> alignment;
};
// Throws what `summation` throws.
AdditionTraits MeasureAdditions(Summation* summation, const SumTree& tree);

// Returns "24 bits (f32)".
std::string BitsText(const AdditionTraits::Bits& bits);

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_ORDER_H_
