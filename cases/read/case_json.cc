#include "cases/read/case_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "cases/read/canonical.h"
#include "spec/error.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

Json ElementAsJson(ElementType type, ElementBits bits) {
  if (IsBoolean(type)) return bits != 0;
  if (IsUnsignedInteger(type)) return static_cast<uint64_t>(bits);
  if (IsInteger(type)) return static_cast<int64_t>(ValueOf(type, bits));
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

// Nests the elements as the dimensions of the tensor do.
Json NestedAsJson(const Tensor& tensor, size_t dimension, int64_t* next) {
  const Shape& shape = tensor.type().shape;
  if (dimension == shape.size()) {
    const int64_t i = (*next)++;
    return ElementAsJson(tensor.element_type(), tensor.Bits(i));
  }
  Json rows = Json::array();
  for (int64_t i = 0; i < shape[dimension]; ++i)
    rows.push_back(NestedAsJson(tensor, dimension + 1, next));
  return rows;
}

Json TypedAsJson(const Tensor& tensor) {
  return {{"type", tensor.type().ToString()}, {"data", ElementsAsJson(tensor)}};
}

Json DictionaryAsJson(const Dictionary& dictionary) {
  Json json = Json::object();
  for (const Attribute& member : dictionary.members) {
    if (const auto* text = std::get_if<std::string>(&member.value)) {
      json[member.name] = *text;
    } else if (const auto* tensor = std::get_if<Tensor>(&member.value)) {
      json[member.name] = TypedAsJson(*tensor);
    } else {
      json[member.name] = DictionaryAsJson(std::get<Dictionary>(member.value));
    }
  }
  return json;
}

Json AttributeAsJson(const Attribute& attribute, const InputSpec& input) {
  if (const auto* list = std::get_if<AttributeList>(&attribute.value)) {
    Json json = Json::array();
    for (const AttributeValue& element : list->elements)
      json.push_back(AttributeAsJson({attribute.name, element}, input));
    return json;
  }
  if (const auto* dictionary = std::get_if<Dictionary>(&attribute.value))
    return DictionaryAsJson(*dictionary);
  if (const auto* function = std::get_if<FunctionName>(&attribute.value))
    return function->name;
  if (const Symbol* symbol = std::get_if<Symbol>(&attribute.value))
    return symbol->name;
  if (const std::string* text = std::get_if<std::string>(&attribute.value)) {
    // Files have promotion_methods as a list.
    Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
    return json.is_array() ? json : Json(*text);
  }
  const Tensor* const constant = std::get_if<Tensor>(&attribute.value);
  ASSAY_CHECK(constant != nullptr);
  const Tensor& tensor = *constant;
  // Nested arrays do not say the shape of a constant of several dimensions that
  // has no elements.
  if ((input.kind == InputSpec::Kind::kConstant && !input.type) ||
      (tensor.size() == 0 && tensor.type().shape.size() > 1))
    return TypedAsJson(tensor);
  int64_t next = 0;
  return NestedAsJson(tensor, 0, &next);
}

void AddLayout(const Layout& layout, const Shape& shape, Json* json) {
  // IsRowMajor is not used, because the stride of a dimension of size 1 may be
  // the point of the case.
  if (layout.strides != RowMajorStrides(shape))
    (*json)["strides"] = layout.strides;
  if (layout.offset != 0) (*json)["offset"] = layout.offset;
}

// Operands that violate a constraint have a type and nothing else.
// but the values that constraints ask for.
Json OperandAsJson(const Case& c, const std::string& name, bool is_scalar,
                   const Tensor* known = nullptr) {
  const std::vector<TypedName>& inputs = c.program.main().inputs;
  const auto it = std::ranges::find(inputs, name, &TypedName::name);
  ASSAY_CHECK(it != inputs.end());
  Json json = {{"type", it->type.ToString()}};
  if (is_scalar) json["scalar"] = true;
  if (c.inputs.empty() && known) json["data"] = ElementsAsJson(*known);
  if (c.inputs.empty()) return json;
  const CaseInput& input = c.inputs[static_cast<size_t>(it - inputs.begin())];
  const auto* draw = std::get_if<DrawRandom>(&input.data.source);
  const auto* below = std::get_if<DrawBelow>(&input.data.source);
  if (draw != nullptr && !draw->place && draw->period == 0 &&
      !input.data.window && draw->seed <= INT64_MAX) {
    json["draw"] = {
        {"seed", draw->seed},
        {"profile", kProfileNames[static_cast<size_t>(draw->profile)]}};
  } else if (below != nullptr && !input.data.window) {
    json["draw"] = {{"seed", below->seed}, {"below", below->below}};
    if (below->sorted) json["draw"]["sorted"] = true;
  } else {
    json["data"] = ElementsAsJson(input.data.Materialise());
  }
  AddLayout(input.layout, it->type.tensor().shape, &json);
  return json;
}

Json AccuracyAsJson(const ResultAccuracy& accuracy) {
  return {{"atol", accuracy.atol},
          {"rtol", accuracy.rtol},
          {"ulps", accuracy.ulps}};
}

// Returns whether the case is written as a program. The form of one call has a
// value for each operand, and renames it, so that functions that name values
// are not in it, and no value is two operands.
bool NeedsLongForm(const Case& c) {
  const std::vector<Op>& body = c.program.main().body;
  const auto captures = [](const Function& region) {
    return !Captures(region).empty();
  };
  const auto is_repeated = [&](const Op::Operand& operand) {
    return std::ranges::count(body[0].inputs, operand.value,
                              &Op::Operand::value) > 1;
  };
  return body.size() > 1 || std::ranges::any_of(body[0].regions, captures) ||
         std::ranges::any_of(body[0].inputs, is_repeated);
}

// In the form of one call there are no literals of some results of a variadic
// output alone.
bool HasVariadicLiterals(const Case& c) {
  const OpSpec& spec = *FindOp(c.program.main().body[0].op);
  return !c.expect.empty() &&
         std::ranges::any_of(spec.outputs, &OutputSpec::variadic);
}

bool IsInferred(const InferredType& inferred, const TensorType& type) {
  return inferred.IsWhole() && inferred.Type() == type;
}

// Returns the name that an operand has in the form of one call: those of a
// variadic input are counted.
std::string OperandName(const Op& op, size_t k) {
  const std::string& name = op.inputs[k].name;
  if (!FindOp(op.op)->Input(name)->variadic) return name;
  return fmt::format("{}.{}", name, &op.inputs[k] - op.Inputs(name).data());
}

// Adds the fields "inputs" and "outputs" of one op. In a program, they refer to
// values by name.
void AddOp(const Case& c, const Op& op, bool is_program, Json* json) {
  const OpSpec& spec = *FindOp(op.op);
  Json& inputs = (*json)["inputs"] = Json::object();
  for (const InputSpec& input : spec.inputs) {
    const auto add = [&](Json value) {
      if (input.variadic) {
        inputs[input.name].push_back(std::move(value));
      } else {
        inputs[input.name] = std::move(value);
      }
    };
    if (input.variadic) inputs[input.name] = Json::array();
    for (const Op::Operand& operand : op.Inputs(input.name))
      add(is_program
              ? Json(operand.value)
              : OperandAsJson(c, operand.value, operand.is_scalar,
                              operand.known ? &*operand.known : nullptr));
    for (const Function& region : op.Regions(input.name))
      add(RegionText(region));
    if (const Attribute* attribute = op.FindAttribute(input.name))
      inputs[input.name] = AttributeAsJson(*attribute, input);
  }
  const std::vector<InferredType> inferred = InferResultTypes(spec, op);
  Json given = Json::object();
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const Op::Result& output = op.outputs[i];
    Json result = Json::object();
    if (is_program) result["name"] = output.value;
    const InferredType* of = FindInferred(inferred, op, i);
    if (of == nullptr || !output.type.IsTensor() ||
        !IsInferred(*of, output.type))
      result["type"] = output.type.ToString();
    if (const auto layout = c.output_layouts.find(output.value);
        layout != c.output_layouts.end())
      AddLayout(layout->second, output.type.tensor().shape, &result);
    const auto spec_output =
        std::ranges::find(spec.outputs, output.name, &OutputSpec::name);
    if (spec_output->variadic) {
      given[output.name].push_back(std::move(result));
    } else if (!result.empty()) {
      given[output.name] = std::move(result);
    }
  }
  // Types that all follow need not be listed, if as many follow as there are.
  for (const OutputSpec& output : spec.outputs) {
    const auto follow =
        std::ranges::count(inferred, output.name, &InferredType::output);
    const auto count =
        std::ranges::count(op.outputs, output.name, &Op::Result::name);
    Json& results = given[output.name];
    if (results.is_null() && !output.variadic) continue;
    if (results.is_null()) results = Json::array();
    const bool says_types = std::ranges::any_of(
        results, [](const Json& result) { return !result.empty(); });
    if (results.is_object() || says_types || count == 0 || count != follow)
      (*json)["outputs"][output.name] = std::move(results);
  }
}

