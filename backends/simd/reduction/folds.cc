// Neighbours are combined in pairs of vectors: the even elements of two vectors
// by the odd ones give a vector of pairs in their order, and vectors of as many
// terms are combined likewise. Where every order has the same result, lanes
// have terms of their own.
#include "backends/simd/reduction/folds.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/reduction/folds.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/extrema-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct Sum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

struct Product {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Mul(a, b);
  }
};

struct Conjunction {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::And(a, b);
  }
};

struct Disjunction {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Or(a, b);
  }
};

struct Difference {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Xor(a, b);
  }
};

struct Maximum {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      return FloatMaximum()(d, a, b);
    } else {
      return hn::Max(a, b);
    }
  }
};

struct Minimum {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      return FloatMinimum()(d, a, b);
    } else {
      return hn::Min(a, b);
    }
  }
};

template <class Op, class T>
HWY_INLINE T One(T a, T b) {
  const hn::CappedTag<T, 1> d;
  return hn::GetLane(Op()(d, hn::Set(d, a), hn::Set(d, b)));
}

// Every order of sums and products of floats has another result.
template <class Op, class T>
constexpr bool HasOrder() {
  return hwy::IsFloat<T>() &&
         (hwy::IsSame<Op, Sum>() || hwy::IsSame<Op, Product>());
}

template <class Op, class T>
class OrderedRow {
 public:
  T Fold(const T* terms, int64_t count) {
    const int64_t at_a_time = static_cast<int64_t>(4 * hn::Lanes(d_));
    const int64_t blocks = count / at_a_time;
    V levels[64];
    int depth = 0;
    for (int64_t b = 0; b < blocks; ++b, terms += at_a_time) {
      V block = Pairs(Pairs(Load(terms, 0), Load(terms, 1)),
                      Pairs(Load(terms, 2), Load(terms, 3)));
      for (int64_t full = b; (full & 1) != 0; full >>= 1)
        block = Pairs(levels[--depth], block);
      levels[depth++] = block;
    }
    T total = blocks > 0 ? Across(levels[0]) : terms[0];
    for (int i = 1; i < depth; ++i) total = One<Op>(total, Across(levels[i]));
    for (int64_t i = blocks > 0 ? 0 : 1; i < count - blocks * at_a_time; ++i)
      total = One<Op>(total, terms[i]);
    return total;
  }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  HWY_INLINE V Load(const T* terms, size_t vector) const {
    return hn::LoadU(d_, terms + vector * hn::Lanes(d_));
  }
  HWY_INLINE V Pairs(V lower, V upper) const {
#if HWY_TARGET == HWY_SCALAR
    return Op()(d_, lower, upper);
#else
    return Op()(d_, hn::ConcatEven(d_, upper, lower),
                hn::ConcatOdd(d_, upper, lower));
#endif
  }
  // Returns what all lanes give together.
  HWY_INLINE T Across(V vector) const {
    for (size_t left = hn::Lanes(d_); left > 1; left /= 2)
      vector = Pairs(vector, vector);
    return hn::GetLane(vector);
  }

  D d_;
};

template <class Op, class T>
T FoldLanes(const T* terms, int64_t count) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  T total = terms[0];
  if (count >= 4 * lanes) {
    auto s0 = hn::LoadU(d, terms), s1 = hn::LoadU(d, terms + lanes),
         s2 = hn::LoadU(d, terms + 2 * lanes),
         s3 = hn::LoadU(d, terms + 3 * lanes);
    for (i = 4 * lanes; i + 4 * lanes <= count; i += 4 * lanes) {
      s0 = Op()(d, s0, hn::LoadU(d, terms + i));
      s1 = Op()(d, s1, hn::LoadU(d, terms + i + lanes));
      s2 = Op()(d, s2, hn::LoadU(d, terms + i + 2 * lanes));
      s3 = Op()(d, s3, hn::LoadU(d, terms + i + 3 * lanes));
    }
    alignas(64) T parts[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(Op()(d, Op()(d, s0, s1), Op()(d, s2, s3)), d, parts);
    total = parts[0];
    for (int64_t lane = 1; lane < lanes; ++lane)
      total = One<Op>(total, parts[lane]);
  } else {
    i = 1;
  }
  for (; i < count; ++i) total = One<Op>(total, terms[i]);
  return total;
}

template <class Op, class T>
void FoldRow(const void* terms, int64_t count, void* result) {
  const T* const from = static_cast<const T*>(terms);
  T* const to = static_cast<T*>(result);
  if constexpr (HasOrder<Op, T>()) {
    *to = OrderedRow<Op, T>().Fold(from, count);
  } else {
    *to = FoldLanes<Op>(from, count);
  }
}

template <class Op, class T>
void Combine(void* result, const void* other, int64_t count) {
  T* const to = static_cast<T*>(result);
  const T* const from = static_cast<const T*>(other);
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(Op()(d, hn::LoadU(d, to + i), hn::LoadU(d, from + i)), d,
               to + i);
  for (; i < count; ++i) to[i] = One<Op>(to[i], from[i]);
}

