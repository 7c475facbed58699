// Results of ops that are truth values are a byte each, 0 or 1, and are put
// together in words.
//
// A comparison is one instruction. Making bytes of it was most of the work:
// each element takes one more instruction to get a number instead of a
// predicate, of which there are seven, and nearly one more to move the number
// to its place. So the numbers of four elements are made where they belong and
// added.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_TRUTHS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_TRUTHS_H_

#include "backends/cuda/core/device.h"

namespace assay::cuda {

// This is 1 or 0, the result of the comparison of f32 that returns a number
// instead of a predicate.
struct FloatTruth {
  float one;
};

ASSAY_DEVICE uint8_t AsByte(bool is) { return is; }
ASSAY_DEVICE uint8_t AsByte(FloatTruth truth) { return truth.one != 0; }

// Returns four bytes, the first one lowest.
ASSAY_DEVICE uint32_t AsWord(bool a, bool b, bool c, bool d) {
  return (a ? 1u : 0) + (b ? 0x100u : 0) + (c ? 0x10000u : 0) +
         (d ? 0x1000000u : 0);
}

// The units for products of f32 do this, which are not the units for
// comparisons and moves: a number added to 2^23 is in the low bits of the sum.
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

// Stores truth(i) of all elements.
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
