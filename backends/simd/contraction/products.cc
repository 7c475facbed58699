// Six rows by two vectors of columns are summed in twelve registers; with two
// vectors of rhs and a number of lhs, which are loaded once for each term, this
// leaves one of AVX2's sixteen.
#include "backends/simd/contraction/products.h"

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
      const hn::ScalableTag<uint32_t> halves;
      const hn::ScalableTag<T> d;
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
HWY_INLINE RowSums<hn::Vec<D>> LoadSums(D d, const hn::TFromD<D>* from) {
  return {hn::LoadU(d, from), hn::LoadU(d, from + hn::Lanes(d))};
}

template <class D, class V>
HWY_INLINE void StoreSums(D d, const RowSums<V>& sums, hn::TFromD<D>* to) {
  hn::StoreU(sums.first, d, to);
  hn::StoreU(sums.second, d, to + hn::Lanes(d));
}

template <class Products, class T>
HWY_NOINLINE void AddPanel(const T* lhs, int64_t lhs_stride, const T* rhs,
                           T* sums, int64_t sums_stride, int64_t terms) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  auto s0 = LoadSums(d, sums), s1 = LoadSums(d, sums + sums_stride),
       s2 = LoadSums(d, sums + 2 * sums_stride),
       s3 = LoadSums(d, sums + 3 * sums_stride),
       s4 = LoadSums(d, sums + 4 * sums_stride),
       s5 = LoadSums(d, sums + 5 * sums_stride);
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
                            p.sums_stride, p.terms);
    }
  }
}

const ProductsTable& ProductsHere() {
  static const ProductsTable table = {
      {AddProducts<FloatProducts, float>, AddProducts<FloatProducts, double>,
       AddProducts<IntegerProducts, uint32_t>,
       AddProducts<IntegerProducts, uint64_t>,
       AddProducts<PairProducts, int32_t>},
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
