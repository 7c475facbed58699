// The element types of the PJRT C API.
#ifndef ASSAY_BACKENDS_PJRT_TYPES_H_
#define ASSAY_BACKENDS_PJRT_TYPES_H_

#include <cstdint>
#include <string>

#include "backends/backend.h"

namespace assay::pjrt {

// Returns the number of the element type; 0 if the API has no such type.
int32_t TypeOf(const AssayTensor& tensor);

// Returns the bytes of all elements, which lie in row-major order.
size_t BytesOf(const AssayTensor& tensor);

}  // namespace assay::pjrt

#endif  // ASSAY_BACKENDS_PJRT_TYPES_H_
