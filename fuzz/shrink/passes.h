// The passes of the shrinker: each makes one aspect of the smallest case as
// small as it can. Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_PASSES_H_
#define ASSAY_FUZZ_SHRINK_PASSES_H_

#include "fuzz/shrink/smallest.h"

namespace assay {

// Removes axes, and shortens the others.
void ShortenAxes(Smallest* smallest);
// Puts tensors in row-major order and memory of their own, or nearer to that.
void SimplifyLayouts(Smallest* smallest);
// Removes dimensions of a call that violates a constraint, which has types
// alone, or makes them small, in one tensor or in all of them.
void SimplifyTypes(Smallest* smallest);
// Removes attributes, and changes numbers of others.
void SimplifyAttributes(Smallest* smallest);
// Tries a simpler type of the same kind everywhere, because another kind is
// another bug.
void ChangeElementTypes(Smallest* smallest);
// Changes the elements of inputs to simpler ones.
void SimplifyValues(Smallest* smallest);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_PASSES_H_