// Adds which function each target is that the function calls.
void AddTargets(const Function& function, Json* json) {
  for (const Op& op : function.body) {
    for (const Function& region : op.regions) AddTargets(region, json);
    if (op.callee == nullptr) continue;
    AddTargets(*op.callee, json);
    if (const InputSpec* target = FindOp(op.op)->Target())
      (*json)["targets"][AttributeText(*op.FindAttribute(target->name))] =
          op.callee->name;
  }
}

Json AsJson(const Case& c, const std::string& id, bool is_program) {
  const Function& main = c.program.main();
  Json json = {{"id", id}};
  if (!c.policy.empty()) json["policy"] = c.policy;
  for (const Function* called : CalledBy(main))
    json["functions"][called->name] = CalleeText(*called);
  AddTargets(main, &json);
  const Op& first = main.body[0];
  if (is_program) {
    json["inputs"] = Json::object();
    for (const TypedName& input : main.inputs)
      json["inputs"][input.name] = OperandAsJson(c, input.name, false);
    json["program"] = Json::array();
    for (const Op& op : main.body) {
      Json step = {{"op", op.op}};
      AddOp(c, op, true, &step);
      if (op.result_accuracy)
        step["result_accuracy"] = AccuracyAsJson(*op.result_accuracy);
      json["program"].push_back(std::move(step));
    }
    for (const auto& [result, input] : c.alias) json["alias"][result] = input;
  } else {
    AddOp(c, first, false, &json);
  }
  // In the form of one call, values have the names of its operands and results,
  // whatever the case called them.
  for (const Op::Result& output : first.outputs) {
    if (output.in_place && !is_program)
      json["alias"][output.name] = OperandName(first, *output.in_place);
  }
  if (first.processes.replicas && first.processes.partitions)
    json["processes"] = {{"replicas", *first.processes.replicas},
                         {"partitions", *first.processes.partitions}};
  if (first.result_accuracy && !is_program)
    json["result_accuracy"] = AccuracyAsJson(*first.result_accuracy);
  if (!c.violates.empty()) {
    json["expect"]["violates"] =
        c.violates.size() == 1 ? Json(c.violates[0]) : Json(c.violates);
  }
  for (const Case& earlier : c.after) {
    Json call = CaseAsJson(earlier, "");
    call.erase("id");
    call.erase("policy");
    call["op"] = earlier.op;
    json["after"].push_back(std::move(call));
  }
  return json;
}

}  // namespace

