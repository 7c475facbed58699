// reduce_window and select_and_scatter: ops that are given functions, and
// windows that slide over an operand. Elements are taken one window after the
// other, as tuples of scalars.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_SLIDING_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_SLIDING_H_

#include <stdint.h>

#include <vector>

#include "backends/broken/kernel/regions.h"

namespace assay::broken {

// The place of what is no element of the operand.
inline constexpr int64_t kPadding = -1;

// Lists have an element for each dimension.
struct Sliding {
  std::vector<int64_t> shape,
      windows;  // of the operand, and how many there are
  std::vector<int64_t> sizes, strides, dilations;  // of a window
  std::vector<int64_t> base_dilations, low, high;
};

// Each of these fills the outputs.
void RunReduceWindow(FunctionCall* call);
void RunSelectAndScatter(FunctionCall* call);

// These are the sound hooks.
//
// Returns the places of a window's elements, in their order.
std::vector<int64_t> Slide(const Sliding& sliding, int64_t window);
// Returns the terms at the places of a window of reduce_window.
std::vector<Tuple> Seen(const FunctionCall& call, const Sliding& sliding,
                        int64_t window, const std::vector<int64_t>& places);
// Returns which of the places of a window of select_and_scatter is selected, or
// kPadding.
int64_t Pick(const FunctionCall& call, const std::vector<int64_t>& places);
// Returns the windows whose source values go to an element, by the places that
// are selected.
std::vector<int64_t> Givers(const std::vector<int64_t>& selected,
                            int64_t element);

// Returns whether the function `select` takes the first of two elements.
bool Selects(const FunctionCall& call, const Scalar& first,
             const Scalar& second);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_SLIDING_H_
