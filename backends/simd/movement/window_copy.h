// A WindowCopy copies boxes of elements between an operand and the windows of
// gather or scatter.
#ifndef ASSAY_BACKENDS_SIMD_MOVEMENT_WINDOW_COPY_H_
#define ASSAY_BACKENDS_SIMD_MOVEMENT_WINDOW_COPY_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <vector>

namespace assay::simd {

// A dimension of a box, with strides in bytes.
struct BoxDim {
  int64_t size, from_stride, to_stride;
};

class WindowCopy {
 public:
  // Elements have so many bytes: 1, 2, 4, 8 or 16.
  WindowCopy(std::vector<BoxDim> dims, size_t bytes);

  void operator()(const unsigned char* from, unsigned char* to) const {
    if (dims_.empty()) {
      CopyRow(from, to);
    } else {
      CopyBox(0, from, to);
    }
  }
  int64_t bytes() const { return total_; }
  // Returns whether the elements follow one another on both sides.
  bool IsRow() const { return dims_.empty(); }

 private:
  void CopyBox(size_t d, const unsigned char* from, unsigned char* to) const;
  void CopyRow(const unsigned char* from, unsigned char* to) const {
    // A size that is known when this is compiled takes one instruction.
    switch (row_) {
      case 1:
        memcpy(to, from, 1);
        break;
      case 2:
        memcpy(to, from, 2);
        break;
      case 4:
        memcpy(to, from, 4);
        break;
      case 8:
        memcpy(to, from, 8);
        break;
      case 16:
        memcpy(to, from, 16);
        break;
      default:
        memcpy(to, from, static_cast<size_t>(row_));
    }
  }

  std::vector<BoxDim> dims_;  // outer ones first
  int64_t row_;               // bytes that follow one another on both sides
  int64_t total_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_MOVEMENT_WINDOW_COPY_H_
