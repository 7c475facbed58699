// The layout sweep: any case again with its operands and results lying
// otherwise in memory, and with the relations that hold whatever a function
// computes.
//
// A kernel breaks on layout where its arithmetic is right, so what was written
// to ask for values asks for layouts too. Each case of a sweep is judged as
// every case is; beside it the backend makes the call in row-major order, and
// where the policy says layout_invariant = required, both must give the same
// bits. The policy may also count the differences.
#ifndef ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_
#define ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_

#include <span>
#include <string_view>

#include "cases/case.h"

namespace assay {

struct SweepKind {
  const char* name;
  const char* meaning;  // for people
};

// How operands lie: `gaps` to `in_place`.
std::span<const SweepKind> SweepLayouts();
// Calls whose results follow from one another: `element` to `swapped`.
std::span<const SweepKind> SweepRelations();

// Both.
std::vector<SweepKind> SweepKinds();

// Whether the layout or relation changes anything of the case. Never of a case
// that is not run, is judged in chunks, or is a walk.
bool IsSwept(const Case& c, std::string_view kind);

// The case so, named "<op>/<id>@<kind>", without literal expectations. Its
// values are those of `c`, but with `broadcast0`, where operands repeat
// themselves along a dimension, and with the relations. Precondition: IsSwept.
Case Swept(const Case& c, std::string_view kind);

// The same as a name only, so that a suite times its layouts fits the memory;
// and the case that it stands for.
Case Unmade(const std::shared_ptr<const Case>& c, std::string_view kind);
Case Made(const Case& unmade);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_LAYOUT_VARIANTS_H_
