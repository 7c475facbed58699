// A probe is a call whose result is a sum of n terms: which op it is, and where
// in the operands the terms stand. One table has all.
#ifndef ASSAY_CASES_ACCUMULATION_SUM_PROBE_H_
#define ASSAY_CASES_ACCUMULATION_SUM_PROBE_H_

#include <cstdint>
#include <span>
#include <string>

namespace assay {

struct SumProbe {
  const char* name;  // the op, and a word for the way in which it adds
  const char* what;  // for people
  // Returns the text of the function @main that has the op alone: its arguments
  // are %x, and %w or %init.
  std::string (*text)(const std::string& type, int64_t n);
  // Element e of operand %x belongs to term (e / x_inner) % n. Sums of several
  // rows or columns are of the same terms.
  int64_t x_inner = 1;
  // The same of %w, whose elements are factors of the terms; 0: the second
  // operand is %init.
  int64_t w_inner = 0;
  // The policy key that says whether terms may be added in other orders than
  // those of `reduce`, by which the op is defined.
  const char* policy_key = "";

  // Returns the op, and the word.
  std::string Op() const;
  std::string Way() const;
  bool HasFactors() const { return w_inner != 0; }
};

// The first is of the op whose text says in which orders terms may be added.
std::span<const SumProbe> SumProbes();

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_SUM_PROBE_H_
