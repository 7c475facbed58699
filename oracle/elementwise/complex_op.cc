// Ops on complex functions are computed element by element, by clause.
#include "oracle/elementwise/complex_op.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "oracle/real/complex_steps.h"

namespace assay {
namespace {

template <class T>
void SetAny(const Allowed<T>& allowed, int64_t i, Expectation* result) {
  result->lo.SetBits(i, allowed.value.ToBits());
  result->hi.SetBits(i, allowed.value.ToBits());
  result->reals->near.SetBits(i, allowed.value.ToBits());
  if (allowed.any) result->SetOpen(i);
}

// An exact result has no error that could be measured.
template <class E>
void SetExact(int64_t i, Expectation* result) {
  const int parts = PartCount(result->lo.element_type());
  for (int part = 0; part < parts; ++part)
    result->reals->near.As<E>()[i * parts + part] = E::Nan().ToBits();
}

template <class E>
void AllowForSteps(const ElementBounds& of, ComplexRange<E>* range) {
  for (RealRange<E>* part : {&range->real, &range->imag}) {
    const bool is_zero = part->lo.value.IsZero() && part->hi.value.IsZero();
    if (!of.overflows && !(of.is_exact && is_zero)) continue;
    if (!part->lo.value.SignBit()) part->lo = E::OfZero(true);
    if (part->hi.value.SignBit()) part->hi = E::OfZero(false);
    if (of.overflows) part->flags |= Expectation::kOrNan;
  }
}

// A formula in steps may make something else of a part of an overflowing
// result: NaN of inf - inf and inf * 0; and, for a difference whose first
// product is fused into it, an infinity of either sign (policy
// complex_overflow, by_part_or_steps).
enum class OfSteps { kNothing, kNan, kNanOrInfinity };
struct PartsOfSteps {
  OfSteps real = OfSteps::kNothing, imag = OfSteps::kNothing;
};

template <class E>
PartsOfSteps StepsOf(ComplexFunction f, ComplexNumber<E> z,
                     ComplexNumber<E> w) {
  using enum OfSteps;
  // Returns what a product and another one that is added, or subtracted, may
  // give.
  const auto cancel = [](const Rounded<E>& a, const Rounded<E>& b,
                         bool subtract) {
    return a.value.IsInfinite() && b.value.IsInfinite() &&
           (a.value.SignBit() == b.value.SignBit()) == subtract;
  };
  const auto when = [](bool is_so, OfSteps steps) {
    return is_so ? steps : kNothing;
  };
  switch (f) {
    case ComplexFunction::kMultiply:
      return {when(cancel(z.real() * w.real(), z.imag() * w.imag(), true),
                   kNanOrInfinity),
              when(cancel(z.real() * w.imag(), z.imag() * w.real(), false),
                   kNanOrInfinity)};
    case ComplexFunction::kDivide:
    case ComplexFunction::kPower:
      return {kNan, kNan};
    case ComplexFunction::kExponential:
    case ComplexFunction::kExponentialMinusOne:
      return {kNothing, when(z.imag().IsZero(), kNan)};
    case ComplexFunction::kSine:
      return {when(z.real().IsZero(), kNan), kNothing};
    case ComplexFunction::kCosine:
      return {kNothing, when(z.real().IsZero(), kNan)};
    default:
      return {};
  }
}

// Returns whether the angle of a power is a sum of numbers beyond 2^48, so that
// hundreds of digits would be needed to reduce it modulo a turn.
template <class E>
bool IsFarAngle(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w) {
  if (f != ComplexFunction::kPower) return false;
  const double re = z.real().ToDouble(), im = z.imag().ToDouble();
  double log = std::fabs(std::log(std::hypot(re, im)));
  // Near the unit circle the logarithm is half the distance of the square from
  // 1, and this is a bound of that distance.
  if (log < 0.25) {
    const double larger = std::max(std::fabs(re), std::fabs(im));
    const double smaller = std::min(std::fabs(re), std::fabs(im));
    log = std::fabs((larger - 1) * (larger + 1)) + smaller * smaller;
  }
  const double turn = std::fabs(w.real().ToDouble() * std::atan2(im, re));
  return turn + std::fabs(w.imag().ToDouble()) * log > 0x1p48;
}

// Adds alternatives of element i with these values in one part, in the other
// and in both.
template <class C>
void AddOfSteps(const PartsOfSteps& steps, int64_t i, Expectation* result) {
  using E = typename C::Part;
  const C lo = C::FromBits(result->lo.As<C>()[i]);
  const C hi = C::FromBits(result->hi.As<C>()[i]);
  using Part = std::pair<E, E>;  // its ends
  const auto choices = [](OfSteps of_steps, E part_lo, E part_hi) {
    std::vector<Part> parts = {{part_lo, part_hi}};
    if (of_steps != OfSteps::kNothing) parts.push_back({E::Nan(), E::Nan()});
    if (of_steps == OfSteps::kNanOrInfinity) {
      for (const bool negative : {false, true}) {
        const E infinity = E::OfInfinity(negative).value;
        parts.push_back({infinity, infinity});
      }
    }
    return parts;
  };
  const std::vector<Part> reals = choices(steps.real, lo.real(), hi.real());
  const std::vector<Part> imags = choices(steps.imag, lo.imag(), hi.imag());
  for (size_t k = 0; k < reals.size(); ++k) {
    for (size_t l = 0; l < imags.size(); ++l) {
      if (k + l == 0) continue;
      const auto& [real_lo, real_hi] = reals[k];
      const auto& [imag_lo, imag_hi] = imags[l];
      result->alternatives.push_back(
          {i, C(real_lo, imag_lo).ToBits(), C(real_hi, imag_hi).ToBits()});
    }
  }
}

// A ComplexPolicy says what the policy decides for the clauses that are open.
struct ComplexPolicy {
  explicit ComplexPolicy(const Policy& policy)
      : cut(policy.Get("complex_branch_cut")),
        overflow(policy.Get("complex_overflow")) {}
  // Returns whether it accepts any value for operands whose result overflows.
  template <class E>
  bool AcceptsOverflow(ComplexFunction f, ComplexNumber<E> z,
                       ComplexNumber<E> w) const {
    return overflow == "any" ||
           (overflow != "by_part" && IsFarAngle<E>(f, z, w));
  }
  const std::string &cut, &overflow;
};

// Evaluates all elements. `special(clause, z)` decides an element, or leaves it
// to the function by returning nothing.
template <class C, class S>
Evaluation ForEachComplex(const OpCall& op, ComplexFunction f,
                          const ComplexClauses& clauses, S special) {
  using E = typename C::Part;
  const ComplexBounds bounds(op, f);
  const Encoding encoded(op.policy);
  const ComplexPolicy policy(op.policy);
  // No sign of a zero tells the sides of atan2's cuts.
  const bool either_side =
      policy.cut == "either_side" || f == ComplexFunction::kAtan2;
  const bool may_overflow = clauses.overflow.number != clauses.special.number;
  const Elements<C> lhs(op.inputs[0]), rhs(op.inputs.back());
  Evaluation evaluation;
  evaluation.outputs.push_back(ExpectationOfRanges(op, bounds.ulp()));
  Expectation& result = evaluation.outputs[0];
  const C nan = C(E::Nan(), E::Nan());
  WithMarks(op, &evaluation, [&](auto& clause) {
    const auto columns = [&](const ComplexRange<E>& box, int64_t i) {
      SetRange<E>(clause, op, encoded, box.real, i, 2 * i, &result);
      SetRange<E>(clause, op, encoded, box.imag, i, 2 * i + 1, &result);
      result.reals->unit[static_cast<size_t>(i)] = box.real.unit;
    };
    const auto set = [&](const ComplexRange<E>& box, C z, C w, int64_t i) {
      columns(box, i);
      if (box.overflows && policy.overflow == "by_part_or_steps")
        AddOfSteps<C>(StepsOf<E>(f, z, w), i, &result);
    };
    for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n; ++i) {
      const C z = lhs[i], w = rhs[i];
      if (const auto decided = special(clause, z)) {
        SetAny(*decided, i, &result);
        continue;
      }
      const ElementBounds of = bounds.At<E>(z);
      const auto range_of = [&](int side) {
        std::optional<ComplexRange<E>> range;
        if (!of.is_open) range = ComplexRangeOf<E>(f, z, w, of.bounds, side);
        if (range) AllowForSteps(of, &*range);
        return range;
      };
      const auto range = range_of(0);
      if (!range || (range->overflows && !may_overflow)) {
        SetAny(clause(clauses.special, Allowed<C>(kAny)), i, &result);
        continue;
      }
      const bool any_overflow =
          range->overflows && policy.AcceptsOverflow<E>(f, z, w);
      const int sides = any_overflow ? 1 : SidesOf<E>(f, z, w);
      const ClauseNumber decides = sides > 1          ? clauses.cut
                                   : range->overflows ? clauses.overflow
                                                      : clauses.value;
      if (any_overflow || (sides > 1 && policy.cut == "any")) {
        SetAny(clause(decides, Allowed<C>(kAny)), i, &result);
        continue;
      }
      ++evaluation.tiers[static_cast<size_t>(Tier::kBall)];
      const ComplexRange<E> box = clause(decides, *range);
      const bool is_broken = kClausesBreak && box.real.lo.value.ToBits() !=
                                                  range->real.lo.value.ToBits();
      // The other sides come first, because the columns keep the last.
      for (int side = 1; side < sides && either_side && !is_broken; ++side) {
        set(*range_of(side), z, w, i);
        result.alternatives.push_back(
            {i, result.lo.Bits(i), result.hi.Bits(i)});
      }
      if (is_broken) {
        columns(box, i);
      } else {
        set(box, z, w, i);
      }
      if (of.is_exact) SetExact<E>(i, &result);
      // An infinity has no distance from the real value.
      if (range->overflows) result.reals->near.SetBits(i, nan.ToBits());
    }
  });
  return evaluation;
}

}  // namespace

