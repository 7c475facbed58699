// These functions move bits as they are: they copy, and they pack the types of
// less than 8 bits, which are stored one a byte, into the bits of a byte.
#ifndef ASSAY_BACKENDS_SIMD_CORE_BIT_MOVES_H_
#define ASSAY_BACKENDS_SIMD_CORE_BIT_MOVES_H_

#include <stddef.h>

#include <memory>

#include "backends/backend.h"
#include "backends/simd/core/block_function.h"
#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

std::unique_ptr<BlockFunction> MakeCopy(size_t bytes,
                                        const hwy::ChosenTarget& target);

// Runs a whole call, since its operands differ in shape. Returns what is not
// implemented, or nullptr.
const char* RunBitcastConvert(const AssayCall& call,
                              const hwy::ChosenTarget& target, int threads);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_BIT_MOVES_H_
