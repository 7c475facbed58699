#include "oracle/elementwise/real_op.h"

#include <cmath>

#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

ErrorTerms::Through ThroughOf(std::string_view op) {
  if (op == "tan") return ErrorTerms::Through::kTan;
  if (op == "logistic") return ErrorTerms::Through::kLogistic;
  if (op == "power") return ErrorTerms::Through::kPower;
  return ErrorTerms::Through::kNone;
}

// Applies a row that is not constant to these operands.
void ApplyRow(const Budget& row, ErrorTerms::Through through, double x,
              double y, Bounds* bounds) {
  // Fixed has no room for more units, and no format for so many values.
  constexpr double kMost = 0x1p60;
  bounds->ulp = row.ulp;
  if (row.ulp_per_operand != 0 && std::isfinite(x))
    bounds->ulp +=
        std::min(kMost, std::floor(row.ulp_per_operand * std::fabs(x)));
  bounds->tolerance = row.result_accuracy;
  if (row.absolute.value == 0 && row.relative.value == 0 && !row.any &&
      row.operand_absolute.value == 0 && row.operand_relative.value == 0)
    return;
  ErrorTerms& terms = bounds->terms.emplace();
  terms.absolute = row.absolute.value;
  terms.relative = row.relative.value;
  terms.any = row.any;
  const bool is_power = through == ErrorTerms::Through::kPower;
  if (is_power && SpecialPower(x, y)) return;
  const double operand = is_power ? std::log2(std::fabs(x)) : x;
  const double error = row.operand_absolute.value +
                       row.operand_relative.value * std::fabs(operand);
  if (!(error > 0)) return;
  if (is_power) {
    const double of_exponent = error * std::fabs(y);
    terms.any |= !(of_exponent < 1);  // not even the result's magnitude
    terms.SetOperandError(through, of_exponent);
  } else {
    // A logistic that is off by more is 0 or 1, and remains there.
    terms.SetOperandError(through, std::min(error, 1.0));
  }
}

}  // namespace

bool HasBudget(const OpCall& op) {
  return op.policy.FindBudget(op.op.op, op.inputs[0].element_type()) != nullptr;
}

BoundsOfCall::BoundsOfCall(const OpCall& op)
    : BoundsOfCall(op.policy, *FindOp(op.op.op),
                   op.op.inputs[0].type.tensor().element_type) {
  if (!op.op.result_accuracy) return;
  rows_.clear();
  bounds_.ulp = Bounds().ulp;
  bounds_.tolerance = op.op.result_accuracy;
}

BoundsOfCall::BoundsOfCall(const Policy& policy, const OpSpec& spec,
                           ElementType type) {
  if (spec.least) bounds_.least = *spec.least;
  if (spec.greatest) bounds_.greatest = *spec.greatest;
  rows_ = policy.FindBudgets(spec.id, type);
  ASSAY_CHECK(!rows_.empty());
  if (rows_.front()->IsConstant()) {
    bounds_.ulp = rows_.front()->ulp;
    bounds_.tolerance = rows_.front()->result_accuracy;
    rows_.clear();
  }
  through_ = ThroughOf(spec.id);
}

Bounds BoundsOfCall::At(double x, double y) const {
  Bounds bounds = bounds_;
  const auto row = std::ranges::find_if(
      rows_, [&](const Budget* budget) { return budget->Holds(x, y); });
  if (row != rows_.end()) ApplyRow(**row, through_, x, y, &bounds);
  return bounds;
}

Evaluation UnaryReal(const OpCall& op, RealFunction f) {
  const BoundsOfCall bounds(op);
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const Elements<T> operand(op.inputs[0]);
    const auto loop = [&](auto range_of) {
      return ForEachRange<T>(op, bounds, [&](auto& clause, int64_t i) {
        return clause("S1", range_of(operand[i]));
      });
    };
    if (!bounds.AreConstant()) {
      return loop([&](T x) {
        return RangeOf<T>(f, x, x, bounds.At(x.ToDouble(), x.ToDouble()));
      });
    }
    if constexpr (T::kBitWidth <= 16) {
      if (!bounds.constant().tolerance) {
        RangeTable<T>& table = RangeTable<T>::For(f, bounds.constant());
        return loop([&](T x) { return table(x); });
      }
    }
    return loop([&](T x) { return RangeOf<T>(f, x, x, bounds.constant()); });
  });
}

namespace {

// Returns the special values that 2^(y log2(x)) may have and IEEE 754's power
// may not: policy power_by_logarithm.
template <class T>
ElementFlags SpecialsByLogarithm(T x, T y, const RealRange<T>& power) {
  if (power.near.IsNan()) return 0;
  const double base = x.ToDouble(), exponent = y.ToDouble();
  const bool is_undefined =  // or 0 times infinity
      x.IsNan() || base < 0 ||
      (exponent == 0 && (base == 0 || x.IsInfinite())) ||
      (base == 1 && !std::isfinite(exponent));
  if (is_undefined) return Expectation::kOrNan;
  if (base != 0 || !power.near.SignBit()) return 0;
  return exponent < 0 ? Expectation::kOrInfinity : Expectation::kOrPlusZero;
}

// Returns the special values that a product with a reciprocal may have and a
// quotient may not: policy division_by_reciprocal.
template <class T>
ElementFlags SpecialsByReciprocal(T x, T y) {
  const double divisor = std::fabs(y.ToDouble());
  const bool is_flushed = std::isfinite(divisor) && divisor > 0x1p126;
  if (!is_flushed || x.IsNan() || x.IsZero()) return 0;
  if (x.IsInfinite()) return Expectation::kOrNan;
  return x.SignBit() != y.SignBit() ? Expectation::kOrMinusZero
                                    : Expectation::kOrPlusZero;
}

}  // namespace

Evaluation BinaryReal(const OpCall& op, RealFunction f, ClauseNumber value) {
  const BoundsOfCall bounds(op);
  const auto allows = [&](RealFunction of, const char* key) {
    return f == of && op.policy.Get(key) == "allowed";
  };
  const bool are_constant = bounds.AreConstant();
  const bool by_logarithm = allows(RealFunction::kPower, "power_by_logarithm");
  const bool by_reciprocal =
      allows(RealFunction::kDivide, "division_by_reciprocal");
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const Elements<T> lhs(op.inputs[0]), rhs(op.inputs[1]);
    return ForEachRange<T>(op, bounds, [&](auto& clause, int64_t i) {
      const T x = lhs[i], y = rhs[i];
      RealRange<T> range =
          are_constant
              ? RangeOf<T>(f, x, y, bounds.constant())
              : RangeOf<T>(f, x, y, bounds.At(x.ToDouble(), y.ToDouble()));
      // The power is 1 whatever the NaN: IEEE 754 means quiet ones, and if the
      // machine's functions know no others a signaling one gives 1, too.
      if (!range.near.IsNan() && (x.IsSignalingNan() || y.IsSignalingNan()))
        range.flags |= Expectation::kOrNan;
      if constexpr (T::kBitWidth <= 32) {
        if (by_logarithm) range.flags |= SpecialsByLogarithm(x, y, range);
        if (by_reciprocal) range.flags |= SpecialsByReciprocal(x, y);
      }
      return clause(value, range);
    });
  });
}

}  // namespace assay
