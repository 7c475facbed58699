// This file reads op files. Ours are embedded, and are read once.
#include "spec/op_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> Strings(const Json& object, const char* key) {
  return object.contains(key) ? object[key].get<std::vector<std::string>>()
                              : std::vector<std::string>();
}

// Returns the contents of the "Type" column of an Inputs or Outputs table as a
// formula: "is_boolean(lhs) or is_integer(lhs)".
// Other documents than StableHLO's have no quantized types.
std::string TypeFormula(const std::string& name,
                        const std::vector<std::string>& types, bool variadic,
                        bool has_quantized_types) {
  const auto has = [&](const char* type) {
    return std::ranges::find(types, type) != types.end();
  };
  if (types.empty() ||
      (has("any") && (has("quantized") || !has_quantized_types)))
    return "";
  if (variadic)
    return fmt::format("For all value in {}, {}", name,
                       TypeFormula("value", types, false, has_quantized_types));
  if (has("any"))
    return fmt::format("not is_{}quantized({})",
                       has("per_tensor_quantized") ? "per_axis_" : "", name);
  std::string formula;
  for (const std::string& type : types) {
    if (!formula.empty()) formula += " or ";
    // "Tensor" in a table is a tensor that is not quantized.
    formula +=
        ParseElementType(type)
            ? fmt::format("element_type({}) = {}", name, type)
        : type == "tensor"
            ? fmt::format("(is_tensor({0}) and not is_quantized({0}))", name)
            : fmt::format("is_{}({})", type, name);
  }
  return formula;
}

// Ops share these clauses, about results that a format lacks.
const Json& Encodings() {
  static const Json encodings = [] {
    for (const EmbeddedFile& file : EmbeddedFiles()) {
      if (file.path == "spec/encodings.json") return Json::parse(file.text);
    }
    CheckFailed("encodings.json is embedded", __FILE__, __LINE__);
  }();
  return encodings;
}

class Reader {
 public:
  Reader(std::string_view file, std::string_view text)
      : json_(Json::parse(text)) {
    spec_.file = file;
  }

  OpSpec Read() {
    spec_.id = json_.at("op").get<std::string>();
    spec_.source = json_.at("source").get<std::string>();
    spec_.first_line = json_.at("spec").at("lines").at(0).get<int>();
    spec_.last_line = json_.at("spec").at("lines").at(1).get<int>();
    spec_.unjudged = json_.value("unjudged", "");
    spec_.executable =
        json_.value("executable", true) && spec_.unjudged.empty();
    spec_.elementwise = json_.value("elementwise", false);
    spec_.row_local = json_.value("row_local", false);
    spec_.commutative = json_.value("commutative", false);
    spec_.monoid = json_.value("monoid", "");
    spec_.algebra = json_.value("algebra", "");
    spec_.adds = json_.value("adds", "");
    spec_.converts = json_.value("converts", false);
    spec_.control = json_.value("control", false);
    if (json_.contains("text")) ReadText(json_.at("text"));
    spec_.family = json_.value("family", "");
    for (const Json& step : json_.value("steps", Json::array()))
      spec_.steps.push_back({step.at("op").get<std::string>(),
                             Strings(step, "inputs"),
                             step.at("output").get<std::string>()});
    spec_.rule = json_.at("accuracy").at("rule").get<std::string>();
    spec_.rule_reason = json_.at("accuracy").value("reason", "");
    spec_.complex_rule = json_.at("accuracy").value("complex", spec_.rule);
    spec_.may_have_budget =
        json_.at("accuracy").value("may_have_budget", false);
    spec_.operand_error = json_.at("accuracy").value("operand_error", "");
    const Json range = json_.at("accuracy").value("range", Json::object());
    if (range.contains("min")) spec_.least = range["min"].get<double>();
    if (range.contains("max")) spec_.greatest = range["max"].get<double>();
    spec_.examples = Strings(json_, "examples");
    for (size_t i = 0; i < json_.at("inputs").size(); ++i)
      ReadInput(json_.at("inputs")[i], fmt::format("/inputs/{}", i));
    for (const auto& [label, constraint] : json_.at("constraints").items()) {
      if (constraint.contains("check")) {
        AddBuiltinConstraint(label, constraint);
      } else {
        AddConstraint(label, "/constraints/" + label + "/formula",
                      constraint.at("formula").get<std::string>(), constraint);
      }
    }
    RequireWholeChecks();
    for (size_t i = 0; i < json_.at("outputs").size(); ++i)
      ReadOutput(json_.at("outputs")[i], i);
    if (json_.contains("ranges")) ReadRanges(json_.at("ranges"));
    if (json_.contains("refusable"))
      spec_.refusable =
          ParseFormula("/refusable", json_.at("refusable").get<std::string>());
    if (json_.contains("where")) {
      for (const auto& [name, formula] : json_.at("where").items())
        spec_.where[name] =
            ParseFormula("/where/" + name, formula.get<std::string>());
    }
    for (const auto& [target, formula] : json_.at("infer").items())
      spec_.infer[target] =
          ParseFormula("/infer/" + target, formula.get<std::string>());
    for (const auto& [label, clause] : json_.at("semantics").items())
      ReadClause(label, clause);
    for (const std::string& label : Strings(json_, "encodes"))
      ReadClause(label, Encodings().at(label));
    const Json unquoted = json_.value("unquoted", Json::object());
    for (const auto& [sentence, reason] : unquoted.items())
      spec_.unquoted.emplace_back(sentence, reason.get<std::string>());
    CheckFormulas();
    for (InputSpec& input : spec_.inputs) {
      input.has_known_value = Asks("value", input);
      input.may_be_undefined = Asks("is_defined_in_parent_scope", input);
    }
    return std::move(spec_);
  }

