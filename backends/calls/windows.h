// gather and scatter move windows of an operand: each tuple of indices says
// where one of them begins. Both ops name the same dimensions in other words,
// and a Windows has them in one form.
#ifndef ASSAY_BACKENDS_CALLS_WINDOWS_H_
#define ASSAY_BACKENDS_CALLS_WINDOWS_H_

#include <stdint.h>

#include <vector>

#include "backends/backend.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/integers.h"

namespace assay::calls {

bool IsGather(const char* op);

// Strides and distances are in elements.
//
// A dimension of the operand.
struct WindowDim {
  int64_t size;          // of the operand
  int64_t stride;        // of the operand
  int64_t window_size;   // 1 where the window has no such dimension
  int64_t slice_size;    // of gather; 0 also where the window has 1
  int64_t other_stride;  // of the windows in the result, or in the updates
  int index = -1;        // its place in a tuple of indices; -1: it has none
  int batch = -1;        // the dimension of the batch that says the index
};

struct Windows {
  using Dim = WindowDim;
  // A dimension of the batch, which has a window for each index.
  struct BatchDim {
    int64_t size;
    int64_t index_stride;  // of the tensor of indices
    int64_t other_stride;
  };

  std::vector<Dim> dims;
  std::vector<BatchDim> batch;
  unsigned char* indices;  // the first element
  IntegerType index_type;
  int64_t tuple_stride;  // from an index of a tuple to the next one

  int64_t BatchCount() const;
  int64_t WindowCount() const;
};

// Return what is not implemented, or nullptr. The operand has `operand`, the
// windows lie in `other`: the result of gather, or the updates of scatter.
const char* ReadGather(const AssayCall& call, const ReadIntegers& read,
                       Windows* windows);
const char* ReadScatter(const AssayCall& call, const DLTensor& operand,
                        const AssayTensor& indices, const DLTensor& updates,
                        Windows* windows);

// Where a window is, for one index of the batch.
struct Window {
  std::vector<int64_t> begin;  // by dimension of the operand
  int64_t other;               // distance of its first element
};

// Goes through the batch from number `first` on. The indices lie in host
// memory.
class WindowCursor {
 public:
  WindowCursor(const Windows& windows, int64_t first);
  const Window& window() const { return window_; }
  void Next();

 private:
  void Read();
  const Windows& windows_;
  std::vector<int64_t> index_;
  Window window_;
};

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_WINDOWS_H_
