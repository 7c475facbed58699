// A budget may allow other errors of an element beside units in the last place:
// errors of the value that is rounded to the result, or, without units, of the
// result itself.
#ifndef ASSAY_ORACLE_REAL_ERROR_TERMS_H_
#define ASSAY_ORACLE_REAL_ERROR_TERMS_H_

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

namespace assay {

struct ErrorTerms {
  // Through is the function through which an error of the operand reaches the
  // result.
  enum class Through : uint8_t { kNone, kTan, kLogistic, kPower };

  double absolute = 0;
  double relative = 0;
  Through through = Through::kNone;
  // For the error e of the operand (for power: of the exponent to base 2),
  // `rise` is tan(e), e^e - 1 or 2^e - 1; for power, `fall` is 1 - 2^-e.
  double rise = 0, fall = 0;
  bool any = false;  // the result is open

  void SetOperandError(Through function, double error) {
    through = function;
    switch (function) {
      case Through::kNone:
        break;
      case Through::kTan:
        rise = std::tan(error);
        break;
      case Through::kLogistic:
        rise = std::expm1(error);
        break;
      case Through::kPower:
        rise = std::expm1(error * std::numbers::ln2);
        fall = -std::expm1(-error * std::numbers::ln2);
        break;
    }
  }
  // Next to zero an absolute error does not shrink, as an error relative to the
  // result does.
  bool MayChangeSign() const {
    return absolute > 0 || through == Through::kTan;
  }
};

// A Reach is how far an error of the operand takes a result away from zero and
// towards it.
template <class N>
struct Reach {
  N outward = 0, inward = 0;
};
// Returns the reach at a result of this magnitude; nullopt if the result may be
// anything, because a pole is within the operand's error.
template <class N>
std::optional<Reach<N>> ReachOf(const ErrorTerms& terms, N result) {
  switch (terms.through) {
    case ErrorTerms::Through::kNone:
      break;
    case ErrorTerms::Through::kTan: {
      // tan(x + e) - tan(x) = t (1 + r^2) / (1 - r t), where r = tan(x) and t =
      // tan(e).
      const N turn = result * terms.rise;
      if (turn >= 1) return std::nullopt;
      const N rise = terms.rise * (1 + result * result);
      return Reach<N>{rise / (1 - turn), rise / (1 + turn)};
    }
    case ErrorTerms::Through::kLogistic: {
      // The odds r / (1 - r) are multiplied by e^error, and r moves by no more
      // than r (1 - r) (e^error - 1).
      const N most = result * (1 - result) * terms.rise;
      return Reach<N>{most, most};
    }
    case ErrorTerms::Through::kPower:
      return Reach<N>{result * terms.rise, result * terms.fall};
  }
  return Reach<N>{};
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_ERROR_TERMS_H_
