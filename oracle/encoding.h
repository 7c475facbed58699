// Results that their format does not have: overflow without an infinity, NaN
// without a NaN, and everything but powers of two in f8E8M0FNU.
//
// The text names the formats and leaves open what arithmetic does at their
// edges, so each is a policy key. The clauses E1 to E6 are shared by all ops
// (spec/encodings.json); an op file lists those that can happen to it.
#ifndef ASSAY_ORACLE_ENCODING_H_
#define ASSAY_ORACLE_ENCODING_H_

#include "oracle/elementwise.h"

namespace assay {

class Encoding {
 public:
  explicit Encoding(const Policy& policy)
      : overflow_(Read(policy, "overflow_without_infinity")),
        nan_(Read(policy, "nan_without_nan")),
        tie_(Read(policy, "e8m0_tie")),
        zero_(Read(policy, "e8m0_zero")),
        negative_(Read(policy, "e8m0_negative")),
        e8m0_overflow_(Read(policy, "e8m0_overflow")) {}

  // What the policy allows for a rounded result.
  template <class T>
  Allowed<T> operator()(auto& by, const Rounded<T>& r) const {
    constexpr FloatFormat kFormat = T::kFormat;
    if constexpr (kFormat.specials == FloatFormat::Specials::kIeee) {
      return {r.value, r.tininess};
    } else if constexpr (!kFormat.has_sign) {
      switch (r.unencodable) {
        case Unencodable::kE8m0Tie:
          return by("E3", Choose(tie_, r.value, EvenCode(r.value)));
        case Unencodable::kE8m0Zero:
          return by("E4", Choose(zero_, r.value, T::Nan()));
        case Unencodable::kE8m0Negative:
          return by("E5", Choose(negative_, r.value, r.value));
        case Unencodable::kE8m0Overflow:
          return by("E6", Choose(e8m0_overflow_, r.value, T::Max(false)));
        default:
          return r.value;
      }
    } else {
      if (r.unencodable == Unencodable::kOverflow)
        return by("E1", Choose(overflow_, r.value, T::Max(r.negative)));
      if (r.unencodable == Unencodable::kNan)
        return by("E2", Choose(nan_, r.value, T::Zero(true)));
      return {r.value, r.tininess};
    }
  }

 private:
  // The first value of a key is the one of policy assay; some have a second.
  enum Choice { kFirst, kSecond, kAnyChoice };
  static Choice Read(const Policy& policy, std::string_view key) {
    const std::string& value = policy.Get(key);
    if (value == "any") return kAnyChoice;
    return value == "even_code" || value == "nan_for_zero" ||
                   value == "saturate" || value == "negative_zero"
               ? kSecond
               : kFirst;
  }
  template <class T>
  static Allowed<T> Choose(Choice choice, T first, T second) {
    if (choice == kAnyChoice) return kAny;
    return choice == kFirst ? first : second;
  }
  // Of the two neighbours of a tie, of which `larger` is the upper one.
  template <class T>
  static T EvenCode(T larger) {
    const auto bits = larger.ToBits();
    return (bits & 1) == 0
               ? larger
               : T::FromBits(static_cast<typename T::Bits>(bits - 1));
  }

  Choice overflow_, nan_, tie_, zero_, negative_, e8m0_overflow_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_ENCODING_H_
