// A control compares results as tests of the field do.
#ifndef ASSAY_TOOLS_MUTANTS_CLOSENESS_H_
#define ASSAY_TOOLS_MUTANTS_CLOSENESS_H_

#include <string>
#include <vector>

#include "oracle/expectation.h"
#include "spec/types/tensor.h"

namespace assay {

// Returns the names of the comparisons: "allclose(1e-3)" and "allclose(1e-2)",
// whose number is both the relative and the absolute tolerance, and
// "pcc(0.99)", by which Pearson's correlation of all elements of a result with
// what is expected has to exceed 0.99.
std::vector<std::string> ClosenessNames();

// Returns whether a test would take `actual` for right. What the oracle accepts
// is always close: the budget of a result may exceed the tolerance, as for
// components of complex numbers and for terms that cancel. Precondition:
// `closeness` is one of the names.
bool IsClose(const std::string& closeness, const Tensor& actual,
             const Expectation& expected);

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_CLOSENESS_H_
