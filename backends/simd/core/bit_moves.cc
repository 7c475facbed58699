#include "backends/simd/core/bit_moves.h"

#include <stdint.h>
#include <string.h>

#include "backends/simd/core/steps.h"

namespace assay::simd {
namespace {

class CopyFunction : public BlockFunction {
 public:
  CopyFunction(size_t bytes, const Steps& steps)
      : bytes_(bytes), steps_(steps) {}

  const char* Run(const Blocks& blocks) const override {
    const size_t bytes = blocks.count * bytes_;
    if (blocks.stream) {
      steps_.stream(blocks.in[0], blocks.out[0], bytes);
    } else if (blocks.in[0] != blocks.out[0]) {
      memcpy(blocks.out[0], blocks.in[0], bytes);
    }
    return nullptr;
  }

 private:
  size_t bytes_;
  const Steps& steps_;
};

}  // namespace

std::unique_ptr<BlockFunction> MakeCopy(size_t bytes,
                                        const hwy::ChosenTarget& target) {
  return std::make_unique<CopyFunction>(bytes, StepTable(target));
}

}  // namespace assay::simd