Evaluation ComplexOp(const OpCall& op, ComplexFunction f,
                     const ComplexClauses& clauses) {
  return VisitKinds<kComplexes>(
      op.inputs[0].element_type(), [&]<class C>() -> Evaluation {
        return ForEachComplex<C>(op, f, clauses, [](auto&, C) {
          return std::optional<Allowed<C>>();
        });
      });
}

Evaluation ComplexSignOp(const OpCall& op) {
  return VisitKinds<kComplexes>(
      op.inputs[0].element_type(), [&]<class C>() -> Evaluation {
        using E = typename C::Part;
        const E nan = E::Nan(), zero = E::Zero(false);
        return ForEachComplex<C>(
            op, ComplexFunction::kSign, {"S11", "S14", "S11", "S14"},
            [&](auto& clause, C x) -> std::optional<Allowed<C>> {
              if (x.IsNan()) return Allowed<C>(clause("S9", C(nan, nan)));
              if (x.real().IsZero() && x.imag().IsZero())
                return Allowed<C>(clause("S10", C(zero, zero)));
              return std::nullopt;
            });
      });
}

Evaluation ModulusOp(const OpCall& op, const ComplexClauses& clauses) {
  return VisitKinds<kComplexes>(
      op.inputs[0].element_type(), [&]<class C>() -> Evaluation {
        using E = typename C::Part;
        const ComplexBounds bounds(op, ComplexFunction::kAbs);
        const Encoding encoded(op.policy);
        const bool any_overflow = op.policy.Get("complex_overflow") == "any";
        const Elements<C> operand(op.inputs[0]);
        Evaluation evaluation;
        evaluation.outputs.push_back(ExpectationOfRanges(op, bounds.ulp()));
        Expectation& result = evaluation.outputs[0];
        WithMarks(op, &evaluation, [&](auto& clause) {
          for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n;
               ++i) {
            const C z = operand[i];
            const ElementBounds of = bounds.At<E>(z);
            const auto range =
                ComplexRangeOf<E>(ComplexFunction::kAbs, z, z, of.bounds);
            if (!range || (range->overflows && any_overflow)) {
              SetAny(clause(range ? clauses.overflow : clauses.special,
                            Allowed<E>(kAny)),
                     i, &result);
              continue;
            }
            RealRange<E> modulus =
                clause(range->overflows ? clauses.overflow : clauses.value,
                       range->real);
            if (modulus.lo.value.SignBit()) modulus.lo = E::OfZero(false);
            SetRange<E>(clause, op, encoded, modulus, i, i, &result);
            result.reals->unit[static_cast<size_t>(i)] = modulus.unit;
            if (of.is_exact) SetExact<E>(i, &result);
            if (range->overflows)
              result.reals->near.SetBits(i, E::Nan().ToBits());
            ++evaluation.tiers[static_cast<size_t>(Tier::kBall)];
          }
        });
        return evaluation;
      });
}

}  // namespace assay
