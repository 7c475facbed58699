// Tests convert between all types, on every instruction set, against arithmetic
// in long double, whose 64 bits of significand hold every value of every type.
#include <gtest/gtest.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/elementwise/conversion_test_support.h"
#include "backends/simd/elementwise/float_reference_test_support.h"

namespace assay::simd_test {
namespace {

// --------------------------------------------------------------------- Sources

void AddFloats(const ElementType& type, std::vector<Bits>* sources) {
  // 1 + 2^-j and its neighbors are ties, or just not ties, of every format of
  // fewer bits, and so are sums with another power of two.
  const auto add = [&](long double value) {
    for (const long double v : {value, -value}) {
      if (type.bits == 32) {
        const float x = static_cast<float>(v);
        for (const float y : {x, nextafterf(x, 0), nextafterf(x, 2 * x)}) {
          sources->push_back(BitsOf(y));
        }
      } else {
        const double x = static_cast<double>(v);
        for (const double y : {x, nextafter(x, 0), nextafter(x, 2 * x)}) {
          sources->push_back(BitsOf(y));
        }
      }
    }
  };
  for (int k = -152; k <= 130; ++k) {
    for (const int j : {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                        10, 11, 12, 16, 22, 23, 24, 25, 40, 52}) {
      add(ldexpl(1 + ldexpl(1, -j), k));
      add(ldexpl(1 + ldexpl(3, -j), k));
    }
  }
  for (int k = -1075; k <= 1024; k += 7) add(ldexpl(1.25L, k));
  for (const double bound :
       {127.0, 128.0, 255.0, 32767.0, 65535.0, 2147483647.0, 4294967295.0}) {
    for (const double part : {-0.5, 0.0, 0.5, 0.75, 1.0}) add(bound + part);
  }
  if (type.bits == 32) {
    for (const uint32_t special :
         {0x7F800000u, 0x7FC00000u, 0x7F800001u, 0x7FFFFFFFu, 0x7F808000u}) {
      sources->push_back({special, 0});
      sources->push_back({special | 0x80000000u, 0});
    }
  } else {
    for (const uint64_t special :
         {0x7FF0000000000000u, 0x7FF8000000000000u, 0x7FF0000000000001u,
          0x7FFFFFFFFFFFFFFFu, 0x7FF0000080000000u}) {
      sources->push_back({special, 0});
      sources->push_back({special | uint64_t{1} << 63, 0});
    }
  }
}

void AddIntegers(const ElementType& type, std::vector<Bits>* sources) {
  const uint64_t mask = ~uint64_t{0} >> (64 - type.bits);
  const auto add = [&](uint64_t value) {
    for (const uint64_t v : {value, value + 1, value - 1}) {
      sources->push_back({v & mask, 0});
      sources->push_back({-v & mask, 0});
    }
  };
  for (int i = 0; i < type.bits; ++i) {
    for (int j = 0; j <= i; ++j) {
      const uint64_t power = uint64_t{1} << i;
      add(power + (uint64_t{1} << j));
      add(power - (uint64_t{1} << j));
    }
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 4000; ++i) add(random() >> (i % type.bits));
}

// Returns all values of types of up to 16 bits, and selected values of wider
// types.
std::vector<Bits> SourcesOf(const ElementType& type) {
  std::vector<Bits> sources;
  if (type.bits <= 16) {
    for (uint64_t code = 0; code < (uint64_t{1} << type.bits); ++code) {
      sources.push_back({code, 0});
    }
  } else if (type.kind == TypeKind::kFloat) {
    AddFloats(type, &sources);
  } else if (type.kind == TypeKind::kComplex) {
    sources = SourcesOf(PartOf(type));
    for (size_t i = 0; i < sources.size(); ++i) {
      sources[i].imaginary = sources[(i + 1) % sources.size()].real;
    }
  } else {
    AddIntegers(type, &sources);
  }
  return sources;
}

// -------------------------------------------------------------------- Expected

long double ToInteger(long double value, const ElementType& to) {
  if (isnan(value)) return 0;
  const long double values = ldexpl(1, to.bits);
  const long double least = to.kind == TypeKind::kSigned ? -values / 2 : 0;
  // Adding zero avoids -0.
  return std::clamp(truncl(value), least, least + values - 1) + 0.0L;
}

long double Converted(long double value, const ElementType& to) {
  switch (to.kind) {
    case TypeKind::kBool:
      return value != 0;
    case TypeKind::kSigned:
    case TypeKind::kUnsigned:
      return ToInteger(value, to);
    default:
      return RoundTo(to, value);
  }
}

// ----------------------------------------------------------------------- Tests

class ConvertTest : public testing::TestWithParam<ElementType> {};

INSTANTIATE_TEST_SUITE_P(Types, ConvertTest, testing::ValuesIn(AllElements()),
                         NameOfParam);

TEST_P(ConvertTest, ToEveryType) {
  const ElementType& from = GetParam();
  const std::vector<Bits> sources = SourcesOf(from);
  std::vector<long double> real(sources.size());
  std::vector<long double> imaginary(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    real[i] = ValueOf(PartOf(from), sources[i].real);
    imaginary[i] = from.kind == TypeKind::kComplex
                       ? ValueOf(PartOf(from), sources[i].imaginary)
                       : 0;
  }
  for (const ElementType& to : AllElements()) {
    // simd_test.cc tests conversions between integers.
    if (IsInteger(from.kind) && IsInteger(to.kind)) continue;
    const ElementType to_part = PartOf(to);
    const bool both_complex =
        from.kind == TypeKind::kComplex && to.kind == TypeKind::kComplex;
    std::vector<long double> wanted(sources.size());
    std::vector<long double> wanted_imaginary(sources.size(), 0);
    for (size_t i = 0; i < sources.size(); ++i) {
      wanted[i] = Converted(real[i], to_part);
      if (!both_complex) continue;
      wanted_imaginary[i] = Converted(imaginary[i], to_part);
    }
    std::vector<Bits> checked;
    for (const std::string& target : Targets()) {
      std::vector<Bits> results;
      ASSERT_NO_FATAL_FAILURE(
          RunUnary(target, {"convert"}, from, sources, to, &results));
      for (size_t i = 0; i < sources.size(); ++i) {
        // A result that equals that of the last instruction set has been
        // checked.
        if (!checked.empty() && results[i] == checked[i]) continue;
        ASSERT_PRED2(IsSame, ValueOf(to_part, results[i].real), wanted[i])
            << target << ": " << from.name << " to " << to.name << ", bits "
            << std::hex << sources[i].real << " gave " << results[i].real;
        if (to.kind != TypeKind::kComplex) continue;
        ASSERT_PRED2(IsSame, ValueOf(to_part, results[i].imaginary),
                     wanted_imaginary[i])
            << target << ": " << from.name << " to " << to.name
            << ", imaginary bits " << std::hex << results[i].imaginary;
      }
      checked = results;
    }
  }
}

// The results of every length, at every kind of edge of a page, are the first
// results of the longest tensor.
TEST(ConvertLengthTest, EveryLength) {
  const std::pair<const char*, const char*> pairs[] = {
      {"f32", "bf16"}, {"f32", "f8E4M3FN"},    {"f64", "i8"},
      {"i2", "f64"},   {"bf16", "ui4"},        {"complex<f32>", "i1"},
      {"i64", "f16"},  {"f16", "complex<f64>"}};
  for (const auto& [from_name, to_name] : pairs) {
    const ElementType from = ElementOf(from_name);
    const ElementType to = ElementOf(to_name);
    std::vector<Bits> sources = SourcesOf(from);
    std::shuffle(sources.begin(), sources.end(), std::mt19937(5));
    sources.resize(std::min<size_t>(sources.size(), 1200));
    while (sources.size() < 1200)
      sources.push_back(sources[sources.size() % 4]);
    for (const std::string& target : Targets()) {
      std::vector<Bits> all;
      ASSERT_NO_FATAL_FAILURE(
          RunUnary(target, {"convert"}, from, sources, to, &all));
      for (size_t count = 0; count <= 1100; count += count < 140 ? 1 : 83) {
        const std::vector<Bits> some(sources.begin(), sources.begin() + count);
        for (const Placement& placement :
             {Placement{false, 0}, Placement{false, 1}, Placement{true, 0}}) {
          std::vector<Bits> results;
          ASSERT_NO_FATAL_FAILURE(RunUnary(target, {"convert"}, from, some, to,
                                           &results, placement));
          ASSERT_TRUE(std::equal(results.begin(), results.end(), all.begin()))
              << target << ": " << from.name << " to " << to.name << " at "
              << count;
        }
      }
    }
  }
}

// The results are moved past the caches, to an address that no vector is
// aligned to.
TEST(ConvertLengthTest, LargeResults) {
  const std::pair<const char*, const char*> pairs[] = {
      {"f32", "bf16"}, {"f32", "f8E4M3FN"}, {"f64", "f32"}, {"f16", "f32"}};
  for (const auto& [from_name, to_name] : pairs) {
    const ElementType from = ElementOf(from_name);
    const ElementType to = ElementOf(to_name);
    std::vector<Bits> sources = SourcesOf(from);
    sources.resize(4099);
    const size_t count = (size_t{9} << 20) / to.bytes() + 5;
    for (const std::string& target : Targets()) {
      std::vector<Bits> once;
      ASSERT_NO_FATAL_FAILURE(
          RunUnary(target, {"convert"}, from, sources, to, &once));
      ASSERT_NO_FATAL_FAILURE(RunRepeated(target, {"convert"}, from, sources,
                                          to, once, count, {false, 3}))
          << from.name << " to " << to.name;
    }
  }
}

}  // namespace
}  // namespace assay::simd_test
