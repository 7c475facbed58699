// The layouts of a case are read from its file, and refused if no buffer can
// hold the tensors in them. Private to the case*.cc files.
#ifndef ASSAY_CASES_READ_CASE_LAYOUT_H_
#define ASSAY_CASES_READ_CASE_LAYOUT_H_

#include "cases/case.h"

namespace assay {

// Parses the fields "strides", "offset" and "storage" of an operand or a result
// of that type; without them the layout is row-major. Throws InputError if the
// elements leave the storage or take more than `memory_limit` bytes.
Layout ParseLayout(const JsonView& object, const TensorType& type,
                   int64_t memory_limit);

// Returns the bytes of a buffer of that layout. Precondition: ParseLayout.
int64_t LayoutBytes(const TensorType& type, const Layout& layout);

// Throws InputError if elements of different value share a place.
void RequireOneValueAPlace(const JsonView& object, const CaseInput& input);

// Throws InputError if two elements share a place.
void RequireOneElementAPlace(const JsonView& object, const TensorType& type,
                             const Layout& layout);

// Parses the field "alias" of a case: results in the memory of operands. Throws
// InputError if a result is of another type, or shares its memory with anything
// else.
void ParseAlias(const JsonView& alias, Case* c);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_LAYOUT_H_
