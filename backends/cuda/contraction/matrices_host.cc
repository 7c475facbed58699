#include "backends/cuda/contraction/matrices.h"
#include "backends/cuda/core/device.h"

namespace assay::cuda {
namespace {

// `term_step` and `column_step` are the distances of terms and columns in rhs.
template <class From, class To>
void MultiplyAs(const Matrices& m, int64_t term_step, int64_t column_step) {
  const auto* lhs = static_cast<const From*>(m.lhs);
  const auto* rhs = static_cast<const From*>(m.rhs);
  auto* result = static_cast<To*>(m.result);
  for (int64_t b = 0; b < m.batch; ++b, rhs += m.terms * m.columns) {
    for (int64_t r = 0; r < m.rows; ++r, lhs += m.terms) {
      for (int64_t c = 0; c < m.columns; ++c) {
        To sum = 0;
        for (int64_t t = 0; t < m.terms; ++t)
          sum += static_cast<To>(lhs[t]) *
                 static_cast<To>(rhs[t * term_step + c * column_step]);
        if constexpr (std::is_floating_point_v<To>) sum = WithOneNan(sum);
        *result++ = sum;
      }
    }
  }
}

}  // namespace

bool HasMatrixLibrary() { return true; }

const char* Multiply(const Matrices& m) {
  if (m.operand == MatrixType::kF32) {
    MultiplyAs<float, float>(m, m.columns, 1);
  } else if (m.operand == MatrixType::kF64) {
    MultiplyAs<double, double>(m, m.columns, 1);
  } else {
    // Sums that wrap are those of numbers without a sign.
    MultiplyAs<int8_t, uint32_t>(m, 1, m.terms);
  }
  return nullptr;
}

}  // namespace assay::cuda
