// Results that their format does not have: overflow without an infinity, NaN
// without a NaN, and everything but powers of two in f8E8M0FNU.
//
// The text names the formats and leaves open what arithmetic does at their
// edges, so each is a policy key. The clauses E1 to E6 are shared by all ops
// (spec/encodings.json); an op file lists those that can happen to it.
#ifndef ASSAY_ORACLE_ENCODING_H_
#define ASSAY_ORACLE_ENCODING_H_

#include <array>
#include <optional>
#include <string>

#include "oracle/elementwise.h"

namespace assay {

class Encoding {
 public:
  explicit Encoding(const Policy& policy) : policy_(policy) {}

  // What the policy allows for a rounded result.
  template <class T>
  Allowed<T> operator()(auto& by, const Rounded<T>& r) const {
    constexpr FloatFormat kFormat = T::kFormat;
    if constexpr (kFormat.specials == FloatFormat::Specials::kIeee) {
      return {r.value, r.tininess};
    } else if constexpr (!kFormat.has_sign) {
      switch (r.unencodable) {
        case Unencodable::kE8m0Tie:
          return by("E3",
                    Choose(Of(kE3), r.value,
                           Of(kE3) == Choice::kEither ? Below(r.value)
                                                      : EvenCode(r.value)));
        case Unencodable::kE8m0Zero:
          return by("E4", Choose(Of(kE4), r.value, T::Nan()));
        case Unencodable::kE8m0Negative:
          return by("E5", Choose(Of(kE5), r.value, r.value));
        case Unencodable::kE8m0Overflow:
          return by("E6", Choose(Of(kE6), r.value, T::Max(false)));
        default:
          return r.value;
      }
    } else {
      if (r.unencodable == Unencodable::kOverflow)
        return by("E1", Choose(Of(kE1), r.value, T::Max(r.negative)));
      if (r.unencodable == Unencodable::kNan)
        return by("E2", Choose(Of(kE2), r.value, T::Zero(true)));
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
  // The first value of a key is the one of policy assay; some have a second,
  // and one that allows both.
  enum class Choice { kFirst, kSecond, kEither, kAny };

  // Read where a result needs it, which most calls never have.
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
    return value == "even_code" || value == "nan_for_zero" ||
                   value == "saturate" || value == "negative_zero"
               ? Choice::kSecond
               : Choice::kFirst;
  }
  template <class T>
  static Allowed<T> Choose(Choice choice, T first, T second) {
    if (choice == Choice::kAny) return kAny;
    if (choice == Choice::kEither) return EitherOf(first, second);
    return choice == Choice::kFirst ? first : second;
  }
  // Of the two neighbours of a tie, of which `larger` is the upper one.
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

// An end of a range as one value, and as flags what is right beside the range.
template <class T>
T EndOf(const Allowed<T>& allowed, bool is_upper, ElementFlags* flags) {
  if (allowed.any) *flags |= Expectation::kOpen;
  if (!allowed.either()) return allowed.value;
  if (allowed.other.IsNan()) {
    *flags |= Expectation::kOrNan;
    return allowed.value;
  }
  return QuietLess(allowed.value, allowed.other) == is_upper ? allowed.other
                                                             : allowed.value;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_ENCODING_H_
