// Tests StableHLO's inequality on every real function, type and hard operand:
// the oracle has an answer for each, no range is reversed, and MPFR confirms
// the ends.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include "oracle/real/real.h"

namespace assay {
namespace {

// Computes f(x, y) by MPFR, rounded to so many bits that the error does not
// matter.
class Reference {
 public:
  static constexpr int kBits = 4500;
  Reference(RealFunction f, double x, double y) {
    mpfr_inits2(kBits, value_, x_, y_, nullptr);
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_set_d(y_, y, MPFR_RNDN);
    Apply(f);
  }
  ~Reference() { mpfr_clears(value_, x_, y_, nullptr); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  // Returns whether the value is exactly between two values.
  bool IsHalfway(double lo, double hi) {
    mpfr_t twice;
    mpfr_init2(twice, kBits);
    mpfr_mul_ui(twice, value_, 2, MPFR_RNDN);
    mpfr_sub_d(twice, twice, lo, MPFR_RNDN);
    const bool is_halfway = lo != hi && mpfr_cmp_d(twice, hi) == 0;
    mpfr_clear(twice);
    return is_halfway;
  }
  bool is_number() const { return mpfr_regular_p(value_) != 0; }
  // Returns the sign of |real - y| - allowed, or nothing if it takes more bits.
  std::optional<int> Compare(double y, const ResultAccuracy& rule,
                             int precision) {
    mpfr_t error, part;
    mpfr_inits2(kBits + 4500, error, part, nullptr);
    mpfr_set_d(part, std::ldexp(static_cast<double>(rule.ulps), 1 - precision),
               MPFR_RNDN);
    if (mpfr_cmp_d(part, rule.rtol) < 0) mpfr_set_d(part, rule.rtol, MPFR_RNDN);
    mpfr_mul(part, part, value_, MPFR_RNDN);
    mpfr_abs(part, part, MPFR_RNDN);
    if (mpfr_cmp_d(part, rule.atol) < 0) mpfr_set_d(part, rule.atol, MPFR_RNDN);
    mpfr_sub_d(error, value_, y, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_sub(error, error, part, MPFR_RNDN);
    // A difference that is no more than the uncertainty tells nothing.
    mpfr_max(part, part, value_, MPFR_RNDN);
    mpfr_abs(part, part, MPFR_RNDN);
    mpfr_mul_2si(part, part, 100 - kBits, MPFR_RNDN);
    std::optional<int> sign;
    if (mpfr_cmpabs(error, part) > 0) sign = mpfr_sgn(error) < 0 ? -1 : 1;
    mpfr_clears(error, part, nullptr);
    return sign;
  }

 private:
  void Apply(RealFunction f) {
    using enum RealFunction;
    constexpr mpfr_rnd_t kNearest = MPFR_RNDN;
    switch (f) {
      case kAtan2:
        mpfr_atan2(value_, x_, y_, kNearest);
        break;
      case kCbrt:
        mpfr_cbrt(value_, x_, kNearest);
        break;
      case kCosine:
        mpfr_cos(value_, x_, kNearest);
        break;
      case kDivide:
        mpfr_div(value_, x_, y_, kNearest);
        break;
      case kExponential:
        mpfr_exp(value_, x_, kNearest);
        break;
      case kExponentialMinusOne:
        mpfr_expm1(value_, x_, kNearest);
        break;
      case kLog:
        mpfr_log(value_, x_, kNearest);
        break;
      case kLogPlusOne:
        mpfr_log1p(value_, x_, kNearest);
        break;
      case kLogistic:
        mpfr_neg(value_, x_, kNearest);
        mpfr_exp(value_, value_, kNearest);
        mpfr_add_ui(value_, value_, 1, kNearest);
        mpfr_ui_div(value_, 1, value_, kNearest);
        break;
      case kPower:
        mpfr_pow(value_, x_, y_, kNearest);
        break;
      case kRsqrt:
        mpfr_rec_sqrt(value_, x_, kNearest);
        break;
      case kSine:
        mpfr_sin(value_, x_, kNearest);
        break;
      case kSqrt:
        mpfr_sqrt(value_, x_, kNearest);
        break;
      case kTan:
        mpfr_tan(value_, x_, kNearest);
        break;
      case kTanh:
        mpfr_tanh(value_, x_, kNearest);
        break;
    }
  }
  mpfr_t value_, x_, y_;
};

// Returns hard operands: zeros, the edges of the format and their neighbours,
// exact results, thresholds of overflow and underflow, and infinities.
template <class T>
std::vector<T> HardOperands() {
  std::vector<T> operands;
  const auto add = [&](double x) {
    for (const double value : {x, -x}) {
      const Rounded<T> rounded = T::Round(value);
      if (rounded.unencodable == Unencodable::kNot)
        operands.push_back(rounded.value);
    }
  };
  for (const double x : {0.0,
                         0.25,
                         0.5,
                         1.0,
                         1.5,
                         2.0,
                         3.0,
                         4.0,
                         8.0,
                         9.0,
                         27.0,
                         11.5,
                         17.0,
                         81.0,
                         88.75,
                         104.0,
                         709.78,
                         745.2,
                         6000.0,
                         1e6,
                         1e9,
                         1e22,
                         1e300,
                         0x1p-24,
                         0x1p-53,
                         0x1p-149,
                         0x1p-1022,
                         0x1p-1074,
                         std::numeric_limits<double>::infinity()})
    add(x);
  using Bits = typename T::Bits;
  for (const uint64_t code :
       {uint64_t{1}, T::kFormat.min_normal_code() - 1,
        T::kFormat.min_normal_code(), T::kFormat.max_code()})
    add(T::FromBits(static_cast<Bits>(code)).ToDouble());
  const uint64_t one = T::Round(1).value.magnitude();
  for (const uint64_t code : {one - 1, one + 1})
    add(T::FromBits(static_cast<Bits>(code)).ToDouble());
  return operands;
}

constexpr double kGreatestDouble = std::numeric_limits<double>::max();
constexpr ResultAccuracy kRules[] = {{0, 0, 0},
                                     {0, 1e-3, 1},
                                     {0, 0, 1},
                                     {0, 0, 3},
                                     {0, 1, 0},
                                     {0, 2, 0},
                                     {0, 0, int64_t{1} << 52},
                                     {1, 0, 0},
                                     {0.5, 0.5, 0},
                                     {5e-324, 0, 0},
                                     {0, 5e-324, 0},
                                     {kGreatestDouble, 0, 0},
                                     {0, kGreatestDouble, 0},
                                     {kGreatestDouble, kGreatestDouble, 1},
                                     {0x1p-10, 0, 0},
                                     {0x1p-53, 0, 0},
                                     {0, 0x1p-53, 0},
                                     {1e-9, 1e-6, 2}};

template <class T>
bool IsInOrder(const Rounded<T>& lo, const Rounded<T>& hi) {
  if (lo.value.IsNan() || hi.value.IsNan()) return true;
  const double a = lo.value.ToDouble(), b = hi.value.ToDouble();
  return a < b || (a == b && (lo.value.SignBit() || !hi.value.SignBit()));
}

struct Compared {
  int64_t ranges = 0, ends = 0;
};

template <class T>
void ExpectAnswer(RealFunction f, T x, T y, const ResultAccuracy& rule,
                  Reference* reference, Compared* compared) {
  const RealRange<T> range = RangeOf<T>(f, x, y, {0.5, rule});
  const auto call = [&] {
    std::ostringstream text;
    text << Name(T::kElementType) << " function " << static_cast<int>(f)
         << " of " << x.ToDouble() << ", " << y.ToDouble() << " within atol "
         << rule.atol << " rtol " << rule.rtol << " ulps " << rule.ulps << ": "
         << range.lo.value.ToDouble() << " to " << range.hi.value.ToDouble();
    return text.str();
  };
  ++compared->ranges;
  ASSERT_FALSE(range.undecided) << call();
  ASSERT_EQ(range.flags & Expectation::kOpen, 0) << call();
  ASSERT_TRUE(IsInOrder(range.lo, range.hi)) << call();
  if (!reference->is_number()) return;
  // Each end must satisfy the inequality, and the next value beyond it must
  // not, unless no value satisfies it.
  const auto compare = [&](T value) {
    return reference->Compare(value.ToDouble(), rule, T::kFormat.precision());
  };
  const bool is_halfway = reference->IsHalfway(range.lo.value.ToDouble(),
                                               range.hi.value.ToDouble());
  using P = tolerance::Places<T>;
  const auto check = [&](const Rounded<T>& end, int direction) {
    if (end.unencodable != Unencodable::kNot || end.value.IsInfinite()) return;
    const auto of_end = compare(end.value);
    if (!is_halfway && range.lo.value.ToBits() != range.hi.value.ToBits() &&
        of_end) {
      ++compared->ends;
      ASSERT_LT(*of_end, 0) << call();
    }
    const int64_t code =
        static_cast<int64_t>(end.value.magnitude()) + P::kNoZero;
    const int64_t beyond = (end.value.SignBit() ? -code : code) + direction;
    if (beyond < P::kLeast || beyond > P::kGreatest) return;
    if (const auto of_next = compare(P::At(beyond, false))) {
      ++compared->ends;
      ASSERT_GT(*of_next, 0) << call();
    }
  };
  check(range.lo, -1);
  check(range.hi, 1);
}

// For each function, type and pair of operands, a few of the rules are tried,
// and others each time.
template <class T>
void ExpectAnswers(Compared* compared) {
  const std::vector<T> operands = HardOperands<T>();
  size_t n = 0;
  for (int f = 0; f <= static_cast<int>(RealFunction::kTanh); ++f) {
    const auto function = static_cast<RealFunction>(f);
    const size_t seconds = IsBinary(function) ? operands.size() : 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      for (size_t j = 0; j < seconds; ++j) {
        const T x = operands[i], y = seconds == 1 ? x : operands[j];
        // One pair in five is taken.
        if (seconds > 1 && (i + 7 * j + static_cast<size_t>(f)) % 5 != 0)
          continue;
        Reference reference(function, x.ToDouble(), y.ToDouble());
        const size_t rules = seconds == 1 ? 6 : 2;
        for (size_t k = 0; k < rules; ++k) {
          ExpectAnswer<T>(function, x, y, kRules[n++ % std::size(kRules)],
                          &reference, compared);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(ToleranceOfFunctions, EveryFunctionTypeAndHardOperandHasAnAnswer) {
  Compared compared;
  const auto on = [&]<ElementType... kTypes>() {
    ((ExpectAnswers<Float<kTypes>>(&compared)), ...);
  };
  using enum ElementType;
  on.template operator()<kF64, kF32, kF16, kBF16, kF8E5M2, kF8E4M3FN>();
  on.template operator()<kF8E4M3, kF8E3M4, kF8E4M3FNUZ, kF8E5M2FNUZ>();
  on.template
  operator()<kF8E4M3B11FNUZ, kF8E8M0FNU, kF6E2M3FN, kF6E3M2FN, kF4E2M1FN>();
  EXPECT_GT(compared.ranges, 15000);
  EXPECT_GT(compared.ends, 15000);
}

}  // namespace
}  // namespace assay
