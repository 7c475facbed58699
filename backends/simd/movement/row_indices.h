// Most calls of gather and scatter have one index for each window, which says
// where it begins in one dimension, and a batch of one dimension: such calls
// need no coordinates.
#ifndef ASSAY_BACKENDS_SIMD_MOVEMENT_ROW_INDICES_H_
#define ASSAY_BACKENDS_SIMD_MOVEMENT_ROW_INDICES_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>

#include "backends/calls/windows.h"

namespace assay::simd {

class RowIndices {
 public:
  // So many windows are looked at together: their rows are fetched from memory
  // at the same time.
  static constexpr int64_t kAtATime = 256;

  // Returns nothing for calls of other windows. `windows` outlives the result.
  static std::optional<RowIndices> Of(const calls::Windows& windows);

  const calls::Windows::Dim& dim() const { return windows_->dims[dim_]; }
  size_t dim_number() const { return dim_; }
  int64_t count() const { return count_; }
  // From a window to the next one, in elements of the result of gather, or of
  // the updates of scatter.
  int64_t other_stride() const { return other_stride_; }
  // Reads the indices of so many windows from number `begin` on.
  void Read(int64_t begin, int64_t count, int64_t* indices) const;

 private:
  RowIndices() = default;

  const calls::Windows* windows_;
  size_t dim_;
  int64_t count_ = 1, other_stride_ = 0;
  const unsigned char* first_;
  int64_t stride_ = 0;  // in bytes
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_MOVEMENT_ROW_INDICES_H_
