// Sums of products of integers of 8 bits, four in a lane of 32 bits, by an
// instruction of AVX-512 that this version of Highway has no op for.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_QUADS_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_QUADS_H_

#include <stdint.h>

#include "backends/simd/contraction/products.h"

namespace assay::simd {

// Returns whether the processor has the instructions.
bool HasQuads();

// So many columns are in a panel of the functions below.
inline constexpr int64_t kQuadColumns = 32;

// Adds products as those of a ProductsTable do.
void AddSignedQuads(const Panels& panels);
void AddUnsignedQuads(const Panels& panels);

// Writes the lanes of a panel: of each column, its numbers of four terms.
void PackQuads(const unsigned char* const terms[4], unsigned char* to);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_QUADS_H_
