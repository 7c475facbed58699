#include "backends/simd/contraction/small.h"

#include <algorithm>

#include "backends/simd/core/environment.h"

namespace assay::simd {

using calls::Contraction;
using calls::ContractionDim;

bool AreSmall(const Contraction& contraction) {
  constexpr int64_t kMost = 4096;  // elements of a matrix
  const int64_t rows = Contraction::CountOf(contraction.rows),
                columns = Contraction::CountOf(contraction.columns),
                terms = Contraction::CountOf(contraction.terms);
  const calls::SumKind kind = SumKindOf(contraction);
  return contraction.windows.empty() && kind != calls::SumKind::kComplexF32 &&
         kind != calls::SumKind::kComplexF64 &&
         Contraction::CountOf(contraction.batch) > 1 && terms > 0 &&
         rows <= kMost && columns <= kMost && terms <= kMost &&
         rows * columns <= kMost && rows * terms <= kMost &&
         terms * columns <= kMost;
}

Computation SmallComputationOf(const Contraction& contraction,
                               const Options& options) {
  Computation computation = ComputationOf(contraction, options);
  if (TermsOf(computation.lanes) > 1) computation.lanes = Lanes::kU32;
  return computation;
}

void SmallProducts::Matrix::Set(const Contraction::Dims& row_dims,
                                const Contraction::Dims& column_dims,
                                int64_t ContractionDim::*stride,
                                bool are_numbers,
                                bool must_columns_be_adjacent) {
  rows = Contraction::CountOf(row_dims);
  columns = Contraction::CountOf(column_dims);
  // A dimension that is not there has one index.
  row_stride = row_dims.empty() ? columns : row_dims[0].*stride;
  column_stride = column_dims.empty() ? 1 : column_dims[0].*stride;
  is_in_place = are_numbers && row_dims.size() <= 1 &&
                column_dims.size() <= 1 &&
                (column_stride == 1 || !must_columns_be_adjacent);
  if (is_in_place) return;
  row_stride = columns;
  column_stride = 1;
  std::vector<int64_t> row_offsets, column_offsets;
  SetOffsets(row_dims, {0, rows}, stride, &row_offsets);
  SetOffsets(column_dims, {0, columns}, stride, &column_offsets);
  offsets.reserve(static_cast<size_t>(rows * columns));
  for (const int64_t row : row_offsets) {
    for (const int64_t column : column_offsets) offsets.push_back(row + column);
  }
  are_adjacent = AreAdjacent(offsets);
}

SmallProducts::SmallProducts(const Contraction& contraction,
                             const Computation& computation,
                             const Options& options)
    : contraction_(contraction),
      options_(options),
      lane_bytes_(BytesOf(computation.lanes)),
      multiply_(ProductsOf(options.target)
                    .multiply_small[static_cast<int>(computation.lanes)]),
      lhs_to_numbers_(contraction.operand, computation,
                      contraction.lhs_rounding, options),
      rhs_to_numbers_(contraction.operand, computation,
                      contraction.rhs_rounding, options),
      from_sums_(contraction.result, computation, options) {
  lhs_.Set(contraction.rows, contraction.terms, &ContractionDim::lhs_stride,
           lhs_to_numbers_.IsIdentity(), false);
  rhs_.Set(contraction.terms, contraction.columns, &ContractionDim::rhs_stride,
           rhs_to_numbers_.IsIdentity(), true);
  result_.Set(contraction.rows, contraction.columns,
              &ContractionDim::result_stride, from_sums_.IsIdentity(), true);
}

void SmallProducts::Run(const Range& batch) {
  constexpr int64_t kAtATime = 256;
  std::vector<int64_t> lhs, rhs, result;
  const int64_t end = batch.first + batch.count;
  for (int64_t first = batch.first; first < end; first += kAtATime) {
    const Range range = {first, std::min(kAtATime, end - first)};
    SetOffsets(contraction_.batch, range, &ContractionDim::lhs_stride, &lhs);
    SetOffsets(contraction_.batch, range, &ContractionDim::rhs_stride, &rhs);
    SetOffsets(contraction_.batch, range, &ContractionDim::result_stride,
               &result);
    for (size_t i = 0; i < lhs.size(); ++i) RunOne(lhs[i], rhs[i], result[i]);
  }
}

const unsigned char* SmallProducts::Numbers(const unsigned char* first,
                                            ToNumbers* to_numbers,
                                            Matrix* matrix) const {
  if (matrix->is_in_place) return first;
  const size_t count = matrix->offsets.size();
  const size_t bytes = contraction_.operand.bytes();
  if (matrix->are_adjacent) {
    first += matrix->offsets[0] * static_cast<int64_t>(bytes);
  } else {
    auto* const elements = matrix->elements.Get<unsigned char>(count * bytes);
    GatherElements(first, matrix->offsets, bytes, elements);
    first = elements;
  }
  if (to_numbers->IsIdentity()) return first;
  auto* const numbers = matrix->numbers.Get<unsigned char>(count * lane_bytes_);
  to_numbers->Run(first, numbers, count);
  return numbers;
}

void SmallProducts::RunOne(int64_t lhs_offset, int64_t rhs_offset,
                           int64_t result_offset) {
  const auto bytes = static_cast<int64_t>(contraction_.operand.bytes());
  const size_t result_bytes = contraction_.result.bytes();
  const auto count = static_cast<size_t>(result_.rows * result_.columns);
  unsigned char* const result =
      contraction_.result_first +
      result_offset * static_cast<int64_t>(result_bytes);
  unsigned char* const sums =
      result_.is_in_place
          ? result
          : result_.numbers.Get<unsigned char>(count * lane_bytes_);
  const SmallProduct product = {
      Numbers(contraction_.lhs_first + lhs_offset * bytes, &lhs_to_numbers_,
              &lhs_),
      lhs_.row_stride,
      lhs_.column_stride,
      Numbers(contraction_.rhs_first + rhs_offset * bytes, &rhs_to_numbers_,
              &rhs_),
      rhs_.row_stride,
      sums,
      result_.row_stride,
      result_.rows,
      result_.columns,
      lhs_.columns};
  if (options_.subnormals == Subnormals::kFlush) {
    const Environment environment(Subnormals::kFlush);
    multiply_(product);
  } else {
    multiply_(product);
  }
  if (result_.is_in_place) return;
  if (result_.are_adjacent) {
    from_sums_.Run(sums, result, count);
    return;
  }
  auto* const elements =
      result_.elements.Get<unsigned char>(count * result_bytes);
  from_sums_.Run(sums, elements, count);
  ScatterElements(elements, result_.offsets, result_bytes, result);
}

}  // namespace assay::simd
