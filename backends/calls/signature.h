// What a call asks for but for where its tensors lie: the op, its attributes
// and the types of its operands. From this alone a backend chooses what
// computes the elements; the shapes and strides bring it the elements.
#ifndef ASSAY_BACKENDS_CALLS_SIGNATURE_H_
#define ASSAY_BACKENDS_CALLS_SIGNATURE_H_

#include <stdint.h>
#include <string.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/calls/limits.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

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

// Of any op with one result. Returns what is not implemented, or nullptr.
const char* ReadSignature(const AssayCall& call, Signature* signature);

// select's predicate and the bounds of clamp.
bool MayBeScalar(const Signature& signature, int input);

// Whether the operands have the shape of the result, but for those that may be
// scalars. Returns what is not implemented, or nullptr.
const char* CheckShapes(const AssayCall& call, const Signature& signature);

// What an attribute that is not known here asks for is not known either.
bool HasOnlyKnownAttributes(const AssayCall& call);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_SIGNATURE_H_
