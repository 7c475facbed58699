// The shifts are shift_left, shift_right_arithmetic and shift_right_logical of
// StableHLO, and Paddle's bitwise shifts.
//
// StableHLO does not say what a count outside of [0, width) gives; policy
// shift_overflow does. Paddle's document does say.
#include <algorithm>
#include <type_traits>

#include "oracle/elementwise/elementwise.h"
#include "oracle/pointwise/pointwise.h"

namespace assay {
namespace {

// These functions shift by `count` bits, 0 <= count < width.
template <class T>
T Left(T x, int count) {
  return T::FromBits(static_cast<typename T::Bits>(x.ToBits() << count));
}
template <class T>
T LogicalRight(T x, int count) {
  return T::FromBits(static_cast<typename T::Bits>(x.ToBits() >> count));
}
template <class T>
T ArithmeticRight(
    T x, int count) {  // fills with the top bit, whatever the signedness
  const auto bits = Integer<T::kBitWidth, true>::FromBits(x.ToBits());
  return T::FromBits(static_cast<typename T::Bits>(bits.value() >> count));
}

template <class T>
bool InRange(T count) {
  return count >= T() && static_cast<uint64_t>(count.value()) < T::kBitWidth;
}

// A ShiftOverflow applies policy shift_overflow, for a count that is not in
// range.
class ShiftOverflow {
 public:
  explicit ShiftOverflow(const Policy& policy) {
    const std::string& value = policy.Get("shift_overflow");
    kind_ = value == "saturate" ? kSaturate
            : value == "clamp"  ? kClamp
            : value == "mask"   ? kMask
                                : kAnyCount;
  }

  // `shift(count)` is the shift by a count in range, and `saturated` the result
  // of shifting every bit out.
  template <class T, class F>
  Allowed<T> operator()(T count, std::type_identity_t<Allowed<T>> saturated,
                        F shift) const {
    switch (kind_) {
      case kSaturate:
        return saturated;
      case kClamp:
        return shift(count < T() ? 0 : T::kBitWidth - 1);
      case kMask:
        return shift(static_cast<int>(
            count.ToBits() & (T::kBitWidth - 1)));  // widths are powers of two
      case kAnyCount:
        break;
    }
    return kAny;
  }

 private:
  enum { kSaturate, kClamp, kMask, kAnyCount } kind_;
};

}  // namespace

Evaluation ShiftLeft(const OpCall& op) {
  const ShiftOverflow overflow(op.policy);
  return Binary<kIntegers>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if (InRange(rhs))
          return clause("S1", Left(lhs, static_cast<int>(rhs.value())));
        return clause("S2", overflow(rhs, T(), [&](int count) {
                        return Left(lhs, count);
                      }));
      });
}

Evaluation ShiftRightLogical(const OpCall& op) {
  const ShiftOverflow overflow(op.policy);
  return Binary<kIntegers>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if (InRange(rhs))
          return clause("S1", LogicalRight(lhs, static_cast<int>(rhs.value())));
        return clause("S2", overflow(rhs, T(), [&](int count) {
                        return LogicalRight(lhs, count);
                      }));
      });
}

Evaluation ShiftRightArithmetic(const OpCall& op) {
  const std::string& fill = op.policy.Get("unsigned_arithmetic_shift");
  const ShiftOverflow overflow(op.policy);
  return Binary<kIntegers>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        // The text does not say what a shift of an unsigned type fills with. If
        // no bit is filled, or the top bit is 0, it does not matter.
        const auto filled = [&](T with_top_bit, T with_zeros) -> Allowed<T> {
          if (T::kIsSigned || with_top_bit == with_zeros) return with_top_bit;
          if (fill == "any") return clause("S3", Allowed<T>(kAny));
          if (fill == "top_bit_or_zero")
            return clause("S3", EitherOf(with_top_bit, with_zeros));
          return clause("S3", fill == "zero" ? with_zeros : with_top_bit);
        };
        const auto shift = [&](int count) {
          return filled(ArithmeticRight(lhs, count), LogicalRight(lhs, count));
        };
        if (!InRange(rhs)) {
          const T top_bits = ArithmeticRight(lhs, T::kBitWidth - 1);
          return clause("S2", overflow(rhs, filled(top_bits, T()), shift));
        }
        const int count = static_cast<int>(rhs.value());
        const T result = ArithmeticRight(lhs, count);
        if (!T::kIsSigned && result != LogicalRight(lhs, count))
          return shift(count);
        return clause("S1", result);
      });
}

