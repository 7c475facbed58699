// All ops, by their names.
#include <algorithm>
#include <unordered_map>

#include "spec/elements.h"
#include "spec/embedded.h"
#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"

namespace assay {

std::span<const OpSpec> Ops() {
  static const std::vector<OpSpec> ops = [] {
    std::vector<OpSpec> result;
    std::vector<std::string_view> op_files;
    std::string_view pointwise;
    for (const EmbeddedFile& file : EmbeddedFiles()) {
      if (file.path == "spec/pointwise/pointwise.json") pointwise = file.text;
      if (!file.path.starts_with("spec/ops/")) continue;
      result.push_back(ParseOpSpec(file.path, file.text));
      op_files.push_back(file.text);
    }
    for (const MadeOpFile& file : MakePointwiseOpFiles(op_files, pointwise))
      result.push_back(ParseOpSpec(file.path, file.text));
    std::ranges::sort(result, {}, &OpSpec::id);
    return result;
  }();
  return ops;
}

std::vector<std::string> OpIds() {
  std::vector<std::string> ids;
  for (const OpSpec& spec : Ops()) ids.push_back(spec.id);
  return ids;
}

const OpSpec* FindOp(std::string_view id) {
  static const std::unordered_map<std::string_view, const OpSpec*> by_id = [] {
    std::unordered_map<std::string_view, const OpSpec*> result;
    for (const OpSpec& spec : Ops()) result.emplace(spec.id, &spec);
    for (const OpSpec& element : ProgramElements())
      result.emplace(element.id, &element);
    return result;
  }();
  const auto it = by_id.find(id);
  return it == by_id.end() ? nullptr : it->second;
}

}  // namespace assay
