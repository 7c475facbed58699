// The loops that multiply packed operands, compiled once per instruction set.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_PRODUCTS_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_PRODUCTS_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

// The numbers that are multiplied and summed. Of kPairs, two int16_t lie in one
// lane of 32 bits and are two terms. Of quads, four int8_t or uint8_t do, and
// those of lhs have their highest bit flipped.
enum class Lanes {
  kF32,
  kF64,
  kU32,
  kU64,
  kPairs,
  kSignedQuads,
  kUnsignedQuads
};
inline constexpr int kNumLanes = 7;

inline constexpr size_t BytesOf(Lanes lanes) {
  return lanes == Lanes::kF64 || lanes == Lanes::kU64 ? 8 : 4;
}
inline constexpr bool AreQuads(Lanes lanes) {
  return lanes == Lanes::kSignedQuads || lanes == Lanes::kUnsignedQuads;
}
inline constexpr int64_t TermsOf(Lanes lanes) {
  return AreQuads(lanes) ? 4 : lanes == Lanes::kPairs ? 2 : 1;
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
  bool are_sums_zero;  // and not read
};

// A product of small matrices. Distances are in lanes; the columns of a term of
// rhs and those of a row of sums follow each other, and may be aligned to less
// than their size.
struct SmallProduct {
  const unsigned char* lhs;
  int64_t lhs_row_stride, lhs_term_stride;
  const unsigned char* rhs;
  int64_t rhs_term_stride;
  unsigned char* sums;
  int64_t sums_row_stride;
  int64_t rows, columns, terms;
};
inline constexpr int kNumSmallLanes = 4;  // neither pairs nor quads

// Adds the products of each row and column to their sum, one term after the
// other: so what is added to what is not a matter of where rows and columns
// lie, nor of how many there are.
struct ProductsTable {
  // Null where the processor has no such instructions.
  void (*add_products[kNumLanes])(const Panels& panels);
  // Writes the sums, which are at no address of an operand.
  void (*multiply_small[kNumSmallLanes])(const SmallProduct& product);
  size_t panel_bytes;  // of one term of a panel of rhs
};

const ProductsTable& ProductsOf(const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_PRODUCTS_H_
