// The operands of a call as the kernel's hooks show them, and copies between
// views of them.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_SEEN_CALL_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_SEEN_CALL_H_

#include <vector>

#include "backends/broken/kernel/kernel.h"
#include "backends/calls/dims_view.h"

namespace assay::broken {

// A SeenCall has the operands of a call as the hook `view` shows them.
class SeenCall {
 public:
  explicit SeenCall(const AssayCall& call);
  SeenCall(const SeenCall&) = delete;
  SeenCall& operator=(const SeenCall&) = delete;

  const AssayCall& call() const { return call_; }

 private:
  void See(bool is_output, DLTensor* tensor);

  std::vector<AssayTensor> inputs_, outputs_;
  std::vector<Tensor> tensors_;
  AssayCall call_;
};

// `view` has the shape of the job.
Tensor TensorOf(const calls::DimsView& view, const Type& type);
// Returns a job without a function that writes all elements of `to`.
Job JobTo(const calls::DimsView& to, const Type& type);
// Both views have one shape.
void CopyElements(const calls::DimsView& from, const calls::DimsView& to,
                  const Type& type);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_SEEN_CALL_H_
