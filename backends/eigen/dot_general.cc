// dot_general is Eigen's product of matrices, for each batch. Eigen multiplies
// and adds in the type of its operands.
#include "backends/calls/contraction.h"
#include "backends/eigen/operands.h"

namespace assay::eigen {
namespace {

using calls::Contraction;
using calls::ContractionDim;

using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// Returns several dimensions as one, which they are if they lie as one.
ContractionDim One(const Contraction::Dims& dims) {
  ContractionDim one = {1, 0, 0, 0};
  for (const ContractionDim& dim : dims) {
    if (dim.size == 1) continue;
    if (one.size != 1 && (one.lhs_stride != dim.size * dim.lhs_stride ||
                          one.rhs_stride != dim.size * dim.rhs_stride ||
                          one.result_stride != dim.size * dim.result_stride))
      throw Unsupported("dimensions that are not one");
    one = {one.size * dim.size, dim.lhs_stride, dim.rhs_stride,
           dim.result_stride};
  }
  return one;
}

}  // namespace

void DotGeneral(const AssayCall& call) {
  Contraction contraction;
  if (const char* missing =
          calls::ReadContraction(call, calls::ReadHostIntegers, &contraction))
    throw Unsupported(missing);
  if (contraction.operand != contraction.result)
    throw Unsupported("a result of another type than the operands");
  if (contraction.IsEmpty()) return;
  if (contraction.lhs_first == contraction.result_first ||
      contraction.rhs_first == contraction.result_first)
    throw Unsupported("a result in the place of an operand");
  const ContractionDim batch = One(contraction.batch),
                       rows = One(contraction.rows),
                       columns = One(contraction.columns),
                       terms = One(contraction.terms);
  for (const int64_t stride :
       {rows.lhs_stride, terms.lhs_stride, terms.rhs_stride, columns.rhs_stride,
        rows.result_stride, columns.result_stride}) {
    if (stride < 0) throw Unsupported("a layout with negative strides");
  }
  Visit(call.inputs[0], [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, bool>) {
      throw Unsupported("elements of " + ElementText(call.inputs[0]));
    } else {
      const auto* const lhs = reinterpret_cast<const T*>(contraction.lhs_first);
      const auto* const rhs = reinterpret_cast<const T*>(contraction.rhs_first);
      auto* const result = reinterpret_cast<T*>(contraction.result_first);
      for (int64_t b = 0; b < batch.size; ++b) {
        const Eigen::Map<const Matrix<T>, Eigen::Unaligned, Stride> x(
            lhs + b * batch.lhs_stride, rows.size, terms.size,
            Stride(terms.lhs_stride, rows.lhs_stride)),
            y(rhs + b * batch.rhs_stride, terms.size, columns.size,
              Stride(columns.rhs_stride, terms.rhs_stride));
        Eigen::Map<Matrix<T>, Eigen::Unaligned, Stride> z(
            result + b * batch.result_stride, rows.size, columns.size,
            Stride(columns.result_stride, rows.result_stride));
        z.noalias() = x * y;
      }
    }
  });
}

}  // namespace assay::eigen
