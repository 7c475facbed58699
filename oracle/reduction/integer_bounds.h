#ifndef ASSAY_ORACLE_REDUCTION_INTEGER_BOUNDS_H_
#define ASSAY_ORACLE_REDUCTION_INTEGER_BOUNDS_H_

#include <algorithm>

#include "spec/types/element.h"

namespace assay {

// Bounds of the sums, or of the products, that nodes of any tree over some
// integers may be.
class IntegerBounds {
 public:
  explicit IntegerBounds(bool is_sum)
      : is_sum_(is_sum), above_(is_sum ? 0 : 1), below_(is_sum ? 0 : -1) {}

  void Add(__int128 value) {
    if (is_sum_) {
      (value > 0 ? above_ : below_) += value;
    } else if (value != 0) {
      using Unsigned = unsigned __int128;
      const auto product = static_cast<Unsigned>(above_) *
                           static_cast<Unsigned>(value < 0 ? -value : value);
      above_ = above_ == kBeyond || product >= Unsigned{kBeyond}
                   ? kBeyond
                   : static_cast<__int128>(product);
      below_ = -above_;
    }
    above_ = std::min(above_, kBeyond);
    below_ = std::max(below_, -kBeyond);
  }
  // Returns whether no node is outside of the type.
  bool AreIn(ElementType type) const {
    return above_ <= MaxValue(type) &&
           (below_ >= MinValue(type) || IsUnsignedInteger(type));
  }

 private:
  // A magnitude of 2^64 is beyond every type.
  static constexpr __int128 kBeyond = __int128{1} << 64;

  bool is_sum_;
  __int128 above_, below_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_INTEGER_BOUNDS_H_
