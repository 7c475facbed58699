// The judge compares what a backend returned with what the oracle allows. It
// decides values and nothing else.
//
// Judge runs for every result and stays silent; Explain runs once, for a
// failure that a person will read. A value is accepted if it lies between `lo`
// and `hi` in the order of the type, in which -0 is below +0; any NaN is
// accepted for a NaN, unless the op moves bits. Complex values are judged by
// part. High bits of sub-byte elements are ignored (ABI rule 4); an i1 byte
// other than 0 and 1 is wrong whatever the expectation (rule 5).
#ifndef ASSAY_ORACLE_JUDGE_H_
#define ASSAY_ORACLE_JUDGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/expectation.h"
#include "oracle/oracle.h"
#include "spec/types/window.h"

namespace assay {

struct Judgement {
  int64_t elements = 0;  // of the result
  int64_t open = 0;      // of those, accepted although a part of them, or all,
                         // may have any value
  int64_t failed = 0;
  int64_t first_failed = -1;  // row-major position
  int64_t worst_failed = -1;  // the one farthest from what was allowed
  // The distance of that element from the allowed values. Integers: the
  // difference. Floats: the real difference in units in the last place of the
  // allowed value (the distance of its neighbours; at a power of two the
  // smaller one), where an infinity counts as the next power of two; a zero of
  // the wrong sign is 0 away, and a NaN on one side only is infinitely far.
  double worst_error = 0;

  bool ok() const { return failed == 0; }
};

// Precondition: `actual` has the type of the expectation.
Judgement Judge(const Expectation& expectation, const Tensor& actual);

// Judges what holds of the results of an op together, beside what each may be.
Judgement JudgeTogether(const Evaluation& evaluation,
                        const std::vector<Tensor>& results);

// Returns whether the expectation allows the element.
bool Accepts(const Expectation& expectation, const Tensor& actual,
             int64_t index);

// Returns whether two results of element `index` are the same: bit for bit,
// except for NaNs that the op does not keep, which are all equal.
bool IsSameResult(const Expectation& expectation, int64_t index, ElementBits a,
                  ElementBits b);

// A Basis says which text decides an element, and how binding it is.
struct Basis {
  std::vector<DecidingClause>
      clauses;       // that the oracle executed for the element
  std::string text;  // "text", "policy:<key>", "budget", "contract"
  bool IsOfPolicy() const { return text.starts_with("policy:"); }
};
// `actual` is what a backend returned, if the question is why it is wrong.
Basis BasisOf(const Op& op, const std::vector<Tensor>& inputs,
              const Policy& policy, const Expectation& expectation,
              int64_t index, const Tensor* actual = nullptr, size_t output = 0);

// Returns what the oracle allows for element `index`, for people: "-1 (0xff)",
// "any value".
std::string AllowedText(const Expectation& expectation, int64_t index);

// Returns the name of an element that one of the result rests on: "lhs", or
// "operand[0, 1]" if its index need not be that of the result; "inputs.1[0]"
// for one of several operands of that name.
std::string SourceName(const Op& op, const Source& source);

// Returns the name of a result: "result", or "results[1]" for one of several of
// that name.
std::string ResultName(const Op& op, size_t output);

// Returns an element's index and operands: "[1, 2]: lhs = 1 (0x01), rhs = 2
// (0x02)". If the tensors are the part `window` of larger ones, the index is
// that in the larger ones.
std::string DescribeElement(const Op& op, const std::vector<Tensor>& inputs,
                            const Tensor& actual, int64_t index,
                            const std::optional<Window>& window = {},
                            size_t output = 0);
// Returns what a backend returned there: "-1 (0xff)".
std::string ActualText(const Tensor& actual, int64_t index);

// Returns the lines of a failure of the results together: what was returned,
// what is allowed, clause, basis. `basis` is set to that in short.
std::string ExplainTogether(const Op& op, const std::vector<Tensor>& inputs,
                            const Policy& policy, const Evaluation& evaluation,
                            const std::vector<Tensor>& results, Basis* basis);

// Returns the lines of a failure: index, operands, expected, actual, clause,
// basis.
std::string Explain(const Op& op, const std::vector<Tensor>& inputs,
                    const Policy& policy, const Expectation& expectation,
                    const Tensor& actual, const Judgement& judgement,
                    const std::optional<Window>& window = {},
                    size_t output = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_JUDGE_H_
