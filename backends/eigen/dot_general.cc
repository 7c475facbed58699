// dot_general is Eigen's product of matrices, for each batch. Eigen multiplies
// and adds in the type of its operands.
#include <vector>

#include "backends/eigen/dimensions.h"
#include "backends/eigen/operands.h"

namespace assay::eigen {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

}  // namespace

void DotGeneral(const AssayCall& call) {
  const DLTensor &lhs = call.inputs[0].tensor, &rhs = call.inputs[1].tensor,
                 &result = call.outputs[0].tensor;
  std::vector<bool> of_lhs(static_cast<size_t>(lhs.ndim)),
      of_rhs(static_cast<size_t>(rhs.ndim));
  const Numbers lhs_batch = Take(call, "lhs_batching_dimensions", &of_lhs),
                lhs_terms = Take(call, "lhs_contracting_dimensions", &of_lhs),
                rhs_batch = Take(call, "rhs_batching_dimensions", &of_rhs),
                rhs_terms = Take(call, "rhs_contracting_dimensions", &of_rhs);
  const Numbers rows = Rest(of_lhs), columns = Rest(of_rhs);
  if (static_cast<size_t>(result.ndim) !=
      lhs_batch.size() + rows.size() + columns.size())
    throw Unsupported("a result of another rank");
  int64_t n = 0;
  const One b0 = AsOne(lhs, lhs_batch), b1 = AsOne(rhs, rhs_batch),
            b2 = Next(result, lhs_batch.size(), &n), m0 = AsOne(lhs, rows),
            m2 = Next(result, rows.size(), &n), n1 = AsOne(rhs, columns),
            n2 = Next(result, columns.size(), &n), k0 = AsOne(lhs, lhs_terms),
            k1 = AsOne(rhs, rhs_terms);
  if (b0.size != b1.size || b0.size != b2.size || m0.size != m2.size ||
      n1.size != n2.size || k0.size != k1.size)
    throw Unsupported("a mix of shapes");
  if (First<char>(call.outputs[0]) == First<char>(call.inputs[0]) ||
      First<char>(call.outputs[0]) == First<char>(call.inputs[1]))
    throw Unsupported("a result in the place of an operand");
  VisitNumbers(call, [&](auto t) {
    using T = decltype(t);
    if (m2.size == 0 || n2.size == 0) return;
    for (int64_t b = 0; b < b2.size; ++b) {
      const Eigen::Map<const Matrix<T>, Eigen::Unaligned, Stride> x(
          First<T>(call.inputs[0]) + b * b0.stride, m0.size, k0.size,
          Stride(k0.stride, m0.stride)),
          y(First<T>(call.inputs[1]) + b * b1.stride, k1.size, n1.size,
            Stride(n1.stride, k1.stride));
      Eigen::Map<Matrix<T>, Eigen::Unaligned, Stride> z(
          First<T>(call.outputs[0]) + b * b2.stride, m2.size, n2.size,
          Stride(n2.stride, m2.stride));
      z.noalias() = x * y;
    }
  });
}

}  // namespace assay::eigen
