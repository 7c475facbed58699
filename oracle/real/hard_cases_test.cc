// Tests results that are hard to round: from many operands the one is taken
// whose result lies nearest to a midpoint of two values, as the oracle measures
// it, and it is rounded by MPFR with 200 bits.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>

#include "oracle/real/real.h"

namespace assay {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

class Number {
 public:
  Number() { mpfr_init2(value_, 200); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

// The operands are positive, from 2^least to 2^greatest, and their results are
// normal.
template <RealFunction kF, class T>
void ExpectHardest(Unary function, int least, int greatest, int count) {
  SCOPED_TRACE(static_cast<int>(kF));
  std::mt19937_64 random(static_cast<unsigned>(kF) + 1);
  const auto span = static_cast<unsigned>(greatest - least);
  T hardest;
  double worst = -1;
  for (int i = 0; i < count; ++i) {
    const double part = std::ldexp(static_cast<double>(random() >> 11), -53);
    const int exponent = least + static_cast<int>(random() % span);
    const T x = T::Round(std::ldexp(1 + part, exponent)).value;
    const double rest = std::fabs(RangeOf<T>(kF, x, x, Bounds()).rest);
    if (rest <= 0.5 && rest > worst) {
      worst = rest;
      hardest = x;
    }
  }
  // Among n operands, one is within a few nths.
  EXPECT_GT(worst, 0.5 - 5.0 / count);
  const RealRange<T> range = RangeOf<T>(kF, hardest, hardest, Bounds());
  Number x, real, near, midpoint;
  mpfr_set_d(x, hardest.ToDouble(), MPFR_RNDN);
  function(real, x, MPFR_RNDN);
  const double rounded = [&] {
    // The precision is that of T; the result is normal.
    mpfr_t result;
    mpfr_init2(result, T::kFormat.precision());
    mpfr_set(result, real, MPFR_RNDN);
    const double value = mpfr_get_d(result, MPFR_RNDN);
    mpfr_clear(result);
    return value;
  }();
  EXPECT_EQ(range.lo.value.ToDouble(), rounded) << hardest.ToDouble();
  EXPECT_EQ(range.hi.value.ToDouble(), rounded) << hardest.ToDouble();
  EXPECT_EQ(range.near.ToDouble(), rounded) << hardest.ToDouble();
  // The measured rest must be that of the real value, as far as libm's type
  // goes.
  constexpr double kResolution = T::kBitWidth == 32 ? 1e-6 : 5e-4;
  mpfr_set_d(near, rounded, MPFR_RNDN);
  mpfr_sub(near, real, near, MPFR_RNDN);
  mpfr_mul_2si(near, near, -range.unit, MPFR_RNDN);
  EXPECT_NEAR(mpfr_get_d(near, MPFR_RNDN), range.rest, kResolution);
  // The ends of a budget of one unit are half a unit from the real value, so
  // this one has the values next to `rounded` on both sides of it.
  const RealRange<T> wide =
      RangeOf<T>(kF, hardest, hardest, Bounds{1, std::nullopt});
  EXPECT_LT(wide.lo.value.ToDouble(), wide.hi.value.ToDouble());
  EXPECT_LE(wide.lo.value.ToDouble(), rounded);
  EXPECT_GE(wide.hi.value.ToDouble(), rounded);
}

template <class T>
void ExpectHardestOfAll(int count) {
  using enum RealFunction;
  ExpectHardest<kCbrt, T>(mpfr_cbrt, -60, 60, count);
  ExpectHardest<kCosine, T>(mpfr_cos, -4, 100, count);
  ExpectHardest<kExponential, T>(mpfr_exp, -6, 6, count);
  ExpectHardest<kExponentialMinusOne, T>(mpfr_expm1, -20, 6, count);
  ExpectHardest<kLog, T>(mpfr_log, -60, 60, count);
  ExpectHardest<kLogPlusOne, T>(mpfr_log1p, -20, 60, count);
  ExpectHardest<kRsqrt, T>(mpfr_rec_sqrt, -60, 60, count);
  ExpectHardest<kSine, T>(mpfr_sin, -8, 100, count);
  ExpectHardest<kTan, T>(mpfr_tan, -8, 100, count);
  ExpectHardest<kTanh, T>(mpfr_tanh, -8, 2, count);
}

TEST(HardCases, OfF32AreWhatMpfrSays) { ExpectHardestOfAll<F32>(100000); }
TEST(HardCases, OfF64AreWhatMpfrSays) { ExpectHardestOfAll<F64>(10000); }

}  // namespace
}  // namespace assay
