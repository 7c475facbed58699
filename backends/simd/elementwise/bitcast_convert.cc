// bitcast_convert works between the views of backends/calls/views.h: it is a
// copy or, where bits are packed, a pass for each of the places in a byte.
#include <stddef.h>
#include <stdint.h>

#include <memory>

#include "backends/calls/views.h"
#include "backends/simd/core/bit_moves.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/run_nest.h"

namespace assay::simd {
namespace {

// A SplitFunction takes the bits of one place out of the bytes.
class SplitFunction : public BlockFunction {
 public:
  SplitFunction(unsigned shift, unsigned mask) : shift_(shift), mask_(mask) {}

  const char* Run(const Blocks& blocks) const override {
    for (size_t i = 0; i < blocks.count; ++i) {
      blocks.out[0][i] =
          static_cast<uint8_t>((blocks.in[0][i] >> shift_) & mask_);
    }
    return nullptr;
  }

 private:
  unsigned shift_;
  unsigned mask_;
};

// A JoinFunction adds the bits of one place to the bytes. The second input
// holds the bits that lie below that place.
class JoinFunction : public BlockFunction {
 public:
  JoinFunction(unsigned shift, unsigned mask) : shift_(shift), mask_(mask) {}

  const char* Run(const Blocks& blocks) const override {
    for (size_t i = 0; i < blocks.count; ++i) {
      const unsigned below = blocks.in[1][i];
      blocks.out[0][i] =
          static_cast<uint8_t>(below | ((blocks.in[0][i] & mask_) << shift_));
    }
    return nullptr;
  }

 private:
  unsigned shift_;
  unsigned mask_;
};

}  // namespace

const char* RunBitcastConvert(const AssayCall& call,
                              const hwy::ChosenTarget& target, int threads) {
  calls::BitcastViews views;
  const char* failure = calls::ReadBitcastConvert(call, &views);
  if (failure != nullptr || views.is_empty) return failure;
  const auto run = [&](const BlockFunction& function, const DLTensor& narrow,
                       bool adds) {
    const NestTensor wide_operand = {&views.wide.tensor, views.bytes};
    const NestTensor narrow_operand = {&narrow, views.bytes};
    const NestTensor inputs[] = {views.splits ? wide_operand : narrow_operand,
                                 wide_operand};
    auto nest = std::make_unique<Nest>();
    MakeNest(inputs, adds ? 2 : 1,
             views.splits ? &narrow_operand : &wide_operand, 1, nest.get());
    RunNest(*nest, function, target, threads);
  };
  if (!views.is_packed) {
    run(*MakeCopy(views.bytes, target), views.narrow.tensor, false);
    return nullptr;
  }
  for (int place = 0; place < views.num_places; ++place) {
    const DLTensor narrow = views.NarrowAt(place);
    if (views.splits || place == 0) {
      run(SplitFunction(views.Shift(place), views.mask), narrow, false);
    } else {
      run(JoinFunction(views.Shift(place), views.mask), narrow, true);
    }
  }
  return nullptr;
}

}  // namespace assay::simd
