// This is a complete backend in plain C11, to be copied: `add` on contiguous
// i32 tensors of any rank. It needs assay/backend.h and the DLPack header,
// nothing else of assay, and is no part of its build; README.md has the two
// commands.
//
// A backend may decline whatever it likes, and says why. It may not be wrong.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "assay/backend.h"

// Everything that is not implemented ends here. assay counts these calls and
// prints the message, so it names what is missing.
static int32_t Decline(const char* what, char* message, size_t capacity) {
  snprintf(message, capacity, "%s is not implemented", what);
  return ASSAY_UNSUPPORTED;
}

static bool IsI32(const DLTensor* t) {
  return t->dtype.code == kDLInt && t->dtype.bits == 32 && t->dtype.lanes == 1;
}

// Returns 1 for rank 0, and 0 if any dimension is empty.
static int64_t Count(const DLTensor* t) {
  int64_t count = 1;
  for (int d = 0; d < t->ndim; ++d) count *= t->shape[d];
  return count;
}

// Returns whether the tensor is row-major without gaps, so that one loop over
// the elements serves every rank. The stride of a dimension of size 1 is never
// used and may be anything, as may every stride of an empty tensor.
static bool IsContiguous(const DLTensor* t) {
  if (Count(t) == 0) return true;
  int64_t expected = 1;
  for (int d = t->ndim - 1; d >= 0; --d) {
    if (t->shape[d] != 1 && t->strides[d] != expected) return false;
    expected *= t->shape[d];
  }
  return true;
}

// Element [0, .., 0] is at data + byte_offset, not at data. The elements are
// int32_t; C lets them be read and written as uint32_t, whose sums wrap around
// where those of int32_t are undefined.
static uint32_t* Elements(const DLTensor* t) {
  return (uint32_t*)((char*)t->data + t->byte_offset);
}

// Every field read here has been in AssayCall since ABI 1.0; a newer one would
// be read only after a look at call->struct_size.
static int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  // The meaning of an attribute or a region is not known here (rule 8).
  if (call->num_attributes != 0 || call->num_regions != 0)
    return Decline("an attribute or region", message, capacity);
  if (strcmp(call->op, "add") != 0) {
    return Decline(call->op, message, capacity);
  }
  const AssayTensor* operands[] = {&call->inputs[0], &call->inputs[1],
                                   &call->outputs[0]};
  for (int i = 0; i < 3; ++i) {
    const DLTensor* t = &operands[i]->tensor;
    if (!IsI32(t)) return Decline(operands[i]->type, message, capacity);
    if (!IsContiguous(t)) {
      return Decline("a layout that is not row-major", message, capacity);
    }
  }
  const uint32_t* lhs = Elements(&operands[0]->tensor);
  const uint32_t* rhs = Elements(&operands[1]->tensor);
  uint32_t* result = Elements(&operands[2]->tensor);
  const int64_t count = Count(&operands[2]->tensor);
  for (int64_t i = 0; i < count; ++i) result[i] = lhs[i] + rhs[i];
  return ASSAY_OK;
}

// The backend has no capabilities: without ASSAY_VALIDATES only valid calls
// arrive, so nothing above checks that the shapes are equal. Functions that are
// left out are NULL.
static const AssayBackend kBackend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = "example",
    .version = "1.0",
    .device = {.device_type = kDLCPU, .device_id = 0},
    .run = Run,
};

const AssayBackend* assay_backend(void) { return &kBackend; }
