// Ops on complex functions: element by element, by clause.
#include "oracle/complex_op.h"

#include "oracle/complex_steps.h"

namespace assay {
namespace {

template <class T>
void SetAny(const Allowed<T>& allowed, int64_t i, Expectation* result) {
  result->lo.SetBits(i, allowed.value.ToBits());
  result->hi.SetBits(i, allowed.value.ToBits());
  result->reals->near.SetBits(i, allowed.value.ToBits());
  if (allowed.any) result->SetOpen(i);
}

// What is exact has no error that could be measured.
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

// The loop of all of them. `special(by, z)` decides an element, or leaves it to
// the function by returning nothing.
template <class C, class S>
Evaluation ForEachComplex(const OpCall& op, ComplexFunction f,
                          const ComplexClauses& clauses, S special) {
  using E = typename C::Part;
  const ComplexBounds bounds(op, f);
  const Encoding encoded(op.policy);
  const bool any_on_cut = op.policy.Get("complex_branch_cut") == "any";
  const Elements<C> lhs(op.inputs[0]), rhs(op.inputs.back());
  Evaluation evaluation;
  evaluation.outputs.push_back(ExpectationOfRanges(op, bounds.ulp()));
  Expectation& result = evaluation.outputs[0];
  WithMarks(op, &evaluation, [&](auto& by) {
    for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n; ++i) {
      const C z = lhs[i], w = rhs[i];
      if (const auto decided = special(by, z)) {
        SetAny(*decided, i, &result);
        continue;
      }
      const ElementBounds of = bounds.At<E>(z);
      std::optional<ComplexRange<E>> range;
      if (!of.is_open) range = ComplexRangeOf<E>(f, z, w, of.bounds);
      if (range) AllowForSteps(of, &*range);
      const bool on_cut = range && IsOnCut<E>(f, z, w);
      if (!range || (on_cut && any_on_cut)) {
        SetAny(by(range ? clauses.cut : clauses.special, Allowed<C>(kAny)), i,
               &result);
        continue;
      }
      const ComplexRange<E> box =
          by(on_cut ? clauses.cut : clauses.value, *range);
      SetRange<E>(by, op, encoded, box.real, i, 2 * i, &result);
      SetRange<E>(by, op, encoded, box.imag, i, 2 * i + 1, &result);
      result.reals->unit[static_cast<size_t>(i)] = box.real.unit;
      if (of.is_exact) SetExact<E>(i, &result);
      ++evaluation.tiers[static_cast<size_t>(Tier::kBall)];
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
            op, ComplexFunction::kSign, {"S11", "S14", "S11"},
            [&](auto& by, C x) -> std::optional<Allowed<C>> {
              if (x.IsNan()) return Allowed<C>(by("S9", C(nan, nan)));
              if (x.real().IsZero() && x.imag().IsZero())
                return Allowed<C>(by("S10", C(zero, zero)));
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
        const Elements<C> operand(op.inputs[0]);
        Evaluation evaluation;
        evaluation.outputs.push_back(ExpectationOfRanges(op, bounds.ulp()));
        Expectation& result = evaluation.outputs[0];
        WithMarks(op, &evaluation, [&](auto& by) {
          for (int64_t i = op.Begin(), n = op.End(result.lo.size()); i < n;
               ++i) {
            const C z = operand[i];
            const ElementBounds of = bounds.At<E>(z);
            const auto range =
                ComplexRangeOf<E>(ComplexFunction::kAbs, z, z, of.bounds);
            if (!range) {
              SetAny(by(clauses.special, Allowed<E>(kAny)), i, &result);
              continue;
            }
            RealRange<E> modulus = by(clauses.value, range->real);
            if (modulus.lo.value.SignBit()) modulus.lo = E::OfZero(false);
            SetRange<E>(by, op, encoded, modulus, i, i, &result);
            result.reals->unit[static_cast<size_t>(i)] = modulus.unit;
            if (of.is_exact) SetExact<E>(i, &result);
            ++evaluation.tiers[static_cast<size_t>(Tier::kBall)];
          }
        });
        return evaluation;
      });
}

}  // namespace assay
