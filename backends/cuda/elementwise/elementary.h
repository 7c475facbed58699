// The complex functions are made of these real functions. Those of double are
// the mathematics library's; those of double-double are our own, since no
// library has any.
//
// The relative errors of the double-double functions, also where results are
// small, are below 2^-63: that is enough for a function whose result is rounded
// to double. The errors of the logarithm and the angle that a power is made of
// are below 2^-103, the best that is possible. Newton steps compute them from
// the functions of double; so GPU and host agree except for the last of these
// bits. double_double_test.cc measures both.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_ELEMENTARY_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_ELEMENTARY_H_

#include "backends/cuda/elementwise/double_double.h"

namespace assay::cuda {

template <class W>
struct SineCosine {
  W sine;
  W cosine;
};

enum class Digits { kEnough, kAll };

// `x` must not be NaN.
ASSAY_DEVICE double Clamped(double x, double low, double high) {
  return ::fmin(::fmax(x, low), high);
}

// ------------------------------------------------------------------- In double

ASSAY_NOINLINE double Exp(double x) { return ::exp(x); }
ASSAY_NOINLINE double ExpMinusOne(double x) { return ::expm1(x); }
ASSAY_NOINLINE double Log(double x) { return ::log(x); }
ASSAY_NOINLINE double LogPlusOne(double x) { return ::log1p(x); }
ASSAY_NOINLINE double ATan2(double y, double x) { return ::atan2(y, x); }
ASSAY_NOINLINE SineCosine<double> SinCos(double x) {
  return {::sin(x), ::cos(x)};
}

// --------------------------------------------------------------- Exponentials

// Returns 1 / n! for n from 2 to 27.
ASSAY_DEVICE DoubleDouble InverseFactorial(int n) {
  static constexpr double kValues[][2] = {
      {0x1p-1, 0},
      {0x1.5555555555555p-3, 0x1.5555555555555p-57},
      {0x1.5555555555555p-5, 0x1.5555555555555p-59},
      {0x1.1111111111111p-7, 0x1.1111111111111p-63},
      {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
      {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
      {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
      {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
      {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
      {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
      {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
      {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
      {0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},
      {0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},
      {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
      {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
      {0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},
      {0x1.2f49b46814157p-57, 0x1.2650f61dbdcb4p-112},
      {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
      {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
      {0x1.0ce396db7f853p-70, -0x1.aebcdbd20331cp-124},
      {0x1.761b41316381ap-75, -0x1.3423c7d91404fp-130},
      {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
      {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
      {0x1.88e85fc6a4e5ap-89, -0x1.71c37ebd16540p-143},
      {0x1.d1ab1c2dccea3p-94, 0x1.054d0c78aea14p-149},
  };
  return {kValues[n - 2][0], kValues[n - 2][1]};
}

// Returns the sum of x^i / (kFirst + kStep i)! up to the power x^((kLast -
// kFirst) / kStep). Terms up to kExact are sums of two doubles.
template <int kFirst, int kStep, int kExact, int kLast>
ASSAY_NOINLINE DoubleDouble FactorialSeries(const DoubleDouble& x) {
  double tail = InverseFactorial(kLast).hi;
  ASSAY_UNROLL
  for (int n = kLast - kStep; n > kExact; n -= kStep) {
    tail = ::fma(tail, x.hi, InverseFactorial(n).hi);
  }
  DoubleDouble sum = {tail};
  ASSAY_UNROLL
  for (int n = kExact; n >= kFirst; n -= kStep) {
    sum = sum * x + InverseFactorial(n);
  }
  return sum;
}

// Returns exp(x) - 1 for |x| <= 0.36. The terms that are summed in double are
// less than 2^-54 or, for Digits::kEnough, 2^-13.
template <Digits kDigits>
ASSAY_DEVICE DoubleDouble ExpMinusOneOfSmall(const DoubleDouble& x) {
  constexpr bool kAll = kDigits == Digits::kAll;
  constexpr int kExact = kAll ? 13 : 4;
  constexpr int kLast = kAll ? 24 : 16;
  return x + x * x * FactorialSeries<2, 1, kExact, kLast>(x);
}

// Sets the integer nearest to x / ln(2) and returns the rest of x. ln(2) is
// used in 42, 53 and 53 bits, of which the first times a number below 2^11 is
// exact.
ASSAY_DEVICE DoubleDouble ModuloLn2(const DoubleDouble& x, int* multiple) {
  const double n = ::rint(x.hi * 0x1.71547652b82fep+0);
  *multiple = static_cast<int>(n);
  return TwoProduct(-n, 0x1.ef35793c76730p-45) +
         ::fma(-n, 0x1.62e42fefa3800p-1, x.hi) + x.lo +
         -n * 0x1.f97b57a079a19p-103;
}

// This serves |x| <= 700.
ASSAY_NOINLINE DoubleDouble Exp(const DoubleDouble& x) {
  int n;
  const DoubleDouble rest = ModuloLn2(x, &n);
  const double scale = PowerOfTwo(n);
  const DoubleDouble value = ExpMinusOneOfSmall<Digits::kEnough>(rest) + 1.0;
  return {value.hi * scale, value.lo * scale};
}

ASSAY_NOINLINE DoubleDouble ExpMinusOne(const DoubleDouble& x) {
  if (::fabs(x.hi) < 0.35) return ExpMinusOneOfSmall<Digits::kEnough>(x);
  return Exp(x) - 1.0;
}

// ----------------------------------------------------------------- Logarithms

// Returns log(1 + x) plus exponent log(2), for -0.3 < x < 0.42, by a Newton
// step from the logarithm in double.
template <Digits kDigits>
ASSAY_NOINLINE DoubleDouble LogPlusOneOfSmall(const DoubleDouble& x,
                                              double exponent) {
  const double log = LogPlusOne(x.hi);
  const DoubleDouble exp = ExpMinusOneOfSmall<kDigits>({log});
  const DoubleDouble ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  return FastTwoSum(log, (x - exp).hi / (1 + exp.hi)) + ln2 * exponent;
}

// Returns the result of x = (1 + result) 2^*exponent that has a small
// logarithm, for x between 2^-1000 and 2^1000.
ASSAY_DEVICE DoubleDouble ModuloPowerOfTwo(const DoubleDouble& x,
                                           int* exponent) {
  *exponent = ExponentOf(x.hi);
  if (x.hi * PowerOfTwo(-*exponent) > 1.4142) ++*exponent;
  const double scale = PowerOfTwo(-*exponent);
  return DoubleDouble{x.hi * scale, x.lo * scale} - 1.0;
}

ASSAY_NOINLINE DoubleDouble Log(const DoubleDouble& x) {
  int exponent;
  const DoubleDouble excess = ModuloPowerOfTwo(x, &exponent);
  return LogPlusOneOfSmall<Digits::kEnough>(excess, exponent);
}

ASSAY_NOINLINE DoubleDouble LogPlusOne(const DoubleDouble& x) {
  int exponent = 0;
  const DoubleDouble excess =
      ::fabs(x.hi) < 0.25 ? x : ModuloPowerOfTwo(x + 1.0, &exponent);
  return LogPlusOneOfSmall<Digits::kEnough>(excess, exponent);
}

// -------------------------------------------------------------- Trigonometric

__extension__ typedef unsigned __int128 Product128;

// Returns x less a multiple of pi / 2, between -pi / 4 and pi / 4. The last
// bits of the multiple are those of *quadrant.
//
// x 2 / pi modulo 4 is a whole number of 53 bits, times those bits of 2 / pi
// whose products are below 4 (Payne and Hanek 1983). With 192 of them the error
// is 2^-137; no double comes nearer to a multiple of pi / 2 than 2^-62, so that
// at least 75 bits are right.
ASSAY_NOINLINE DoubleDouble ModuloHalfPi(double x, int* quadrant) {
  *quadrant = 0;
  if (::fabs(x) <= 0.785) return {x};
  // These are the bits of 2 / pi, after 64 zero bits.
  static constexpr uint64_t kTwoOverPi[] = {
      0,
      0xa2f9836e4e441529,
      0xfc2757d1f534ddc0,
      0xdb6295993c439041,
      0xfe5163abdebbc561,
      0xb7246e3a424dd2e0,
      0x06492eea09d1921c,
      0xfe1deb1cb129a73e,
      0xe88235f52ebb4484,
      0xe99c7026b45f7e41,
      0x3991d639835339f4,
      0x9c845f8bbdf9283b,
      0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f,
      0x6d367ecf27cb09b7,
      0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b,
      0x3d0739f78a5292ea,
      0x6bfb5fb11f8d5d08,
      0x56033046fc7b6bab,
  };
  const uint64_t bits = BitCast<uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent > 1023) return {x - x};  // The result is NaN.
  const uint64_t significand = (bits & 0xfffffffffffff) | uint64_t{1} << 52;
  const int place = exponent - 54 + 64;
  const uint64_t* words = kTwoOverPi + place / 64;
  const int shift = place % 64;
  uint64_t product[3];
  Product128 sum = 0;
  for (int i = 2; i >= 0; --i) {
    const uint64_t word = words[i] << shift | words[i + 1] >> 1 >> (63 - shift);
    sum = (sum >> 64) + Product128{significand} * word;
    product[i] = static_cast<uint64_t>(sum);
  }

  // The quarter turns are in the two highest bits. A fraction above a half is
  // replaced by its complement to 1.
  *quadrant = static_cast<int>(product[0] >> 62);
  uint64_t fraction[3] = {product[0] << 2 | product[1] >> 62,
                          product[1] << 2 | product[2] >> 62, product[2] << 2};
  const bool is_above = fraction[0] >> 63 != 0;
  if (is_above) {
    ++*quadrant;
    // Inverting the bits is off by 2^-190.
    for (uint64_t& word : fraction) word = ~word;
  }
  DoubleDouble value = {0};
  double scale = 0x1p-32;
  for (const uint64_t word : fraction) {
    value = value + static_cast<double>(word >> 32) * scale;
    value = value + static_cast<double>(word & 0xffffffff) * (scale * 0x1p-32);
    scale *= 0x1p-64;
  }
  const DoubleDouble half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  const DoubleDouble rest = value * half_pi;
  if (x < 0) *quadrant = -*quadrant;
  return is_above != (x < 0) ? -rest : rest;
}

// The result is NaN if x is not finite.
template <Digits kDigits>
ASSAY_NOINLINE SineCosine<DoubleDouble> SinCos(const DoubleDouble& x) {
  int quadrant;
  DoubleDouble rest = ModuloHalfPi(x.hi, &quadrant);
  if (x.lo != 0) {
    int more;
    rest = rest + ModuloHalfPi(x.lo, &more);
    quadrant += more;
    if (::fabs(rest.hi) > 0.786) {
      const double turn = rest.hi > 0 ? 1 : -1;
      quadrant += rest.hi > 0 ? 1 : -1;
      rest = rest - DoubleDouble{turn * 0x1.921fb54442d18p+0,
                                 turn * 0x1.1a62633145c07p-54};
    }
  }
  // The series are r - r^3 (1 / 3! - ..) and 1 - r^2 (1 / 2! - ..).
  constexpr bool kAll = kDigits == Digits::kAll;
  constexpr int kExact = kAll ? 16 : 6;
  constexpr int kLast = kAll ? 26 : 18;
  const DoubleDouble square = rest * rest;
  const DoubleDouble cubed =
      square * FactorialSeries<3, 2, kExact - 1, kLast + 1>(-square);
  const DoubleDouble sine = rest - rest * cubed;
  const DoubleDouble cosine =
      1.0 - square * FactorialSeries<2, 2, kExact, kLast>(-square);
  switch (quadrant & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

ASSAY_DEVICE SineCosine<DoubleDouble> SinCos(const DoubleDouble& x) {
  return SinCos<Digits::kEnough>(x);
}

// At least one of the numbers is neither very large nor very small. The angle
// is a Newton step from double, theta + sin(angle - theta).
template <Digits kDigits>
ASSAY_NOINLINE DoubleDouble ATan2(const DoubleDouble& y,
                                  const DoubleDouble& x) {
  if (x.hi > 0 && ::fabs(y.hi) < 0x1p-60 * x.hi) return y / x;
  const double theta = ATan2(y.hi, x.hi);
  const auto [sine, cosine] = SinCos<kDigits>(DoubleDouble{theta});
  const double along = x.hi * cosine.hi + y.hi * sine.hi;
  if (!(along > 0)) return {theta};
  return FastTwoSum(theta, (y * cosine - x * sine).hi / along);
}

ASSAY_DEVICE DoubleDouble ATan2(const DoubleDouble& y, const DoubleDouble& x) {
  return ATan2<Digits::kEnough>(y, x);
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_ELEMENTARY_H_