 private:
  [[noreturn]] void Fail(const std::string& pointer,
                         const std::string& reason) const {
    throw InputError(fmt::format("{}#{}", spec_.file, pointer), reason);
  }

  Formula ParseFormula(const std::string& pointer,
                       const std::string& text) const {
    try {
      return Formula::Parse(text);
    } catch (const FormulaError& e) {
      Fail(pointer, e.what());
    }
  }

  // A misspelled name would otherwise show only when an evaluation reaches it.
  void CheckFormulas() const {
    std::set<std::string, std::less<>> names;
    for (const InputSpec& input : spec_.inputs) {
      names.insert(input.name);
      names.insert(input.values.begin(), input.values.end());
    }
    for (const OutputSpec& output : spec_.outputs) names.insert(output.name);
    for (const auto& [name, formula] : spec_.where) names.insert(name);
    const auto check = [&](const std::string& pointer, const Formula& formula) {
      try {
        CheckNames(formula, names);
      } catch (const FormulaError& e) {
        Fail(pointer, e.what());
      }
    };
    for (const auto& [name, formula] : spec_.where)
      check("/where/" + name, formula);
    for (const ConstraintSpec& constraint : spec_.constraints) {
      if (constraint.check == nullptr)
        check(PointerOf(spec_, constraint), constraint.formula);
    }
    for (const auto& [target, formula] : spec_.infer)
      check("/infer/" + target, formula);
    for (size_t i = 0; i < spec_.monotone.size(); ++i) {
      if (spec_.monotone[i].when)
        check(fmt::format("/ranges/{}/when", i), *spec_.monotone[i].when);
    }
    if (spec_.refusable) check("/refusable", *spec_.refusable);
    for (size_t i = 0; i < spec_.inputs.size(); ++i) {
      if (spec_.inputs[i].at_run_time)
        check(fmt::format("/inputs/{}/at_run_time", i),
              *spec_.inputs[i].at_run_time);
      if (spec_.inputs[i].text_default)
        check(fmt::format("/inputs/{}/text_default", i),
              *spec_.inputs[i].text_default);
    }
  }

