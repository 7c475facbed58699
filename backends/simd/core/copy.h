// These functions copy planes of elements between any strides. They bring
// operands to contiguous blocks and take results from them.
#ifndef ASSAY_BACKENDS_SIMD_CORE_COPY_H_
#define ASSAY_BACKENDS_SIMD_CORE_COPY_H_

#include <stdint.h>

#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

// Strides are in bytes and may be anything. `a` is the inner loop where there
// is no better one. The only bytes written are those of the elements, and the
// only bytes read lie between the first and the last of a run of elements along
// `a` or `b`.
struct Plane {
  const unsigned char* from;
  unsigned char* to;
  int64_t count_a;
  int64_t count_b;
  int64_t from_a;
  int64_t from_b;
  int64_t to_a;
  int64_t to_b;
};

using CopyPlane = void (*)(const Plane& plane);

// The copies are indexed by log2 of the bytes of an element, from 1 to 16.
struct Copies {
  CopyPlane width[5];
};

const Copies& CopyTable(const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_COPY_H_
