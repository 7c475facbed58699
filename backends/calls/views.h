// This header expresses bitcast_convert as copies between views of its operand
// and result, which have one shape.
#ifndef ASSAY_BACKENDS_CALLS_VIEWS_H_
#define ASSAY_BACKENDS_CALLS_VIEWS_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "backends/calls/limits.h"

namespace assay::calls {

// A View shows a tensor with up to two dimensions more, and strides in elements
// of another size.
struct View {
  int64_t shape[kMaxDims + 2];
  int64_t strides[kMaxDims + 2];
  DLTensor tensor;  // It points to these or to those of the call.

  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
};

// bitcast_convert moves bytes as they are, except that the types of less than 8
// bits, which are stored one a byte, are packed in the order of their bits,
// lowest first.
//
// The larger elements are seen as several of the smaller ones, contiguous along
// an additional dimension, so that for any layout this is a copy. Where bits
// are packed, each byte holds several elements: there is a pass for each of the
// places in the byte.
struct BitcastViews {
  bool is_empty;  // If it is, there are no views.
  bool splits;   // The operand has larger elements than the result, or as large
                 // ones.
  size_t bytes;  // Size of an element of the views.
  View wide;
  View narrow;  // View of the first place.

  // If this is false, the call is a copy. If it is true, elements are bytes,
  // and at each place the element of `narrow` is the bits `mask` of that of
  // `wide` shifted down by Shift(place).
  bool is_packed;
  int num_places;  // Places in a byte of `wide`.
  int bits;        // Bits of a place.
  unsigned mask;
  int64_t step;  // Distance of two places, in bytes of `narrow`.

  unsigned Shift(int place) const {
    return static_cast<unsigned>(place * bits);
  }

  DLTensor NarrowAt(int place) const {
    DLTensor tensor = narrow.tensor;
    tensor.byte_offset += static_cast<uint64_t>(step * place);
    return tensor;
  }
};

// Returns what is not implemented, or nullptr.
const char* ReadBitcastConvert(const AssayCall& call, BitcastViews* views);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_VIEWS_H_
