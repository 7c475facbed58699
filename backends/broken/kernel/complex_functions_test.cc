// Tests functions of complex numbers against Arb, normwise: each part may be
// off by an ulp of the larger one.
#include <acb.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfloat>

#include "backends/broken/kernel/float_reference_test_support.h"

namespace assay::broken {
namespace {

using testing::_;
using testing::ElementsAre;

constexpr int64_t kOne32 = 0x3f800000, kMinus32 = 0x80000000;
constexpr slong kPrecision = 300;

class Acb {
 public:
  Acb() { acb_init(value_); }
  Acb(Exact real, Exact imaginary) : Acb() {
    acb_set_d_d(value_, static_cast<double>(real),
                static_cast<double>(imaginary));
  }
  ~Acb() { acb_clear(value_); }
  Acb(const Acb&) = delete;
  Acb& operator=(const Acb&) = delete;
  operator acb_ptr() { return value_; }
  // Real and Imaginary return midpoints.
  double Real() {
    return arf_get_d(arb_midref(acb_realref(value_)), ARF_RND_NEAR);
  }
  double Imaginary() {
    return arf_get_d(arb_midref(acb_imagref(value_)), ARF_RND_NEAR);
  }

 private:
  acb_t value_;
};

using ArbUnary = void (*)(acb_ptr, acb_srcptr, slong);
using ArbBinary = void (*)(acb_ptr, acb_srcptr, acb_srcptr, slong);

void Cbrt(acb_ptr result, acb_srcptr z, slong precision) {
  acb_root_ui(result, z, 3, precision);
}

void Logistic(acb_ptr result, acb_srcptr z, slong precision) {
  acb_neg(result, z);
  acb_exp(result, result, precision);
  acb_add_ui(result, result, 1, precision);
  acb_inv(result, result, precision);
}

void Sign(acb_ptr result, acb_srcptr z, slong precision) {
  acb_sgn(result, z, precision);
}

void Atan2(acb_ptr result, acb_srcptr y, acb_srcptr x, slong precision) {
  Acb squares, square;
  acb_mul(squares, x, x, precision);
  acb_mul(square, y, y, precision);
  acb_add(squares, squares, square, precision);
  acb_sqrt(squares, squares, precision);
  acb_mul_onei(result, y);
  acb_add(result, result, x, precision);
  acb_div(result, result, squares, precision);
  acb_log(result, result, precision);
  acb_div_onei(result, result);
}

// Returns all numbers made of two of the parts whose imaginary parts are not
// zero: Arb has no signed zeros.
Values NumbersOf(const DLDataType& type, const std::vector<double>& parts) {
  Values numbers;
  const auto add = [&](double x) {
    numbers.push_back(BitsOf(type) == 64
                          ? std::bit_cast<int64_t>(x)
                          : std::bit_cast<uint32_t>(static_cast<float>(x)));
  };
  for (const double real : parts) {
    for (const double imaginary : parts) {
      if (imaginary == 0) continue;
      add(real);
      add(imaginary);
    }
  }
  return numbers;
}

DLDataType PartType(const DLDataType& type) {
  return BitsOf(type) == 64 ? kF64 : kF32;
}

// Returns whether each part of the result is the exact one, rounded, to an ulp
// of the larger part. Any result is near if the exact number overflows.
bool IsNear(const DLDataType& type, const int64_t* result, Acb& exact) {
  const double real = exact.Real(), imaginary = exact.Imaginary();
  const bool is_f32 = BitsOf(type) == 32;
  const double norm = std::max(std::abs(real), std::abs(imaginary));
  const double greatest = is_f32 ? FLT_MAX : DBL_MAX;
  if (!(norm <= greatest)) return true;
  const int exponent =
      norm == 0 ? -2000 : std::max(std::ilogb(norm), is_f32 ? -126 : -1022);
  const Exact ulp = std::ldexp(Exact{1}, exponent - (is_f32 ? 23 : 52));
  const DLDataType part = PartType(type);
  return std::abs(ValueOf(part, result[0]) - real) <= ulp &&
         std::abs(ValueOf(part, result[1]) - imaginary) <= ulp;
}

const std::vector<double>& Parts() {
  static const std::vector<double> parts = {
      0,       0.5,       -0.5, 1,  -1,     1 + 0x1p-23, -1 + 0x1p-24,
      0x1p-30, -0x1p-100, 0.75, -3, 3.1415, -6.2831,     -87,
      1e10,    -1e30};
  return parts;
}

TEST(ComplexFunctions, Unary) {
  const std::map<std::string, ArbUnary> ops = {
      {"cbrt", Cbrt},           {"cosine", acb_cos},
      {"exponential", acb_exp}, {"exponential_minus_one", acb_expm1},
      {"log", acb_log},         {"log_plus_one", acb_log1p},
      {"logistic", Logistic},   {"rsqrt", acb_rsqrt},
      {"sign", Sign},           {"sine", acb_sin},
      {"sqrt", acb_sqrt},       {"tan", acb_tan},
      {"tanh", acb_tanh}};
  for (const DLDataType& type : {kC64, kC128}) {
    const Values z = NumbersOf(type, Parts());
    const DLDataType part = PartType(type);
    for (const auto& [op, function] : ops) {
      const Values result = ResultOf({op, type, {z}});
      for (size_t i = 0; i < z.size(); i += 2) {
        Acb exact, operand(ValueOf(part, z[i]), ValueOf(part, z[i + 1]));
        function(exact, operand, kPrecision);
        EXPECT_TRUE(IsNear(type, &result[i], exact))
            << op << " " << BitsOf(type) << " " << ValueOf(part, z[i]) << " "
            << ValueOf(part, z[i + 1]) << " gives " << ValueOf(part, result[i])
            << " " << ValueOf(part, result[i + 1]) << ", not " << exact.Real()
            << " " << exact.Imaginary();
      }
    }
  }
}

TEST(ComplexFunctions, Binary) {
  const std::map<std::string, ArbBinary> ops = {{"atan2", Atan2},
                                                {"divide", acb_div},
                                                {"multiply", acb_mul},
                                                {"power", acb_pow}};
  const std::vector<double> parts = {0.5, -1, 1 + 0x1p-23, 0x1p-30,
                                     -3,  17, 1e3};
  for (const DLDataType& type : {kC64, kC128}) {
    const Values z = NumbersOf(type, parts);
    const DLDataType part = PartType(type);
    for (const auto& [op, function] : ops) {
      for (size_t step = 0; step < z.size(); step += 2) {
        Values w = z;
        std::ranges::rotate(w, w.begin() + static_cast<int64_t>(step));
        if (op == "power" && BitsOf(type) == 64) {
          for (size_t i = 0; i < w.size(); ++i) {
            if (std::abs(ValueOf(part, w[i])) > 20) w[i] = z[0];
          }
        }
        const Values result = ResultOf({op, type, {z, w}});
        for (size_t i = 0; i < z.size(); i += 2) {
          Acb exact, a(ValueOf(part, z[i]), ValueOf(part, z[i + 1])),
              b(ValueOf(part, w[i]), ValueOf(part, w[i + 1]));
          function(exact, a, b, kPrecision);
          EXPECT_TRUE(IsNear(type, &result[i], exact))
              << op << " " << BitsOf(type) << " " << ValueOf(part, z[i]) << " "
              << ValueOf(part, z[i + 1]) << ", " << ValueOf(part, w[i]) << " "
              << ValueOf(part, w[i + 1]) << " gives "
              << ValueOf(part, result[i]) << " " << ValueOf(part, result[i + 1])
              << ", not " << exact.Real() << " " << exact.Imaginary();
        }
      }
    }
  }
}

// The operands have one magnitude and many: the branch depends on the rest of
// sums that nearly vanish, or on a part that nearly vanishes.
TEST(ComplexFunctions, Atan2TakesTheRightBranch) {
  const std::vector<double> parts = {1,        -1,        0x1p-40, -0x1p-40,
                                     0x1p-120, -0x1p-120, 0x1p100, -0x1p100};
  for (const DLDataType& type : {kC64, kC128}) {
    const Values y = NumbersOf(type, parts);
    const DLDataType part = PartType(type);
    for (size_t step = 0; step < y.size(); step += 2) {
      Values x = y;
      std::ranges::rotate(x, x.begin() + static_cast<int64_t>(step));
      const Values result = ResultOf({"atan2", type, {y, x}});
      for (size_t i = 0; i < y.size(); i += 2) {
        Acb exact, a(ValueOf(part, y[i]), ValueOf(part, y[i + 1])),
            b(ValueOf(part, x[i]), ValueOf(part, x[i + 1]));
        Atan2(exact, a, b, 2000);
        const bool is_on_cut = acb_rel_accuracy_bits(exact) < 100;
        if (is_on_cut) continue;
        EXPECT_TRUE(IsNear(type, &result[i], exact))
            << ValueOf(part, y[i]) << " " << ValueOf(part, y[i + 1]) << ", "
            << ValueOf(part, x[i]) << " " << ValueOf(part, x[i + 1])
            << " gives " << ValueOf(part, result[i]) << " "
            << ValueOf(part, result[i + 1]) << ", not " << exact.Real() << " "
            << exact.Imaginary();
      }
    }
  }
}

// If the imaginary part of the base is a zero, its sign is that of the result's
// imaginary part.
TEST(ComplexFunctions, BothSidesOfTheCuts) {
  const int64_t minus = kMinus32 | kOne32, two = 0x40000000;
  for (const std::string op : {"cbrt", "log", "rsqrt", "sqrt"}) {
    const Values above = ResultOf({op, kC64, {{minus, 0}}}),
                 below = ResultOf({op, kC64, {{minus, kMinus32}}});
    EXPECT_EQ(above[0], below[0]) << op;
    EXPECT_EQ(above[1] ^ below[1], kMinus32) << op;
    EXPECT_EQ(above[1] < kMinus32, op != "rsqrt") << op;
  }
  EXPECT_THAT(ResultOf({"sqrt", kC64, {{minus, kMinus32}}}),
              ElementsAre(0, minus));
  EXPECT_THAT(ResultOf({"log_plus_one", kC64, {{kMinus32 | two, kMinus32}}}),
              ElementsAre(0, 0xc0490fdb));
  EXPECT_THAT(ResultOf({"power", kC64, {{minus, kMinus32}, {0x3f000000, 0}}}),
              ElementsAre(_, minus));
}

TEST(ComplexFunctions, SpecialOperands) {
  EXPECT_THAT(ResultOf({"sign", kC64, {{kMinus32, 0}}}), ElementsAre(0, 0));
  EXPECT_THAT(ResultOf({"abs", kC64, {{0x7f000000, 0, 3, 4}}, {}, kF32}),
              ElementsAre(0x7f000000, 5));
  // These are 0 to the power of 0, and of 1 - i.
  EXPECT_THAT(
      ResultOf(
          {"power", kC64, {{0, 0, 0, 0}, {0, 0, kOne32, kMinus32 | kOne32}}}),
      ElementsAre(kOne32, 0, 0, 0));
}

// 2 to the power of i 2^100 is declined; but a power that underflows has no
// angle.
TEST(ComplexFunctions, PowerDeclinesWhatItCannotResolve) {
  ActiveHooks() = SoundHooks();
  float base[] = {2, 0}, exponent[] = {0, 0x1p100f}, power[2] = {7, 7};
  AssayTensor tensors[] = {TensorOf(base, kC64, nullptr, 0, nullptr),
                           TensorOf(exponent, kC64, nullptr, 0, nullptr),
                           TensorOf(power, kC64, nullptr, 0, nullptr)};
  const AssayCall call = CallOf("power", tensors, 2);
  EXPECT_EQ(assay_backend()->run(&call, nullptr, 0), ASSAY_UNSUPPORTED);
  exponent[0] = -0x1p100f;
  EXPECT_EQ(assay_backend()->run(&call, nullptr, 0), ASSAY_OK);
  EXPECT_THAT(power, ElementsAre(0, 0));
}

}  // namespace
}  // namespace assay::broken
