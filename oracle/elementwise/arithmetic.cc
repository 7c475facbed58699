// The arithmetic ops are abs, add, divide, multiply, negate, power, remainder,
// sign, sqrt and subtract.
#include <cmath>
#include <optional>
#include <string>

#include "oracle/elementwise/complex_op.h"
#include "oracle/elementwise/real_op.h"

namespace assay {

Evaluation Abs(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ModulusOp(op, {"S3", "S6", "S3", "S7"});
  const Overflow overflow(op.policy);
  return Unary<kIntegers | kFloats>(
      op, [&]<class T>(auto& clause, T operand) -> Allowed<T> {
        if constexpr (IsFloatType<T>) {
          return clause("S2", Absolute(operand));
        } else {
          if (operand >= T()) return clause("S1", operand);
          if (operand == T::Min()) return clause("S5", overflow(-operand));
          return clause("S1", -operand);
        }
      });
}

Evaluation Add(const OpCall& op) {
  const Overflow overflow(op.policy);
  const Encoding encoded(op.policy);
  return Binary<kAllKinds>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (IsBooleanType<T>) {
          return clause("S1", T(lhs.value() || rhs.value()));
        } else if constexpr (IsFloatType<T>) {
          return encoded(clause, clause("S3", lhs + rhs));
        } else if constexpr (IsComplexType<T>) {
          return clause("S4", lhs + rhs);
        } else {
          if (AddOverflows(lhs, rhs)) return clause("S6", overflow(lhs + rhs));
          return clause("S2", lhs + rhs);
        }
      });
}

Evaluation Subtract(const OpCall& op) {
  const Overflow overflow(op.policy);
  const Encoding encoded(op.policy);
  return Binary<kIntegers | kFloats | kComplexes>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (IsFloatType<T>) {
          return encoded(clause, clause("S2", lhs - rhs));
        } else if constexpr (IsComplexType<T>) {
          return clause("S3", lhs - rhs);
        } else {
          if (SubtractOverflows(lhs, rhs))
            return clause("S5", overflow(lhs - rhs));
          return clause("S1", lhs - rhs);
        }
      });
}

Evaluation Multiply(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kMultiply, {"S4", "S7", "S4", "S8"});
  const Overflow overflow(op.policy);
  const Encoding encoded(op.policy);
  return Binary<kBooleans | kIntegers | kFloats>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (IsBooleanType<T>) {
          return clause("S1", T(lhs.value() && rhs.value()));
        } else if constexpr (IsFloatType<T>) {
          return encoded(clause, clause("S3", lhs * rhs));
        } else {
          if (MultiplyOverflows(lhs, rhs))
            return clause("S6", overflow(lhs * rhs));
          return clause("S2", lhs * rhs);
        }
      });
}

Evaluation Negate(const OpCall& op) {
  const Overflow overflow(op.policy);
  const Encoding encoded(op.policy);
  return Unary<kIntegers | kFloats | kComplexes>(
      op, [&]<class T>(auto& clause, T operand) -> Allowed<T> {
        if constexpr (IsFloatType<T>) {
          if constexpr (T::kFormat.has_sign) {
            return clause("S3", -operand);
          } else {
            if (operand.IsNan()) return clause("S3", operand);
            return encoded(clause, clause("S3", T::Round(-operand.ToDouble())));
          }
        } else if constexpr (IsComplexType<T>) {
          return clause("S4", -operand);
        } else if constexpr (T::kIsSigned) {
          if (operand == T::Min()) return clause("S6", overflow(-operand));
          return clause("S1", -operand);
        } else {
          using Signed = Integer<T::kBitWidth, true>;
          const Signed bitcast = Signed::FromBits(operand.ToBits());
          const T result = T::FromBits((-bitcast).ToBits());
          if (bitcast == Signed::Min()) return clause("S6", overflow(result));
          return clause("S2", result);
        }
      });
}

