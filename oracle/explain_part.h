// The texts of judge.h where tensors are parts of larger ones: elements are
// named by their places in the whole.
#ifndef ASSAY_ORACLE_EXPLAIN_PART_H_
#define ASSAY_ORACLE_EXPLAIN_PART_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/judge.h"
#include "spec/window.h"

namespace assay {

std::string DescribeElement(const Op& op, const std::vector<Tensor>& inputs,
                            const Tensor& actual, int64_t index,
                            const std::optional<Window>& window);
std::string Explain(const OpSpec& spec, const Op& op,
                    const std::vector<Tensor>& inputs, const Policy& policy,
                    const Expectation& expectation, const Tensor& actual,
                    const Judgement& judgement,
                    const std::optional<Window>& window);

}  // namespace assay

#endif  // ASSAY_ORACLE_EXPLAIN_PART_H_
