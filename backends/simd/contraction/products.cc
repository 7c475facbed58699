// Six rows by two vectors of columns are summed in twelve registers; with two
// vectors of rhs and a number of lhs, which are loaded once for each term, this
// leaves one of AVX2's sixteen.
#include "backends/simd/contraction/products.h"

#include <string.h>

#include "backends/simd/contraction/quads.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/contraction/products.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct FloatProducts {
  template <class V>
  static HWY_INLINE V Add(V sum, V a, V b) {
    return hn::MulAdd(a, b, sum);
  }
};

// Integers wrap.
struct IntegerProducts {
  template <class V>
  static HWY_INLINE V Add(V sum, V a, V b) {
    return hn::Add(sum, Multiply(a, b));
  }

 private:
  template <class V>
  static HWY_INLINE V Multiply(V a, V b) {
    using T = hn::TFromV<V>;
    if constexpr (sizeof(T) == 4) {
      return a * b;
    } else {
      const hn::DFromV<V> d;
      const hn::Repartition<uint32_t, decltype(d)> halves;
      const auto a_halves = hn::BitCast(halves, a),
                 b_halves = hn::BitCast(halves, b);
      // Low by high and high by low, whose sum is the high half.
      const auto crossed = hn::BitCast(d, a_halves * hn::Shuffle2301(b_halves));
      const V high = hn::Add(hn::ShiftLeft<32>(crossed),
                             hn::ShiftLeft<32>(hn::ShiftRight<32>(crossed)));
      return hn::Add(hn::MulEven(a_halves, b_halves), high);
    }
  }
};

struct PairProducts {
  template <class V>
  static HWY_INLINE V Add(V sum, V a, V b) {
    const hn::ScalableTag<int32_t> d;
    const hn::ScalableTag<int16_t> halves;
    auto unused = hn::Zero(d);
    return hn::ReorderWidenMulAccumulate(d, hn::BitCast(halves, a),
                                         hn::BitCast(halves, b), sum, unused);
  }
};

template <class V>
struct RowSums {
  V first, second;
};

template <class Products, class D, class V>
HWY_INLINE void AddTerm(D d, const hn::TFromD<D>* lhs, V b0, V b1,
                        RowSums<V>& sums) {
  const V a = hn::Set(d, *lhs);
  sums.first = Products::Add(sums.first, a, b0);
  sums.second = Products::Add(sums.second, a, b1);
}

template <class D>
HWY_INLINE RowSums<hn::Vec<D>> LoadSums(D d, const hn::TFromD<D>* from,
                                        bool are_zero) {
  if (are_zero) return {hn::Zero(d), hn::Zero(d)};
  return {hn::LoadU(d, from), hn::LoadU(d, from + hn::Lanes(d))};
}

template <class D, class V>
HWY_INLINE void StoreSums(D d, const RowSums<V>& sums, hn::TFromD<D>* to) {
  hn::StoreU(sums.first, d, to);
  hn::StoreU(sums.second, d, to + hn::Lanes(d));
}

template <class Products, class T>
HWY_NOINLINE void AddPanel(const T* lhs, int64_t lhs_stride, const T* rhs,
                           T* sums, int64_t sums_stride, int64_t terms,
                           bool are_zero) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  auto s0 = LoadSums(d, sums, are_zero),
       s1 = LoadSums(d, sums + sums_stride, are_zero),
       s2 = LoadSums(d, sums + 2 * sums_stride, are_zero),
       s3 = LoadSums(d, sums + 3 * sums_stride, are_zero),
       s4 = LoadSums(d, sums + 4 * sums_stride, are_zero),
       s5 = LoadSums(d, sums + 5 * sums_stride, are_zero);
  const T* const lhs3 = lhs + 3 * lhs_stride;
  for (int64_t t = 0; t < terms; ++t) {
    const auto b0 = hn::LoadU(d, rhs), b1 = hn::LoadU(d, rhs + lanes);
    AddTerm<Products>(d, lhs + t, b0, b1, s0);
    AddTerm<Products>(d, lhs + lhs_stride + t, b0, b1, s1);
    AddTerm<Products>(d, lhs + 2 * lhs_stride + t, b0, b1, s2);
    AddTerm<Products>(d, lhs3 + t, b0, b1, s3);
    AddTerm<Products>(d, lhs3 + lhs_stride + t, b0, b1, s4);
    AddTerm<Products>(d, lhs3 + 2 * lhs_stride + t, b0, b1, s5);
    rhs += 2 * lanes;
  }
  StoreSums(d, s0, sums);
  StoreSums(d, s1, sums + sums_stride);
  StoreSums(d, s2, sums + 2 * sums_stride);
  StoreSums(d, s3, sums + 3 * sums_stride);
  StoreSums(d, s4, sums + 4 * sums_stride);
  StoreSums(d, s5, sums + 5 * sums_stride);
}

