// A variant is a case again, with its operands and results in other layouts in
// memory, or as another call that a metamorphic relation ties to it.
//
// A kernel may be right in its arithmetic and wrong on some layouts, so the
// cases that were written to test values test layouts too. A variant is judged
// as every case is; besides, the backend makes the call in row-major order, and
// where the policy says layout_invariant = required, both must give the same
// bits. The policy may also count the differences.
#ifndef ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_
#define ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_

#include <span>
#include <string_view>

#include "cases/case.h"

namespace assay {

struct VariantKind {
  const char* name;
  const char* meaning;  // for people
};

// Returns the layouts of operands: `gaps` to `in_place`.
std::span<const VariantKind> LayoutVariants();
// Returns the metamorphic relations, which hold whatever a function computes:
// `element` to `swapped`.
std::span<const VariantKind> MetamorphicRelations();

// Returns the layouts, then the relations.
std::vector<VariantKind> VariantKinds();

// Returns whether the layout or relation changes anything about the case. It
// never does if the case is not run, is judged in chunks, or is a walk.
bool HasVariant(const Case& c, std::string_view kind);

// Returns the variant, named "<op>/<id>@<kind>", without literal expectations.
// Its values are those of `c`, except under `broadcast0`, where operands repeat
// themselves along a dimension, and under relations. Precondition: HasVariant.
Case VariantOf(const Case& c, std::string_view kind);

// Returns a variant with only a name and its original, so that a suite times
// its layouts fits in memory. MakeVariant returns the full case for it.
Case DeferredVariant(const std::shared_ptr<const Case>& c,
                     std::string_view kind);
Case MakeVariant(const Case& deferred);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_
