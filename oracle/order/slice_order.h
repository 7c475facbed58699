// The elements of slices are compared side by side: a function of scalars costs
// less on many of them at once (oracle/region.h).
#ifndef ASSAY_ORACLE_ORDER_SLICE_ORDER_H_
#define ASSAY_ORACLE_ORDER_SLICE_ORDER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/region.h"

namespace assay {

// Says of pairs of elements which is less.
class SliceComparator {
 public:
  enum Answer : uint8_t { kNotLess, kLess, kUnknown };
  SliceComparator(const Function& function, const OpCall& call)
      : region_(function, call) {}

  // `columns` has the elements by input.
  void SetElements(std::vector<Tensor> columns) {
    columns_ = std::move(columns);
  }
  // From now on the function gets its arguments the other way round.
  void Exchange() { is_exchanged_ = true; }
  // Returns whether each element of `lhs` is less than that of `rhs`.
  std::vector<Answer> AreLess(const std::vector<int64_t>& lhs,
                              const std::vector<int64_t>& rhs);
  const std::vector<OpMarks>& marks() const { return region_.marks(); }

 private:
  Region region_;
  std::vector<Tensor> columns_;
  bool is_exchanged_ = false;
};

// What is known of a slice: the comparator orders it, or does not, or that is
// not known.
enum class SliceOrder : uint8_t { kWeak, kNone, kUnknown };

// All pairs of so many elements may be compared.
inline constexpr int64_t kMostPairwise = 64;

// Compares all pairs of the slices of `n` elements whose order is not known,
// and sets it if all answers are known. Precondition: n <= kMostPairwise.
void ComparePairs(SliceComparator* comparator, int64_t n,
                  std::vector<SliceOrder>* orders);

// Sorts rows of `length` elements side by side, by merging runs: an element of
// one run goes behind as many elements of the other as are less, or, from the
// right run, not greater. Returns the elements' places in their order, and sets
// the order of a row to kUnknown where the comparator contradicts itself.
std::vector<int64_t> StablySorted(SliceComparator* comparator, int64_t length,
                                  std::vector<SliceOrder>* orders);

}  // namespace assay

#endif  // ASSAY_ORACLE_ORDER_SLICE_ORDER_H_
