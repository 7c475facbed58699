// These functions read the attributes of calls.
#ifndef ASSAY_BACKENDS_CALLS_ATTRIBUTES_H_
#define ASSAY_BACKENDS_CALLS_ATTRIBUTES_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>
#include <vector>

#include "backends/backend.h"

namespace assay::calls {

// Returns nullptr if no attribute has this name.
const AssayAttribute* FindAttribute(const AssayCall& call, const char* name);

// Reads a list such as "[0, 2]". Returns nullopt if there is none of at most
// kMaxDims numbers.
std::optional<std::vector<int64_t>> ListOf(const AssayCall& call,
                                           const char* name);

// Reads a number. Returns nullopt if there is none.
std::optional<int64_t> NumberOf(const AssayCall& call, const char* name);

// Reads the number of a dimension, which is below `rank`.
std::optional<size_t> DimensionOf(const AssayCall& call, const char* name,
                                  size_t rank);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_ATTRIBUTES_H_
