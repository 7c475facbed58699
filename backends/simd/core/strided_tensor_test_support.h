// The tests of layouts use these tensors of any strides, which lie between
// inaccessible pages and have canaries in their gaps.
#ifndef ASSAY_BACKENDS_SIMD_CORE_STRIDED_TENSOR_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_CORE_STRIDED_TENSOR_TEST_SUPPORT_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "backends/simd/core/simd_test_support.h"

namespace assay::simd_test {

using Dims = std::vector<int64_t>;

inline int64_t CountOf(const Dims& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

inline Dims RowMajor(const Dims& shape) {
  Dims strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

class StridedTensor {
 public:
  // The tensor lies tight against the page in front of it or behind it, or up
  // to `skip` elements from there.
  StridedTensor(Type type, const Dims& shape, const Dims& strides,
                bool at_end = false, size_t skip = 0)
      : bytes_(type.bytes()),
        shape_(shape),
        strides_(strides),
        count_(static_cast<size_t>(CountOf(shape))),
        memory_(Span(type, shape, strides) + skip * type.bytes()) {
    int64_t least = 0;
    for (size_t i = 0; i < shape.size() && count_ != 0; ++i) {
      least += std::min<int64_t>(0, Way(i));
    }
    unsigned char* begin =
        at_end ? memory_.end() - Span(type, shape, strides) - skip * bytes_
               : memory_.begin() + skip * bytes_;
    first_ = begin - least * static_cast<int64_t>(bytes_);
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape_[i] == 1 || count_ == 0) strides_[i] = 999;
    }
    SetOffsets();
    DLTensor& t = assay_.tensor;
    t.data = memory_.begin();
    t.byte_offset = static_cast<uint64_t>(first_ - memory_.begin());
    t.device = {kDLCPU, 0};
    t.ndim = static_cast<int32_t>(shape.size());
    t.dtype = {type.code, static_cast<uint8_t>(type.bits), 1};
    t.shape = shape_.data();
    t.strides = strides_.data();
  }

  size_t count() const { return count_; }
  AssayTensor& assay() { return assay_; }

  // Returns the element at this place in row-major order.
  unsigned char* At(size_t place) { return first_ + offsets_[place]; }
  // Where elements share a place, the last one written stays.
  void Fill(const std::vector<unsigned char>& pattern) {
    for (size_t i = 0; i < count_; ++i) {
      for (size_t j = 0; j < bytes_; ++j) {
        At(i)[j] = pattern[(i * bytes_ + j) % pattern.size()];
      }
    }
  }
  std::vector<unsigned char> Elements() {
    std::vector<unsigned char> elements(count_ * bytes_);
    for (size_t i = 0; i < count_; ++i) {
      memcpy(&elements[i * bytes_], At(i), bytes_);
    }
    return elements;
  }
  bool CanariesLive() {
    const auto size = static_cast<size_t>(memory_.end() - memory_.begin());
    std::vector<unsigned char> wanted(size, kCanary);
    for (size_t i = 0; i < count_; ++i) {
      memcpy(&wanted[static_cast<size_t>(At(i) - memory_.begin())], At(i),
             bytes_);
    }
    return memcmp(wanted.data(), memory_.begin(), size) == 0;
  }

 private:
  void SetOffsets() {
    offsets_.reserve(count_);
    Dims index(shape_.size());
    int64_t offset = 0;
    while (offsets_.size() < count_) {
      offsets_.push_back(offset * static_cast<int64_t>(bytes_));
      for (size_t i = shape_.size(); i-- > 0;) {
        if (shape_[i] == 1) continue;
        offset += strides_[i];
        if (++index[i] < shape_[i]) break;
        offset -= shape_[i] * strides_[i];
        index[i] = 0;
      }
    }
  }

  int64_t Way(size_t dim) const { return (shape_[dim] - 1) * strides_[dim]; }

  static size_t Span(Type type, const Dims& shape, const Dims& strides) {
    if (CountOf(shape) == 0) return 0;
    int64_t elements = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
      elements += (shape[i] - 1) * std::abs(strides[i]);
    }
    return static_cast<size_t>(elements) * type.bytes();
  }

  size_t bytes_;
  Dims shape_;
  Dims strides_;
  size_t count_;
  Guarded memory_;
  unsigned char* first_;
  Dims offsets_;  // In bytes, by place.
  AssayTensor assay_ = {};
};

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_CORE_STRIDED_TENSOR_TEST_SUPPORT_H_
