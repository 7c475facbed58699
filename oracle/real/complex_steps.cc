// Bounds are floating-point numbers here. Each is rounded upward by kSlack of
// it, which is more than its own roundings.
#include "oracle/real/complex_steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "oracle/elementwise/real_op.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

using Long = long double;

constexpr Long kSlack = 0x1p-20L;

// Returns the unit in the last place of a magnitude, or of one a little
// greater.
template <class E>
Long UnitAbove(Long magnitude) {
  const int binade = magnitude == 0 ? E::kFormat.min_exponent()
                                    : std::ilogb(magnitude * (1 + kSlack));
  return std::ldexp(Long(1), UnitOf<E>(binade));
}
template <class E>
Long UnitBelow(Long magnitude) {
  const int binade = magnitude == 0 ? E::kFormat.min_exponent()
                                    : std::ilogb(magnitude * (1 - kSlack));
  return std::ldexp(Long(1), UnitOf<E>(binade));
}

// The error of a step is `ulp` units before the result is rounded, and half a
// unit of a binade that may be the next one.
Long UnitsOfStep(double ulp) { return static_cast<Long>(ulp) + 0.5L; }

// Returns whether the modulus of these whole numbers is whole.
bool HasWholeModulus(uint64_t a, uint64_t b) {
  const unsigned __int128 square = static_cast<unsigned __int128>(a) * a +
                                   static_cast<unsigned __int128>(b) * b;
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<Long>(square)));
  const auto squared = [](uint64_t x) {
    return static_cast<unsigned __int128>(x) * x;
  };
  while (squared(root) > square) --root;
  while (squared(root + 1) <= square) ++root;
  return squared(root) == square;
}

// Returns how far the larger part of z / m, for a rounded modulus m, is from
// that of z / |z|, if m is subnormal: it is (|z| - m) / m of it, and m is no
// less than the larger part of z.
template <class E>
Long ErrorOfCoarseModulus(ComplexNumber<E> z, double ulp) {
  const Long a = std::fabs(Long(z.real().ToDouble())),
             b = std::fabs(Long(z.imag().ToDouble()));
  constexpr int kLast = UnitOf<E>(E::kFormat.min_exponent());
  const Long normal = std::ldexp(Long(1), E::kFormat.min_exponent());
  const Long larger = std::max(a, b);
  const Long modulus = std::hypot(a, b);
  const auto whole = [&](Long part) {
    return static_cast<uint64_t>(std::ldexp(part, -kLast));
  };
  if (modulus >= normal || HasWholeModulus(whole(a), whole(b))) return 0;
  const Long error = UnitsOfStep(ulp) * std::ldexp(Long(1), kLast);
  const Long least = std::max(larger, modulus - error);
  return std::max((modulus - least) / least, error / (modulus + error)) *
         larger / modulus * (1 + kSlack);
}

struct SumOfLogistic {
  Long relative = 0;  // error of 1 + exp(-z), by its modulus
  Long norm = 0;      // of the larger part of the quotient
  bool overflows = false;
};

template <class E>
SumOfLogistic StepsOfLogistic(ComplexNumber<E> z, double ulp) {
  const Long x = z.real().ToDouble(), y = z.imag().ToDouble();
  const Long cosine = std::cos(y), sine = std::sin(y), power = std::exp(-x);
  // 1 + e^-x cos(y) is computed without cancellation: 1 + cos(y) is 2
  // cos(y/2)^2.
  const Long half = std::cos(y / 2);
  const Long real = 2 * half * half + std::expm1(-x) * cosine;
  const Long imag = -power * sine;
  const Long sum = std::hypot(real, imag);
  SumOfLogistic steps;
  const Long largest = power * std::max(std::fabs(cosine), std::fabs(sine));
  const Long of_power = UnitsOfStep(ulp) * UnitAbove<E>(largest);
  steps.overflows =
      !(largest * (1 + kSlack) + of_power < E::Max(false).ToDouble());
  if (steps.overflows) return steps;
  // Both parts of the power have errors; only one part of the sum is rounded.
  const Long of_parts = of_power * std::numbers::sqrt2_v<Long>;
  const Long of_sum = UnitAbove<E>(std::fabs(real) + of_power) / 2;
  steps.relative = (of_parts + of_sum) / sum * (1 + kSlack);
  steps.norm = std::max(std::fabs(real), std::fabs(imag)) / sum / sum;
  return steps;
}

}  // namespace

ComplexBounds::ComplexBounds(const OpCall& op, ComplexFunction f)
    : f_(f), bounds_(BoundsOfCall(op).constant()) {
  const ElementType type = op.inputs[0].element_type();
  const auto ulp_of = [&](const char* step) {
    return BoundsOfCall(op.policy, *FindOp(step), type).constant().ulp;
  };
  if (f == ComplexFunction::kSign) step_ulp_ = ulp_of("abs");
  if (f == ComplexFunction::kLogistic &&
      op.policy.Get("logistic_formula") == "real_or_steps")
    step_ulp_ = ulp_of("exponential");
}

template <class E>
ElementBounds ComplexBounds::At(ComplexNumber<E> z) const {
  ElementBounds of{bounds_};
  const auto is_finite = [](E part) {
    return !part.IsNan() && !part.IsInfinite();
  };
  if (!is_finite(z.real()) || !is_finite(z.imag())) return of;
  const bool is_on_axis = z.real().IsZero() || z.imag().IsZero();
  if (f_ == ComplexFunction::kAbs || f_ == ComplexFunction::kSign) {
    of.is_exact = is_on_axis;
    if (is_on_axis) of.bounds.ulp = 0.5;
  }
  if (step_ulp_ == 0 || of.is_exact) return of;
  Long error = 0, norm = 1;
  if (f_ == ComplexFunction::kSign) {
    error = ErrorOfCoarseModulus(z, step_ulp_);
  } else {
    const SumOfLogistic steps = StepsOfLogistic(z, step_ulp_);
    of.overflows = steps.overflows;
    of.is_open = !(steps.relative < 1);
    if (of.overflows || of.is_open) return of;
    // 1 / (s (1 + e)) differs from 1 / s by e / (1 + e) of it.
    error = steps.relative / (1 - steps.relative) * std::numbers::sqrt2_v<Long>;
    norm = steps.norm;
  }
  // The error is in units of the larger part, which is `norm`.
  of.bounds.ulp += static_cast<double>(error * norm / UnitBelow<E>(norm));
  return of;
}

template ElementBounds ComplexBounds::At(ComplexF32) const;
template ElementBounds ComplexBounds::At(ComplexF64) const;

}  // namespace assay
