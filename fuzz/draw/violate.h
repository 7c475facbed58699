// Calls that violate exactly one constraint are made of valid ones.
#ifndef ASSAY_FUZZ_DRAW_VIOLATE_H_
#define ASSAY_FUZZ_DRAW_VIOLATE_H_

#include <optional>
#include <string>

#include "cases/variants/op_table.h"
#include "fuzz/draw/choices.h"

namespace assay {

// Changes a type, an attribute or the memory of a result of the valid call,
// until one constraint is false and no other is. Returns its label; nullopt if
// none was found, and then `*call` is as it was.
std::optional<std::string> Violate(const OpEntry& entry, Choices* choices,
                                   Op* call);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_VIOLATE_H_