// Combines four rows with the result, one after the other.
template <class Op, class T>
void CombineFour(T* to, const T* row, int64_t stride, int64_t count) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto total = Op()(d, hn::LoadU(d, to + i), hn::LoadU(d, row + i));
    total = Op()(d, total, hn::LoadU(d, row + stride + i));
    total = Op()(d, total, hn::LoadU(d, row + 2 * stride + i));
    total = Op()(d, total, hn::LoadU(d, row + 3 * stride + i));
    hn::StoreU(total, d, to + i);
  }
  for (; i < count; ++i) {
    for (int64_t r = 0; r < 4; ++r) to[i] = One<Op>(to[i], row[r * stride + i]);
  }
}

// The rows of a block are combined one after the other, and so are blocks.
// Columns go through in parts that fit the L1 cache.
template <class Op, class T>
void FoldColumns(const void* first, int64_t rows, int64_t stride, int64_t count,
                 void* result) {
  constexpr int64_t kRows = 64;  // of a block
  constexpr int64_t kPart = 4096 / sizeof(T);
  T block[kPart];
  const T* const from = static_cast<const T*>(first);
  T* const to = static_cast<T*>(result);
  for (int64_t c = 0; c < count; c += kPart) {
    const int64_t part = std::min(kPart, count - c);
    for (int64_t b = 0; b < rows; b += kRows) {
      const T* row = from + b * stride + c;
      const int64_t end = std::min(rows, b + kRows);
      T* const total = b == 0 ? to + c : block;
      std::copy_n(row, part, total);
      int64_t r = b + 1;
      row += stride;
      for (; r + 4 <= end; r += 4, row += 4 * stride)
        CombineFour<Op>(total, row, stride, part);
      for (; r < end; ++r, row += stride) Combine<Op, T>(total, row, part);
      if (b > 0) Combine<Op, T>(to + c, block, part);
    }
  }
}

template <class Op, class T>
const Folds* FoldsBy() {
  static constexpr Folds folds = {FoldRow<Op, T>, FoldColumns<Op, T>,
                                  Combine<Op, T>};
  return &folds;
}

template <class T>
const Folds* OfFloats(std::string_view monoid) {
  if (monoid == "add") return FoldsBy<Sum, T>();
  if (monoid == "multiply") return FoldsBy<Product, T>();
  if (monoid == "maximum") return FoldsBy<Maximum, T>();
  if (monoid == "minimum") return FoldsBy<Minimum, T>();
  return nullptr;
}

// Sums and products wrap. There are no lanes for products of 8 and 64 bits.
template <class Signed, class Unsigned>
const Folds* OfIntegers(std::string_view monoid, bool is_signed) {
  if (monoid == "add") return FoldsBy<Sum, Unsigned>();
  if (monoid == "and") return FoldsBy<Conjunction, Unsigned>();
  if (monoid == "or") return FoldsBy<Disjunction, Unsigned>();
  if (monoid == "xor") return FoldsBy<Difference, Unsigned>();
  if (monoid == "maximum")
    return is_signed ? FoldsBy<Maximum, Signed>()
                     : FoldsBy<Maximum, Unsigned>();
  if (monoid == "minimum")
    return is_signed ? FoldsBy<Minimum, Signed>()
                     : FoldsBy<Minimum, Unsigned>();
  if constexpr (sizeof(Unsigned) == 2 || sizeof(Unsigned) == 4) {
    if (monoid == "multiply") return FoldsBy<Product, Unsigned>();
  }
  return nullptr;
}

// A boolean is a byte that is 0 or 1.
const Folds* OfBooleans(std::string_view monoid) {
  if (monoid == "xor") return FoldsBy<Difference, uint8_t>();
  if (monoid == "add" || monoid == "or" || monoid == "maximum")
    return FoldsBy<Disjunction, uint8_t>();
  return FoldsBy<Conjunction, uint8_t>();
}

const Folds* FoldsHere(std::string_view monoid, const calls::Type& type) {
  const bool is_signed = type.kind == calls::Kind::kSigned;
  switch (type.kind) {
    case calls::Kind::kBool:
      return OfBooleans(monoid);
    case calls::Kind::kFloat:
      return type.bits == 32 ? OfFloats<float>(monoid)
                             : OfFloats<double>(monoid);
    case calls::Kind::kSigned:
    case calls::Kind::kUnsigned:
      switch (type.bits) {
        case 8:
          return OfIntegers<int8_t, uint8_t>(monoid, is_signed);
        case 16:
          return OfIntegers<int16_t, uint16_t>(monoid, is_signed);
        case 32:
          return OfIntegers<int32_t, uint32_t>(monoid, is_signed);
        case 64:
          return OfIntegers<int64_t, uint64_t>(monoid, is_signed);
        default:
          return nullptr;
      }
    default:
      return nullptr;
  }
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace assay::simd {

HWY_EXPORT(FoldsHere);

const Folds* FoldsOf(std::string_view monoid, const calls::Type& type,
                     const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(FoldsHere)[target.GetIndex()](monoid, type);
}

}  // namespace assay::simd

#endif  // HWY_ONCE
