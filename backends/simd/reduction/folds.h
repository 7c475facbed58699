// Kernels of reductions by one op that forms a monoid.
#ifndef ASSAY_BACKENDS_SIMD_REDUCTION_FOLDS_H_
#define ASSAY_BACKENDS_SIMD_REDUCTION_FOLDS_H_

#include <stdint.h>

#include <string_view>

#include "backends/calls/tensors.h"
#include "hwy/targets.h"

namespace assay::simd {

// The order is that of the terms: floats are combined in a binary tree whose
// leaves are the terms in row-major order.
struct Folds {
  // Combines `count` terms that follow each other, of which there is one or
  // more.
  void (*row)(const void* terms, int64_t count, void* result);
  // Combines the same element of each of `rows` rows of `count` elements, of
  // which there is one or more.
  void (*columns)(const void* first, int64_t rows, int64_t stride,
                  int64_t count, void* result);
  // result = result op other, for so many elements.
  void (*combine)(void* result, const void* other, int64_t count);
};

// Returns the kernels of an op for a type, or nullptr if there are none.
const Folds* FoldsOf(std::string_view monoid, const calls::Type& type,
                     const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_REDUCTION_FOLDS_H_