  // Returns whether a formula of the op applies the function to the input.
  bool Asks(const char* function, const InputSpec& input) const {
    const std::string call = fmt::format("{}({})", function, input.name);
    const auto asks = [&](const Formula& formula) {
      return formula.text().find(call) != std::string::npos;
    };
    const auto value_asks = [&](const auto& entry) {
      return asks(entry.second);
    };
    return std::ranges::any_of(spec_.constraints, asks,
                               &ConstraintSpec::formula) ||
           std::ranges::any_of(spec_.where, value_asks) ||
           std::ranges::any_of(spec_.infer, value_asks);
  }

  void ReadText(const Json& json) {
    const Json& form = json.at("form");
    spec_.text.emplace();
    spec_.text->properties = Strings(json, "properties");
    spec_.text->others = Strings(json, "others");
    spec_.text->units = Strings(json, "units");
    spec_.text->later = Strings(json, "later");
    if (form.is_array())
      spec_.text->forms = form.get<std::vector<std::string>>();
    else
      spec_.text->forms = {form.get<std::string>()};
  }

  void AddConstraint(const std::string& label, const std::string& pointer,
                     const std::string& formula, const Json& json) {
    ConstraintSpec constraint;
    constraint.label = label;
    constraint.formula = ParseFormula(pointer, formula);
    ReadConstraint(json, std::move(constraint));
  }

  void AddBuiltinConstraint(const std::string& label, const Json& json) {
    const std::string pointer = "/constraints/" + label + "/check";
    const std::string name = json.at("check").get<std::string>();
    ConstraintSpec constraint;
    constraint.label = label;
    constraint.sentence = json.at("text").get<std::string>();
    constraint.check = FindBuiltinConstraint(name);
    if (constraint.check == nullptr)
      Fail(pointer, fmt::format("there is no check '{}'", name));
    const auto& labels = constraint.check->labels;
    if (std::ranges::find(labels, label) == labels.end())
      Fail(pointer, fmt::format("the check '{}' does not decide '{}'; it "
                                "decides {}",
                                name, label, fmt::join(labels, ", ")));
    ReadConstraint(json, std::move(constraint));
  }

  void ReadConstraint(const Json& json, ConstraintSpec constraint) {
    constraint.sha256 = json.value("sha256", "");
    constraint.never_alone = json.value("never_alone", "");
    constraint.needs = json.value("needs", "");
    constraint.accepted_in_the_field = json.value("accepted_in_the_field", "");
    constraint.policy = json.value("policy", "");
    spec_.constraints.push_back(std::move(constraint));
  }

  // Findings of a check about a constraint that the op lacks would be lost.
  void RequireWholeChecks() const {
    for (const ConstraintSpec& constraint : spec_.constraints) {
      if (constraint.check == nullptr) continue;
      for (const std::string_view label : constraint.check->labels) {
        const ConstraintSpec* other = spec_.Constraint(label);
        if (other == nullptr || other->check != constraint.check)
          Fail("/constraints",
               fmt::format("the check '{}' of '{}' also decides '{}', which is "
                           "not here",
                           constraint.check->name, constraint.label, label));
      }
    }
  }

  InputSpec::Kind ReadKind(const Json& json, const std::string& pointer) const {
    const std::string kind = json.at("kind").get<std::string>();
    static const std::map<std::string, InputSpec::Kind, std::less<>> kKinds = {
        {"constant", InputSpec::Kind::kConstant},
        {"dictionary", InputSpec::Kind::kDictionary},
        {"enum", InputSpec::Kind::kEnum},
        {"function", InputSpec::Kind::kFunction},
        {"metadata", InputSpec::Kind::kMetadata},
        {"name", InputSpec::Kind::kName},
        {"shaped", InputSpec::Kind::kShaped},
        {"tensor", InputSpec::Kind::kTensor},
        {"text", InputSpec::Kind::kText},
        {"token", InputSpec::Kind::kToken},
        {"tuple", InputSpec::Kind::kTuple},
        {"type", InputSpec::Kind::kType},
        {"value", InputSpec::Kind::kValue}};
    const auto known = kKinds.find(kind);
    if (known == kKinds.end())
      Fail(pointer + "/kind", fmt::format("unknown kind '{}'", kind));
    return known->second;
  }

  bool HasQuantizedTypes() const { return spec_.source == "stablehlo"; }

