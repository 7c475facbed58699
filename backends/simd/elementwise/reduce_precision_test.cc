// Tests reduce_precision on every float type, number of bits and instruction
// set, against arithmetic on values in long double.
#include <gtest/gtest.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/simd/elementwise/conversion_test_support.h"
#include "backends/simd/elementwise/float_reference_test_support.h"

namespace assay::simd_test {
namespace {

struct Layout {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Over over;
  long double max;
};

Layout LayoutOf(const ElementType& type) {
  for (const Reference& r : kReferences) {
    if (r.name != std::string(type.name)) continue;
    return {r.exponent_bits, r.mantissa_bits, r.bias, r.over, r.max};
  }
  if (type.bits == 32) return {8, 23, 127, Over::kInfinity, 0x1.FFFFFEp127L};
  return {11, 52, 1023, Over::kInfinity, 0x1.FFFFFFFFFFFFFp1023L};
}

// This is the definition of the op: the significand, which in subnormals has a
// 0 in front, is rounded; values beyond the exponents become infinity or zero
// of the type.
long double Reduced(const ElementType& type, long double value, int e, int m) {
  if (isnan(value) || isinf(value)) return value;
  const Layout layout = LayoutOf(type);
  const bool is_negative = signbit(value);
  long double abs = fabsl(value);
  if (m < layout.mantissa_bits && abs != 0) {
    int exponent;
    frexpl(abs, &exponent);
    const int lead = std::max(exponent - 1, 1 - layout.bias);
    abs = ldexpl(rintl(ldexpl(abs, m - lead)), lead - m);
  }
  if (e < layout.exponent_bits && abs != 0) {
    int exponent;
    frexpl(abs, &exponent);
    const int most = (1 << (e - 1)) - 1;
    if (exponent - 1 > most) abs = INFINITY;
    if (exponent - 1 < 1 - most) abs = 0;
  }
  if (abs > layout.max) abs = INFINITY;
  return RoundTo(type, is_negative ? -abs : abs);
}

std::vector<Bits> SourcesOf(const ElementType& type) {
  std::vector<Bits> sources;
  if (type.bits <= 16) {
    // The step of 7 still gives every exponent with every end of a mantissa.
    const uint64_t step = type.bits == 16 ? 7 : 1;
    for (uint64_t code = 0; code < (uint64_t{1} << type.bits); code += step) {
      sources.push_back({code, 0});
    }
    return sources;
  }
  // The operands have every exponent of f32 and some of f64, with mantissas at
  // and beside ties.
  const Layout layout = LayoutOf(type);
  const int step = type.bits == 32 ? 9 : 97;
  const int exponents = 1 << layout.exponent_bits;
  std::mt19937_64 random(11);
  const auto add = [&](uint64_t exponent, uint64_t mantissa) {
    const uint64_t field = (uint64_t{1} << layout.mantissa_bits) - 1;
    const uint64_t code = exponent << layout.mantissa_bits | (mantissa & field);
    sources.push_back({code, 0});
    sources.push_back({code | uint64_t{1} << (type.bits - 1), 0});
  };
  for (int exponent = 0; exponent < exponents; ++exponent) {
    const bool is_edge = exponent < 2 || exponent > exponents - 3 ||
                         (exponent & (exponent - 1)) == 0 ||
                         (exponent & (exponent + 1)) == 0;
    if (!is_edge && exponent % step != 0) continue;
    const auto field = static_cast<uint64_t>(exponent);
    for (int bit = 0; bit < layout.mantissa_bits; ++bit) {
      const uint64_t tie = uint64_t{1} << bit;
      for (const uint64_t mantissa : {tie, 3 * tie, tie - 1, tie + 1, -tie}) {
        add(field, mantissa);
      }
    }
    add(field, 0);
    add(field, random());
  }
  return sources;
}

class ReducePrecisionTest : public testing::TestWithParam<ElementType> {};

std::vector<ElementType> FloatElements() {
  std::vector<ElementType> types;
  for (const ElementType& type : AllElements()) {
    if (type.kind == TypeKind::kFormat || type.kind == TypeKind::kFloat) {
      types.push_back(type);
    }
  }
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, ReducePrecisionTest,
                         testing::ValuesIn(FloatElements()), NameOfParam);

// Returns the numbers of bits to test: up to one more than the type has, but
// not all of them where there are many.
std::vector<int> Numbers(const ElementType& type, int most) {
  if (type.bits >= 16) return {0, 1, 2, most / 2, most - 1, most, most + 1};
  std::vector<int> numbers(static_cast<size_t>(most) + 2);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST_P(ReducePrecisionTest, NumbersOfBits) {
  const ElementType& type = GetParam();
  const Layout layout = LayoutOf(type);
  const std::vector<Bits> sources = SourcesOf(type);
  for (const int e : Numbers(type, layout.exponent_bits)) {
    for (const int m : Numbers(type, layout.mantissa_bits)) {
      if (e == 0) continue;
      const NamedOp op = {"reduce_precision",
                          {{"exponent_bits", std::to_string(e)},
                           {"mantissa_bits", std::to_string(m)}}};
      std::vector<long double> wanted;
      for (const Bits& bits : sources) {
        wanted.push_back(Reduced(type, ValueOf(type, bits.real), e, m));
      }
      std::vector<Bits> checked;
      for (const std::string& target : Targets()) {
        std::vector<Bits> results;
        ASSERT_NO_FATAL_FAILURE(
            RunUnary(target, op, type, sources, type, &results));
        for (size_t i = 0; i < sources.size(); ++i) {
          // A result that equals that of the last instruction set has been
          // checked.
          if (!checked.empty() && results[i] == checked[i]) continue;
          ASSERT_PRED2(IsSame, ValueOf(type, results[i].real), wanted[i])
              << target << ": " << type.name << " to " << e << ", " << m
              << ", bits " << std::hex << sources[i].real << " gave "
              << results[i].real;
        }
        checked = results;
      }
    }
  }
}

TEST(ReducePrecisionAttributesTest, MustBeBoth) {
  const ElementType f32 = ElementOf("f32");
  const Operand input(f32, 1, {});
  const Operand output(f32, 1, {});
  std::string message;
  EXPECT_EQ(Call("sse4", {"reduce_precision", {{"exponent_bits", "5"}}}, input,
                 output, &message),
            ASSAY_UNSUPPORTED);
  EXPECT_EQ(message, "reduce_precision: attribute value not implemented");
  EXPECT_EQ(Call("sse4",
                 {"reduce_precision",
                  {{"exponent_bits", "5"}, {"mantissa_bits", "x"}}},
                 input, output, &message),
            ASSAY_UNSUPPORTED);
}

TEST(ReducePrecisionLengthTest, LargeResults) {
  const NamedOp op = {"reduce_precision",
                      {{"exponent_bits", "5"}, {"mantissa_bits", "3"}}};
  for (const char* name : {"f8E4M3FN", "bf16", "f32", "f64"}) {
    const ElementType type = ElementOf(name);
    std::vector<Bits> sources = SourcesOf(type);
    sources.resize(251);
    for (const std::string& target : Targets()) {
      std::vector<Bits> once;
      ASSERT_NO_FATAL_FAILURE(RunUnary(target, op, type, sources, type, &once));
      for (const size_t count :
           {(size_t{9} << 20) / type.bytes() + 5, size_t{502}, size_t{1027}}) {
        ASSERT_NO_FATAL_FAILURE(RunRepeated(target, op, type, sources, type,
                                            once, count, {false, 1}))
            << name;
      }
    }
  }
}

}  // namespace
}  // namespace assay::simd_test
