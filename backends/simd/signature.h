// What a call asks for but for where its tensors lie: the op, its attributes
// and the types of its operands. From this alone the function is made that
// computes blocks of elements; the loop nest brings it the blocks.
#ifndef ASSAY_BACKENDS_SIMD_SIGNATURE_H_
#define ASSAY_BACKENDS_SIMD_SIGNATURE_H_

#include <stdint.h>
#include <string.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/simd/kernels.h"
#include "backends/simd/tensors.h"

namespace assay::simd {

// One result: what has more is made of ops that have one.
struct Signature {
  std::string_view op;
  int num_inputs;
  Type inputs[kMaxInputs];
  Type output;
  const AssayAttribute* attributes;
  int32_t num_attributes;

  // nullptr if there is none of this name.
  const char* AttributeText(const char* name) const {
    for (int32_t i = 0; i < num_attributes; ++i) {
      if (strcmp(attributes[i].name, name) == 0) return attributes[i].text;
    }
    return nullptr;
  }
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_SIGNATURE_H_
