// The loops of the float formats, on every instruction set, against a reference
// that knows a format only as the sorted list of its values: a code decodes to
// the list's entry and a number encodes to the nearer of its two neighbours.
//
// Formats of up to 16 bits have values and midpoints that double holds exactly.
#include "backends/simd/formats.h"

#include <gtest/gtest.h>
#include <math.h>
#include <string.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backends/simd/targets.h"
#include "hwy/highway.h"

namespace assay::simd {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum class Over { kInfinity, kNan, kSaturate };

// Written down from the table of formats, not taken from SpecOf.
struct Reference {
  Format format;
  const char* name;
  int sign_bits, exponent_bits, mantissa_bits, bias;
  double max;
  Over over;
  bool minus_zero;
};

const Reference kReferences[] = {
    {Format::kF4E2M1FN, "f4E2M1FN", 1, 2, 1, 1, 6, Over::kSaturate, true},
    {Format::kF6E2M3FN, "f6E2M3FN", 1, 2, 3, 1, 7.5, Over::kSaturate, true},
    {Format::kF6E3M2FN, "f6E3M2FN", 1, 3, 2, 3, 28, Over::kSaturate, true},
    {Format::kF8E3M4, "f8E3M4", 1, 3, 4, 3, 15.5, Over::kInfinity, true},
    {Format::kF8E4M3, "f8E4M3", 1, 4, 3, 7, 240, Over::kInfinity, true},
    {Format::kF8E4M3FN, "f8E4M3FN", 1, 4, 3, 7, 448, Over::kNan, true},
    {Format::kF8E4M3FNUZ, "f8E4M3FNUZ", 1, 4, 3, 8, 240, Over::kNan, false},
    {Format::kF8E4M3B11FNUZ, "f8E4M3B11FNUZ", 1, 4, 3, 11, 30, Over::kNan,
     false},
    {Format::kF8E5M2, "f8E5M2", 1, 5, 2, 15, 57344, Over::kInfinity, true},
    {Format::kF8E5M2FNUZ, "f8E5M2FNUZ", 1, 5, 2, 16, 57344, Over::kNan, false},
    {Format::kF8E8M0FNU, "f8E8M0FNU", 0, 8, 0, 127, 0x1p127, Over::kNan, false},
    {Format::kBF16, "bf16", 1, 8, 7, 127, 0x1.FEp127, Over::kInfinity, true},
    {Format::kF16, "f16", 1, 5, 10, 15, 65504, Over::kInfinity, true},
};

class List {
 public:
  explicit List(const Reference& r) : r_(r) {
    const bool is_scale = r.sign_bits == 0;
    for (unsigned code = 0;; ++code) {
      const int exponent = static_cast<int>(code >> r.mantissa_bits);
      const double fraction =
          ldexp(code & ((1u << r.mantissa_bits) - 1), -r.mantissa_bits);
      const double value = is_scale ? ldexp(1, exponent - r.bias)
                           : exponent > 0
                               ? ldexp(1 + fraction, exponent - r.bias)
                               : ldexp(fraction, 1 - r.bias);
      values_.push_back(value);
      if (value > r.max) break;  // The last entry decides about overflow.
    }
  }

  unsigned num_codes() const {
    return 1u << (r_.sign_bits + r_.exponent_bits + r_.mantissa_bits);
  }
  unsigned sign_bit() const { return r_.sign_bits * num_codes() / 2; }
  size_t size() const { return values_.size() - 1; }
  double value(size_t i) const { return values_[i]; }
  double next(size_t i) const { return values_[i + 1]; }

  double Decode(unsigned code) const {
    const unsigned abs = code & ~sign_bit();
    const bool is_negative = abs != code;
    if (is_negative && abs == 0 && !r_.minus_zero) return kNan;
    if (abs < size()) return is_negative ? -values_[abs] : values_[abs];
    if (r_.over == Over::kInfinity && abs == size()) {
      return is_negative ? -kInf : kInf;
    }
    return kNan;
  }

  // The value that x becomes: a NaN where it becomes one.
  double Round(double x) const {
    if (isnan(x)) return r_.over == Over::kSaturate ? 0.0 : kNan;
    const double abs = fabs(x);
    if (r_.sign_bits == 0 && x < 0) return kNan;
    double result = values_[0];
    if (abs > values_.back()) {
      result = Overflow();
    } else if (abs >= values_[0]) {
      const size_t above = static_cast<size_t>(
          std::lower_bound(values_.begin(), values_.end(), abs) -
          values_.begin());
      size_t nearest = above;
      if (abs != values_[above]) {
        const double middle = (values_[above - 1] + values_[above]) / 2;
        const bool down = abs < middle || (abs == middle && r_.sign_bits == 1 &&
                                           above % 2 == 1);
        nearest = down ? above - 1 : above;
      }
      result = nearest == size() ? Overflow() : values_[nearest];
    }
    if (r_.sign_bits == 0) return result;
    return result == 0 && !r_.minus_zero ? 0.0 : copysign(result, x);
  }

 private:
  double Overflow() const {
    switch (r_.over) {
      case Over::kInfinity:
        return kInf;
      case Over::kNan:
        return kNan;
      case Over::kSaturate:
        break;
    }
    return r_.max;
  }

  const Reference& r_;
  std::vector<double> values_;
};

// Values of the list, middles, their neighbours in T, and what is special.
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
    // Rounds to the middle in f32, and in formats between, but is none.
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
  // NaNs by their payload: in the upper or lower half only, quiet or not.
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

bool IsSame(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return a == b && signbit(a) == signbit(b);
}

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
      // At odd addresses.
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