namespace {

// Returns whether lhs / rhs is the one quotient that its type does not have.
// Precondition: rhs is not 0.
template <class T>
bool DivideOverflows(T lhs, T rhs) {
  return T::kIsSigned && lhs == T::Min() && rhs == T::Wrap(-1);
}

// A DivideByZero gives the result by policy integer_divide_by_zero.
struct DivideByZero {
  explicit DivideByZero(const Policy& policy)
      : any(policy.Get("integer_divide_by_zero") == "any"),
        zero(policy.Get("integer_divide_by_zero") == "zero") {}
  // `all_ones` is the result of the policy value of that name.
  template <class T>
  Allowed<T> operator()(T all_ones) const {
    if (any) return kAny;
    return zero ? T() : all_ones;
  }
  bool any, zero;
};

}  // namespace

Evaluation Divide(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kDivide, {"S3", "S7", "S3", "S8"});
  if (IsFloat(op.inputs[0].element_type()) && HasBudget(op))
    return BinaryReal(op, RealFunction::kDivide, "S2");
  const Overflow overflow(op.policy);
  const DivideByZero by_zero(op.policy);
  const Encoding encoded(op.policy);
  return Binary<kIntegers | kFloats>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (IsFloatType<T>) {
          return encoded(clause, clause("S2", lhs / rhs));
        } else {
          if (rhs == T()) return clause("S6", by_zero(T::Wrap(-1)));
          if (DivideOverflows(lhs, rhs))
            return clause("S5", overflow(lhs / rhs));
          return clause("S1", lhs / rhs);
        }
      });
}

namespace {

// Returns the quotient of finite numbers, rounded toward zero.
template <class T>
T TruncatedQuotient(T lhs, T rhs) {
  // 113 bits hold the product of a quotient and a divisor exactly.
  using Quad = __float128;
  T quotient = (lhs / rhs).value;
  if (quotient.IsNan() || quotient.IsInfinite() || quotient.IsZero())
    return quotient.IsInfinite() ? T::Max(quotient.SignBit()) : quotient;
  const Quad product = static_cast<Quad>(quotient.ToNative()) *
                       static_cast<Quad>(rhs.ToNative());
  const Quad dividend = lhs.ToNative();
  const Quad beyond = product < 0 ? dividend - product : product - dividend;
  if (beyond > 0)  // the one below in magnitude
    quotient =
        T::FromBits(static_cast<typename T::Bits>(quotient.ToBits() - 1));
  return quotient;
}

// Returns lhs - d * rhs with a quotient d that is rounded toward zero but not
// to an integer, as in the text, if that satisfies what the text says about a
// result: its sign is the dividend's, and it is less than the divisor.
template <class T>
std::optional<T> LiteralRemainder(T lhs, T rhs) {
  if constexpr (!T::kFormat.has_zero) return std::nullopt;
  const double dividend = lhs.ToDouble(), divisor = rhs.ToDouble();
  if (!std::isfinite(dividend) || !std::isfinite(divisor) || divisor == 0)
    return std::nullopt;
  const T product = (TruncatedQuotient(lhs, rhs) * rhs).value;
  T result = (lhs - product).value;
  if (result.IsZero()) return T::Zero(lhs.SignBit());
  const bool is_less =
      std::fabs(result.ToDouble()) < std::fabs(divisor);  // not of NaN
  if (!is_less || result.SignBit() != lhs.SignBit()) return std::nullopt;
  return result;
}

}  // namespace

Evaluation Remainder(const OpCall& op) {
  const DivideByZero by_zero(op.policy);
  const Encoding encoded(op.policy);
  const std::string& of_floats = op.policy.Get("float_remainder");
  const bool any_float = of_floats == "any";
  const bool or_literal = of_floats == "fmod_or_literal";
  return Binary<kIntegers | kFloats | kComplexes>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (IsFloatType<T>) {
          if (any_float) return clause("S3", Allowed<T>(kAny));
          const Allowed<T> by_fmod =
              encoded(clause, clause("S3", Fmod(lhs, rhs)));
          if (!or_literal) return by_fmod;
          const std::optional<T> literal = LiteralRemainder(lhs, rhs);
          return literal ? EitherOf<T>(by_fmod, *literal) : by_fmod;
        } else if constexpr (IsComplexType<T>) {
          return clause("S4", Allowed<T>(kAny));
        } else {
          if (rhs == T()) return clause("S6", by_zero(lhs));
          // The quotient does not exist in the type, but the
          // remainder does: less than |-1|, so 0.
          if (DivideOverflows(lhs, rhs)) return clause("S1", T());
          const T d = lhs / rhs;
          return clause("S2", lhs - d * rhs);
        }
      });
}

