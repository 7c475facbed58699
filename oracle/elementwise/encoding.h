// Some results have no encoding in their format: overflow without an infinity,
// NaN without a NaN, and everything but powers of two in f8E8M0FNU.
//
// The text names the formats and leaves open what arithmetic does at their
// edges, so each is a policy key. The clauses E1 to E6 are shared by all ops
// (spec/encodings.json); an op file lists those that can happen to it.
#ifndef ASSAY_ORACLE_ELEMENTWISE_ENCODING_H_
#define ASSAY_ORACLE_ELEMENTWISE_ENCODING_H_

#include <array>
#include <optional>
#include <string>
#include <type_traits>

#include "oracle/elementwise/elementwise.h"

namespace assay {

class Encoding {
 public:
  explicit Encoding(const Policy& policy) : policy_(policy) {}

  // Returns what the policy allows for a rounded result.
  template <class T>
  Allowed<T> operator()(auto& clause, const Rounded<T>& r) const {
    constexpr FloatFormat kFormat = T::kFormat;
    constexpr bool kIsFnuz =
        kFormat.specials == FloatFormat::Specials::kNegativeZeroNan;
    constexpr bool kIsF6 = T::kElementType == ElementType::kF6E2M3FN ||
                           T::kElementType == ElementType::kF6E3M2FN;
    if constexpr (kFormat.specials == FloatFormat::Specials::kIeee) {
      return {r.value, r.tininess};
    } else if constexpr (!kFormat.has_sign) {
      switch (r.unencodable) {
        case Unencodable::kE8m0Tie:
          return clause("E3",
                        Choose(Of(kE3), r.value,
                               Of(kE3) == Choice::kEither ? Below(r.value)
                                                          : EvenCode(r.value)));
        case Unencodable::kE8m0Zero:
          return clause("E4", Choose(Of(kE4), r.value, T::Nan(), T::Nan()));
        case Unencodable::kE8m0TooSmall:
          return clause("E4",
                        Choose(Of(kE4), r.value, T::Nan(), OrNan(r.value)));
        case Unencodable::kE8m0Negative:
          return clause("E5", Choose(Of(kE5), r.value, r.value));
        case Unencodable::kE8m0Overflow:
          return clause("E6", Choose(Of(kE6), r.value, T::Max(false)));
        default:
          return r.value;
      }
    } else {
      if (r.unencodable == Unencodable::kOverflow)
        return clause("E1", Choose(Of(kE1), r.value, T::Max(r.negative),
                                   kIsFnuz ? r.value : T::Max(r.negative),
                                   kIsF6 ? T::Zero(r.negative) : r.value));
      if (r.unencodable == Unencodable::kNan)
        return clause(
            "E2", Choose(Of(kE2), r.value, T::Zero(true), EitherZero(r.value)));
      return {r.value, r.tininess};
    }
  }

 private:
  enum Clause : size_t { kE1, kE2, kE3, kE4, kE5, kE6 };
  static constexpr std::array<const char*, 6> kKeys = {
      "overflow_without_infinity",
      "nan_without_nan",
      "e8m0_tie",
      "e8m0_zero",
      "e8m0_negative",
      "e8m0_overflow"};
  // The first value of a key is the one of policy assay; some keys have others,
  // and one that allows the first and the second.
  enum class Choice { kFirst, kSecond, kThird, kFourth, kEither, kAny };

  // The policy is read only when a result needs it, which is rare.
  Choice Of(Clause clause) const {
    std::optional<Choice>& choice = choices_[clause];
    if (!choice) choice = Read(policy_.Get(kKeys[clause]));
    return *choice;
  }
  static Choice Read(const std::string& value) {
    if (value == "any") return Choice::kAny;
    if (value == "largest_or_nan" || value == "smallest_or_nan" ||
        value == "either_neighbour")
      return Choice::kEither;
    if (value == "nan_for_exact_zero" || value == "saturate_but_fnuz" ||
        value == "either_zero")
      return Choice::kThird;
    if (value == "by_format_but_f6") return Choice::kFourth;
    return value == "even_code" || value == "nan_for_zero" ||
                   value == "saturate" || value == "negative_zero"
               ? Choice::kSecond
               : Choice::kFirst;
  }
  // If a key has fewer values, the last ones are never chosen.
  template <class T>
  static Allowed<T> Choose(Choice choice, T first,
                           std::type_identity_t<T> second,
                           std::type_identity_t<Allowed<T>> third = kAny,
                           std::type_identity_t<Allowed<T>> fourth = kAny) {
    switch (choice) {
      case Choice::kFirst:
        return first;
      case Choice::kSecond:
        return second;
      case Choice::kThird:
        return third;
      case Choice::kFourth:
        return fourth;
      case Choice::kEither:
        return EitherOf<T>(first, second);
      case Choice::kAny:
        break;
    }
    return kAny;
  }
  template <class T>
  static Allowed<T> OrNan(T value) {
    Allowed<T> allowed(value);
    allowed.flags = Expectation::kOrNan;
    return allowed;
  }
  template <class T>
  static Allowed<T> EitherZero(T zero) {
    Allowed<T> allowed(zero);
    allowed.flags = Expectation::kEitherZero;
    return allowed;
  }
  // Returns the neighbour of a tie whose code is even; `larger` is the upper
  // neighbour.
  template <class T>
  static T EvenCode(T larger) {
    return (larger.ToBits() & 1) == 0 ? larger : Below(larger);
  }
  template <class T>
  static T Below(T larger) {
    return T::FromBits(static_cast<typename T::Bits>(larger.ToBits() - 1));
  }

  const Policy& policy_;
  mutable std::array<std::optional<Choice>, kKeys.size()> choices_;
};

// Returns an end of a range as one value, and sets flags for what is allowed
// besides the range.
template <class T>
T EndOf(const Allowed<T>& allowed, bool is_upper, ElementFlags* flags) {
  if (allowed.any) *flags |= Expectation::kOpen;
  *flags |= allowed.flags & static_cast<ElementFlags>(~Expectation::kEither);
  if (!allowed.either()) return allowed.value;
  if (allowed.other.IsNan()) {
    *flags |= Expectation::kOrNan;
    return allowed.value;
  }
  return QuietLess(allowed.value, allowed.other) == is_upper ? allowed.other
                                                             : allowed.value;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_ENCODING_H_
