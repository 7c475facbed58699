// Tests the sound kernel on floats and complex numbers against references that
// work in another way (float_reference_test_support.h), on all values of the
// small formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/broken/kernel/float_reference_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;

std::vector<DLDataType> RealTypes() {
  std::vector<DLDataType> types = Floats();
  types.push_back(kI1);
  for (const uint8_t bits : {2, 4, 8, 16, 32, 64}) {
    types.push_back({kDLInt, bits, 1});
    types.push_back({kDLUInt, bits, 1});
  }
  return types;
}

std::string NameOf(const DLDataType& type) {
  return std::to_string(type.code) + "/" + std::to_string(type.bits);
}

// Returns the result of an operator before it is rounded to the type: a long
// double is long enough for every type but f64, whose operators the compiler
// has.
template <typename Operator, typename... Operands>
Exact ExactOf(const DLDataType& type, Operator exact, Operands... x) {
  if (BitsOf(type) == 64) return exact(static_cast<double>(x)...);
  return exact(x...);
}

template <typename Operator>
void ExpectUnary(const std::string& op, Operator exact) {
  for (const DLDataType& type : Floats()) {
    const Values x = SampleOf(type);
    const Values result = ResultOf({op, type, {x}});
    for (size_t i = 0; i < x.size(); ++i) {
      const Exact expected =
          Rounded(type, ExactOf(type, exact, ValueOf(type, x[i])));
      ASSERT_TRUE(IsSame(ValueOf(type, result[i]), expected))
          << op << " " << NameOf(type) << " " << std::hex << x[i] << " gives "
          << result[i] << ", not " << expected;
    }
  }
}

template <typename Operator>
void ExpectBinary(const std::string& op, Operator exact) {
  for (const DLDataType& type : Floats()) {
    const Values x = SampleOf(type);
    for (size_t step = 0; step < x.size(); step += 13) {
      Values y = x;
      std::ranges::rotate(y, y.begin() + static_cast<int64_t>(step));
      const Values result = ResultOf({op, type, {x, y}});
      for (size_t i = 0; i < x.size(); ++i) {
        const Exact a = ValueOf(type, x[i]), b = ValueOf(type, y[i]);
        const Exact expected = Rounded(type, ExactOf(type, exact, a, b));
        ASSERT_TRUE(IsSame(ValueOf(type, result[i]), expected))
            << op << " " << NameOf(type) << " " << std::hex << x[i] << " "
            << y[i] << " gives " << result[i] << ", not " << expected;
      }
    }
  }
}

TEST(Floats, Arithmetic) {
  ExpectBinary("add", [](auto a, auto b) { return a + b; });
  ExpectBinary("subtract", [](auto a, auto b) { return a - b; });
  ExpectBinary("multiply", [](auto a, auto b) { return a * b; });
  ExpectBinary("divide", [](auto a, auto b) { return a / b; });
  ExpectBinary("remainder", [](auto a, auto b) { return std::fmod(a, b); });
  ExpectUnary("sqrt", [](auto a) { return std::sqrt(a); });
}

TEST(Floats, OfOnePart) {
  ExpectUnary("abs", [](auto a) { return std::abs(a); });
  ExpectUnary("negate", [](auto a) { return -a; });
  ExpectUnary("ceil", [](auto a) { return std::ceil(a); });
  ExpectUnary("floor", [](auto a) { return std::floor(a); });
  ExpectUnary("round_nearest_afz", [](auto a) { return std::round(a); });
  ExpectUnary("round_nearest_even", [](auto a) { return std::rint(a); });
  ExpectUnary("sign", [](auto a) { return a > 0 ? 1 : a < 0 ? -1 : a; });
}

