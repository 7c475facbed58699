#include "backends/simd/movement/row_indices.h"

#include <string.h>

namespace assay::simd {
namespace {

template <class T>
void ReadIndices(const unsigned char* from, int64_t stride, int64_t count,
                 int64_t* indices) {
  for (int64_t i = 0; i < count; ++i) {
    T index;
    memcpy(&index, from + i * stride, sizeof(index));
    indices[i] = index;
  }
}

}  // namespace

std::optional<RowIndices> RowIndices::Of(const calls::Windows& windows) {
  RowIndices rows;
  rows.windows_ = &windows;
  int indexed = 0;
  for (size_t d = 0; d < windows.dims.size(); ++d) {
    const calls::Windows::Dim& dim = windows.dims[d];
    if (dim.batch >= 0) return std::nullopt;
    if (dim.index < 0) continue;
    if (dim.window_size != 1) return std::nullopt;
    rows.dim_ = d;
    ++indexed;
  }
  if (indexed != 1) return std::nullopt;
  const auto bytes = static_cast<int64_t>(windows.index_type.bytes());
  for (const calls::Windows::BatchDim& dim : windows.batch) {
    if (dim.size == 1) continue;
    if (rows.count_ != 1) return std::nullopt;
    rows.count_ = dim.size;
    rows.other_stride_ = dim.other_stride;
    rows.stride_ = dim.index_stride * bytes;
  }
  rows.first_ =
      windows.indices + rows.dim().index * windows.tuple_stride * bytes;
  return rows;
}

void RowIndices::Read(int64_t begin, int64_t count, int64_t* indices) const {
  const unsigned char* const from = first_ + begin * stride_;
  const calls::IntegerType& type = windows_->index_type;
  if (type.bits == 32 && type.is_signed)
    return ReadIndices<int32_t>(from, stride_, count, indices);
  if (type.bits == 32)
    return ReadIndices<uint32_t>(from, stride_, count, indices);
  if (type.bits == 64 && type.is_signed)
    return ReadIndices<int64_t>(from, stride_, count, indices);
  for (int64_t i = 0; i < count; ++i)
    indices[i] = type.Read(from + i * stride_);
}

}  // namespace assay::simd
