// Windows over padded tensors are folded dimension by dimension, the last one
// first: in a binary tree that keeps the order of a window's elements.
#ifndef ASSAY_BACKENDS_CALLS_WINDOW_FOLD_H_
#define ASSAY_BACKENDS_CALLS_WINDOW_FOLD_H_

#include <stdint.h>

#include <functional>
#include <vector>

#include "backends/calls/functions.h"

namespace assay::calls {

// A dimension of the windows, and of the tensor that they are over.
struct SlidingDim {
  int64_t size;      // of a window
  int64_t stride;    // from window to window
  int64_t dilation;  // from element to element of a window
  int64_t base_dilation;
  int64_t padding_low;
  int64_t windows;  // how many of them there are
};

// Reads the dimensions of a call whose windows are as many as `windows` says.
// Returns false if the call has other attributes than it should.
bool ReadSlidingDims(const AssayCall& call, const Columns::Shape& windows,
                     std::vector<SlidingDim>* dims);
// Returns whether windows have elements that are padding.
bool ReachPadding(const std::vector<SlidingDim>& dims,
                  const Columns::Shape& shape);

// Writes what becomes of pairs of tuples, which share no memory with `to`.
using CombinePairs = std::function<void(const std::vector<Column>& lhs,
                                        const std::vector<Column>& rhs,
                                        const std::vector<Column>& to)>;

// Returns a tuple for each window, of which there are some. The tensors have
// one shape; `padding` has a scalar for each of them, which has the type that
// is combined. The results may be views of the tensors.
std::vector<Column> FoldWindows(const std::vector<SlidingDim>& dims,
                                const std::vector<Column>& tensors,
                                const std::vector<Column>& padding,
                                const CombinePairs& combine, Columns* columns);

// Applies a function to pairs of tuples, and writes its results.
void ApplyToPairs(const AssayFunction& function,
                  const std::vector<Column>& captures,
                  const std::vector<Column>& lhs,
                  const std::vector<Column>& rhs, const std::vector<Column>& to,
                  Columns* columns);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_WINDOW_FOLD_H_