namespace {

// Returns whether the count is outside of [0, n_bits): `y` is negative, or not
// less than `n_bits`.
template <class T>
bool Overflows(auto& clause, T y, int n_bits) {
  if (y < T()) return clause("SH-05", true);
  if (static_cast<uint64_t>(y.value()) < static_cast<uint64_t>(n_bits))
    return false;
  const bool top_bit_set = (y.ToBits() >> (T::kBitWidth - 1)) != 0;
  return !T::kIsSigned && top_bit_set ? clause("SH-23", true)
                                      : clause("SH-22", true);
}

// Returns a count that is in range as an int. If the clause that says so is
// broken on purpose it may not be, and is taken modulo the width.
template <class T>
int Count(T y) {
  if constexpr (kClausesBreak)
    return static_cast<int>(y.ToBits() & (T::kBitWidth - 1));
  return static_cast<int>(y.value());
}

// Reads is_arithmetic, which is true when it is left out.
class IsArithmetic {
 public:
  explicit IsArithmetic(const OpCall& op)
      : attribute_(op.FindAttribute("is_arithmetic")) {
    if (attribute_ != nullptr) value_ = AttributeText(*attribute_) == "true";
  }
  bool operator()(auto& clause) const {
    return attribute_ == nullptr ? clause("SH-01", true) : value_;
  }

 private:
  const Attribute* attribute_;
  bool value_ = true;
};

// SH-02, SH-26: operands of other shapes than the result's are broadcast first.
template <class F>
Evaluation Broadcasting(const OpCall& op, F evaluate) {
  const Shape& shape = op.ResultType().shape;
  const auto is_whole = [&](const Tensor& input) {
    return input.type().shape == shape;
  };
  if (std::ranges::all_of(op.inputs, is_whole)) return evaluate(op);
  std::vector<Tensor> inputs;
  for (const Tensor& input : op.inputs)
    inputs.push_back(BroadcastTo(input, shape, op.policy));
  Evaluation evaluation = evaluate(
      OpCall{op.op, inputs, op.policy, op.marks, op.flush, op.elements});
  DecideAll(op, op.op.op, {2, 26}, &evaluation);
  return evaluation;
}

Evaluation LeftShift(const OpCall& op) {
  const IsArithmetic is_arithmetic(op);
  return Binary<kIntegers>(
      op, [&]<class T>(auto& clause, T x, T y) -> Allowed<T> {
        const int n_bits = clause("SH-04", T::kBitWidth);
        const bool overflows = Overflows(clause, y, n_bits);
        const int count = overflows ? 0 : Count(y);
        if (is_arithmetic(clause))
          return overflows ? clause("SH-06", T())
                           : clause("SH-07", Left(x, count));
        return overflows ? clause("SH-12", T())
                         : clause("SH-13", Left(x, count));
      });
}

Evaluation RightShift(const OpCall& op) {
  const IsArithmetic is_arithmetic(op);
  return Binary<kIntegers>(
      op, [&]<class T>(auto& clause, T x, T y) -> Allowed<T> {
        const int n_bits = clause("SH-04", T::kBitWidth);
        const bool overflows = Overflows(clause, y, n_bits);
        const int count = overflows ? 0 : Count(y);
        if (is_arithmetic(clause)) {
          if constexpr (T::kIsSigned) {
            // C-01: the formula of the text gives +1 for a negative x; its
            // prose, NumPy and PyTorch give -1.
            if (overflows) return clause("SH-08", x < T() ? T::Wrap(-1) : T());
            return clause("SH-09", ArithmeticRight(x, count));
          } else {
            return overflows ? clause("SH-10", T())
                             : clause("SH-11", LogicalRight(x, count));
          }
        }
        if constexpr (T::kIsSigned) {
          return overflows ? clause("SH-14", T())
                           : clause("SH-15", LogicalRight(x, count));
        } else {
          return clause("SH-16", overflows ? T() : LogicalRight(x, count));
        }
      });
}

}  // namespace

Evaluation PaddleBitwiseLeftShift(const OpCall& op) {
  return Broadcasting(op, LeftShift);
}

Evaluation PaddleBitwiseRightShift(const OpCall& op) {
  return Broadcasting(op, RightShift);
}

}  // namespace assay
