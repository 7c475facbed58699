// The instruction adds four products of an unsigned and a signed number to a
// sum of 32 bits, modulo 2^32. Where both are signed, or both unsigned, the
// highest bit of lhs is flipped: signed a becomes unsigned a + 128, and
// unsigned a becomes signed a - 128. What that adds to a sum is the product of
// rhs by 128 or -128, which is subtracted before. The bit pattern of both is
// that of a flipped zero.
#include "backends/simd/contraction/quads.h"

#include <immintrin.h>

#define ASSAY_QUADS __attribute__((target("avx512f,avx512bw,avx512vnni")))

namespace assay::simd {
namespace {

constexpr int64_t kLanes = 16;
static_assert(kQuadColumns == 2 * kLanes);

template <bool kSigned>
ASSAY_QUADS inline __m512i Add(__m512i sum, __m512i lhs, __m512i rhs) {
  return kSigned ? _mm512_dpbusd_epi32(sum, lhs, rhs)
                 : _mm512_dpbusd_epi32(sum, rhs, lhs);
}

// Six rows, as in products.cc. `zeros` are the products of flipped zeros.
template <bool kSigned>
ASSAY_QUADS void AddPanel(const int32_t* lhs, int64_t lhs_stride,
                          const int32_t* rhs, const __m512i zeros[2],
                          int32_t* sums, int64_t sums_stride, int64_t terms,
                          bool are_zero) {
  __m512i s[kRowsAtATime][2];
  for (int64_t r = 0; r < kRowsAtATime; ++r) {
    for (int64_t v = 0; v < 2; ++v) {
      s[r][v] = _mm512_sub_epi32(
          are_zero ? _mm512_setzero_si512()
                   : _mm512_loadu_si512(sums + r * sums_stride + v * kLanes),
          zeros[v]);
    }
  }
  for (int64_t t = 0; t < terms; ++t, rhs += kQuadColumns) {
    const __m512i b0 = _mm512_loadu_si512(rhs),
                  b1 = _mm512_loadu_si512(rhs + kLanes);
    for (int64_t r = 0; r < kRowsAtATime; ++r) {
      const __m512i a = _mm512_set1_epi32(lhs[r * lhs_stride + t]);
      s[r][0] = Add<kSigned>(s[r][0], a, b0);
      s[r][1] = Add<kSigned>(s[r][1], a, b1);
    }
  }
  for (int64_t r = 0; r < kRowsAtATime; ++r) {
    for (int64_t v = 0; v < 2; ++v)
      _mm512_storeu_si512(sums + r * sums_stride + v * kLanes, s[r][v]);
  }
}

template <bool kSigned>
ASSAY_QUADS void AddQuads(const Panels& p) {
  const auto* rhs = static_cast<const int32_t*>(p.rhs);
  const __m512i zero = _mm512_set1_epi8(static_cast<char>(0x80));
  for (int64_t c = 0; c < p.columns; c += kQuadColumns, rhs += p.rhs_stride) {
    __m512i zeros[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int64_t t = 0; t < p.terms; ++t) {
      for (int64_t v = 0; v < 2; ++v) {
        zeros[v] = Add<kSigned>(
            zeros[v], zero,
            _mm512_loadu_si512(rhs + t * kQuadColumns + v * kLanes));
      }
    }
    for (int64_t r = 0; r < p.rows; r += kRowsAtATime) {
      AddPanel<kSigned>(static_cast<const int32_t*>(p.lhs) + r * p.lhs_stride,
                        p.lhs_stride, rhs, zeros,
                        static_cast<int32_t*>(p.sums) + r * p.sums_stride + c,
                        p.sums_stride, p.terms, p.are_sums_zero);
    }
  }
}

}  // namespace

bool HasQuads() {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vnni");
}

void AddSignedQuads(const Panels& panels) { AddQuads<true>(panels); }
void AddUnsignedQuads(const Panels& panels) { AddQuads<false>(panels); }

void PackQuads(const unsigned char* const terms[4], unsigned char* to) {
  for (int64_t c = 0; c < kQuadColumns; c += 16, to += 64) {
    const auto load = [&](int term) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(terms[term] + c));
    };
    const auto store = [&](int column, __m128i quads) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 4 * column), quads);
    };
    const __m128i t0 = load(0), t1 = load(1), t2 = load(2), t3 = load(3);
    const __m128i low_pairs_low = _mm_unpacklo_epi8(t0, t1),
                  low_pairs_high = _mm_unpackhi_epi8(t0, t1),
                  high_pairs_low = _mm_unpacklo_epi8(t2, t3),
                  high_pairs_high = _mm_unpackhi_epi8(t2, t3);
    store(0, _mm_unpacklo_epi16(low_pairs_low, high_pairs_low));
    store(4, _mm_unpackhi_epi16(low_pairs_low, high_pairs_low));
    store(8, _mm_unpacklo_epi16(low_pairs_high, high_pairs_high));
    store(12, _mm_unpackhi_epi16(low_pairs_high, high_pairs_high));
  }
}

}  // namespace assay::simd
