// convert is the `cast` of Eigen, between all pairs of its types.
#include "backends/eigen/operands.h"

namespace assay::eigen {

void Convert(const AssayTensor& operand, const AssayTensor& result) {
  Visit(operand, [&](auto from) {
    using From = decltype(from);
    const auto x = Elements<From>(operand);
    Visit(result, [&](auto to) {
      using To = decltype(to);
      if constexpr (Eigen::NumTraits<From>::IsComplex &&
                    !Eigen::NumTraits<To>::IsComplex) {
        Assign(result, x.real().template cast<To>());
      } else {
        Assign(result, x.template cast<To>());
      }
    });
  });
}

}  // namespace assay::eigen
