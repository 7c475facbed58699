// Layout variants: a case again, with its operands and results in other layouts
// in memory, or as another call that a metamorphic relation ties to it.
//
// A kernel breaks on layouts where its arithmetic is right, so the cases that
// were written to ask for values ask for layouts too. A variant is judged as
// every case is; beside it the backend makes the call in row-major order, and
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

// How operands lie: `gaps` to `in_place`.
std::span<const VariantKind> LayoutVariants();
// Metamorphic relations, which hold whatever a function computes: `element` to
// `swapped`.
std::span<const VariantKind> MetamorphicRelations();

// Both.
std::vector<VariantKind> VariantKinds();

// Whether the layout or relation changes anything of the case. It never does
// where the case is not run, is judged in chunks, or is a walk.
bool HasVariant(const Case& c, std::string_view kind);

// The variant, named "<op>/<id>@<kind>", without literal expectations. Its
// values are those of `c`, except under `broadcast0`, where operands repeat
// themselves along a dimension, and under relations. Precondition: HasVariant.
Case VariantOf(const Case& c, std::string_view kind);

// A deferred variant has only a name and its original, so that a suite times
// its layouts fits the memory. MakeVariant gives the case that it stands for.
Case DeferredVariant(const std::shared_ptr<const Case>& c,
                     std::string_view kind);
Case MakeVariant(const Case& deferred);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_
