// Compares the oracle's real functions with MPFR, bit for bit: correctly
// rounded results of f32 and f64 on random bit patterns, or on all results that
// are exact.
//
//   real_check [COUNT_F32 COUNT_F64 [SEED]]
//
// MPFR rounds correctly by itself, except for logistic, which is computed by a
// formula with growing precision until its rounding is sure.
#include <fmt/format.h>
#include <mpfr.h>

#include <cstdlib>
#include <random>
#include <string>

#include "oracle/real/real.h"

namespace assay {
namespace {

class Mpfr {
 public:
  explicit Mpfr(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~Mpfr() { mpfr_clear(value_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

int Call(RealFunction f, mpfr_ptr r, mpfr_ptr x, mpfr_ptr y) {
  using enum RealFunction;
  constexpr mpfr_rnd_t kNearest = MPFR_RNDN;
  switch (f) {
    case kAtan2:
      return mpfr_atan2(r, x, y, kNearest);
    case kCbrt:
      return mpfr_cbrt(r, x, kNearest);
    case kCosine:
      return mpfr_cos(r, x, kNearest);
    case kDivide:
      return mpfr_div(r, x, y, kNearest);
    case kExponential:
      return mpfr_exp(r, x, kNearest);
    case kExponentialMinusOne:
      return mpfr_expm1(r, x, kNearest);
    case kLog:
      return mpfr_log(r, x, kNearest);
    case kLogPlusOne:
      return mpfr_log1p(r, x, kNearest);
    case kPower:
      return mpfr_pow(r, x, y, kNearest);
    case kRsqrt:
      return mpfr_rec_sqrt(r, x, kNearest);
    case kSine:
      return mpfr_sin(r, x, kNearest);
    case kSqrt:
      return mpfr_sqrt(r, x, kNearest);
    case kTan:
      return mpfr_tan(r, x, kNearest);
    case kTanh:
      return mpfr_tanh(r, x, kNearest);
    case kLogistic:
      break;
  }
  // 1 / (1 + e^-x) has three roundings of `precision` bits.
  const mpfr_prec_t target = mpfr_get_prec(r);
  for (mpfr_prec_t precision = target + 64;; precision *= 2) {
    Mpfr wide(precision);
    mpfr_neg(wide, x, kNearest);
    mpfr_exp(wide, wide, kNearest);
    mpfr_add_ui(wide, wide, 1, kNearest);
    mpfr_ui_div(wide, 1, wide, kNearest);
    const bool is_special = !mpfr_regular_p(wide) || mpfr_zero_p(x);
    // If e^-x vanishes beside 1, the result is a number just below 1.
    if (is_special ||
        mpfr_can_round(wide, precision - 6, MPFR_RNDN, MPFR_RNDN, target) ||
        precision > 20000) {
      const int direction = mpfr_set(r, wide, kNearest);
      return precision > 20000 && !is_special ? 1 : direction;
    }
  }
}

// Returns the result as a value of T, with its subnormals, by MPFR's own means.
template <class T>
T ByMpfr(RealFunction f, T x, T y) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  Mpfr a(53), b(53), r(T::kFormat.precision());
  mpfr_set_d(a, x.ToDouble(), MPFR_RNDN);
  mpfr_set_d(b, y.ToDouble(), MPFR_RNDN);
  int direction = Call(f, r, a, b);
  mpfr_set_emin(T::kFormat.min_exponent() - T::kFormat.mantissa_bits + 1);
  mpfr_set_emax(T::kFormat.max_exponent() + 1);
  direction = mpfr_check_range(r, direction, MPFR_RNDN);
  direction = mpfr_subnormalize(r, direction, MPFR_RNDN);
  const double value = mpfr_get_d(r, MPFR_RNDN);
  return T::Round(value).value;
}

struct Count {
  int64_t compared = 0, different = 0;
  std::array<int64_t, kTiers> tiers = {};
};

template <RealFunction kF, class T>
void Compare(T x, T y, Count* count) {
  const RealRange<T> range = RangeOf<T>(kF, x, y, Bounds());
  const T expected = ByMpfr(kF, x, y);
  ++count->compared;
  ++count->tiers[static_cast<size_t>(range.tier)];
  const bool same = range.lo.value.IsNan()
                        ? expected.IsNan()
                        : range.lo.value.ToBits() == expected.ToBits();
  const bool is_one = range.lo.value.ToBits() == range.hi.value.ToBits();
  if (same && is_one) return;
  if (++count->different <= 3)
    fmt::print("  x = {:a}, y = {:a}: oracle {:a} to {:a}, MPFR {:a}\n",
               x.ToDouble(), y.ToDouble(), range.lo.value.ToDouble(),
               range.hi.value.ToDouble(), expected.ToDouble());
}

// Draws random bits, of which every fourth operand lies near 1, where functions
// are neither 0 nor infinite.
template <class T>
T Draw(std::mt19937_64& random) {
  auto bits = static_cast<typename T::Bits>(random());
  if (random() % 4 == 0) {
    constexpr auto kOne = static_cast<uint64_t>(T::kFormat.bias);
    const uint64_t exponent = kOne - 8 + random() % 16;
    bits = static_cast<typename T::Bits>(
        (bits & (T::kFormat.mantissa_mask() | T::kFormat.sign_bit())) |
        exponent << T::kFormat.mantissa_bits);
  }
  return T::FromBits(bits);
}

// Compares operands whose result is a number of few bits.
template <RealFunction kF, class T>
void CompareExact(Count* count) {
  const auto value = [](double x) { return T::Round(x).value; };
  for (int m = 1; m < 600; m += 2) {
    for (int e = -12; e <= 12; ++e) {
      const double x = std::ldexp(m, e);
      if constexpr (kF == RealFunction::kCbrt) {
        if (value(x * x * x).ToDouble() == x * x * x)
          Compare<kF, T>(value(x * x * x), value(0), count);
      } else if constexpr (kF == RealFunction::kRsqrt ||
                           kF == RealFunction::kSqrt) {
        Compare<kF, T>(value(x * x), value(0), count);
      } else if constexpr (kF == RealFunction::kDivide) {
        for (const double y : {1.0, -3.0, 0.625})
          Compare<kF, T>(value(x * y), value(y), count);
      } else if constexpr (kF == RealFunction::kPower) {
        for (int n = -4; n <= 20; ++n) {
          Compare<kF, T>(value(x), value(n), count);
          Compare<kF, T>(value(-x), value(n), count);
        }
        for (const double root : {0.5, 0.25, 0.125, 1.5, 2.25, -0.5})
          Compare<kF, T>(value(x * x), value(root), count);
      }
    }
  }
}

template <RealFunction kF, class T>
bool Check(const char* name, const char* type, int64_t n, uint64_t seed) {
  Count count;
  CompareExact<kF, T>(&count);
  std::mt19937_64 random(seed);
  for (int64_t i = 0; i < n; ++i) {
    const T x = Draw<T>(random), y = Draw<T>(random);
    Compare<kF, T>(x, y, &count);
  }
  fmt::print(
      "{:<23} {:<4} {:>12} compared {:>6} different; exact {}, double {}, long "
      "double {}, balls {}\n",
      name, type, count.compared, count.different, count.tiers[0],
      count.tiers[1], count.tiers[2], count.tiers[3]);
  return count.different == 0;
}

int Main(int64_t n32, int64_t n64, uint64_t seed) {
  bool ok = true;
#define ASSAY_CHECK_FUNCTION(name)                                  \
  ok &= Check<RealFunction::k##name, F32>(#name, "f32", n32, seed); \
  ok &= Check<RealFunction::k##name, F64>(#name, "f64", n64, seed);
  ASSAY_CHECK_FUNCTION(Atan2)
  ASSAY_CHECK_FUNCTION(Cbrt)
  ASSAY_CHECK_FUNCTION(Cosine)
  ASSAY_CHECK_FUNCTION(Divide)
  ASSAY_CHECK_FUNCTION(Exponential)
  ASSAY_CHECK_FUNCTION(ExponentialMinusOne)
  ASSAY_CHECK_FUNCTION(Log)
  ASSAY_CHECK_FUNCTION(LogPlusOne)
  ASSAY_CHECK_FUNCTION(Logistic)
  ASSAY_CHECK_FUNCTION(Power)
  ASSAY_CHECK_FUNCTION(Rsqrt)
  ASSAY_CHECK_FUNCTION(Sine)
  ASSAY_CHECK_FUNCTION(Sqrt)
  ASSAY_CHECK_FUNCTION(Tan)
  ASSAY_CHECK_FUNCTION(Tanh)
#undef ASSAY_CHECK_FUNCTION
  mpfr_free_cache();
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  const auto number = [&](int i, int64_t otherwise) {
    return i < argc ? std::atoll(argv[i]) : otherwise;
  };
  return assay::Main(number(1, 20000), number(2, 5000),
                     static_cast<uint64_t>(number(3, 1)));
}
