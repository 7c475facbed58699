#include "spec/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "spec/broken_constraint.h"
#include "spec/embedded.h"
#include "spec/error.h"

namespace assay {
namespace {

using ElementJson = nlohmann::ordered_json;

OpSpec ReadElement(const std::string& file, const std::string& id,
                   const ElementJson& json) {
  OpSpec spec;
  spec.id = id;
  spec.source = json.at("source").get<std::string>();
  spec.file = file;
  spec.first_line = json.at("spec").at("lines").at(0).get<int>();
  spec.last_line = json.at("spec").at("lines").at(1).get<int>();
  spec.executable = false;
  for (const auto& [label, constraint] : json.at("constraints").items()) {
    ConstraintSpec read;
    read.label = label;
    read.sha256 = constraint.at("sha256").get<std::string>();
    read.never_alone = constraint.value("never_alone", "");
    read.never = constraint.value("never", "");
    read.sentence = constraint.value("text", "");
    if (read.sentence.empty())
      read.formula =
          Formula::Parse(constraint.at("formula").get<std::string>());
    spec.constraints.push_back(std::move(read));
  }
  return spec;
}

std::vector<OpSpec> ReadElements() {
  std::vector<OpSpec> elements;
  for (const std::string name : {"spec/types.json", "spec/constants.json"}) {
    for (const EmbeddedFile& file : EmbeddedFiles()) {
      if (file.path != name) continue;
      try {
        const ElementJson whole = ElementJson::parse(file.text);
        for (const auto& [id, json] : whole.items())
          elements.push_back(ReadElement(name, id, json));
      } catch (const std::exception& e) {
        throw InputError(name, e.what());
      }
    }
  }
  return elements;
}

Environment MembersOf(const TensorType& type) {
  const Quantization& quantization = *type.quantization;
  Environment environment;
  const auto add = [&](const char* name, Value value) {
    environment.members.emplace(name, std::move(value));
  };
  add("self", type);
  add("storage_type", quantization.storage_type);
  add("storage_min", quantization.storage_min);
  add("storage_max", quantization.storage_max);
  add("expressed_type", quantization.expressed_type);
  add("quantization_dimension", quantization.dimension
                                    ? Value(*quantization.dimension)
                                    : Value(Value::None()));
  add("scales",
      Value::List(quantization.scales.begin(), quantization.scales.end()));
  add("zero_points", Value::List(quantization.zero_points.begin(),
                                 quantization.zero_points.end()));
  return environment;
}

std::vector<ConstraintResult> FalseOnes(const OpSpec& element,
                                        const Environment& environment) {
  std::vector<ConstraintResult> results;
  for (const ConstraintSpec& constraint : element.constraints) {
    ConstraintResult result{&constraint, Truth::kTrue,
                            Evaluate(constraint.formula, environment), ""};
    result.truth =
        MaybeBroken(element.id, constraint.label, TruthOf(result.value));
    if (result.truth == Truth::kFalse) results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

std::span<const OpSpec> ProgramElements() {
  static const std::vector<OpSpec> elements = ReadElements();
  return elements;
}

std::vector<const OpSpec*> OpsAndElements() {
  std::vector<const OpSpec*> all;
  for (const OpSpec& spec : Ops()) all.push_back(&spec);
  for (const OpSpec& element : ProgramElements()) all.push_back(&element);
  return all;
}

const OpSpec& FindElement(std::string_view id) {
  const auto found = std::ranges::find(ProgramElements(), id, &OpSpec::id);
  if (found == ProgramElements().end())
    throw std::out_of_range(std::string(id));
  return *found;
}

ViolatedType CheckQuantizedType(const TensorType& type) {
  static const OpSpec& element_type = FindElement("quantized_element_type");
  static const OpSpec& tensor_type = FindElement("quantized_tensor_type");
  const Environment environment = MembersOf(type);
  ViolatedType violated{&element_type, FalseOnes(element_type, environment)};
  if (!violated.results.empty()) return violated;
  return {&tensor_type, FalseOnes(tensor_type, environment)};
}

}  // namespace assay