  // Adds what a table says of the rank of a tensor.
  static void AddRank(const Json& json, const std::string& name, bool variadic,
                      std::string* formula) {
    if (!json.contains("rank")) return;
    if (!formula->empty()) *formula = "(" + *formula + ") and ";
    *formula += fmt::format("rank({}{}) = {}", name, variadic ? "..." : "",
                            json.at("rank").get<int>());
  }

  void ReadInput(const Json& json, const std::string& pointer) {
    InputSpec input;
    input.label = json.at("label").get<std::string>();
    input.name = json.at("name").get<std::string>();
    input.kind = ReadKind(json, pointer);
    input.variadic = json.value("variadic", false);
    input.is_predicate = json.value("predicate", false);
    input.is_ragged = json.value("ragged", false);
    input.types = Strings(json, "types");
    input.values = Strings(json, "values");
    if (json.contains("absent"))
      input.absent = json.at("absent").get<std::string>();
    if (input.absent && !input.absent->empty())
      input.absent_value = ParseFormula(pointer + "/absent", *input.absent);
    input.is_index = json.value("is_index", false);
    input.is_target = json.value("is_target", false);
    input.is_radicand = json.value("is_radicand", false);
    if (json.contains("at_run_time"))
      input.at_run_time = ParseFormula(
          pointer + "/at_run_time", json.at("at_run_time").get<std::string>());
    if (json.contains("text_default"))
      input.text_default =
          ParseFormula(pointer + "/text_default",
                       json.at("text_default").get<std::string>());
    if (json.contains("type")) {
      std::string reason;
      input.type = ParseTensorType(json.at("type").get<std::string>(), &reason);
      if (!input.type) Fail(pointer + "/type", reason);
    }
    const std::string place = json.value("text_field", input.name);
    input.text_attribute = place.substr(0, place.find('.'));
    if (const size_t dot = place.find('.'); dot != std::string::npos)
      input.text_field = place.substr(dot + 1);
    if (json.contains("numbers"))
      input.numbers = json.at("numbers").get<std::vector<int64_t>>();
    std::string formula = TypeFormula(input.name, input.types, input.variadic,
                                      HasQuantizedTypes());
    AddRank(json, input.name, input.variadic, &formula);
    if (!input.values.empty()) {
      const char* const begin =
          input.variadic ? "For all value in {0}, value in [" : "{0} in [";
      formula = fmt::format(fmt::runtime(begin), input.name);
      formula += fmt::format("{}]", fmt::join(input.values, ", "));
      if (input.absent == "None")
        formula = fmt::format("{} = None or {}", input.name, formula);
    }
    if (!formula.empty()) AddConstraint(input.label, pointer, formula, json);
    spec_.inputs.push_back(std::move(input));
  }

  void ReadOutput(const Json& json, size_t index) {
    OutputSpec output{json.at("name").get<std::string>(),
                      Strings(json, "types"), json.value("variadic", false),
                      ReadKind(json, fmt::format("/outputs/{}", index))};
    std::string formula = TypeFormula(output.name, output.types,
                                      output.variadic, HasQuantizedTypes());
    AddRank(json, output.name, output.variadic, &formula);
    if (!formula.empty())
      AddConstraint(fmt::format("O{}", index + 1),
                    fmt::format("/outputs/{}", index), formula, json);
    spec_.outputs.push_back(std::move(output));
  }

  void ReadRanges(const Json& json) {
    spec_.moves = json == "exact";
    if (spec_.moves) return;
    static const std::map<std::string, OpSpec::Direction, std::less<>>
        kDirections = {{"increasing", OpSpec::Direction::kIncreasing},
                       {"decreasing", OpSpec::Direction::kDecreasing},
                       {"by_sign", OpSpec::Direction::kBySign}};
    for (size_t i = 0; i < json.size(); ++i) {
      const std::string pointer = fmt::format("/ranges/{}", i);
      OpSpec::Monotone rule;
      if (json[i].contains("when"))
        rule.when = ParseFormula(pointer + "/when",
                                 json[i].at("when").get<std::string>());
      for (const auto& [name, text] : json[i].at("monotone").items()) {
        const InputSpec* input = spec_.Input(name);
        if (input == nullptr || input->kind != InputSpec::Kind::kTensor)
          Fail(pointer + "/monotone/" + name, "the op has no such operand");
        const auto direction = kDirections.find(text.get<std::string>());
        if (direction == kDirections.end())
          Fail(pointer + "/monotone/" + name,
               fmt::format("unknown direction '{}'", text.get<std::string>()));
        rule.operands.emplace(name, direction->second);
      }
      spec_.monotone.push_back(std::move(rule));
    }
  }

