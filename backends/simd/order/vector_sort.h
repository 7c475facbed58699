// Sorts unsigned integers that lie one after another.
#ifndef ASSAY_BACKENDS_SIMD_ORDER_VECTOR_SORT_H_
#define ASSAY_BACKENDS_SIMD_ORDER_VECTOR_SORT_H_

#include <stdint.h>

#include "hwy/contrib/sort/vqsort.h"

namespace assay::simd {

// Sorts `count` keys in ascending order, by up to so many threads. `spare` has
// room for as many. Returns where the sorted keys are: `keys` or `spare`.
//
// Highway chooses the instructions by the processor, not by the option of the
// backend.
uint16_t* SortKeys(uint16_t* keys, uint16_t* spare, int64_t count, int threads);
uint32_t* SortKeys(uint32_t* keys, uint32_t* spare, int64_t count, int threads);
uint64_t* SortKeys(uint64_t* keys, uint64_t* spare, int64_t count, int threads);
// The part `hi` counts before `lo`.
hwy::uint128_t* SortKeys(hwy::uint128_t* keys, hwy::uint128_t* spare,
                         int64_t count, int threads);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_ORDER_VECTOR_SORT_H_
