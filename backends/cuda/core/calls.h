// RunCall runs one call, as launches that follow each other.
#ifndef ASSAY_BACKENDS_CUDA_CORE_CALLS_H_
#define ASSAY_BACKENDS_CUDA_CORE_CALLS_H_

#include "backends/backend.h"
#include "backends/calls/broadcast.h"
#include "backends/calls/signature.h"
#include "backends/cuda/core/functions.h"

namespace assay::cuda {

// The order in which a scatter updates an element more than once. In order,
// results have the same bits every time; atomic updates are faster.
enum class Updates { kAtomic, kInOrder };

// How products are summed: as matrices, by a library where it is there and has
// the types, or each result in the order of its terms.
enum class Products { kPacked, kInOrder };

struct Options {
  Math math = Math::kIeee;
  Updates updates = Updates::kInOrder;
  Products products = Products::kPacked;
};

// Returns ASSAY_OK once all of the call is launched, or why it is not, with a
// text.
AssayStatus RunCall(const AssayCall& call, const Options& options,
                    calls::Complaint* complaint);

// A Failure says what is not implemented or went wrong, if anything.
struct Failure {
  AssayStatus status = ASSAY_OK;
  const char* text = nullptr;
  bool is() const { return status != ASSAY_OK; }
};
// Launches what was collected in a batch, if there is one: launches outside of
// it come behind that.
Failure FlushBatch();
// Returns what went wrong with the last launches.
Failure Launched();

// Runs an op with one result on operands that are broadcast to its shape.
Failure RunOp(const calls::Signature& signature, const DLTensor* const* inputs,
              const DLTensor& output, Math math);

// Copies elements of the type to a tensor to whose shape `from` can be
// broadcast.
Failure CopyElements(const calls::Type& type, const DLTensor& from,
                     const DLTensor& to);

// Runs a pointwise call, which promotes its operands.
AssayStatus RunPointwise(const AssayCall& call, Math math,
                         calls::Complaint* complaint);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_CALLS_H_