  void ReadClause(const std::string& label, const Json& json) {
    ClauseSpec clause;
    clause.label = label;
    const std::optional<int> number = ClauseNumberOf(label);
    if (!number)
      Fail("/semantics/" + label,
           fmt::format(
               "'{}' is not a clause label: letters and a number below 64",
               label));
    clause.number = *number;
    if (spec_.Clause(*number) != nullptr)
      Fail("/semantics/" + label, "another clause has the same number");
    clause.slug = json.value("slug", "");
    clause.text = json.at("text").get<std::string>();
    clause.status = json.at("status").get<std::string>();
    clause.policy = json.value("policy", "");
    clause.when = json.value("case", "");
    clause.needs = json.value("needs", "");
    clause.judged = json.value("judged", "");
    clause.about = json.value("about", "");
    if (!spec_.unjudged.empty() && clause.needs.empty() &&
        clause.judged.empty() && clause.about.empty())
      clause.needs = "the oracle of the family " + spec_.unjudged;
    spec_.semantics.push_back(std::move(clause));
  }

  Json json_;
  OpSpec spec_;
};

}  // namespace

bool InputSpec::IsOfKind(const ValueType& type, Kind kind) {
  if (kind == Kind::kTuple) return type.AsTuple() != nullptr;
  if (kind == Kind::kToken) return type == ValueType(TokenType());
  return kind == Kind::kValue || type.IsTensor();
}

const InputSpec* OpSpec::Target() const {
  const auto input = std::ranges::find_if(
      inputs, [](const InputSpec& each) { return each.is_target; });
  return input == inputs.end() ? nullptr : &*input;
}

const ClauseSpec* OpSpec::Clause(int number) const {
  const auto it = std::ranges::find(semantics, number, &ClauseSpec::number);
  return it == semantics.end() ? nullptr : &*it;
}

const ClauseSpec* OpSpec::Clause(std::string_view label) const {
  const auto it = std::ranges::find(semantics, label, &ClauseSpec::label);
  return it == semantics.end() ? nullptr : &*it;
}

const ConstraintSpec* OpSpec::Constraint(std::string_view label) const {
  const auto it = std::ranges::find(constraints, label, &ConstraintSpec::label);
  return it == constraints.end() ? nullptr : &*it;
}

const InputSpec* OpSpec::Input(std::string_view name) const {
  const auto it = std::ranges::find(inputs, name, &InputSpec::name);
  return it == inputs.end() ? nullptr : &*it;
}

bool OpSpec::HasTextAttribute(std::string_view attribute) const {
  return std::ranges::find(inputs, attribute, &InputSpec::text_attribute) !=
         inputs.end();
}

OpSpec ParseOpSpec(std::string_view file, std::string_view text) {
  try {
    return Reader(file, text).Read();
  } catch (const nlohmann::json::exception& e) {
    throw InputError(std::string(file), e.what());
  }
}

std::string PointerOf(const OpSpec& spec, const ConstraintSpec& constraint) {
  const auto input =
      std::ranges::find(spec.inputs, constraint.label, &InputSpec::label);
  if (input != spec.inputs.end())
    return fmt::format("/inputs/{}", input - spec.inputs.begin());
  for (size_t i = 0; i < spec.outputs.size(); ++i) {
    if (constraint.label == fmt::format("O{}", i + 1))
      return fmt::format("/outputs/{}", i);
  }
  return fmt::format("/constraints/{}/{}", constraint.label,
                     constraint.check ? "check" : "formula");
}

}  // namespace assay