template <class Products, class T>
void AddProducts(const Panels& p) {
  const hn::ScalableTag<T> d;
  const auto at_a_time = static_cast<int64_t>(2 * hn::Lanes(d));
  const auto* rhs = static_cast<const T*>(p.rhs);
  for (int64_t c = 0; c < p.columns; c += at_a_time, rhs += p.rhs_stride) {
    for (int64_t r = 0; r < p.rows; r += kRowsAtATime) {
      AddPanel<Products, T>(static_cast<const T*>(p.lhs) + r * p.lhs_stride,
                            p.lhs_stride, rhs,
                            static_cast<T*>(p.sums) + r * p.sums_stride + c,
                            p.sums_stride, p.terms, p.are_sums_zero);
    }
  }
}

// Sums of some rows and vectors of columns are in registers until all terms are
// added.
template <class Products, int64_t kRows, int64_t kVectors, class D>
HWY_INLINE void MultiplyBlock(D d, const SmallProduct& p, int64_t row,
                              int64_t column) {
  using T = hn::TFromD<D>;
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<D> sums[kRows][kVectors];
  for (auto& of_row : sums) {
    for (auto& sum : of_row) sum = hn::Zero(d);
  }
  const unsigned char* lhs = p.lhs + row * p.lhs_row_stride * kBytes;
  const unsigned char* rhs = p.rhs + column * kBytes;
  for (int64_t t = 0; t < p.terms; ++t) {
    hn::Vec<D> b[kVectors];
    for (int64_t v = 0; v < kVectors; ++v)
      b[v] = hn::LoadU(d, reinterpret_cast<const T*>(rhs) + v * lanes);
    for (int64_t r = 0; r < kRows; ++r) {
      T number;
      memcpy(&number, lhs + r * p.lhs_row_stride * kBytes, sizeof(T));
      const auto a = hn::Set(d, number);
      for (int64_t v = 0; v < kVectors; ++v)
        sums[r][v] = Products::Add(sums[r][v], a, b[v]);
    }
    lhs += p.lhs_term_stride * kBytes;
    rhs += p.rhs_term_stride * kBytes;
  }
  for (int64_t r = 0; r < kRows; ++r) {
    auto* const to = reinterpret_cast<T*>(
        p.sums + ((row + r) * p.sums_row_stride + column) * kBytes);
    for (int64_t v = 0; v < kVectors; ++v)
      hn::StoreU(sums[r][v], d, to + v * lanes);
  }
}

// The last rows that are computed together may be some that were before, whose
// sums are the same again.
template <class Products, int64_t kVectors, class D>
HWY_NOINLINE void MultiplyColumns(D d, const SmallProduct& p, int64_t column) {
  constexpr int64_t kMost = 8 / kVectors;
  if (p.rows >= kMost) {
    for (int64_t r = 0; r < p.rows; r += kMost) {
      MultiplyBlock<Products, kMost, kVectors>(d, p, HWY_MIN(r, p.rows - kMost),
                                               column);
    }
    return;
  }
  for (int64_t r = 0; r < p.rows; ++r)
    MultiplyBlock<Products, 1, kVectors>(d, p, r, column);
}

// So may the last columns be.
template <class Products, class D>
HWY_INLINE void MultiplyAll(D d, const SmallProduct& p) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (p.columns < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1)
      MultiplyAll<Products>(hn::Half<D>(), p);
    return;
  }
  int64_t c = 0;
  for (; c + 2 * lanes <= p.columns; c += 2 * lanes)
    MultiplyColumns<Products, 2>(d, p, c);
  for (; c < p.columns; c += lanes)
    MultiplyColumns<Products, 1>(d, p, HWY_MIN(c, p.columns - lanes));
}

template <class Products, class T>
void MultiplySmall(const SmallProduct& product) {
  MultiplyAll<Products>(hn::ScalableTag<T>(), product);
}

const ProductsTable& ProductsHere() {
  const bool has_quads = HWY_TARGET == HWY_AVX3 && HasQuads();
  static const ProductsTable table = {
      {AddProducts<FloatProducts, float>, AddProducts<FloatProducts, double>,
       AddProducts<IntegerProducts, uint32_t>,
       AddProducts<IntegerProducts, uint64_t>,
       AddProducts<PairProducts, int32_t>, has_quads ? AddSignedQuads : nullptr,
       has_quads ? AddUnsignedQuads : nullptr},
      {MultiplySmall<FloatProducts, float>,
       MultiplySmall<FloatProducts, double>,
       MultiplySmall<IntegerProducts, uint32_t>,
       MultiplySmall<IntegerProducts, uint64_t>},
      2 * hn::Lanes(hn::ScalableTag<uint8_t>())};
  return table;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace assay::simd {

HWY_EXPORT(ProductsHere);

const ProductsTable& ProductsOf(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(ProductsHere)[target.GetIndex()]();
}

}  // namespace assay::simd

#endif  // HWY_ONCE
