// Computes many products of small matrices. Packing them would take longer than
// multiplying them, so they are multiplied where they lie, or are copied
// element by element.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_SMALL_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_SMALL_H_

#include <stdint.h>

#include <vector>

#include "backends/calls/contraction.h"
#include "backends/simd/contraction/lanes.h"
#include "backends/simd/contraction/packing.h"
#include "backends/simd/contraction/products.h"

namespace assay::simd {

// Returns whether this is faster by the loop below than in tiles. Terms are
// added in the same order.
bool AreSmall(const calls::Contraction& contraction);

// The lanes in which small integers are summed are those of their sums.
Computation SmallComputationOf(const calls::Contraction& contraction,
                               const Options& options);

// Computes products, one after the other, in memory of its own.
class SmallProducts {
 public:
  SmallProducts(const calls::Contraction& contraction,
                const Computation& computation, const Options& options);
  // Computes the products of a part of the batch.
  void Run(const Range& batch);

 private:
  // A matrix of each product. It is in place if the loop reads or writes it
  // where it lies; otherwise its numbers are dense.
  struct Matrix {
    void Set(const calls::Contraction::Dims& row_dims,
             const calls::Contraction::Dims& column_dims,
             int64_t calls::ContractionDim::*stride, bool are_numbers,
             bool must_columns_be_adjacent);

    bool is_in_place;
    int64_t rows, columns;
    int64_t row_stride, column_stride;  // of the numbers
    // Says where the elements of a product are, row by row, if they are not in
    // place.
    std::vector<int64_t> offsets;
    bool are_adjacent = false;
    LinesOfMemory elements, numbers;
  };

  // Returns the numbers of a matrix.
  const unsigned char* Numbers(const unsigned char* first,
                               ToNumbers* to_numbers, Matrix* matrix) const;
  void RunOne(int64_t lhs_offset, int64_t rhs_offset, int64_t result_offset);

  const calls::Contraction& contraction_;
  const Options& options_;
  const size_t lane_bytes_;
  void (*const multiply_)(const SmallProduct& product);
  ToNumbers lhs_to_numbers_, rhs_to_numbers_;
  const FromSums from_sums_;
  Matrix lhs_, rhs_, result_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_SMALL_H_
