#include "backends/simd/movement/window_copy.h"

#include <algorithm>

namespace assay::simd {

WindowCopy::WindowCopy(std::vector<BoxDim> dims, size_t bytes)
    : row_(static_cast<int64_t>(bytes)), total_(row_) {
  for (const BoxDim& dim : dims) total_ *= dim.size;
  std::erase_if(dims, [](const BoxDim& dim) { return dim.size == 1; });
  while (!dims.empty() && dims.back().from_stride == row_ &&
         dims.back().to_stride == row_) {
    row_ *= dims.back().size;
    dims.pop_back();
  }
  dims_ = std::move(dims);
}

void WindowCopy::CopyBox(size_t d, const unsigned char* from,
                         unsigned char* to) const {
  const BoxDim& dim = dims_[d];
  const bool is_last = d + 1 == dims_.size();
  for (int64_t i = 0; i < dim.size; ++i) {
    if (is_last) {
      CopyRow(from, to);
    } else {
      CopyBox(d + 1, from, to);
    }
    from += dim.from_stride;
    to += dim.to_stride;
  }
}

}  // namespace assay::simd
