// Tests the loops of the float formats on every instruction set.
#include "backends/simd/core/formats.h"

#include <gtest/gtest.h>
#include <math.h>
#include <string.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backends/simd/core/targets.h"
#include "backends/simd/elementwise/float_reference_test_support.h"
#include "hwy/highway.h"

namespace assay::simd {
namespace {

using simd_test::IsSame;
using simd_test::kReferences;
using simd_test::List;
using simd_test::Reference;

// Returns the values of the list, the midpoints between them, the neighbors of
// all of these in T, and special and random values.
template <class T>
std::vector<T> Sources(const List& list) {
  std::vector<T> sources;
  const auto add = [&sources](T x) {
    for (const T v : {x, -x}) {
      sources.push_back(v);
      sources.push_back(nextafter(v, T{0}));
      sources.push_back(nextafter(v, static_cast<T>(v * 2)));
    }
  };
  for (size_t i = 0; i < list.size(); ++i) {
    add(static_cast<T>(list.value(i)));
    add(static_cast<T>((list.value(i) + list.next(i)) / 2));
    // In f32 and in formats between f32 and T this value rounds to the
    // midpoint, but it is not the midpoint.
    add(static_cast<T>((list.value(i) + list.next(i)) / 2 * (1 + 0x1p-40)));
  }
  using Limits = std::numeric_limits<T>;
  add(Limits::max());
  add(Limits::min());
  add(Limits::denorm_min());
  sources.insert(sources.end(),
                 {T{0}, -T{0}, Limits::infinity(), -Limits::infinity(),
                  Limits::quiet_NaN(), -Limits::quiet_NaN()});
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    T x;
    memcpy(&x, &bits, sizeof(x));
    sources.push_back(x);
  }
  // NaNs differ in their payload: set in the upper or lower half only, quiet or
  // not.
  for (const uint64_t payload :
       {1ull, 2ull, 1ull << 21, 1ull << 22, (1ull << 22) - 1, 1ull << 51}) {
    const bool is_double = sizeof(T) == 8;
    const uint64_t exponent = is_double ? 0x7FFull << 52 : 0xFFull << 23;
    const uint64_t bits =
        exponent | (is_double ? payload : payload & ((1u << 23) - 1)) | 1;
    T x;
    memcpy(&x, &bits, sizeof(x));
    sources.insert(sources.end(), {x, -x});
  }
  return sources;
}

struct TargetParam {
  const char* name;
  int64_t bit;
};

class FormatsTest : public testing::TestWithParam<TargetParam> {
 protected:
  void SetUp() override {
    if ((hwy::SupportedTargets() & GetParam().bit) == 0) {
      GTEST_SKIP() << "this processor lacks " << GetParam().name;
    }
    target_.Update(GetParam().bit);
  }

  hwy::ChosenTarget target_;
};

INSTANTIATE_TEST_SUITE_P(Targets, FormatsTest,
                         testing::Values(TargetParam{"sse4", HWY_SSE4},
                                         TargetParam{"avx2", HWY_AVX2},
                                         TargetParam{"avx512", HWY_AVX3}),
                         [](const auto& param) {
                           return std::string(param.param.name);
                         });

template <class T>
std::vector<unsigned> EncodeAll(const Reference& r,
                                const FormatKernels& kernels,
                                const std::vector<T>& sources) {
  const auto encode = [&kernels](const auto* from, void* to, size_t count) {
    if constexpr (sizeof(*from) == 4) {
      kernels.encode(from, to, count);
    } else {
      kernels.encode_f64(from, to, count);
    }
  };
  if (r.sign_bits + r.exponent_bits + r.mantissa_bits == 16) {
    std::vector<uint16_t> codes(sources.size());
    encode(sources.data(), codes.data(), sources.size());
    return std::vector<unsigned>(codes.begin(), codes.end());
  }
  std::vector<uint8_t> codes(sources.size());
  encode(sources.data(), codes.data(), sources.size());
  return std::vector<unsigned>(codes.begin(), codes.end());
}

TEST_P(FormatsTest, EveryCodeDecodesToItsValue) {
  for (const Reference& r : kReferences) {
    const List list(r);
    std::vector<uint16_t> wide(list.num_codes());
    std::vector<uint8_t> narrow(list.num_codes());
    for (unsigned code = 0; code < list.num_codes(); ++code) {
      wide[code] = static_cast<uint16_t>(code);
      narrow[code] = static_cast<uint8_t>(code);
    }
    const bool is_wide = list.num_codes() > 256;
    std::vector<float> values(list.num_codes());
    FormatTable(target_, r.format)
        .decode(is_wide ? static_cast<const void*>(wide.data()) : narrow.data(),
                values.data(), values.size());
    for (unsigned code = 0; code < list.num_codes(); ++code) {
      ASSERT_PRED2(IsSame, values[code], list.Decode(code))
          << r.name << " code " << code;
    }
  }
}

template <class T>
void CheckEncoding(const hwy::ChosenTarget& target) {
  for (const Reference& r : kReferences) {
    const List list(r);
    const std::vector<T> sources = Sources<T>(list);
    const std::vector<unsigned> codes =
        EncodeAll(r, FormatTable(target, r.format), sources);
    for (size_t i = 0; i < sources.size(); ++i) {
      const double x = static_cast<double>(sources[i]);
      ASSERT_LT(codes[i], list.num_codes()) << r.name;
      ASSERT_PRED2(IsSame, list.Decode(codes[i]), list.Round(x))
          << r.name << " of " << testing::PrintToString(x) << " code "
          << codes[i];
    }
  }
}

TEST_P(FormatsTest, EncodingOfF32RoundsOnce) { CheckEncoding<float>(target_); }

TEST_P(FormatsTest, EncodingOfF64RoundsOnce) { CheckEncoding<double>(target_); }

// Neither the length nor the address makes a difference, and nothing beside
// the elements is written.
TEST_P(FormatsTest, AnyLengthAndAlignment) {
  std::vector<unsigned char> codes(200);
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<unsigned char>(i);
  }
  for (const Reference& r : kReferences) {
    const FormatKernels& kernels = FormatTable(target_, r.format);
    const List list(r);
    const size_t bytes = list.num_codes() > 256 ? 2 : 1;
    for (size_t count = 0; count <= 70; ++count) {
      std::vector<unsigned char> floats(count * 4 + 2, 0xA5);
      std::vector<unsigned char> again(count * bytes + 2, 0xA5);
      std::vector<unsigned char> from(codes.begin() + 7,
                                      codes.begin() + 7 + count * bytes);
      for (auto& c : from) c &= bytes == 1 ? list.num_codes() - 1 : 0x3F;
      // The floats lie at odd addresses.
      float* values = reinterpret_cast<float*>(floats.data() + 1);
      kernels.decode(from.data(), values, count);
      kernels.encode(values, again.data() + 1, count);
      EXPECT_EQ(floats.front(), 0xA5);
      EXPECT_EQ(floats.back(), 0xA5);
      EXPECT_EQ(again.front(), 0xA5);
      EXPECT_EQ(again.back(), 0xA5);
      ASSERT_TRUE(std::equal(from.begin(), from.end(), again.begin() + 1))
          << r.name << " at " << count;
    }
  }
}

}  // namespace
}  // namespace assay::simd