// This is the maximum of IEEE 754; C's fmax drops NaN and does not order the
// zeros.
template <typename T>
T Largest(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

TEST(Floats, OrderingAndChoice) {
  ExpectBinary("maximum", [](auto a, auto b) { return Largest(a, b); });
  ExpectBinary("minimum", [](auto a, auto b) { return -Largest(-a, -b); });
  for (const DLDataType& type : Floats()) {
    const Values x = SampleOf(type);
    const size_t n = x.size();
    const Values low = {x[n / 3]}, high = {x[n / 2]};
    const Values result = ResultOf({"clamp", type, {low, x, high}});
    const Values finite = ResultOf({"is_finite", type, {x}, {}, kI1});
    for (size_t i = 0; i < n; ++i) {
      const Exact value = ValueOf(type, x[i]);
      const Exact clamped = -Largest(-Largest(value, ValueOf(type, low[0])),
                                     -ValueOf(type, high[0]));
      EXPECT_TRUE(IsSame(ValueOf(type, result[i]), clamped))
          << NameOf(type) << " " << x[i];
      EXPECT_EQ(finite[i], std::isfinite(value)) << NameOf(type) << " " << x[i];
    }
  }
}

TEST(Floats, Compare) {
  using Relation = bool (*)(Exact, Exact);
  const std::map<std::string, Relation> relations = {
      {"EQ", [](Exact a, Exact b) { return a == b; }},
      {"NE", [](Exact a, Exact b) { return a != b; }},
      {"GE", [](Exact a, Exact b) { return a >= b; }},
      {"GT", [](Exact a, Exact b) { return a > b; }},
      {"LE", [](Exact a, Exact b) { return a <= b; }},
      {"LT", [](Exact a, Exact b) { return a < b; }}};
  for (const DLDataType& type : Floats()) {
    const Values x = SampleOf(type);
    for (size_t step = 0; step < x.size(); step += 37) {
      Values y = x;
      std::ranges::rotate(y, y.begin() + static_cast<int64_t>(step));
      for (const auto& [direction, holds] : relations) {
        const Values result = CompareOf(type, x, y, direction, "FLOAT");
        for (size_t i = 0; i < x.size(); ++i)
          ASSERT_EQ(result[i], holds(ValueOf(type, x[i]), ValueOf(type, y[i])))
              << NameOf(type) << " " << x[i] << " " << direction << " " << y[i];
      }
    }
  }
}

// The codes ascend from the least to the greatest in total order.
TEST(Floats, TotalOrder) {
  const auto expect_ascending = [](const DLDataType& type, const Values& x) {
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t k = 0; k < x.size(); ++k) {
        EXPECT_THAT(CompareOf(type, {x[i]}, {x[k]}, "LT", "TOTALORDER"),
                    ElementsAre(i < k));
        EXPECT_THAT(CompareOf(type, {x[i]}, {x[k]}, "EQ", "TOTALORDER"),
                    ElementsAre(i == k));
        EXPECT_THAT(CompareOf(type, {x[i]}, {x[k]}, "GE", "TOTALORDER"),
                    ElementsAre(i >= k));
      }
    }
  };
  expect_ascending(kF32, {0xffffffff, 0xffc00000, 0xff800001, 0xff800000,
                          0xff7fffff, 0x80000001, 0x80000000, 0, 1, 0x7f7fffff,
                          0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff});
  expect_ascending(kF64, {-1, INT64_MIN, 0, INT64_MAX});
  expect_ascending(kF8E4M3FN, {0xff, 0xfe, 0x80, 0, 0x7e, 0x7f});
  expect_ascending({ASSAY_DL_FLOAT8_E4M3FNUZ, 8, 1},
                   {0xff, 0x81, 0, 1, 0x7f, 0x80});
  expect_ascending(kF8E8M0FNU, {0, 1, 0x80, 0xfe, 0xff});
  expect_ascending(kF4E2M1FN, {15, 9, 8, 0, 1, 7});
}

TEST(Floats, ConvertBetweenAllRealTypes) {
  for (const DLDataType& from : RealTypes()) {
    const Values x = SampleOf(from);
    for (const DLDataType& to : RealTypes()) {
      const bool wraps = FindSmall(from) == nullptr && from.code != kDLFloat &&
                         FindSmall(to) == nullptr && to.code != kDLFloat;
      if (wraps) continue;
      const Values result = ResultOf({"convert", from, {x}, {}, to});
      for (size_t i = 0; i < x.size(); ++i) {
        const Exact expected = Rounded(to, ValueOf(from, x[i]));
        ASSERT_TRUE(IsSame(ValueOf(to, result[i]), expected))
            << NameOf(from) << " to " << NameOf(to) << ": " << std::hex << x[i]
            << " gives " << result[i] << ", not " << expected;
      }
    }
  }
}

Values ReducedOf(const DLDataType& type, const Values& x,
                 const std::string& exponent_bits,
                 const std::string& mantissa_bits) {
  return ResultOf(
      {"reduce_precision",
       type,
       {x},
       {{"exponent_bits", exponent_bits}, {"mantissa_bits", mantissa_bits}}});
}

