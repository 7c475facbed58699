// A PointwiseFunction is made of other functions and runs them one after
// another on chunks that stay in the L1 cache: conversions, the ops of a
// pointwise function, and the conversions of their results.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_FUNCTION_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_FUNCTION_H_

#include <stddef.h>

#include <memory>
#include <vector>

#include "backends/calls/stages.h"
#include "backends/simd/core/block_function.h"

namespace assay::simd {

// The slots are the values of a chunk: the inputs come first, then the results
// of the stages.
using calls::Slot;

struct Stage {
  std::unique_ptr<BlockFunction> function;
  int num_inputs;
  Slot inputs[kMaxInputs];
  size_t bytes;  // Size of an element of the result.
};

class PointwiseFunction : public BlockFunction {
 public:
  PointwiseFunction(int num_inputs, const size_t* input_bytes);

  // Returns the slot of the stage's result.
  Slot Add(Stage stage);

  // Makes this slot the next output.
  void AddOutput(Slot slot) { outputs_.push_back(slot); }

  const char* Run(const Blocks& blocks) const override;

  // Returns the function of the only stage if its inputs are all inputs in
  // their order, else nullptr.
  std::unique_ptr<BlockFunction> Reduced();

 private:
  const char* RunChunk(const Blocks& blocks, size_t begin, size_t count) const;

  int num_inputs_;
  std::vector<size_t> bytes_;  // Indexed by slot.
  std::vector<Stage> stages_;
  std::vector<Slot> outputs_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_FUNCTION_H_
