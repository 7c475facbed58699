// compare has a clause for each direction of each kind of comparison.
#include <string>

#include "oracle/elementwise/elementwise.h"

namespace assay {
namespace {

enum class Direction { kEq, kNe, kGe, kGt, kLe, kLt };

Direction DirectionOf(const OpCall& op) {
  const std::string text =
      AttributeText(*op.FindAttribute("comparison_direction"));
  return text == "EQ"   ? Direction::kEq
         : text == "NE" ? Direction::kNe
         : text == "GE" ? Direction::kGe
         : text == "GT" ? Direction::kGt
         : text == "LE" ? Direction::kLe
                        : Direction::kLt;
}

// Returns lhs `d` rhs, in an order that has an answer for every pair.
template <class V>
bool Holds(Direction d, V lhs, V rhs) {
  switch (d) {
    case Direction::kEq:
      return lhs == rhs;
    case Direction::kNe:
      return lhs != rhs;
    case Direction::kGe:
      return lhs >= rhs;
    case Direction::kGt:
      return lhs > rhs;
    case Direction::kLe:
      return lhs <= rhs;
    case Direction::kLt:
      return lhs < rhs;
  }
  return false;
}

// Returns a number whose order is totalOrder of IEEE 754 5.10: by sign, then by
// magnitude, which puts zeros, infinities and NaNs where they belong. A
// format's only NaN has no sign and stands above everything.
template <IsFloatType T>
__int128 TotalOrder(T x) {
  constexpr FloatFormat kFormat = T::kFormat;
  if (kFormat.specials == FloatFormat::Specials::kNegativeZeroNan && x.IsNan())
    return __int128{kFormat.magnitude_mask()} + 1;
  const __int128 magnitude = x.magnitude();
  return x.SignBit() ? -magnitude - 1 : magnitude;
}

template <IsFloatType T>
bool IsLoneNan(T x) {
  constexpr FloatFormat kFormat = T::kFormat;
  constexpr bool kNanHasSign =
      kFormat.has_sign &&
      kFormat.specials != FloatFormat::Specials::kNegativeZeroNan;
  return !kNanHasSign && x.IsNan();
}

// The clauses of the six directions have numbers in a row.
template <int kFirst, class Clause>
Boolean ByDirection(Clause& clause, Direction d, bool holds) {
  static_assert(kFirst == 1 || kFirst == 7);
  const Boolean b(holds);
  constexpr bool kInteger = kFirst == 1;
  switch (d) {
    case Direction::kEq:
      return kInteger ? clause("S1", b) : clause("S7", b);
    case Direction::kNe:
      return kInteger ? clause("S2", b) : clause("S8", b);
    case Direction::kGe:
      return kInteger ? clause("S3", b) : clause("S9", b);
    case Direction::kGt:
      return kInteger ? clause("S4", b) : clause("S10", b);
    case Direction::kLe:
      return kInteger ? clause("S5", b) : clause("S11", b);
    case Direction::kLt:
      return kInteger ? clause("S6", b) : clause("S12", b);
  }
  return b;
}

}  // namespace

Evaluation Compare(const OpCall& op) {
  const Direction d = DirectionOf(op);
  const bool total =
      AttributeText(*op.FindAttribute("compare_type")) == "TOTALORDER";
  const bool any_equality = op.policy.Get("total_order_equality") == "any";
  const bool asks_equality = d == Direction::kEq || d == Direction::kNe;
  const std::string& lone_nan = op.policy.Get("total_order_single_nan");
  const bool any_lone_nan = lone_nan == "any";
  const bool by_sign_bit = lone_nan == "by_sign_bit";
  return VisitElementType(op.Input("lhs").element_type(), [&]<class T>() {
    const Elements<T> x(op.Input("lhs")), y(op.Input("rhs"));
    return ForEachElement<Boolean>(
        op, [&](auto& clause, int64_t i) -> Allowed<Boolean> {
          const T lhs = AsCompared(x[i], op.flush);
          const T rhs = AsCompared(y[i], op.flush);
          if constexpr (IsFloatType<T>) {
            if (!total) {
              return ByDirection<7>(clause, d,
                                    Holds(d, lhs.ToNative(), rhs.ToNative()));
            }
            const Boolean holds(Holds(d, TotalOrder(lhs), TotalOrder(rhs)));
            if (IsLoneNan(lhs) != IsLoneNan(rhs) && !asks_equality) {
              if (any_lone_nan) return clause("S17", Allowed<Boolean>(kAny));
              constexpr FloatFormat kFormat = T::kFormat;
              if (by_sign_bit &&
                  kFormat.specials == FloatFormat::Specials::kNegativeZeroNan) {
                // The lone NaN is below every number.
                return clause("S17", Boolean(Holds(d, IsLoneNan(lhs) ? -1 : 0,
                                                   IsLoneNan(rhs) ? -1 : 0)));
              }
              return clause("S17", holds);
            }
            // totalOrder and compareQuietEqual agree except for zeros and NaNs.
            const bool disagree =
                QuietEqual(lhs, rhs) != (TotalOrder(lhs) == TotalOrder(rhs));
            if (disagree && d != Direction::kLt && d != Direction::kGt) {
              if (any_equality) return clause("S13", Allowed<Boolean>(kAny));
              return clause("S13", holds);
            }
            return clause("S16", holds);
          } else if constexpr (IsComplexType<T>) {
            const bool by_real = !QuietEqual(lhs.real(), rhs.real());
            return clause("S14",
                          Boolean(by_real ? Holds(d, lhs.real().ToNative(),
                                                  rhs.real().ToNative())
                                          : Holds(d, lhs.imag().ToNative(),
                                                  rhs.imag().ToNative())));
          } else {
            return ByDirection<1>(clause, d, Holds(d, lhs, rhs));
          }
        });
  });
}

}  // namespace assay
