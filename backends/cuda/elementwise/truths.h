// Results of ops that are truths: a byte each, 0 or 1, put together in words.
//
// A comparison is one instruction. What makes bytes of it was most of the work:
// for each element one more to have a number instead of a predicate, of which
// there are seven, and nearly one more to move it to its place. So the numbers
// of four elements are made where they belong and added.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_TRUTHS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_TRUTHS_H_

#include "backends/cuda/core/device.h"

namespace assay::cuda {

// 1 or 0, as the comparison of f32 that has no predicate for its result gives
// it.
struct FloatTruth {
  float one;
};

ASSAY_DEVICE uint8_t AsByte(bool is) { return is; }
ASSAY_DEVICE uint8_t AsByte(FloatTruth truth) { return truth.one != 0; }

// Four of them, the first one lowest.
ASSAY_DEVICE uint32_t AsWord(bool a, bool b, bool c, bool d) {
  return (a ? 1u : 0) + (b ? 0x100u : 0) + (c ? 0x10000u : 0) +
         (d ? 0x1000000u : 0);
}

// The same by the units of f32, which has others for its products than for
// comparisons and moves: beside 2^23 a number stands in the low bits.
ASSAY_DEVICE uint32_t AsLowBytes(FloatTruth a, FloatTruth b) {
  return BitCast<uint32_t>(::fmaf(b.one, 0x1p8f, a.one + 0x1p23f));
}

ASSAY_DEVICE uint32_t AsWord(FloatTruth a, FloatTruth b, FloatTruth c,
                             FloatTruth d) {
  const uint32_t low = AsLowBytes(a, b);
  const uint32_t high = AsLowBytes(c, d);
#ifdef __CUDACC__
  return __byte_perm(low, high, 0x5410);
#else
  return (low & 0xFFFF) | high << 16;
#endif
}

// truth(i) of all elements.
template <int kCount, class Truth>
ASSAY_DEVICE void StoreTruths(const Truth& truth, uint8_t (&out)[kCount]) {
  constexpr int kInWords = kCount / 4 * 4;
  ASSAY_UNROLL
  for (int i = 0; i < kInWords; i += 4) {
    const uint32_t word =
        AsWord(truth(i), truth(i + 1), truth(i + 2), truth(i + 3));
    memcpy(out + i, &word, sizeof(word));
  }
  ASSAY_UNROLL
  for (int i = kInWords; i < kCount; ++i) out[i] = AsByte(truth(i));
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_TRUTHS_H_
