// AbiValues owns the texts, shapes, strides and constants that the C structures
// of a call point to.
#ifndef ASSAY_BACKENDS_HOST_ABI_VALUES_H_
#define ASSAY_BACKENDS_HOST_ABI_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>

#include "backends/backend.h"
#include "spec/program.h"

namespace assay {

void SetAddress(uintptr_t element0, DLTensor* tensor);

class AbiValues {
 public:
  AbiValues() = default;
  AbiValues(const AbiValues&) = delete;
  AbiValues& operator=(const AbiValues&) = delete;

  const char* Text(std::string text);
  // `element0` is where element [0, .., 0] lies. Strides count elements.
  AssayTensor Make(const TensorType& type, const Strides& strides,
                   std::byte* element0);
  // Makes an attribute, with its value if it is numeric. `value` may be
  // nullptr.
  AssayAttribute Make(std::string name, std::string text,
                      const AssayTensor* value);
  AssayAttribute Make(const Attribute& attribute);

 private:
  struct Dims {
    Shape shape;
    Strides strides;
  };
  // Lists keep what is pointed to in its place.
  std::forward_list<Dims> dims_;
  std::forward_list<std::string> texts_;
  std::forward_list<Tensor> constants_;
  std::forward_list<AssayTensor> values_;
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_ABI_VALUES_H_
