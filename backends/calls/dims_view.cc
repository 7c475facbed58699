#include "backends/calls/dims_view.h"

#include "backends/calls/tensors.h"

namespace assay::calls {

using Numbers = std::vector<int64_t>;

Numbers RowMajor(const Numbers& shape) {
  Numbers strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

int64_t CountOf(const Numbers& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

DimsView DimsView::Of(const DLTensor& tensor) {
  return {Numbers(tensor.shape, tensor.shape + tensor.ndim),
          Numbers(tensor.strides, tensor.strides + tensor.ndim),
          FirstElement(tensor)};
}

DLTensor DimsView::Tensor(const DLTensor& like) const {
  DLTensor tensor = like;
  tensor.data = first;
  tensor.byte_offset = 0;
  tensor.ndim = static_cast<int>(shape.size());
  tensor.shape = const_cast<int64_t*>(shape.data());
  tensor.strides = const_cast<int64_t*>(strides.data());
  return tensor;
}

void DimsView::Advance(int64_t elements, size_t bytes) {
  if (first != nullptr) first += elements * static_cast<int64_t>(bytes);
}

bool DimsView::IsRowMajor() const {
  if (CountOf(shape) == 0) return true;
  const Numbers row_major = RowMajor(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1 && strides[d] != row_major[d]) return false;
  }
  return true;
}

}  // namespace assay::calls
