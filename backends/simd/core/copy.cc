// The loop that copies a plane is chosen by the plane's strides alone: there
// are loops for rows that are contiguous on both sides, repeated elements,
// every second element, reversed rows, transposition, and single elements one
// after another.
//
// Elements are loaded and stored as bytes, since a complex element is aligned
// to its parts only.
#include "backends/simd/core/copy.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/core/copy.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct Pair {
  uint64_t parts[2];
};

template <class T>
HWY_INLINE void CopyOne(const unsigned char* from, unsigned char* to) {
  T value;
  memcpy(&value, from, sizeof(T));
  memcpy(to, &value, sizeof(T));
}

template <class T>
void CopyStrided(const unsigned char* from, int64_t from_stride,
                 unsigned char* to, int64_t to_stride, int64_t count) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    T values[4];
    for (int j = 0; j < 4; ++j) {
      memcpy(&values[j], from + j * from_stride, sizeof(T));
    }
    for (int j = 0; j < 4; ++j) {
      memcpy(to + j * to_stride, &values[j], sizeof(T));
    }
    from += 4 * from_stride;
    to += 4 * to_stride;
  }
  for (; i < count; ++i, from += from_stride, to += to_stride) {
    CopyOne<T>(from, to);
  }
}

template <class T>
void Repeat(const unsigned char* from, unsigned char* to, int64_t count) {
  constexpr int64_t kBytes = sizeof(T);
  int64_t i = 0;
  if constexpr (kBytes <= 8) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    T value;
    memcpy(&value, from, sizeof(T));
    const auto values = hn::Set(d, value);
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(values, d, reinterpret_cast<T*>(to + i * kBytes));
    }
  }
  for (; i < count; ++i) CopyOne<T>(from, to + i * kBytes);
}

// This loop loads 16 bytes at a time, which as a rule lie within one cache
// line. Vectors of 64 bytes, aligned where they are loaded from, took 1.3 to
// 1.7 times as long on an EPYC with AVX-512 and 0.85 times as long on a Xeon.
// The last vector is left to single elements because it would end behind the
// last element of the row.
template <class T>
void CopyEverySecond(const unsigned char* from, unsigned char* to,
                     int64_t count) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kLanes = 16 / kBytes;
  const hn::FixedTag<T, kLanes> d;
  int64_t i = 0;
  for (; i + kLanes < count; i += kLanes) {
    const T* pairs = reinterpret_cast<const T*>(from + 2 * i * kBytes);
    const auto low = hn::LoadU(d, pairs);
    const auto high = hn::LoadU(d, pairs + kLanes);
    hn::StoreU(hn::ConcatEven(d, high, low), d,
               reinterpret_cast<T*>(to + i * kBytes));
  }
  CopyStrided<T>(from + 2 * i * kBytes, 2 * kBytes, to + i * kBytes, kBytes,
                 count - i);
}

// This loop copies at most 32 bytes at a time. Its loads are aligned except for
// the first and the last ones, which may overlap the others. On one machine the
// sum of two reversed tensors took 5.5 ms so, 7.2 ms by 16 bytes and 5.3 to 10
// ms by 64.
template <class T>
void CopyReversed(const unsigned char* from, unsigned char* to, int64_t count) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kVector = HWY_MIN(HWY_LANES(uint8_t), 32);
  constexpr int64_t kLanes = kVector / kBytes;
  if (count < kLanes) {
    return CopyStrided<T>(from, -kBytes, to, kBytes, count);
  }
  const hn::FixedTag<uint8_t, kVector> d;
  const hn::FixedTag<uint64_t, kVector / 8> d64;
  alignas(16) uint8_t order[16];
  for (int64_t i = 0; i < 16; ++i) {
    order[i] =
        static_cast<uint8_t>(16 - kBytes - i / kBytes * kBytes + i % kBytes);
  }
  const auto indices = hn::LoadDup128(d, order);
  const auto copy_up_to = [&](int64_t last) HWY_ATTR {
    const auto values = hn::BitCast(d64, hn::LoadU(d, from - last * kBytes));
    const auto blocks = hn::BitCast(d, hn::ReverseBlocks(d64, values));
    hn::StoreU(hn::TableLookupBytes(blocks, indices), d,
               to + (last - (kLanes - 1)) * kBytes);
  };
  int64_t last = kLanes - 1;
  copy_up_to(last);
  const auto above = static_cast<int64_t>(
      reinterpret_cast<uintptr_t>(from - last * kBytes) % kVector);
  for (last += above / kBytes; last < count; last += kLanes) copy_up_to(last);
  copy_up_to(count - 1);
}

