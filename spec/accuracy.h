// A budget says how far a result may be from the real value: in units in the
// last place, by an absolute or a relative error, by an error of the operand,
// on parts of the operands' ranges; or by the inequality that newer revisions
// of StableHLO attach to an op.
#ifndef ASSAY_SPEC_ACCURACY_H_
#define ASSAY_SPEC_ACCURACY_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/types/element_type.h"

namespace assay {

// This is `result_accuracy` in mode TOLERANCE (StableHLO RFC of 2024-10-15):
//   |real - result| <= max(atol, |real| * max(rtol, ulps * epsilon))
// with epsilon = 2^(1 - precision). It applies to results as they are, so there
// is no rounding outward, and no sign to keep.
struct ResultAccuracy {
  double atol = 0;
  double rtol = 0;
  int64_t ulps = 0;
};

// A Quantity is a number as sources state it: 2.5, "2^-21.41", "-2*pi".
struct Quantity {
  double value = 0;
  std::string text;
};

// Parses factors with * between them, with an optional - in front: decimals,
// powers of two with a decimal exponent, pi. Returns nullopt for other texts.
std::optional<Quantity> ParseQuantity(std::string_view text);

// A Budget is a row of a policy; policy.schema.json documents its fields. Its
// errors add up. With `ulp`, the number that is rounded to a result, ties
// either way, is a t with
//
//   |t - real| <= (ulp - 1/2 + floor(ulp_per_operand |operand|)) ulp(real)
//                 + absolute + relative |real| + that of `operand_error`
//
// and without it, the bound applies to results as they are:
//
//   |result - real| <= absolute + relative |real|
struct Budget {
  std::vector<std::string> ops;
  std::vector<std::string> types;  // element types, "narrow", "complex"

  // The budget holds if each of these operands lies between two numbers, ends
  // included. NaN lies in no interval.
  struct Interval {
    std::string name;
    size_t operand = 0;
    Quantity least, greatest;
  };
  std::vector<Interval> where;

  // This is in units of the last place of the real value. 0.5 is one rounding
  // and nothing else, 0 not even that.
  double ulp = 0.5;
  double ulp_per_operand = 0;
  Quantity absolute, relative;
  // Results may be those of an operand that is off by absolute + relative
  // |operand|. For tan and logistic it is their own operand, for power the
  // logarithm of the base, to base 2.
  Quantity operand_absolute, operand_relative;
  bool any = false;  // numbers are open: any value is accepted
  std::optional<ResultAccuracy> result_accuracy;  // instead of all that

  std::string reason;

  // `type` is that of the op's first operand.
  bool Covers(std::string_view op, ElementType type) const;
  // `x` is the first operand, `y` the second one, if there is one.
  bool Holds(double x, double y) const;
  // Returns whether the bound is a number of units for every operand, or an
  // inequality.
  bool IsConstant() const;
  // Returns a text such as "2 ulp", "2.5 + floor(1.173 |operand|) ulp" or
  // "absolute 2^-21.41".
  std::string Text() const;
  // Returns a text such as "operand in [-pi, pi]", or an empty one if the
  // budget holds everywhere.
  std::string WhereText() const;
};

// Reads the member "budgets" of a policy file. Throws InputError that names the
// file and the JSON pointer. `assay lint` checks the ops, since op files may
// name policies.
std::vector<Budget> ParseBudgets(const std::string& file,
                                 const nlohmann::json& rows);

}  // namespace assay

#endif  // ASSAY_SPEC_ACCURACY_H_