Evaluation Power(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kPower, {"S3", "S7", "S8", "S9"});
  if (IsFloat(op.inputs[0].element_type()))
    return BinaryReal(op, RealFunction::kPower, "S2");
  const std::string& negative =
      op.policy.Get("integer_power_negative_exponent");
  const bool any_negative = negative == "any";
  const bool any_fraction = any_negative || negative == "any_unless_unit";
  const bool zero_of_zero = negative == "zero_but_for_units";
  const std::string& overflow = op.policy.Get("integer_power_overflow");
  const bool any_overflow = overflow == "any";
  const bool wraps_below_64 = overflow == "wrap_below_64";
  return Binary<kIntegers>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        const T one = T::Wrap(1), minus_one = T::Wrap(-1);
        if (rhs < T()) {
          const bool is_odd = (rhs & one) == one;
          if (any_negative || (lhs == T() && !zero_of_zero))
            return clause("S6", Allowed<T>(kAny));
          if (lhs == one) return clause("S6", one);
          if (T::kIsSigned && lhs == minus_one)
            return clause("S6", is_odd ? minus_one : one);
          if (any_fraction) return clause("S6", Allowed<T>(kAny));
          return clause("S6", T());
        }
        // The power is computed by square and multiply. The last square that is
        // taken is also multiplied in, so one that overflows makes the power
        // overflow.
        T result = one, square = lhs;
        bool overflows = false;
        for (auto exponent = rhs.ToBits(); exponent != 0;) {
          if (exponent & 1) {
            overflows |= MultiplyOverflows(result, square);
            result = result * square;
          }
          exponent = static_cast<typename T::Bits>(exponent >> 1);
          if (exponent != 0) {
            overflows |= MultiplyOverflows(square, square);
            square = square * square;
          }
        }
        if (!overflows) return clause("S1", result);
        const bool is_open =
            any_overflow || (wraps_below_64 && rhs.ToBits() >= 64);
        return clause("S5", is_open ? Allowed<T>(kAny) : Allowed<T>(result));
      });
}

Evaluation Sign(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type())) return ComplexSignOp(op);
  const std::string& of_zero = op.policy.Get("sign_of_zero_operand");
  return Unary<kIntegers | kFloats>(
      op, [&]<class T>(auto& clause, T x) -> Allowed<T> {
        if constexpr (IsFloatType<T>) {
          const T one = T::Round(1.0).value;
          if (x.IsNan()) return clause("S4", x);
          if (x.IsZero() && !x.SignBit()) {
            // "if compare(x, -0.0, EQ, FLOAT)" holds for +0.0, too.
            if (!T::kFormat.has_negative_zero()) return clause("S6", x);
            if (of_zero == "either_zero") {
              Allowed<T> zero(x);
              zero.flags = Expectation::kEitherZero;
              return clause("S5", zero);
            }
            return of_zero == "literal" ? clause("S5", T::Zero(true))
                                        : clause("S6", x);
          }
          if (x.IsZero()) return clause("S13", x);
          if (x.SignBit()) return clause("S7", -one);
          return clause("S8", one);
        } else {
          if (x < T()) return clause("S1", T::Wrap(-1));
          if (x == T()) return clause("S2", T());
          return clause("S3", T::Wrap(1));
        }
      });
}

Evaluation Sqrt(const OpCall& op) {
  if (IsComplex(op.inputs[0].element_type()))
    return ComplexOp(op, ComplexFunction::kSqrt, {"S2", "S4", "S5", "S4"});
  if (HasBudget(op)) return UnaryReal<RealFunction::kSqrt>(op);
  const Encoding encoded(op.policy);
  return Unary<kFloats>(
      op, [&]<class T>(auto& clause, T operand) -> Allowed<T> {
        return encoded(clause, clause("S1", SquareRoot(operand)));
      });
}

}  // namespace assay
