// A metamorphic relation ties two calls together: the result of one follows
// from that of the other. Private to the layout variants.
#ifndef ASSAY_CASES_VARIANTS_METAMORPHIC_RELATIONS_H_
#define ASSAY_CASES_VARIANTS_METAMORPHIC_RELATIONS_H_

#include <string_view>

#include "cases/case.h"

namespace assay {

bool IsRelation(std::string_view kind);

// Returns whether the relation applies to the case. Precondition: the case is
// run.
bool HasRelation(const Case& c, std::string_view kind);

// Returns the other call, with `c` as its base. Precondition: HasRelation.
Case Related(const Case& c, std::string_view kind);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_METAMORPHIC_RELATIONS_H_
