// This header has the types of tensors and the properties that all calls are
// checked for.
#ifndef ASSAY_BACKENDS_CALLS_TENSORS_H_
#define ASSAY_BACKENDS_CALLS_TENSORS_H_

#include <stddef.h>

#include <span>

#include "backends/backend.h"
#include "backends/calls/formats.h"

namespace assay::calls {

// A kFormat is a float type without lanes of its own.
enum class Kind { kBool, kSigned, kUnsigned, kFloat, kFormat, kComplex };

struct Type {
  Kind kind;
  int bits;   // 8 for i1, which is stored as a byte.
  int width;  // log2 of the bytes.
  // Only a kFormat has a format; other types have the first one.
  Format format;

  size_t bytes() const { return size_t{1} << width; }
  bool operator==(const Type&) const = default;
};

bool ParseType(const AssayTensor& tensor, Type* type);

// Reads the type of a scalar, such as "tensor<f32>". Returns false if it is
// none.
bool ParseScalarType(const char* text, DLDataType* type);
// Returns how many bytes an element of such a type takes, or 0 if it is none.
size_t BytesOfScalar(const char* text);

// Finds tensors that nobody could compute with: they have no shape or no
// strides, negative sizes, or more elements, or elements further apart, than
// there are addresses. Returns what is wrong, or nullptr.
const char* CheckTensors(const AssayCall& call);

// Returns a call of an op with one result, which points to what it is given.
AssayCall MakeCall(const char* op, std::span<const AssayTensor> inputs,
                   const AssayTensor& output,
                   std::span<const AssayAttribute> attributes = {});

// Precondition: CheckTensors has no complaint.
size_t CountElements(const DLTensor& tensor);
bool IsSameShape(const DLTensor& a, const DLTensor& b);

inline unsigned char* FirstElement(const DLTensor& tensor) {
  return static_cast<unsigned char*>(tensor.data) + tensor.byte_offset;
}

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_TENSORS_H_
