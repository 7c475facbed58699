// A Signature is what a call asks for except where its tensors lie: the op, its
// attributes and the types of its operands. From this alone a backend chooses
// the function that computes elements; shapes and strides say which elements it
// gets.
#ifndef ASSAY_BACKENDS_CALLS_SIGNATURE_H_
#define ASSAY_BACKENDS_CALLS_SIGNATURE_H_

#include <stdint.h>
#include <string.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/calls/limits.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

// A signature has one result: ops with more are made of ops that have one.
struct Signature {
  std::string_view op;
  int num_inputs;
  Type inputs[kMaxInputs];
  Type output;
  const AssayAttribute* attributes;
  int32_t num_attributes;

  // Returns nullptr if no attribute has this name.
  const char* AttributeText(const char* name) const {
    for (int32_t i = 0; i < num_attributes; ++i) {
      if (strcmp(attributes[i].name, name) == 0) return attributes[i].text;
    }
    return nullptr;
  }
};

// Reads the signature of any op with one result. Returns what is not
// implemented, or nullptr.
const char* ReadSignature(const AssayCall& call, Signature* signature);

// Returns whether the input may be a scalar: select's predicate and the bounds
// of clamp may.
bool MayBeScalar(const Signature& signature, int input);

// Returns nullptr if all operands have the shape of the result, except those
// that may be scalars, or what is not implemented.
const char* CheckShapes(const AssayCall& call, const Signature& signature);

// Returns false if an attribute is not known here, since what it asks for is
// not known either.
bool HasOnlyKnownAttributes(const AssayCall& call);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_SIGNATURE_H_
