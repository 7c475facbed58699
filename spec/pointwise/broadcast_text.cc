// Dimensions are numbered as in the inferred shape, so a step between operands
// of lower rank begins at a higher number.
#include "spec/pointwise/broadcast_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

constexpr std::pair<std::string_view, std::string_view> kRules[] = {
    {"BC-10", "both open: so is the result"},
    {"BC-11", "1 is broadcast to the open size"},
    {"BC-12", "an open size is 1 or the other"},
    {"BC-13", "both 1"},
    {"BC-14", "1 is broadcast"},
    {"BC-15", "sizes above 1 are equal"},
    {"BC-17", "size 0, which the document leaves out"},
    {"BC-02", "one result is needed to be verified"},
    {"BC-03", "only tensors and vectors have a shape"},
    {"BC-20", "1s on the left make the ranks equal"},
    {"BC-23", "without a ranked operand nothing is inferred"},
    {"BC-24", "the shape of the only ranked operand"},
    {"BC-25", "an operand without a rank is ignored"},
    {"BC-30", "inference failed, so verification fails"},
    {"BC-31", "the result is unranked: nothing to verify"},
    {"BC-32", "no operand is ranked: nothing to verify"},
    {"BC-33", "the ranks must be equal"},
    {"BC-34", "both open"},
    {"BC-35", "open, and static in the result: the revisions differ"},
    {"BC-36", "the result may be open where a size is known"},
    {"BC-37", "known sizes must be equal"},
};

std::string ByRule(std::string_view clause) {
  return fmt::format("by {} ({})", clause, BroadcastRuleText(clause));
}

std::string SizeText(int64_t size) {
  return size == kIncompatible ? "error" : ShapeText({size});
}

std::string OperandLine(const Inference& inference, size_t i, size_t width) {
  const BroadcastOperand& operand = inference.operands[i];
  std::string line = fmt::format("  {:<{}}  {}", operand.name, width,
                                 ShapeTextOrStar(operand.shape));
  if (!operand.shape) {
    if (inference.shape) line += "  ignored, " + ByRule("BC-25");
  } else if (operand.shape->size() < inference.shape->size()) {
    Shape expanded = *operand.shape;
    ExpandRank(&expanded, inference.shape->size());
    line += fmt::format(" as {}, {}", ShapeText(expanded), ByRule("BC-20"));
  }
  return line + "\n";
}

}  // namespace

std::string_view BroadcastRuleText(std::string_view clause) {
  const auto it = std::ranges::find(
      kRules, clause, &std::pair<std::string_view, std::string_view>::first);
  return it == std::end(kRules) ? "" : it->second;
}

std::string InferenceText(const Inference& inference) {
  std::string text;
  size_t width = std::string_view("inferred").size();
  for (const BroadcastOperand& operand : inference.operands)
    width = std::max(width, operand.name.size());
  for (size_t i = 0; i < inference.operands.size(); ++i)
    text += OperandLine(inference, i, width);
  const size_t rank = inference.shape ? inference.shape->size() : 0;
  for (size_t d = 0; d < rank && !inference.steps.empty(); ++d) {
    for (const Inference::Step& step : inference.steps) {
      const std::vector<InferredDim>& dims = step.joined.dims;
      if (d + dims.size() < rank) continue;
      const InferredDim& dim = dims[d + dims.size() - rank];
      text +=
          fmt::format("  dimension {}: ({}, {}) -> {}", d, SizeText(dim.dim0),
                      SizeText(dim.dim1), SizeText(dim.dim));
      if (!dim.clause.empty()) text += "  " + ByRule(dim.clause);
      text += "\n";
    }
  }
  for (const BroadcastError& error : inference.errors)
    text += fmt::format("  {}: {}  ({})\n",
                        error.truth == Truth::kFalse ? "error" : "open",
                        error.reason, error.clause);
  if (inference.failed()) return text;
  text += fmt::format("  {:<{}}  {}", "inferred", width,
                      ShapeTextOrStar(inference.shape));
  if (inference.clauses.contains("BC-23")) text += ", " + ByRule("BC-23");
  if (inference.clauses.contains("BC-24")) text += ", " + ByRule("BC-24");
  return text + "\n";
}

std::string VerificationText(const Verification& verification) {
  if (!verification.ended.empty())
    return fmt::format("  ends {}\n", ByRule(verification.ended));
  std::string text;
  for (const BroadcastViolation& violation : verification.violations) {
    if (violation.constraint == "BC-33")
      text +=
          fmt::format("  error: {}  {}\n", violation.reason, ByRule("BC-33"));
  }
  for (size_t d = 0; d < verification.dims.size(); ++d) {
    const VerifiedDim& dim = verification.dims[d];
    text +=
        fmt::format("  dimension {}: inferred {}, in the result {}: {}  {}\n",
                    d, SizeText(dim.inferred), SizeText(dim.actual),
                    dim.ok == Truth::kTrue    ? "ok"
                    : dim.ok == Truth::kFalse ? "error"
                                              : "open",
                    ByRule(dim.clause));
  }
  return text.empty() ? "  rank 0, as inferred\n" : text;
}

std::string RuntimeText(const RuntimeShape& runtime) {
  if (runtime.shape) return ShapeTextOrStar(runtime.shape);
  return fmt::format("undefined behaviour by {}: {}", runtime.clause,
                     runtime.reason);
}

}  // namespace assay
