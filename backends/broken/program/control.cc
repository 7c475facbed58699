#include "backends/broken/program/control.h"

#include <algorithm>

namespace assay::broken::program {
namespace {

constexpr std::string_view kControl[] = {"case", "func.call", "if",
                                         "optimization_barrier", "while"};

using Types = std::vector<TensorType>;

bool IsScalarOf(const TensorType& type, int code, int bits) {
  return type.shape.empty() && type.element.code == code &&
         type.element.bits == bits;
}

bool IsPredicate(const TensorType& type) {
  return IsScalarOf(type, ASSAY_DL_BOOL, 8);
}

std::string CheckBranches(const Op& op, const Signature& types,
                          const std::vector<Signature>& branches) {
  if (op.NumOperands() != 1) return "number of operands";
  const bool is_if = op.name == "if";
  if (is_if ? branches.size() != 2 : branches.empty())
    return "number of branches";
  if (is_if ? !IsPredicate(types.arguments[0])
            : !IsScalarOf(types.arguments[0], kDLInt, 32))
    return "the type of what chooses";
  const Types captures(types.arguments.begin() + 1, types.arguments.end());
  for (const Signature& branch : branches) {
    if (branch.arguments != captures) return "arguments of a branch";
    if (branch.results != types.results) return "results of a branch";
  }
  return "";
}

std::string CheckWhile(const Op& op, const Signature& types,
                       const std::vector<Signature>& functions) {
  if (functions.size() != 2) return "number of functions";
  for (const Signature& function : functions) {
    if (function.arguments != types.arguments)
      return "arguments of cond or body";
  }
  if (functions[0].results.size() != 1 || !IsPredicate(functions[0].results[0]))
    return "results of cond";
  const Types state(
      types.arguments.begin(),
      types.arguments.end() - static_cast<std::ptrdiff_t>(op.num_captures));
  if (functions[1].results != state) return "results of body";
  return types.results == state ? "" : "results";
}

}  // namespace

bool IsControl(std::string_view op) {
  return std::ranges::find(kControl, op) != std::end(kControl);
}

std::string CheckControl(const Op& op, const Signature& types,
                         const std::vector<Signature>& functions) {
  if (op.name == "while") return CheckWhile(op, types, functions);
  if (op.name == "optimization_barrier") {
    if (!functions.empty()) return "number of functions";
    return types.arguments == types.results ? "" : "results";
  }
  if (op.name != "func.call") return CheckBranches(op, types, functions);
  if (functions.size() != 1) return "number of functions";
  if (functions[0].arguments != types.arguments) return "operands";
  return functions[0].results == types.results ? "" : "results";
}

}  // namespace assay::broken::program
