#include "cases/case_json.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cases/canonical.h"
#include "spec/error.h"

namespace assay {
namespace {

Json ElementAsJson(ElementType type, ElementBits bits) {
  if (IsBoolean(type)) return bits != 0;
  if (!IsComplex(type)) return FormatBits(type, bits);
  const ElementType part = PartType(type);
  return Json::array({FormatBits(part, PartOf(type, bits, 0)),
                      FormatBits(part, PartOf(type, bits, 1))});
}

Json ElementsAsJson(const Tensor& tensor) {
  Json elements = Json::array();
  for (int64_t i = 0; i < tensor.size(); ++i)
    elements.push_back(ElementAsJson(tensor.element_type(), tensor.Bits(i)));
  return elements;
}

Json AttributeAsJson(const Attribute& attribute) {
  if (const Symbol* symbol = std::get_if<Symbol>(&attribute.value))
    return symbol->name;
  const Tensor& tensor = std::get<Tensor>(attribute.value);
  Json elements = ElementsAsJson(tensor);
  return tensor.type().shape.empty() ? elements[0] : elements;
}

}  // namespace

Json CaseAsJson(const Case& c, const std::string& id) {
  const Function& main = c.program.main();
  ASSAY_CHECK(main.body.size() == 1);
  const Op& op = main.body[0];
  Json json = {{"id", id}, {"inputs", Json::object()}};
  for (size_t i = 0; i < main.inputs.size(); ++i) {
    const Tensor tensor = c.inputs[i].data.Materialise();
    json["inputs"][main.inputs[i].name] = {{"type", tensor.type().ToString()},
                                           {"data", ElementsAsJson(tensor)}};
  }
  for (const Attribute& attribute : op.attributes)
    json["inputs"][attribute.name] = AttributeAsJson(attribute);
  if (op.result_accuracy)
    json["result_accuracy"] = {{"atol", op.result_accuracy->atol},
                               {"rtol", op.result_accuracy->rtol},
                               {"ulps", op.result_accuracy->ulps}};
  const std::vector<InferredType> inferred =
      InferResultTypes(*FindOp(op.op), op);
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    if (inferred[i].shape && inferred[i].element_type) continue;
    json["outputs"][op.outputs[i].name] = {
        {"type", op.outputs[i].type.ToString()}};
  }
  return json;
}

void KeepCase(const std::string& path, const std::string& op,
              const Json& json_case) {
  Json file = {{"op", op}, {"cases", Json::array()}};
  if (std::filesystem::exists(path)) {
    const std::string text = ReadTextFile(path);
    file = ParseJson(path, text);
    if (CanonicalJson(path, file.dump()) != CanonicalJson(path, text))
      throw InputError(path,
                       "holds numbers that would be rounded when it is "
                       "written again; name another file");
    ParseCases(path, file, {});
    if (file["op"] != op)
      throw InputError(path, fmt::format("holds cases of {}, not of {}",
                                         TextOf(file["op"]), op));
  }
  bool is_there = false;
  for (Json& there : file["cases"]) {
    if (there["id"] != json_case["id"]) continue;
    there = json_case;
    is_there = true;
  }
  if (!is_there) file["cases"].push_back(json_case);
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << CanonicalJson(path, file.dump());
  if (!stream.flush()) throw InputError(path, "cannot be written");
}

}  // namespace assay
