// Calls that violate exactly one constraint are made of valid ones.
#ifndef ASSAY_FUZZ_DRAW_VIOLATE_H_
#define ASSAY_FUZZ_DRAW_VIOLATE_H_

#include <optional>
#include <string>

#include "cases/search/choices.h"
#include "cases/variants/op_table.h"
#include "fuzz/draw/plain_calls.h"

namespace assay {

// Searches shapes and numbers for the valid call of which one constraint is
// false and no other is, or changes a type, an attribute or the memory of a
// result until that is so. Returns its label; nullopt if none was found, and
// then `*call` is as it was.
std::optional<std::string> Violate(const OpEntry& entry, PlainCalls* calls,
                                   Choices* choices, Op* call);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_VIOLATE_H_
