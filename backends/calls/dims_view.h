// A DimsView shows a tensor with other dimensions.
#ifndef ASSAY_BACKENDS_CALLS_DIMS_VIEW_H_
#define ASSAY_BACKENDS_CALLS_DIMS_VIEW_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/backend.h"

namespace assay::calls {

std::vector<int64_t> RowMajor(const std::vector<int64_t>& shape);
int64_t CountOf(const std::vector<int64_t>& shape);

// Strides are in elements.
struct DimsView {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  unsigned char* first = nullptr;  // The element at index 0 everywhere.

  static DimsView Of(const DLTensor& tensor);

  // The tensor points to the vectors of this view.
  DLTensor Tensor(const DLTensor& like) const;
  // Goes so many elements further. A view without elements may have no memory.
  void Advance(int64_t elements, size_t bytes);
  bool IsRowMajor() const;
};

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_DIMS_VIEW_H_
