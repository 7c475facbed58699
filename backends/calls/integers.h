// Operands of integers that say which elements a call is about: start indices,
// paddings, shapes. They are read on the host.
#ifndef ASSAY_BACKENDS_CALLS_INTEGERS_H_
#define ASSAY_BACKENDS_CALLS_INTEGERS_H_

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <vector>

#include "backends/backend.h"

namespace assay::calls {

// Copies bytes of an operand to host memory. Returns false if that failed.
using ReadBytes = std::function<bool(const void* from, size_t bytes, void* to)>;

// An integer that int64_t does not have becomes the greatest that it has: no
// tensor has so many elements, so that it is beyond each of them as well.
struct IntegerType {
  int bits;
  bool is_signed;
  int64_t Read(const unsigned char* element) const;
  bool operator==(const IntegerType&) const = default;
  size_t bytes() const { return bits < 8 ? 1 : static_cast<size_t>(bits) / 8; }
};
// Returns false if the tensor has no integers.
bool ReadIntegerType(const AssayTensor& tensor, IntegerType* type);
// Returns what is against an operand that is a list of so many integers, or
// nullptr.
const char* CheckList(const AssayTensor& list, int64_t size);

// Appends the elements of a tensor in row-major order. Returns what is not
// implemented or went wrong, or nullptr.
using ReadIntegers = std::function<const char*(const AssayTensor& tensor,
                                               std::vector<int64_t>* integers)>;
const char* ReadHostIntegers(const AssayTensor& tensor,
                             std::vector<int64_t>* integers);
const char* ReadIntegersBy(const ReadBytes& read, const AssayTensor& tensor,
                           std::vector<int64_t>* integers);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_INTEGERS_H_
