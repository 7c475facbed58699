// Where the tensors of a case lie: read from its file, and refused where no
// buffer can hold them so. Private to the case*.cc files.
#ifndef ASSAY_CASES_READ_CASE_LAYOUT_H_
#define ASSAY_CASES_READ_CASE_LAYOUT_H_

#include "cases/case.h"

namespace assay {

// The fields "strides", "offset" and "storage" of an operand or a result of
// that type; row-major without them. Throws InputError if the elements leave
// the storage or take more than `memory_limit` bytes.
Layout ParseLayout(const JsonView& object, const TensorType& type,
                   int64_t memory_limit);

// What a buffer of that layout takes. Precondition: ParseLayout.
int64_t LayoutBytes(const TensorType& type, const Layout& layout);

// Throws InputError if elements of different value share a place.
void RequireOneValueAPlace(const JsonView& object, const CaseInput& input);

// Throws InputError if two elements share a place.
void RequireOneElementAPlace(const JsonView& object, const TensorType& type,
                             const Layout& layout);

// The field "alias" of a case: results in the memory of operands. Throws
// InputError if a result is of another type, or its memory is not its own
// otherwise.
void ParseAlias(const JsonView& alias, Case* c);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_LAYOUT_H_