TEST(Floats, ReducePrecision) {
  const auto f64 = [](double x) { return std::bit_cast<int64_t>(x); };
  // This is the specification's example.
  EXPECT_THAT(
      ReducedOf(kF64, {f64(INFINITY), 1, f64(0), f64(65519), f64(65520)}, "5",
                "10"),
      ElementsAre(f64(INFINITY), 0, 0, f64(65504), f64(INFINITY)));
  // Values outside of the range become the infinity and the zero of their sign;
  // the reduced type has no subnormals.
  EXPECT_THAT(
      ReducedOf(kF64,
                {f64(-65520), f64(-0x1p-15), f64(0x1p-14), f64(0x1.ffcp-15),
                 f64(0x1.fffp-15)},
                "5", "10"),
      ElementsAre(f64(-INFINITY), f64(-0.0), f64(0x1p-14), 0, f64(0x1p-14)));
  // With one digit, 1 is odd and 2 is even, whatever the exponent is.
  EXPECT_THAT(
      ReducedOf(kF64, {f64(1.5), f64(3), f64(1.4), f64(-6), f64(1)}, "11", "0"),
      ElementsAre(f64(2), f64(4), f64(1), f64(-8), f64(1)));
  // Subnormals round in their mantissa field; more bits than the type has
  // change nothing.
  EXPECT_THAT(ReducedOf(kF16, {3, 5, 6, 0x3ff, 0x8003}, "5", "8"),
              ElementsAre(4, 4, 8, 0x400, 0x8004));
  EXPECT_THAT(ReducedOf(kF16, {1, 0x7bff, 0x8000, 0xfc00}, "40", "40"),
              ElementsAre(1, 0x7bff, 0x8000, 0xfc00));
  // The format decides what is beyond its greatest value.
  EXPECT_THAT(ReducedOf(kF8E4M3FN, {0x7e, 0xfe}, "4", "1"),
              ElementsAre(0x7f, 0x7f));
  EXPECT_THAT(ReducedOf(kF4E2M1FN, {1, 2, 3, 4, 12}, "1", "1"),
              ElementsAre(0, 0, 0, 7, 15));
  EXPECT_THAT(ReducedOf(kF8E8M0FNU, {0, 0x7e, 0x80, 0xfe, 0xff}, "2", "0"),
              ElementsAre(0, 0, 0x80, 0xff, 0xff));
  EXPECT_EQ(
      std::isnan(ValueOf(kF32, ReducedOf(kF32, {0x7f800001}, "2", "0")[0])),
      true);
}

// The codes whose lowest mantissa bits are 0 are the values of fewer digits,
// and one more value that overflows. Ties go to the even one; next to a power
// of two the significands of a tie are 1 and 2, and below the normal values
// they are 0 and 1.
Exact FewerDigits(const Small& format, int digits, Exact x) {
  const std::vector<Exact>& table = TableOf(format);
  const size_t step = size_t{1} << std::max(0, format.mantissa - digits);
  const Exact magnitude = std::abs(x);
  size_t code = 0;
  while (code + step < table.size() && table[code + step] <= magnitude)
    code += step;
  if (table[code] == magnitude || std::isinf(x) || std::isnan(x)) return x;
  const bool is_last = code + step >= table.size();
  const Exact last = std::ldexp(Exact{1}, std::ilogb(magnitude) - digits);
  const Exact above = is_last ? table[code] + last : table[code + step];
  const Exact up = above - magnitude, down = magnitude - table[code];
  const bool is_odd = digits > 0 ? code / step % 2 == 1 : code > 0;
  const bool goes_up = up < down || (up == down && is_odd);
  return std::copysign(goes_up ? above : table[code], x);
}

Exact SmallerRange(const Small& format, int exponent_bits, Exact x) {
  const int type_bits =
      format.special == 'p' ? 8 : format.type.bits - 1 - format.mantissa;
  if (exponent_bits >= type_bits || x == 0 || !std::isfinite(x)) return x;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  if (std::abs(x) >= std::ldexp(Exact{1}, bias + 1))
    return std::copysign(kInfinity, x);
  return std::abs(x) < std::ldexp(Exact{1}, 1 - bias) ? std::copysign(0, x) : x;
}

TEST(Floats, ReducePrecisionToEverySize) {
  for (const Small& format : SmallFormats()) {
    const Values x = SampleOf(format.type);
    for (int e = 1; e <= 8; ++e) {
      for (int m = 0; m <= format.mantissa; ++m) {
        const Values result =
            ReducedOf(format.type, x, std::to_string(e), std::to_string(m));
        for (size_t i = 0; i < x.size(); ++i) {
          const Exact value = SmallValue(format, x[i]);
          const Exact expected = Nearest(
              format, SmallerRange(format, e, FewerDigits(format, m, value)));
          ASSERT_TRUE(IsSame(SmallValue(format, result[i]), expected))
              << format.name << " E" << e << "M" << m << " " << std::hex << x[i]
              << " gives " << result[i] << ", not " << expected;
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::broken
