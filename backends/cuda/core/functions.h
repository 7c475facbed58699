// From what a call asks for to the kernel that computes it.
#ifndef ASSAY_BACKENDS_CUDA_CORE_FUNCTIONS_H_
#define ASSAY_BACKENDS_CUDA_CORE_FUNCTIONS_H_

#include "backends/calls/signature.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

// The kernels of a group of ops, see elementwise.h.
struct KernelSet {
  void (*elementwise)(const Job& job);
  // Whose chunks are one element.
  void (*narrow)(const Job& job);
  // The same for jobs in memory of the device, a block each.
  void (*batch)(const Job* jobs, uint32_t count);
  // Of whole, aligned chunks, so many rows at a time.
  void (*in_rows)(const Job& job);
  // These are nullptr if there are none.
  void (*repeated)(const Job& job);
  void (*tiled)(const Job& job);
  int chunk;  // Elements.
  int repeated_chunk;
  int tile;  // In either dimension.
  int rows;
  Tuning tuning;
  int input_bytes[kMaxJobInputs];
  int output_bytes;
};

// A kernel set and what of it. `kernels` is nullptr if there is none.
struct Function {
  const KernelSet* kernels = nullptr;
  int op = 0;
  int num_inputs = 0;
  Parameters parameters = {};
  bool may_be_undecided = false;  // See Parameters::undecided.
};

enum class Math { kIeee, kFast };

// Of an op with one result, on operands of real types, or of complex ones where
// no part is computed for itself. What a file does not have, it leaves to the
// next.
Function FindFunction(const calls::Signature& signature, Math math);

// The tables, a file each.
Function FindIntegerFunction(const calls::Signature& signature);
Function FindFloatFunction(const calls::Signature& signature);
Function FindComplexFunction(const calls::Signature& signature);
Function FindConversion(const calls::Type& from, const calls::Type& to);
// The same for f32 and smaller formats, compiled with fast mathematics.
Function FindFastFunction(const calls::Signature& signature);

// Of elements of this size: "copy" and "zero", and of bytes "split" and "join".
Function FindMove(const char* name, size_t bytes, size_t alignment);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_FUNCTIONS_H_
