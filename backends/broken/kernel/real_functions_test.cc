// Tests the functions of IEEE 754 9.2 against MPFR on all values of the small
// formats. In f32 and f64 a result may be the neighbor of the nearest value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include "backends/broken/kernel/float_reference_test_support.h"

namespace assay::broken {
namespace {

// The precision is high enough that the rounding to a long double is right.
constexpr int kMpfrPrecision = 200;

class Mpfr {
 public:
  Mpfr() { mpfr_init2(value_, kMpfrPrecision); }
  explicit Mpfr(Exact value) : Mpfr() { mpfr_set_ld(value_, value, MPFR_RNDN); }
  ~Mpfr() { mpfr_clear(value_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  operator mpfr_ptr() { return value_; }
  Exact Get() { return mpfr_get_ld(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

using MpfrUnary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using MpfrBinary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

int Logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  Mpfr sum;
  mpfr_neg(sum, x, rounding);
  mpfr_exp(sum, sum, rounding);
  mpfr_add_ui(sum, sum, 1, rounding);
  return mpfr_ui_div(result, 1, sum, rounding);
}

// mpfr_rec_sqrt is +inf at -0.
int Rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  Mpfr root;
  mpfr_sqrt(root, x, rounding);
  return mpfr_ui_div(result, 1, root, rounding);
}

const std::map<std::string, MpfrUnary>& UnaryOps() {
  static const std::map<std::string, MpfrUnary> ops = {
      {"cbrt", mpfr_cbrt},       {"cosine", mpfr_cos},
      {"exponential", mpfr_exp}, {"exponential_minus_one", mpfr_expm1},
      {"log", mpfr_log},         {"log_plus_one", mpfr_log1p},
      {"logistic", Logistic},    {"rsqrt", Rsqrt},
      {"sine", mpfr_sin},        {"tan", mpfr_tan},
      {"tanh", mpfr_tanh}};
  return ops;
}

bool IsNear(const DLDataType& type, int64_t result, Exact exact) {
  const Exact value = ValueOf(type, result), nearest = Rounded(type, exact);
  if (IsSame(value, nearest)) return true;
  if (BitsOf(type) <= 16 || std::signbit(value) != std::signbit(nearest))
    return false;
  return IsSame(ValueOf(type, result - 1), nearest) ||
         IsSame(ValueOf(type, result + 1), nearest);
}

TEST(RealFunctions, Unary) {
  for (const auto& [op, function] : UnaryOps()) {
    for (const DLDataType& type : Floats()) {
      const Values x = SampleOf(type);
      const Values result = ResultOf({op, type, {x}});
      for (size_t i = 0; i < x.size(); ++i) {
        Mpfr exact, operand(ValueOf(type, x[i]));
        function(exact, operand, MPFR_RNDN);
        ASSERT_TRUE(IsNear(type, result[i], exact.Get()))
            << op << " " << BitsOf(type) << std::hex << " " << x[i] << " gives "
            << result[i] << ", not " << exact.Get();
      }
    }
  }
}

TEST(RealFunctions, Binary) {
  const std::map<std::string, MpfrBinary> ops = {{"atan2", mpfr_atan2},
                                                 {"power", mpfr_pow}};
  for (const auto& [op, function] : ops) {
    for (const DLDataType& type : Floats()) {
      const Values x = SampleOf(type);
      for (size_t step = 0; step < x.size(); step += 13) {
        Values y = x;
        std::ranges::rotate(y, y.begin() + static_cast<int64_t>(step));
        const Values result = ResultOf({op, type, {x, y}});
        for (size_t i = 0; i < x.size(); ++i) {
          Mpfr exact, a(ValueOf(type, x[i])), b(ValueOf(type, y[i]));
          function(exact, a, b, MPFR_RNDN);
          ASSERT_TRUE(IsNear(type, result[i], exact.Get()))
              << op << " " << BitsOf(type) << std::hex << " " << x[i] << " "
              << y[i] << " gives " << result[i] << ", not " << exact.Get();
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::broken
