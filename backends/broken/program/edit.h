// What rewrites a program looks values up and changes ops with these.
#ifndef ASSAY_BACKENDS_BROKEN_PROGRAM_EDIT_H_
#define ASSAY_BACKENDS_BROKEN_PROGRAM_EDIT_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>
#include <string_view>
#include <vector>

#include "backends/broken/program/program.h"

namespace assay::broken::program {

// Changes what it likes of the op at a position, or puts other ops in front of
// it.
using Fold = void (*)(Function* function, size_t position);
// Applies the fold to every op of the function, the last one first, and of the
// functions in it.
void FoldEveryOp(Fold fold, Function* function);

// Returns the op of this name that the value is a result of, or nullptr.
const Op* ResultOf(std::string_view name, const Function& function,
                   int32_t number);
// Returns the type of a value of the function.
const TensorType& TypeOf(const Function& function, int32_t number);
// Returns the number that a value is, if it is a constant integer of rank 0.
std::optional<int64_t> IntegerOf(const Function& function, int32_t number);
// Has every use of a value, in the results too, use another one.
void ReplaceUses(Function* function, int32_t number, int32_t other);

// Returns the list of numbers that an attribute is, or none.
std::vector<int64_t> NumbersIn(const Op& op, std::string_view attribute);
void SetNumbers(Op* op, std::string_view attribute,
                const std::vector<int64_t>& numbers);

}  // namespace assay::broken::program

#endif  // ASSAY_BACKENDS_BROKEN_PROGRAM_EDIT_H_
