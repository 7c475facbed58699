// A policy allows the result of a complex function to be off by its budget and,
// where a step of the text's formula is coarse, by what that step adds. Both
// depend on the element.
//
// - sign divides by a modulus that is rounded to the type. A subnormal modulus
//   has few digits, so its own budget is a large part of it.
// - logistic, read as steps (policy logistic_formula), divides by a sum, which
//   is small next to a pole, while the errors of its terms are not.
//
// Where the modulus is exact nothing is added, and for a number on an axis no
// step rounds at all: abs and sign are exact there.
#ifndef ASSAY_ORACLE_REAL_COMPLEX_STEPS_H_
#define ASSAY_ORACLE_REAL_COMPLEX_STEPS_H_

#include "oracle/oracle.h"
#include "oracle/real/complex_ball.h"

namespace assay {

struct ElementBounds {
  Bounds bounds;
  bool is_exact = false;   // no step rounds; a part that is zero has any sign
  bool is_open = false;    // the error of a step is all of it
  bool overflows = false;  // a step may: zeros and NaN are right as well
};

class ComplexBounds {
 public:
  ComplexBounds(const OpCall& op, ComplexFunction f);
  double ulp() const { return bounds_.ulp; }
  template <class E>
  ElementBounds At(ComplexNumber<E> z) const;

 private:
  ComplexFunction f_;
  Bounds bounds_;
  // The budget of the step that may be coarse, which is the modulus or the
  // exponential; 0 if none is.
  double step_ulp_ = 0;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_COMPLEX_STEPS_H_
