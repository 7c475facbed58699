#include "reports/page/op_group.h"

#include <algorithm>

#include "reports/page/html.h"
#include "spec/elements.h"

namespace assay {

OpGroup GroupOf(std::string_view op) {
  const OpSpec* spec = FindOp(op);
  if (spec == nullptr) return {99, "texts and programs"};
  if (!spec->family.empty()) return {9, spec->family + " calls"};
  if (!spec->unjudged.empty()) return {20, "verified only: " + spec->unjudged};
  if (!spec->executable) return {30, "constraints alone"};
  if (spec->control) return {8, "control flow and tuples"};
  if (!spec->adds.empty()) return {5, "sums and contractions"};
  if (spec->converts) return {3, "conversions"};
  if (spec->elementwise)
    return spec->rule == "ulp" ? OpGroup{2, "real functions"}
                               : OpGroup{1, "exact elementwise"};
  const bool takes_functions =
      std::ranges::any_of(spec->inputs, [](const InputSpec& input) {
        return input.kind == InputSpec::Kind::kFunction;
      });
  if (takes_functions) return {7, "with functions of elements"};
  if (spec->rule == "bits") return {6, "movement of data"};
  return {10, "others"};
}

std::string SpecificationId(std::string_view op) {
  const OpSpec* spec = FindOp(op);
  return spec == nullptr ? "" : HtmlId("spec-", spec->Family());
}

}  // namespace assay
