#include "cases/read/function_checks.h"

#include <algorithm>

namespace assay {

bool IsStatic(const Function& function) {
  const auto is_static = [](const auto& value) {
    return value.type.IsStatic();
  };
  return std::ranges::all_of(function.inputs, is_static) &&
         std::ranges::all_of(function.body, [&](const Op& op) {
           return std::ranges::all_of(op.inputs, is_static) &&
                  std::ranges::all_of(op.outputs, is_static) &&
                  std::ranges::all_of(op.regions, IsStatic);
         });
}

std::string WhyNotGiven(const Function& function) {
  if (!HasTensorsAlone(function)) return "has values that are no tensors";
  return CalledBy(function).empty() ? "" : "calls another";
}

int64_t ConstantBytes(const Function& function) {
  int64_t bytes = 0;
  for (const Op& op : function.body) {
    for (const Attribute& attribute : op.attributes) {
      if (const auto* tensor = std::get_if<Tensor>(&attribute.value))
        bytes += tensor->byte_size();
    }
    for (const Function& region : op.regions) bytes += ConstantBytes(region);
  }
  return bytes;
}

}  // namespace assay