// Transposes a square of as many elements as fit 16 bytes: each round
// interleaves the first half of the rows with the second.
template <class T>
HWY_INLINE void TransposeSquare(const unsigned char* from, int64_t from_stride,
                                unsigned char* to, int64_t to_stride) {
  constexpr int kLanes = 16 / sizeof(T);
  const hn::FixedTag<T, kLanes> d;
  hn::Vec<decltype(d)> rows[kLanes];
  hn::Vec<decltype(d)> mixed[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    rows[i] = hn::LoadU(d, reinterpret_cast<const T*>(from + i * from_stride));
  }
  for (int round = 1; round < kLanes; round *= 2) {
    for (int i = 0; i < kLanes / 2; ++i) {
      mixed[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kLanes / 2]);
      mixed[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kLanes / 2]);
    }
    for (int i = 0; i < kLanes; ++i) rows[i] = mixed[i];
  }
  for (int i = 0; i < kLanes; ++i) {
    hn::StoreU(rows[i], d, reinterpret_cast<T*>(to + i * to_stride));
  }
}

// Copies a plane that is contiguous along b in the source and along a in the
// target. It reads whole cache lines one after another, since rows that lie a
// power of two apart evict each other from the cache.
template <class T>
void Transpose(const Plane& p) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kLanes = 16 / kBytes;
  const int64_t whole_a = p.count_a / kLanes * kLanes;
  const int64_t whole_b = p.count_b / kLanes * kLanes;
  for (int64_t a = 0; a < whole_a; a += kLanes) {
    const unsigned char* from = p.from + a * p.from_a;
    unsigned char* to = p.to + a * kBytes;
    for (int64_t b = 0; b < whole_b; b += kLanes) {
      TransposeSquare<T>(from + b * kBytes, p.from_a, to + b * p.to_b, p.to_b);
    }
  }
  for (int64_t b = 0; b < p.count_b; ++b) {
    const int64_t a = b < whole_b ? whole_a : 0;
    CopyStrided<T>(p.from + a * p.from_a + b * kBytes, p.from_a,
                   p.to + a * kBytes + b * p.to_b, kBytes, p.count_a - a);
  }
}

template <class T>
void CopyRow(const Plane& p, const unsigned char* from, unsigned char* to) {
  constexpr int64_t kBytes = sizeof(T);
  if (p.to_a == kBytes) {
    if (p.from_a == kBytes) {
      memcpy(to, from, static_cast<size_t>(p.count_a * kBytes));
      return;
    }
    if (p.from_a == 0) return Repeat<T>(from, to, p.count_a);
    if (p.from_a == -kBytes) return CopyReversed<T>(from, to, p.count_a);
    if constexpr (kBytes <= 8) {
      if (p.from_a == 2 * kBytes) {
        return CopyEverySecond<T>(from, to, p.count_a);
      }
    }
  }
  CopyStrided<T>(from, p.from_a, to, p.to_a, p.count_a);
}

// Returns the plane with `a` and `b` swapped.
Plane Swapped(const Plane& p) {
  return {p.from,   p.to,     p.count_b, p.count_a,
          p.from_b, p.from_a, p.to_b,    p.to_a};
}

// Returns whether the plane was copied, which needs a source that is contiguous
// along b, in either direction, and a target that is contiguous along a.
template <class T>
bool CopyTransposed(const Plane& p) {
  constexpr int64_t kBytes = sizeof(T);
  if (p.to_a != kBytes || p.from_a == kBytes) return false;
  if (p.from_b == kBytes) {
    Transpose<T>(p);
    return true;
  }
  if (p.from_b != -kBytes) return false;
  Plane flipped = p;
  flipped.from += p.from_b * (p.count_b - 1);
  flipped.to += p.to_b * (p.count_b - 1);
  flipped.from_b = -p.from_b;
  flipped.to_b = -p.to_b;
  Transpose<T>(flipped);
  return true;
}

template <class T>
void Copy(const Plane& p) {
  constexpr int64_t kBytes = sizeof(T);
  if constexpr (kBytes <= 8) {
    constexpr int64_t kLanes = 16 / kBytes;
    if (p.count_a >= kLanes && p.count_b >= kLanes) {
      if (CopyTransposed<T>(p) || CopyTransposed<T>(Swapped(p))) return;
    }
  }
  for (int64_t b = 0; b < p.count_b; ++b) {
    CopyRow<T>(p, p.from + b * p.from_b, p.to + b * p.to_b);
  }
}

const Copies& AllCopies() {
  static constexpr Copies kCopies = {{Copy<uint8_t>, Copy<uint16_t>,
                                      Copy<uint32_t>, Copy<uint64_t>,
                                      Copy<Pair>}};
  return kCopies;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(AllCopies);

const Copies& CopyTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(AllCopies)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
