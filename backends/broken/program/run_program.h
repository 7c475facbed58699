// run_program of the ABI: a program is read, simplified by the hook of that
// name, and interpreted.
#ifndef ASSAY_BACKENDS_BROKEN_PROGRAM_RUN_PROGRAM_H_
#define ASSAY_BACKENDS_BROKEN_PROGRAM_RUN_PROGRAM_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"

namespace assay::broken::program {

int32_t RunProgram(const AssayProgram* program, char* message, size_t capacity);

}  // namespace assay::broken::program

#endif  // ASSAY_BACKENDS_BROKEN_PROGRAM_RUN_PROGRAM_H_
