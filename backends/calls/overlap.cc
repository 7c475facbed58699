// Two elements share a byte if the distance between them, a sum of strides
// times indices, lies within the bytes of an element. Search looks for such a
// sum from the longest stride down. The bound of what the shorter strides can
// add, and their greatest common divisor, leave one or two indices to try in
// layouts that are nested as those of slices and transposes are.
#include "backends/calls/overlap.h"

#include <stdint.h>
#include <stdlib.h>

#include <algorithm>
#include <numeric>

#include "backends/calls/limits.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

// The value of a term is stride * index, with 0 <= index <= last.
struct Term {
  int64_t stride;
  int64_t last;
};

class Sum {
 public:
  // Terms may have any sign: if the stride is negative, the index runs the
  // other way.
  void Add(int64_t stride, int64_t last) {
    if (stride == 0 || last == 0) return;
    if (stride < 0) base_ += stride * last;
    terms_[size_++] = {llabs(stride), last};
  }
  void Offset(int64_t offset) { base_ += offset; }

  // Returns whether the sum has a value in [low, high].
  bool Reaches(int64_t low, int64_t high) {
    std::sort(terms_, terms_ + size_,
              [](const Term& a, const Term& b) { return a.stride > b.stride; });
    int merged = 0;
    for (int i = 0; i < size_; ++i) {
      if (merged > 0 && terms_[merged - 1].stride == terms_[i].stride) {
        terms_[merged - 1].last += terms_[i].last;
      } else {
        terms_[merged++] = terms_[i];
      }
    }
    size_ = merged;
    rest_[size_] = 0;
    divisor_[size_] = 0;
    for (int i = size_ - 1; i >= 0; --i) {
      rest_[i] = rest_[i + 1] + terms_[i].stride * terms_[i].last;
      divisor_[i] = std::gcd(divisor_[i + 1], terms_[i].stride);
    }
    return Search(0, low - base_, high - base_);
  }

 private:
  // Searches among the terms from the i-th on.
  bool Search(int i, int64_t low, int64_t high) {
    low = std::max<int64_t>(low, 0);
    high = std::min(high, rest_[i]);
    if (low > high) return false;
    if (i == size_) return true;
    if (high / divisor_[i] * divisor_[i] < low) return false;
    if (--trials_ < 0) return true;
    const auto [stride, last] = terms_[i];
    const int64_t least =
        std::max<int64_t>(0, (low - rest_[i + 1] + stride - 1) / stride);
    for (int64_t index = std::min(last, high / stride); index >= least;
         --index) {
      if (Search(i + 1, low - stride * index, high - stride * index)) {
        return true;
      }
    }
    return false;
  }

  int64_t base_ = 0;
  int size_ = 0;
  Term terms_[2 * kMaxDims];
  // This is the largest value of the terms from here on.
  int64_t rest_[2 * kMaxDims + 1];
  int64_t divisor_[2 * kMaxDims + 1];  // The gcd of their strides.
  // No layout of views of one buffer was seen to take a hundred trials. Layouts
  // that take more than this count as overlapping.
  int trials_ = 1 << 20;
};

void AddDims(const DLTensor& tensor, int64_t bytes, Sum* sum) {
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] == 1) continue;
    sum->Add(tensor.strides[i] * bytes, tensor.shape[i] - 1);
  }
}

}  // namespace

bool Overlap(const DLTensor& a, size_t a_bytes, const DLTensor& b,
             size_t b_bytes) {
  const auto size_a = static_cast<int64_t>(a_bytes);
  const auto size_b = static_cast<int64_t>(b_bytes);
  Sum distance;
  distance.Offset(
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(FirstElement(a)) -
                           reinterpret_cast<uintptr_t>(FirstElement(b))));
  AddDims(a, size_a, &distance);
  AddDims(b, -size_b, &distance);
  return distance.Reaches(1 - size_a, size_b - 1);
}

// For each dimension, in the order of decreasing strides, this checks the pairs
// of elements whose indices differ first in that dimension. The index of the
// first element may be taken to be the larger one.
bool OverlapsItself(const DLTensor& tensor, size_t bytes) {
  const auto size = static_cast<int64_t>(bytes);
  int dims[kMaxDims];
  int num_dims = 0;
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] != 1) dims[num_dims++] = i;
  }
  std::sort(dims, dims + num_dims, [&](int a, int b) {
    return llabs(tensor.strides[a]) > llabs(tensor.strides[b]);
  });
  for (int i = 0; i < num_dims; ++i) {
    const int64_t stride = llabs(tensor.strides[dims[i]]) * size;
    Sum distance;
    distance.Offset(stride);
    distance.Add(stride, tensor.shape[dims[i]] - 2);
    for (int j = i + 1; j < num_dims; ++j) {
      const int64_t shorter = llabs(tensor.strides[dims[j]]) * size;
      const int64_t last = tensor.shape[dims[j]] - 1;
      distance.Offset(-shorter * last);
      distance.Add(shorter, 2 * last);
    }
    if (distance.Reaches(1 - size, size - 1)) return true;
  }
  return false;
}

bool IsSamePlace(const DLTensor& a, const DLTensor& b) {
  if (FirstElement(a) != FirstElement(b)) return false;
  for (int i = 0; i < a.ndim; ++i) {
    if (a.shape[i] != 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

}  // namespace assay::calls
