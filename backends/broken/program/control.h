// These are the ops that control what is run: if, case, while and calls of
// functions, and what they ask of their functions.
#ifndef ASSAY_BACKENDS_BROKEN_PROGRAM_CONTROL_H_
#define ASSAY_BACKENDS_BROKEN_PROGRAM_CONTROL_H_

#include <string>
#include <string_view>
#include <vector>

#include "backends/broken/program/program.h"

namespace assay::broken::program {

struct Signature {
  std::vector<TensorType> arguments, results;
};

bool IsControl(std::string_view op);

// Returns what is wrong with the functions of an op that controls, or an empty
// string. `types` are those of its inputs and results, `functions` of its
// functions.
std::string CheckControl(const Op& op, const Signature& types,
                         const std::vector<Signature>& functions);

}  // namespace assay::broken::program

#endif  // ASSAY_BACKENDS_BROKEN_PROGRAM_CONTROL_H_
