// Tests that keys of every size are sorted, by one thread and by several, for
// numbers of keys around those at which another way begins.
#include "backends/simd/order/vector_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace assay::simd {
namespace {

uint64_t ValueOf(uint64_t key) { return key; }
uint64_t ValueOf(const hwy::uint128_t& key) { return key.hi; }

template <class Key>
Key KeyOf(uint64_t value, uint64_t) {
  return static_cast<Key>(value);
}
template <>
hwy::uint128_t KeyOf(uint64_t value, uint64_t place) {
  hwy::uint128_t key;
  key.hi = value;
  key.lo = place;
  return key;
}

template <class Key>
class SortKeysTest : public testing::Test {};
using Keys = testing::Types<uint16_t, uint32_t, uint64_t, hwy::uint128_t>;
TYPED_TEST_SUITE(SortKeysTest, Keys);

TYPED_TEST(SortKeysTest, SortsAnyNumberInAnyNumberOfThreads) {
  std::mt19937_64 random(1);
  for (const int64_t count :
       {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{17}, int64_t{1000},
        int64_t{1} << 15, (int64_t{1} << 17) - 1, int64_t{1} << 17,
        (int64_t{1} << 18) + 3}) {
    for (const int threads : {1, 2, 3, 5}) {
      // Few values, or keys that differ.
      for (const uint64_t most : {uint64_t{3}, UINT64_MAX}) {
        std::vector<TypeParam> keys;
        std::vector<uint64_t> expected;
        for (int64_t i = 0; i < count; ++i) {
          keys.push_back(
              KeyOf<TypeParam>(random() & most, static_cast<uint64_t>(i)));
          expected.push_back(ValueOf(keys.back()));
        }
        std::vector<TypeParam> spare(keys);
        std::ranges::sort(expected);
        const TypeParam* const sorted =
            SortKeys(keys.data(), spare.data(), count, threads);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), sorted,
                               [](uint64_t value, const TypeParam& key) {
                                 return value == ValueOf(key);
                               }))
            << count << " keys, " << threads << " threads, up to " << most;
      }
    }
  }
}

// The places stay in their order where the values are equal.
TEST(SortKeys, BothHalvesOfAKeyCount) {
  std::vector<hwy::uint128_t> keys((size_t{1} << 17) + 1), spare(keys.size());
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] = KeyOf<hwy::uint128_t>(i % 7, keys.size() - i);
  const hwy::uint128_t* const sorted =
      SortKeys(keys.data(), spare.data(), static_cast<int64_t>(keys.size()), 3);
  for (size_t i = 1; i < keys.size(); ++i)
    ASSERT_TRUE(
        sorted[i - 1].hi < sorted[i].hi ||
        (sorted[i - 1].hi == sorted[i].hi && sorted[i - 1].lo < sorted[i].lo))
        << i;
}

}  // namespace
}  // namespace assay::simd
