// Tests the elementary functions on every float type and instruction set: they
// must be near enough to the same functions in long double, exact where IEEE
// 754-2019 9.2.1 says what they are, and the same in every lane.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"
#include "backends/simd/elementwise/real_functions_test_support.h"

namespace assay::simd_test {
namespace {

struct Operands {
  Raw a;
  Raw b;  // Only of a binary function.
};

std::vector<FloatInput> InputsOf(const FloatType& t, const RealFunction& f,
                                 const Operands& operands) {
  std::vector<FloatInput> inputs = {{t.type, operands.a}};
  if (f.is_binary) inputs.push_back({t.type, operands.b});
  return inputs;
}

void CheckValues(const FloatType& t, const RealFunction& f,
                 const Operands& operands) {
  const size_t n = operands.a.size();
  std::vector<Accepted> accepted;
  for (size_t i = 0; i < n; ++i) {
    const Real y = f.is_binary ? RealOf(t, operands.b[i]) : 0;
    accepted.push_back(Accept(t, f, f.f(RealOf(t, operands.a[i]), y)));
  }
  const auto inputs = InputsOf(t, f, operands);
  ForEachTarget([&](const std::string& target) {
    const Raw results = RunFloats({f.op, "", ""}, inputs, {t.type, {}}, n);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(IsAccepted(t, accepted[i], results[i]))
          << f.op << " of " << t.name << " on " << target << ": "
          << Hex(operands.a[i]) << (f.is_binary ? ", " : "")
          << (f.is_binary ? Hex(operands.b[i]) : "") << " gave "
          << Hex(results[i]) << ", not " << Hex(accepted[i].low) << " to "
          << Hex(accepted[i].high);
    }
  });
}

// Returns all pairs of values of up to 8 bits and of the grid, and pairs of
// operands near 1 and with quotients near 1, so that many results of power and
// atan2 are ordinary numbers.
Operands PairsOf(const FloatType& t, const RealFunction& f) {
  Operands pairs;
  const Raw values = FloatGrid(t);
  for (const uint64_t x : values) {
    pairs.a.insert(pairs.a.end(), values.size(), x);
    pairs.b.insert(pairs.b.end(), values.begin(), values.end());
  }
  std::mt19937_64 random(12);
  const auto draw = [&random] {
    return static_cast<double>(random() >> 11) * 0x1p-53;
  };
  const double exponents = std::log(2.0) * std::min(t.bias + 12, 1074);
  for (int i = 0; i < 5000 && t.type.bits > 8; ++i) {
    const uint64_t a = i % 2 == 0 ? Encode(t, static_cast<Quad>(0.5 + draw()))
                                  : random() & t.type.mask() & ~t.sign();
    const Real x = RealOf(t, a);
    const Real y = f.op == std::string("power")
                       ? (2 * draw() - 1) * exponents / std::log(x)
                       : x * std::ldexp(draw(), i % 7 - 3);
    pairs.a.push_back(a | (i % 5 == 0 ? t.sign() : 0));
    pairs.b.push_back(Encode(t, static_cast<Quad>(y)));
  }
  return pairs;
}

class RealFunctionsOfType : public testing::TestWithParam<FloatType> {};

INSTANTIATE_TEST_SUITE_P(Types, RealFunctionsOfType, testing::ValuesIn(kFloats),
                         [](const auto& test) { return test.param.name; });

TEST_P(RealFunctionsOfType, Values) {
  const FloatType& t = GetParam();
  for (const RealFunction& f : RealFunctions()) {
    CheckValues(t, f,
                f.is_binary ? PairsOf(t, f) : Operands{RealOperands(t, f), {}});
  }
}

// A result must not depend on the numbers in the other lanes, nor on whether it
// is computed in a vector or a tail. Bits are compared, also those of NaNs.
TEST_P(RealFunctionsOfType, SameInEveryLane) {
  const FloatType& t = GetParam();
  Raw some = FloatGrid(t);
  std::shuffle(some.begin(), some.end(), std::mt19937_64(13));
  some.resize(std::min<size_t>(some.size(), 250));
  for (const RealFunction& f : RealFunctions()) {
    const Op op = {f.op, "", ""};
    Operands operands = {some, Raw(some.rbegin(), some.rend())};
    const size_t n = some.size();
    // Each of these vectors has one value in all of its lanes.
    Operands repeated;
    for (size_t i = 0; i < n; ++i) {
      repeated.a.insert(repeated.a.end(), 64, operands.a[i]);
      repeated.b.insert(repeated.b.end(), 64, operands.b[i]);
    }
    ForEachTarget([&](const std::string& target) {
      const std::string what = op.name + " on " + target;
      const auto inputs = InputsOf(t, f, operands);
      const Raw mixed = RunFloats(op, inputs, {t.type, {}}, n);
      const Raw alone =
          RunFloats(op, InputsOf(t, f, repeated), {t.type, {}}, 64 * n);
      for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(alone[64 * i], mixed[i]) << what << Hex(operands.a[i]);
      }
      for (size_t length = 1; length < std::min<size_t>(n, 40); ++length) {
        for (const Placement& placement :
             {Placement{false, 1}, Placement{true, 0}}) {
          ASSERT_EQ(RunFloats(op, inputs, {t.type, {}}, length, placement),
                    Raw(mixed.begin(),
                        mixed.begin() + static_cast<ptrdiff_t>(length)))
              << what;
        }
      }
    });
  }
}

