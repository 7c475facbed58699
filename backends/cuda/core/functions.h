// These functions lead from what a call asks for to the kernel that computes
// it.
#ifndef ASSAY_BACKENDS_CUDA_CORE_FUNCTIONS_H_
#define ASSAY_BACKENDS_CUDA_CORE_FUNCTIONS_H_

#include "backends/calls/signature.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

// A KernelSet has the kernels of a group of ops, see elementwise.h.
struct KernelSet {
  void (*elementwise)(const Job& job);
  // This kernel's chunks are one element.
  void (*narrow)(const Job& job);
  // This kernel does the same for jobs in memory of the device, with a block
  // for each.
  void (*batch)(const Job* jobs, uint32_t count);
  // This kernel takes whole, aligned chunks, of several rows at a time.
  void (*in_rows)(const Job& job);
  // The following two are nullptr if the group has no such kernel.
  void (*repeated)(const Job& job);
  void (*tiled)(const Job& job);
  int chunk;  // Elements of a chunk.
  int repeated_chunk;
  int tile;  // Elements of a tile in either dimension.
  int rows;
  Tuning tuning;
  int input_bytes[kMaxJobInputs];
  int output_bytes;
};

// A Function is one op of a kernel set. `kernels` is nullptr if there is no
// such function.
struct Function {
  const KernelSet* kernels = nullptr;
  int op = 0;
  int num_inputs = 0;
  Parameters parameters = {};
  bool may_be_undecided = false;  // See Parameters::undecided.
};

enum class Math { kIeee, kFast };

// Finds the function of an op with one result, on operands of real types, or of
// complex ones unless each part is computed for itself. The tables of the files
// below are searched one after another.
Function FindFunction(const calls::Signature& signature, Math math);

// Each of these tables is one file.
Function FindIntegerFunction(const calls::Signature& signature);
Function FindFloatFunction(const calls::Signature& signature);
Function FindComplexFunction(const calls::Signature& signature);
Function FindConversion(const calls::Type& from, const calls::Type& to);
// This table has f32 and smaller formats, compiled with fast mathematics.
Function FindFastFunction(const calls::Signature& signature);

// Finds a function that moves elements of this size: "copy" and "zero", and for
// bytes "split" and "join".
Function FindMove(const char* name, size_t bytes, size_t alignment);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_FUNCTIONS_H_
