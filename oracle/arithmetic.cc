// Integer arithmetic: abs, add, divide, multiply, negate, power, remainder,
// sign, subtract.
#include "oracle/elementwise.h"

namespace assay {

Evaluation Abs(const OpCall& op) {
  const Overflow overflow(op.policy);
  return UnaryInteger(op, [&]<class T>(auto& by, T operand) -> Allowed<T> {
    if (operand >= T()) return by("S1", operand);
    if (operand == T::Min()) return by("S5", overflow(-operand));
    return by("S1", -operand);
  });
}

Evaluation Add(const OpCall& op) {
  const Overflow overflow(op.policy);
  return Binary(op, [&]<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if constexpr (T::kIsBoolean) {
      return by("S1", T(lhs.value() || rhs.value()));
    } else {
      if (AddOverflows(lhs, rhs)) return by("S6", overflow(lhs + rhs));
      return by("S2", lhs + rhs);
    }
  });
}

Evaluation Subtract(const OpCall& op) {
  const Overflow overflow(op.policy);
  return BinaryInteger(op, [&]<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if (SubtractOverflows(lhs, rhs)) return by("S5", overflow(lhs - rhs));
    return by("S1", lhs - rhs);
  });
}

Evaluation Multiply(const OpCall& op) {
  const Overflow overflow(op.policy);
  return Binary(op, [&]<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if constexpr (T::kIsBoolean) {
      return by("S1", T(lhs.value() && rhs.value()));
    } else {
      if (MultiplyOverflows(lhs, rhs)) return by("S6", overflow(lhs * rhs));
      return by("S2", lhs * rhs);
    }
  });
}

Evaluation Negate(const OpCall& op) {
  const Overflow overflow(op.policy);
  return UnaryInteger(op, [&]<class T>(auto& by, T operand) -> Allowed<T> {
    if constexpr (T::kIsSigned) {
      if (operand == T::Min()) return by("S6", overflow(-operand));
      return by("S1", -operand);
    } else {
      using Signed = Integer<T::kBitWidth, true>;
      const Signed bitcast = Signed::FromBits(operand.ToBits());
      const T result = T::FromBits((-bitcast).ToBits());
      if (bitcast == Signed::Min()) return by("S6", overflow(result));
      return by("S2", result);
    }
  });
}

namespace {

// Whether lhs / rhs is the one quotient that its type does not have.
// Precondition: rhs is not 0.
template <class T>
bool DivideOverflows(T lhs, T rhs) {
  return T::kIsSigned && lhs == T::Min() && rhs == T::Wrap(-1);
}

// Policy integer_divide_by_zero.
struct DivideByZero {
  explicit DivideByZero(const Policy& policy)
      : any(policy.Get("integer_divide_by_zero") == "any"),
        zero(policy.Get("integer_divide_by_zero") == "zero") {}
  // `all_ones`: what the policy of that name gives.
  template <class T>
  Allowed<T> operator()(T all_ones) const {
    if (any) return kAny;
    return zero ? T() : all_ones;
  }
  bool any, zero;
};

}  // namespace

Evaluation Divide(const OpCall& op) {
  const Overflow overflow(op.policy);
  const DivideByZero by_zero(op.policy);
  return BinaryInteger(op, [&]<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if (rhs == T()) return by("S6", by_zero(T::Wrap(-1)));
    if (DivideOverflows(lhs, rhs)) return by("S5", overflow(lhs / rhs));
    return by("S1", lhs / rhs);
  });
}

Evaluation Remainder(const OpCall& op) {
  const DivideByZero by_zero(op.policy);
  return BinaryInteger(op, [&]<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if (rhs == T()) return by("S6", by_zero(lhs));
    // The quotient does not exist in the type, but the
    // remainder does: less than |-1|, so 0.
    if (DivideOverflows(lhs, rhs)) return by("S1", T());
    const T d = lhs / rhs;
    return by("S2", lhs - d * rhs);
  });
}

Evaluation Power(const OpCall& op) {
  const bool any_negative =
      op.policy.Get("integer_power_negative_exponent") == "any";
  const Overflow overflow(op.policy);
  return BinaryInteger(op, [&]<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    const T one = T::Wrap(1), minus_one = T::Wrap(-1);
    if (rhs < T()) {
      const bool is_odd = (rhs & one) == one;
      if (any_negative || lhs == T()) return by("S6", Allowed<T>(kAny));
      if (lhs == one) return by("S6", one);
      if (T::kIsSigned && lhs == minus_one)
        return by("S6", is_odd ? minus_one : one);
      return by("S6", T());
    }
    // Square and multiply. The last square that is taken
    // is also multiplied in, so one that overflows makes
    // the power overflow.
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
    if (overflows) return by("S5", overflow(result));
    return by("S1", result);
  });
}

Evaluation Sign(const OpCall& op) {
  return UnaryInteger(op, []<class T>(auto& by, T x) -> Allowed<T> {
    if (x < T()) return by("S1", T::Wrap(-1));
    if (x == T()) return by("S2", T());
    return by("S3", T::Wrap(1));
  });
}

}  // namespace assay
