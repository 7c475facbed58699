// The op files of pointwise ops are made from those of the ops that they call.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

// Returns the members that all of them share.
Json Shared(const Json& family) {
  return {{"source", family.at("source")},
          {"spec", family.at("spec")},
          {"constraints", family.at("constraints")},
          {"infer", Json::object()},
          {"semantics", family.at("semantics")}};
}

MadeOpFile FileOf(const Json& op) {
  return {"spec/pointwise/pointwise.json", op.dump()};
}

// Returns the argument of the decorator; a call without it violates PD-21.
Json Methods() {
  return {{"label", "PD-21"},
          {"name", "promotion_methods"},
          {"kind", "text"},
          {"absent", ""}};
}

// Returns an input of the op as one of the pointwise op: a tensor of any type,
// or a constant whose value the op itself constrains.
Json InputOf(const Json& input) {
  Json made = {{"label", input.at("label")}, {"name", input.at("name")}};
  made["kind"] = input.at("kind");
  if (input.contains("type")) made["type"] = input["type"];
  if (input.contains("absent")) made["absent"] = input["absent"];
  if (input.at("kind") != "tensor") return made;
  made["types"] = {"any"};
  made["predicate"] = input.at("types") == Json({"boolean"});
  return made;
}

MadeOpFile OfOp(const Json& family, const Json& op) {
  Json made = Shared(family);
  const std::string name = op.at("op").get<std::string>();
  made["op"] = std::string(kPointwise) + "." + name;
  made["family"] = kPointwise;
  made["elementwise"] = true;
  made["commutative"] = op.value("commutative", false);
  made["inputs"] = Json::array();
  Json names = Json::array();
  for (const Json& input : op.at("inputs")) {
    made["inputs"].push_back(InputOf(input));
    if (input.at("kind") == "tensor") names.push_back(input.at("name"));
  }
  made["inputs"].push_back(Methods());
  const Json output = op.at("outputs").at(0).at("name");
  made["outputs"] = {
      {{"name", output}, {"kind", "tensor"}, {"types", {"any"}}}};
  made["accuracy"] = op.at("accuracy");
  made["steps"] = {{{"op", name}, {"inputs", names}, {"output", output}}};
  return FileOf(made);
}

MadeOpFile OfFunction(const Json& family, const std::string& name,
                      const Json& function) {
  Json made = Shared(family);
  made["op"] = std::string(kPointwise) + "." + name;
  made["family"] = kPointwise;
  made["elementwise"] = true;
  made["inputs"] = Json::array();
  for (const Json& input : function.at("inputs"))
    made["inputs"].push_back({{"label", "I"},
                              {"name", input},
                              {"kind", "tensor"},
                              {"types", {"any"}}});
  made["inputs"].push_back(Methods());
  made["outputs"] = Json::array();
  for (const Json& output : function.at("outputs"))
    made["outputs"].push_back(
        {{"name", output}, {"kind", "tensor"}, {"types", {"any"}}});
  made["accuracy"] = function.at("accuracy");
  made["steps"] = function.at("program");
  return FileOf(made);
}

}  // namespace

std::vector<MadeOpFile> MakePointwiseOpFiles(
    const std::vector<std::string_view>& op_files,
    std::string_view pointwise_file) {
  const Json family = Json::parse(pointwise_file);
  std::vector<MadeOpFile> files;
  Json whole = Shared(family);
  whole["op"] = kPointwise;
  whole["executable"] = false;
  whole["inputs"] = whole["outputs"] = Json::array();
  whole["accuracy"] = {{"rule", "none"}};
  files.push_back(FileOf(whole));
  for (const std::string_view text : op_files) {
    const Json op = Json::parse(text);
    if (op.value("elementwise", false) && op.at("source") == "stablehlo" &&
        !op.contains("unjudged") &&
        !family.at("without").contains(op.at("op").get<std::string>()))
      files.push_back(OfOp(family, op));
  }
  for (const auto& [name, function] : family.at("functions").items())
    files.push_back(OfFunction(family, name, function));
  return files;
}

}  // namespace assay
