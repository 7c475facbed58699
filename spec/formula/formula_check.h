// CheckTypes checks an op's formulas without a call: every part of them must be
// of a kind that the part around it takes.
//
// An evaluation answers `rank(axis)` or `shape(lhs) = 2` quietly, with None and
// with "no": a constraint that is wrong in such a way rejects every call or
// none.
#ifndef ASSAY_SPEC_FORMULA_FORMULA_CHECK_H_
#define ASSAY_SPEC_FORMULA_FORMULA_CHECK_H_

#include <string>
#include <vector>

#include "spec/op_spec.h"

namespace assay {

struct FormulaComplaint {
  std::string pointer;  // in the op file: "/constraints/C1/formula"
  std::string reason;
};

// The kinds of members come from the op's inputs and outputs. A part whose kind
// is not known (a member of a quantized type, a definition by cases) is
// accepted.
std::vector<FormulaComplaint> CheckTypes(const OpSpec& spec);

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_CHECK_H_
