// A sort whose comparator compares one operand alone is a sort of keys, for
// which there are better ways than to call a function for each pair.
#ifndef ASSAY_BACKENDS_CALLS_KEY_SORT_H_
#define ASSAY_BACKENDS_CALLS_KEY_SORT_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/backend.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

struct KeySort {
  size_t key;  // the operand that is compared
  bool is_descending;
  // Floats: zeros of both signs are equal, and NaNs have no order.
  bool has_equal_zeros;
  Type type;         // of the keys
  size_t dimension;  // along which slices are sorted
  size_t count;      // of operands
};

// Returns whether a call is such a sort, of integers of 8 to 64 bits or of f16,
// bf16, f32 or f64. Its results then have the shape and the types of the
// operands, and share memory with them in whole tensors, or not at all.
bool ReadKeySort(const AssayCall& call, KeySort* sort);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_KEY_SORT_H_