Json CaseAsJson(const Case& c, const std::string& id) {
  return AsJson(c, id, NeedsLongForm(c));
}

Json CaseWithLiteralsAsJson(const Case& c, const std::string& id) {
  Json json = AsJson(c, id, NeedsLongForm(c) || HasVariadicLiterals(c));
  if (c.expect.empty()) return json;
  json["source"] = c.source;
  if (c.is_of_text) json["open_literals"] = true;
  const Function& main = c.program.main();
  const auto name_of = [&](const std::string& value) {
    if (json.contains("program")) return value;
    const auto& outputs = main.body[0].outputs;
    return std::ranges::find(outputs, value, &Op::Result::value)->name;
  };
  for (const auto& [value, literal] : c.expect)
    json["expect"][name_of(value)] = ElementsAsJson(literal);
  for (const auto& [value, near] : c.nearness)
    json["near"][name_of(value)] = {{"absolute", near.absolute},
                                    {"ulps", near.ulps}};
  return json;
}

namespace {

bool HasJson(const Dictionary& dictionary) {
  return std::ranges::all_of(dictionary.members, [](const Attribute& member) {
    const auto* inner = std::get_if<Dictionary>(&member.value);
    return std::holds_alternative<std::string>(member.value) ||
           std::holds_alternative<Tensor>(member.value) ||
           (inner != nullptr && HasJson(*inner));
  });
}

}  // namespace

std::string WhyNotInJson(const Case& c) {
  if (c.verified_text)
    return "a text that is verified and not judged is a case as text alone";
  for (const Op& op : c.program.main().body) {
    for (const Attribute& attribute : op.attributes) {
      const auto* dictionary = std::get_if<Dictionary>(&attribute.value);
      if (dictionary != nullptr && !HasJson(*dictionary))
        return fmt::format("'{}' of {} is given in StableHLO text alone",
                           attribute.name, op.op);
    }
  }
  return "";
}

void KeepCases(const std::string& path, const std::string& op,
               const std::vector<Json>& json_cases) {
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
  Json& cases = file["cases"];
  std::map<std::string, size_t> place_of;  // by id
  for (size_t i = 0; i < cases.size(); ++i)
    place_of.emplace(cases[i]["id"].get<std::string>(), i);
  for (const Json& json_case : json_cases) {
    const auto [place, is_new] =
        place_of.emplace(json_case["id"].get<std::string>(), cases.size());
    if (is_new) {
      cases.push_back(json_case);
    } else {
      cases[place->second] = json_case;
    }
  }
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << CanonicalJson(path, file.dump());
  if (!stream.flush()) throw InputError(path, "cannot be written");
}

void KeepCase(const std::string& path, const std::string& op,
              const Json& json_case) {
  KeepCases(path, op, {json_case});
}

}  // namespace assay
