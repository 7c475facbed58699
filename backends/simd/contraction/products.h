// The loops that multiply packed operands, compiled once per instruction set.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_PRODUCTS_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_PRODUCTS_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

// The numbers that are multiplied and summed. A kPairs is two int16_t, which
// lie in one lane of 32 bits and are two terms.
enum class Lanes { kF32, kF64, kU32, kU64, kPairs };
inline constexpr int kNumLanes = 5;

inline constexpr size_t BytesOf(Lanes lanes) {
  return lanes == Lanes::kF64 || lanes == Lanes::kU64 ? 8 : 4;
}

// Rows are computed so many at a time.
inline constexpr int64_t kRowsAtATime = 6;

// Numbers of rows and columns are multiples of those that are computed at a
// time. Distances are in lanes.
struct Panels {
  const void* lhs;      // rows of terms
  int64_t lhs_stride;   // of rows
  const void* rhs;      // panels of columns: for each term, the columns
  int64_t rhs_stride;   // of panels
  void* sums;           // rows of columns
  int64_t sums_stride;  // of rows
  int64_t rows, columns, terms;
};

// Adds the products of each row and column to their sum, one term after the
// other: so what is added to what is not a matter of where rows and columns
// lie, nor of how many there are.
struct ProductsTable {
  void (*add_products[kNumLanes])(const Panels& panels);
  size_t panel_bytes;  // of one term of a panel of rhs
};

const ProductsTable& ProductsOf(const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_PRODUCTS_H_
