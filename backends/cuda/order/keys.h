// Kernels that turn keys to integers without a sign that have the order of the
// keys, and move elements to the places that a sort gives them.
#ifndef ASSAY_BACKENDS_CUDA_ORDER_KEYS_H_
#define ASSAY_BACKENDS_CUDA_ORDER_KEYS_H_

#include <stdint.h>

namespace assay::cuda {

inline constexpr int kMaxSliceDims = 16;

// The slices of a tensor and of the result that has its elements, in row-major
// order of the dimensions around them. Strides are in bytes.
struct SliceViews {
  struct Dim {
    int64_t size, from_stride, to_stride;
  };
  const unsigned char* from;
  unsigned char* to;
  int64_t slices, length;
  int64_t from_step, to_step;  // from an element of a slice to the next
  int num_dims;
  Dim dims[kMaxSliceDims];
};

// Keys of 1, 2 or 4 bytes have codes of 4, and others of 8.
struct KeyJob {
  SliceViews views;
  int key_bytes;
  bool is_float;
  uint64_t sign;         // of a float, or of an integer that has one, or 0
  uint64_t flip;         // all bits of a key whose order descends, or 0
  uint64_t infinity;     // of a float
  bool has_equal_zeros;  // and NaNs have no order
  bool merges_zeros;     // Zeros of both signs have one code.
  void* codes;
  uint32_t* places;  // nullptr: not asked for
  // A word for each sign of a zero, which is set if a key is that; nullptr: not
  // asked for.
  uint32_t* zeros;
  // By slice, whether all its elements are equal: NaN has no order, and the
  // others of it are one number. Such a slice stays as it is. nullptr: none is.
  uint32_t* equal;
};

// Writes the codes, places and zeros of all keys.
void LaunchEncode(const KeyJob& job);
// Precondition: the codes are sorted.
void LaunchFindEqual(const KeyJob& job);
// Writes the keys of sorted codes to the result.
void LaunchDecode(const KeyJob& job);

// Elements of `unit_bytes`, or of `units` such parts.
struct PlaceJob {
  SliceViews views;
  int units;
  const uint32_t* places;
  const uint32_t* equal;
};
void LaunchPlace(const PlaceJob& job, int unit_bytes);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ORDER_KEYS_H_
