// These bugs are in functions of complex numbers: sides of cuts, intermediate
// results out of range, and cancellation.
#include <cmath>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/complex_functions.h"
#include "backends/broken/kernel/numbers.h"

namespace assay::broken {
namespace {

using Wide = long double;

// Rounds to the type of a part, as each step of a kernel that computes in that
// type does.
Wide Step(const Job& job, Wide x) {
  const Format& format = *job.type.format;
  return ToDouble(format, FromDouble(format, static_cast<double>(x)));
}

Wide SquaredNorm(const Job& job, const Complex& z) {
  return Step(job, z.real * z.real + z.imaginary * z.imaginary);
}

// Returns the number as if it were on the upper side of the negative real axis.
Complex OfUpperSide(const Complex& z) {
  return z.real < 0 && z.imaginary == 0 ? Complex{z.real, 0} : z;
}

// CX01.
Complex SqrtOfUpperSide(const Complex* x) {
  const Complex z = OfUpperSide(x[0]);
  return Sqrt(&z);
}

// CX02.
Complex LogOfUpperSide(const Complex* x) {
  const Complex z = OfUpperSide(x[0]);
  return Log(&z);
}

// CX03.
Lane AbsOfSquares(const Job& job, const Lane* x) {
  const Wide norm = SquaredNorm(job, ToComplex(job, x[0]));
  return {FromComplex(job, {std::sqrt(norm), 0}).bits};
}

// CX04.
Lane DivideBySquares(const Job& job, const Lane* x) {
  const auto [a, b] = ToComplex(job, x[0]);
  const auto [c, d] = ToComplex(job, x[1]);
  const Wide norm = SquaredNorm(job, {c, d});
  return FromComplex(
      job, {Step(job, a * c + b * d) / norm, Step(job, b * c - a * d) / norm});
}

// CX05. The parts are sin 2a and sinh 2b over cos 2a + cosh 2b.
Lane TanOfOverflow(const Job& job, const Lane* x) {
  const Wide cosh = Step(job, std::cosh(2 * ToComplex(job, x[0]).imaginary));
  if (!std::isinf(cosh)) return OfComplex<Tan>(job, x);
  return FromComplex(job, {0, NAN});
}

// CX06.
Lane ExponentialThenMinusOne(const Job& job, const Lane* x) {
  const Complex z = ToComplex(job, x[0]), power = Exponential(&z);
  return FromComplex(job, {Step(job, power.real) - 1, power.imaginary});
}

// CX07.
Complex MultiplyWithoutMinus(const Complex* x) {
  return {x[0].real * x[1].real + x[0].imaginary * x[1].imaginary,
          x[0].real * x[1].imaginary + x[0].imaginary * x[1].real};
}

// CX08.
Lane SignOfFlushed(const Job& job, const Lane* x) {
  const Format& format = *job.type.format;
  const uint64_t normal = uint64_t{1} << format.mantissa_bits;
  const bool is_tiny = AbsComplex(job, x).bits < normal;
  return is_tiny ? Lane{} : OfComplex<Sign>(job, x);
}

// CX09. The angle of the base is counted from 0 to 2 pi.
Lane PowerOfOtherBranch(const Job& job, const Lane* x) {
  const Complex base = ToComplex(job, x[0]), exponent = ToComplex(job, x[1]);
  if (!std::signbit(base.imaginary) || (base.real == 0 && base.imaginary == 0))
    return PowerComplex(job, x);
  Complex log = Log(&base);
  log.imaginary += 2 * std::acos(Wide{-1});
  const Complex operands[] = {exponent, log};
  const Complex product = Multiply(operands);
  return FromComplex(job, Exponential(&product));
}

// CX10.
Lane LogOfRoundedNorm(const Job& job, const Lane* x) {
  const Complex z = ToComplex(job, x[0]);
  const Wide norm = Step(job, std::hypot(z.real, z.imaginary));
  return FromComplex(job, {std::log(norm), Log(&z).imaginary});
}

constexpr auto kOp = &Hooks::op;

constexpr Bug kBugs[] = {
    {"CX01",
     Replace<kOp, Instead<&OfComplex<Sqrt>, &OfComplex<SqrtOfUpperSide>>>},
    {"CX02",
     Replace<kOp, Instead<&OfComplex<Log>, &OfComplex<LogOfUpperSide>>>},
    {"CX03", Replace<kOp, Instead<&AbsComplex, &AbsOfSquares>>},
    {"CX04", Replace<kOp, Instead<&OfComplex<Divide>, &DivideBySquares>>},
    {"CX05", Replace<kOp, Instead<&OfComplex<Tan>, &TanOfOverflow>>},
    {"CX06", Replace<kOp, Instead<&OfComplex<ExponentialMinusOne>,
                                  &ExponentialThenMinusOne>>},
    {"CX07",
     Replace<kOp,
             Instead<&OfComplex<Multiply>, &OfComplex<MultiplyWithoutMinus>>>},
    {"CX08", Replace<kOp, Instead<&OfComplex<Sign>, &SignOfFlushed>>},
    {"CX09", Replace<kOp, Instead<&PowerComplex, &PowerOfOtherBranch>>},
    {"CX10", Replace<kOp, Instead<&OfComplex<Log>, &LogOfRoundedNorm>>},
};

}  // namespace

std::span<const Bug> ComplexBugs() { return kBugs; }

}  // namespace assay::broken
