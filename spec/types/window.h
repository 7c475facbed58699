// A Window is a part of a tensor.
#ifndef ASSAY_SPEC_TYPES_WINDOW_H_
#define ASSAY_SPEC_TYPES_WINDOW_H_

#include <cstdint>

#include "spec/types/tensor.h"

namespace assay {

// The tensor is a part of a larger one: its elements are those of the whole
// from row-major position `begin` on.
struct Window {
  Shape shape;  // of the whole
  int64_t begin = 0;
};

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_WINDOW_H_
