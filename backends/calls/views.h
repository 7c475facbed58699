// The calls that only move elements, as copies between views of their operands
// that have one shape.
#ifndef ASSAY_BACKENDS_CALLS_VIEWS_H_
#define ASSAY_BACKENDS_CALLS_VIEWS_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "backends/calls/limits.h"

namespace assay::calls {

// A tensor with up to two dimensions more, and strides in elements of another
// size.
struct View {
  int64_t shape[kMaxDims + 2];
  int64_t strides[kMaxDims + 2];
  DLTensor tensor;  // Points to these or to those of the call.

  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
};

// bitcast_convert: bytes move as they are, except that the types of less than 8
// bits are packed in their bits' order, lowest first, and lie one a byte.
//
// The larger elements are seen as some of the smaller ones, contiguous along a
// dimension of their own, so that whatever the layouts this is a copy. Where
// bits are packed, each byte holds some elements: there is a pass for each of
// the places in the byte.
struct BitcastViews {
  bool is_empty;  // Then there are no views.
  bool splits;    // The operand has the larger elements, or as large ones.
  size_t bytes;   // Of an element of the views.
  View wide;
  View narrow;  // In the first place.

  // If not, this is a copy. If so, elements are bytes, and the one of `narrow`
  // is at each place the bits `mask` of that of `wide` shifted down by
  // Shift(place).
  bool is_packed;
  int num_places;  // In a byte of `wide`.
  int bits;        // Of a place.
  unsigned mask;
  int64_t step;  // From one place to the next, in bytes of `narrow`.

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

// broadcast_in_dim: a copy of a view of the operand whose dimensions lie where
// the attribute puts them, with stride 0 where it repeats its elements.
struct BroadcastView {
  bool is_empty;  // Then there is no view.
  size_t bytes;   // Of an element.
  View view;      // Sizes are those of the result, or 1.

  // Dimensions change places in the operand's memory: an element would be
  // overwritten that is yet to be read.
  bool must_copy;
};

// Reads "[0, 2]". False unless there are `count` numbers.
bool ReadNumbers(const char* text, int count, int64_t* numbers);

// Returns what is not implemented, or nullptr.
const char* ReadBroadcastInDim(const AssayCall& call, BroadcastView* view);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_VIEWS_H_
