// dot_general and convolution sum products of elements of two operands. A
// Contraction is what such a call asks for with the dimensions of its tensors
// sorted by what they are for:
//
//   result[batch, row, column] = sum over terms of
//     lhs[batch, row, term] * rhs[batch, term, column]
//
// A convolution has the groups as batch, the images and places in them as rows,
// the features of the result as columns, and the places and features of the
// kernel as terms. Where a window is laid over padding or between dilated
// elements, lhs has a zero, which takes part in the sum.
#ifndef ASSAY_BACKENDS_CALLS_CONTRACTION_H_
#define ASSAY_BACKENDS_CALLS_CONTRACTION_H_

#include <stdint.h>

#include <optional>
#include <vector>

#include "backends/backend.h"
#include "backends/calls/formats.h"
#include "backends/calls/integers.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

// Strides are in elements, and 0 where a tensor has no such dimension.
struct ContractionDim {
  int64_t size;
  int64_t lhs_stride;
  int64_t rhs_stride;
  int64_t result_stride;
};

// A dimension of lhs over which windows are laid. Of a row whose index is r in
// the dimension `row`, and a term whose index is t in the dimension `term`, the
// element is at
//   place = begin + r * row_step + t * term_step
// of the dilated operand: element place / dilation of lhs if that is a whole
// number from 0 to size - 1, and a zero otherwise. The dimensions `row` and
// `term` have no stride of lhs.
struct ContractionWindow {
  size_t row;
  size_t term;
  int64_t size;
  int64_t stride;
  int64_t begin;
  int64_t row_step;
  int64_t term_step;
  int64_t dilation;
};

// What an operand is rounded to before it is multiplied.
struct RoundingTo {
  enum Kind { kNothing, kFormat, kTf32, kF32 } kind = kNothing;
  Format format = {};
};

struct Contraction {
  using Dims = std::vector<ContractionDim>;
  Type operand;  // of lhs and rhs
  Type result;
  Dims batch, rows, columns, terms;
  std::vector<ContractionWindow> windows;
  RoundingTo lhs_rounding, rhs_rounding;
  bool in_f64 = false;  // Sums are of f64 although no tensor is.
  unsigned char* lhs_first = nullptr;
  unsigned char* rhs_first = nullptr;
  unsigned char* result_first = nullptr;

  static int64_t CountOf(const Dims& dims);
  bool IsEmpty() const;  // There is no result.
};

// The result is computed in this kind of numbers: in integers modulo 2^bits of
// the result, i1 by AND and OR, and floats in the wider of f32 and the types
// involved, rounded once.
enum class SumKind { kBool, kInteger, kF32, kF64, kComplexF32, kComplexF64 };
SumKind SumKindOf(const Contraction& contraction);

bool IsContraction(const char* op);

// Reads a call of one of dot_general, convolution and dynamic_conv, whose
// padding is read by `read`. Returns what is not implemented or violates a
// constraint, or nullptr.
const char* ReadContraction(const AssayCall& call, const ReadIntegers& read,
                            Contraction* contraction);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_CONTRACTION_H_
