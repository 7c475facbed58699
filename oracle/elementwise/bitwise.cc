// The ops of logic and bits are and, or, xor, not, popcnt and
// count_leading_zeros.
#include <bit>

#include "oracle/elementwise/elementwise.h"

namespace assay {

Evaluation And(const OpCall& op) {
  return Binary<kBooleans | kIntegers>(
      op, []<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (T::kIsBoolean) {
          return clause("S1", T(lhs.value() && rhs.value()));
        } else {
          return clause("S2", lhs & rhs);
        }
      });
}

Evaluation Or(const OpCall& op) {
  return Binary<kBooleans | kIntegers>(
      op, []<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (T::kIsBoolean) {
          return clause("S1", T(lhs.value() || rhs.value()));
        } else {
          return clause("S2", lhs | rhs);
        }
      });
}

Evaluation Xor(const OpCall& op) {
  return Binary<kBooleans | kIntegers>(
      op, []<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (T::kIsBoolean) {
          return clause("S1", T(lhs.value() != rhs.value()));
        } else {
          return clause("S2", lhs ^ rhs);
        }
      });
}

Evaluation Not(const OpCall& op) {
  return Unary<kBooleans | kIntegers>(
      op, []<class T>(auto& clause, T operand) -> Allowed<T> {
        if constexpr (T::kIsBoolean) {
          return clause("S1", T(!operand.value()));
        } else {
          return clause("S2", ~operand);
        }
      });
}

namespace {

// Returns a count of bits as an element of the operand's type. i2 has no 2,
// which is the count for an i2 of zero bits.
template <class T>
Allowed<T> Count(auto& clause, const Overflow& overflow, int count) {
  const T wrapped = T::Wrap(count);
  if (static_cast<int>(wrapped.value()) != count)
    return clause("S2", overflow(wrapped));
  return clause("S1", wrapped);
}

}  // namespace

Evaluation Popcnt(const OpCall& op) {
  const Overflow overflow(op.policy);
  return Unary<kIntegers>(
      op, [&]<class T>(auto& clause, T operand) -> Allowed<T> {
        int count = 0;
        for (auto bits = operand.ToBits(); bits != 0;
             bits &= static_cast<typename T::Bits>(bits - 1))
          ++count;
        return Count<T>(clause, overflow, count);
      });
}

Evaluation CountLeadingZeros(const OpCall& op) {
  const Overflow overflow(op.policy);
  return Unary<kIntegers>(
      op, [&]<class T>(auto& clause, T operand) -> Allowed<T> {
        const int count =
            T::kBitWidth - static_cast<int>(std::bit_width(operand.ToBits()));
        return Count<T>(clause, overflow, count);
      });
}

}  // namespace assay
