#include "oracle/flush/flush_observation.h"

#include <fmt/format.h>

#include <charconv>

#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"

namespace assay {

std::string FlushObservation::Text() const {
  return fmt::format("{}; {:#08x}; {}", subject, survivors, element);
}

std::optional<FlushObservation> FlushObservation::Parse(std::string_view text) {
  const size_t first = text.find("; ");
  const size_t second =
      first == std::string_view::npos ? first : text.find("; ", first + 2);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view set = text.substr(first + 2, second - first - 2);
  FlushObservation observation{std::string(text.substr(0, first)), 0,
                               std::string(text.substr(second + 2))};
  if (!set.starts_with("0x")) return std::nullopt;
  const auto [end, error] = std::from_chars(
      set.data() + 2, set.data() + set.size(), observation.survivors, 16);
  if (error != std::errc() || end != set.data() + set.size() ||
      (observation.survivors & ~kAllFlushChoices) != 0)
    return std::nullopt;
  return observation;
}

std::string FlushSubject(const Op& op) {
  const ElementType first = op.FirstType().tensor().element_type;
  const ElementType result = op.outputs[0].type.tensor().element_type;
  std::string subject = fmt::format("{} {}", op.op, Name(first));
  const OpSpec& spec = *FindOp(op.op);
  if (spec.converts || (first != result && !IsBoolean(result)))
    subject += fmt::format(" to {}", Name(result));
  // Promotion is other code: bf16 may be computed in f32.
  if (spec.family == kPointwise) {
    const PointwiseCall call = AnalyseOperands(spec, op);
    if (!call.promotions.empty() && call.promotions[0].computation != first)
      subject += fmt::format(" in {}", Name(call.promotions[0].computation));
  }
  // Attributes of an enum choose between operations.
  for (const Attribute& attribute : op.attributes) {
    if (attribute.name == "compare_type")
      subject += fmt::format(" {}", AttributeText(attribute));
  }
  return subject;
}

}  // namespace assay
