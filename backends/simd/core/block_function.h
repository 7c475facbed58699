// A BlockFunction computes blocks of elements. It is what every op is to the
// loop nest, which knows where the elements lie and nothing of ops.
#ifndef ASSAY_BACKENDS_SIMD_CORE_BLOCK_FUNCTION_H_
#define ASSAY_BACKENDS_SIMD_CORE_BLOCK_FUNCTION_H_

#include <stddef.h>

#include <memory>
#include <utility>

#include "backends/simd/core/environment.h"
#include "backends/simd/core/kernels.h"
#include "backends/simd/core/names.h"

namespace assay::simd {

// No function has a larger `step`.
inline constexpr size_t kMaxStep = 64;

// An output may be one of the inputs, but may not overlap it otherwise.
struct Blocks {
  const unsigned char* in[kMaxInputs];
  // Every reading is kContiguous unless the function has `reads_strided`.
  Reading reading[kMaxInputs];
  unsigned char* out[kMaxOutputs];
  size_t count;
  // All of the blocks are buffers, which may be read and written up to a
  // multiple of `step`.
  bool is_padded;
  // The outputs are to be moved past the caches. The caller issues FlushStream.
  bool stream;
};

class BlockFunction {
 public:
  virtual ~BlockFunction() = default;

  // Runs blocks of any count and alignment, by several threads at a time, each
  // with rounding to nearest and `subnormals` as asked for. Returns what cannot
  // be determined about a result, or nullptr.
  virtual const char* Run(const Blocks& blocks) const = 0;

  Subnormals subnormals = Subnormals::kKeep;

  // The function takes inputs of any Reading, in blocks that are not padded.
  bool reads_strided = false;

  // Counts that are a multiple of this, a power of 2, are cheapest.
  size_t step = 1;
};

// If there is no function, `failure` says what is not implemented.
struct Making {
  std::unique_ptr<BlockFunction> function;
  const char* failure = nullptr;

  // The constructors are not explicit, so that a function or the reason for its
  // absence can be returned as a Making.
  Making(const char* failure) : failure(failure) {}
  template <class Function>
  Making(std::unique_ptr<Function> function) : function(std::move(function)) {}
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_BLOCK_FUNCTION_H_
