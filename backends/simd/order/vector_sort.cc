#include "backends/simd/order/vector_sort.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "backends/simd/core/parts.h"

namespace assay::simd {
namespace {

// From so many keys on, a thread costs less than it gains.
constexpr int64_t kThreadedKeys = int64_t{1} << 17;
// Fewer keys of 16 bits are sorted by comparisons.
constexpr int64_t kCountedKeys = int64_t{1} << 15;

template <class Key>
bool Precedes(const Key& a, const Key& b) {
  return a < b;
}
bool Precedes(const hwy::uint128_t& a, const hwy::uint128_t& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

template <class Key>
void SortAlone(Key* keys, int64_t count) {
  const hwy::Sorter sorter;
  sorter(keys, static_cast<size_t>(count), hwy::SortAscending());
}

// The library takes longer for many keys of 16 bits than it takes to count
// them.
void SortAlone(uint16_t* keys, int64_t count) {
  if (count < kCountedKeys) {
    std::sort(keys, keys + count);
    return;
  }
  const auto counts = std::make_unique<std::array<int64_t, 1 << 16>>();
  for (int64_t i = 0; i < count; ++i) ++(*counts)[keys[i]];
  for (size_t key = 0; key < counts->size(); ++key)
    keys = std::fill_n(keys, (*counts)[key], static_cast<uint16_t>(key));
}

template <class Key>
struct Run {
  const Key* keys;
  int64_t count;
};

// Returns how many keys of `a` are among the first `count` of both runs.
template <class Key>
int64_t CountOfFirst(const Run<Key>& a, const Run<Key>& b, int64_t count) {
  int64_t low = std::max<int64_t>(0, count - b.count),
          high = std::min(count, a.count);
  while (low < high) {
    const int64_t i = (low + high) / 2;
    if (Precedes(b.keys[count - i - 1], a.keys[i])) {
      high = i;
    } else {
      low = i + 1;
    }
  }
  return low;
}

// Merges the keys of both runs that are among the first `end` of both, and not
// among the first `begin`.
template <class Key>
void MergePart(const Run<Key>& a, const Run<Key>& b, int64_t begin, int64_t end,
               Key* to) {
  int64_t i = CountOfFirst(a, b, begin);
  int64_t j = begin - i;
  const int64_t i_end = CountOfFirst(a, b, end);
  const int64_t j_end = end - i_end;
  to += begin;
  while (i < i_end && j < j_end) {
    const bool is_of_b = Precedes(b.keys[j], a.keys[i]);
    *to++ = is_of_b ? b.keys[j] : a.keys[i];
    j += is_of_b;
    i += !is_of_b;
  }
  to = std::copy(a.keys + i, a.keys + i_end, to);
  std::copy(b.keys + j, b.keys + j_end, to);
}

// Sorts as many parts as there are threads, and merges two of them at a time.
template <class Key>
Key* SortInParts(Key* keys, Key* spare, int64_t count, int threads) {
  const int64_t parts = std::min<int64_t>(threads, count / (kThreadedKeys / 2));
  if (parts < 2) {
    SortAlone(keys, count);
    return keys;
  }
  std::vector<int64_t> bounds;
  for (int64_t p = 0; p <= parts; ++p) bounds.push_back(count * p / parts);
  RunInThreads(parts, [&](int64_t p) {
    const auto i = static_cast<size_t>(p);
    SortAlone(keys + bounds[i], bounds[i + 1] - bounds[i]);
  });
  while (bounds.size() > 2) {
    std::vector<int64_t> merged;
    for (size_t r = 0; r + 1 < bounds.size(); r += 2) {
      const int64_t first = bounds[r], middle = bounds[r + 1];
      const int64_t last = r + 2 < bounds.size() ? bounds[r + 2] : middle;
      const Run<Key> a = {keys + first, middle - first},
                     b = {keys + middle, last - middle};
      RunInThreads(parts, [&](int64_t p) {
        const int64_t both = a.count + b.count;
        MergePart(a, b, both * p / parts, both * (p + 1) / parts,
                  spare + first);
      });
      merged.push_back(first);
    }
    merged.push_back(count);
    bounds = std::move(merged);
    std::swap(keys, spare);
  }
  return keys;
}

}  // namespace

uint16_t* SortKeys(uint16_t* keys, uint16_t* spare, int64_t count,
                   int threads) {
  return SortInParts(keys, spare, count, threads);
}
uint32_t* SortKeys(uint32_t* keys, uint32_t* spare, int64_t count,
                   int threads) {
  return SortInParts(keys, spare, count, threads);
}
uint64_t* SortKeys(uint64_t* keys, uint64_t* spare, int64_t count,
                   int threads) {
  return SortInParts(keys, spare, count, threads);
}
hwy::uint128_t* SortKeys(hwy::uint128_t* keys, hwy::uint128_t* spare,
                         int64_t count, int threads) {
  return SortInParts(keys, spare, count, threads);
}

}  // namespace assay::simd