// ------------------------------------------------------------- Special values

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct SpecialValue {
  const char* op;
  double x, y;
  double result;
};

// These values are those of IEEE 754-2019 9.2.1; the signs of odd functions are
// added below. `y` of a unary function is 0.
constexpr SpecialValue kSpecialValues[] = {
    {"cbrt", 0, 0, 0},
    {"cbrt", kInf, 0, kInf},
    {"cosine", 0, 0, 1},
    {"cosine", -0.0, 0, 1},
    {"cosine", kInf, 0, kNan},
    {"exponential", 0, 0, 1},
    {"exponential", -0.0, 0, 1},
    {"exponential", kInf, 0, kInf},
    {"exponential", -kInf, 0, 0},
    {"exponential_minus_one", 0, 0, 0},
    {"exponential_minus_one", -0.0, 0, -0.0},
    {"exponential_minus_one", kInf, 0, kInf},
    {"exponential_minus_one", -kInf, 0, -1},
    {"log", 0, 0, -kInf},
    {"log", -0.0, 0, -kInf},
    {"log", 1, 0, 0},
    {"log", kInf, 0, kInf},
    {"log", -1, 0, kNan},
    {"log", -kInf, 0, kNan},
    {"log_plus_one", 0, 0, 0},
    {"log_plus_one", -0.0, 0, -0.0},
    {"log_plus_one", -1, 0, -kInf},
    {"log_plus_one", kInf, 0, kInf},
    {"log_plus_one", -1.5, 0, kNan},
    {"log_plus_one", -kInf, 0, kNan},
    {"logistic", 0, 0, 0.5},
    {"logistic", -0.0, 0, 0.5},
    {"logistic", kInf, 0, 1},
    {"logistic", -kInf, 0, 0},
    {"rsqrt", 0, 0, kInf},
    {"rsqrt", -0.0, 0, -kInf},
    {"rsqrt", kInf, 0, 0},
    {"rsqrt", 4, 0, 0.5},
    {"rsqrt", -1, 0, kNan},
    {"rsqrt", -kInf, 0, kNan},
    {"sine", 0, 0, 0},
    {"sine", kInf, 0, kNan},
    {"tan", 0, 0, 0},
    {"tan", kInf, 0, kNan},
    {"tanh", 0, 0, 0},
    {"tanh", kInf, 0, 1},
    {"atan2", 0, 1, 0},
    {"atan2", 0, 0, 0},
    {"atan2", 1, kInf, 0},
    {"power", 2, 0, 1},
    {"power", kNan, 0, 1},
    {"power", kNan, -0.0, 1},
    {"power", 0, 0, 1},
    {"power", kInf, -0.0, 1},
    {"power", 1, kNan, 1},
    {"power", 1, -kInf, 1},
    {"power", 2, kNan, kNan},
    {"power", -1, kInf, 1},
    {"power", -1, -kInf, 1},
    {"power", -1, kNan, kNan},
    {"power", 0, 3, 0},
    {"power", -0.0, 3, -0.0},
    {"power", -0.0, 2, 0},
    {"power", -0.0, 0.5, 0},
    {"power", 0, -3, kInf},
    {"power", -0.0, -3, -kInf},
    {"power", -0.0, -2, kInf},
    {"power", -0.0, -kInf, kInf},
    {"power", -0.0, kInf, 0},
    {"power", 0.5, kInf, 0},
    {"power", -0.5, -kInf, kInf},
    {"power", 2, kInf, kInf},
    {"power", -2, -kInf, 0},
    {"power", kInf, 0.5, kInf},
    {"power", kInf, -0.5, 0},
    {"power", -kInf, 3, -kInf},
    {"power", -kInf, 2, kInf},
    {"power", -kInf, 0.5, kInf},
    {"power", -kInf, -3, -0.0},
    {"power", -kInf, -2, 0},
    {"power", -2, 3, -8},
    {"power", -2, 0.5, kNan},
};

TEST(RealFunctions, SpecialValues) {
  for (const char* type : {"f8E5M2", "bf16", "f16", "f32", "f64"}) {
    const FloatType& t = FloatNamed(type);
    const auto encode = [&t](double x) {
      return Encode(t, static_cast<Quad>(x));
    };
    const auto check = [&](const SpecialValue& s) {
      std::vector<FloatInput> inputs = {{t.type, {encode(s.x)}}};
      const std::string op = s.op;
      if (op == "power" || op == "atan2") {
        inputs.push_back({t.type, {encode(s.y)}});
      }
      ForEachTarget([&](const std::string& target) {
        ExpectRaw(op + " of " + type + " on " + target, &t,
                  RunFloats({op, "", ""}, inputs, {t.type, {}}, 1),
                  {encode(s.result)}, false, inputs);
      });
    };
    for (const SpecialValue& s : kSpecialValues) {
      check(s);
      const std::string op = s.op;
      if (op == "cbrt" || op == "sine" || op == "tan" || op == "tanh" ||
          op == "atan2") {
        check({s.op, -s.x, s.y, -s.result});
      }
      if (op != "power") check({s.op, kNan, s.y, kNan});
    }
    check({"atan2", 1, kNan, kNan});
  }
}

}  // namespace
}  // namespace assay::simd_test
