// These are the rules of pointwise calls, and of Paddle's shifts, which
// broadcast by the same rules. The rules of other ops are not checked.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_VALIDATION_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_VALIDATION_H_

#include <string>

#include "backends/backend.h"

namespace assay::broken {

bool IsPaddleShift(const AssayCall& call);

// The same elements in the same places: address, type, shape, strides.
bool IsSamePlace(const DLTensor& a, const DLTensor& b);

// Whether an output may share storage with an input: sound, if they are the
// same tensor.
using MayShare = bool (*)(const DLTensor& output, const DLTensor& input);

// Returns what is wrong with operands, promotion, shapes or storage, or an
// empty string.
std::string ValidateExcept(const AssayCall& call, MayShare may_share);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_VALIDATION_H_
