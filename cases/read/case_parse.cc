// From JSON to Case: names and labels, expectations, calls before it. Values
// and ops are read in case_parse_program.cc.
#include "cases/read/case_parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/read/case_layout.h"
#include "spec/pointwise/broadcast.h"
#include "spec/policy.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// Returns whether a "type" anywhere in the case has a `?` dimension.
bool HasDynamicType(const Json& json) {
  if (const auto type = json.find("type");
      json.is_object() && type != json.end() && type->is_string() &&
      type->get_ref<const std::string&>().find('?') != std::string::npos)
    return true;
  return json.is_structured() && std::ranges::any_of(json, HasDynamicType);
}

// Returns what this version lacks to judge an op, which stands in `json`.
std::string WhyUnjudged(const OpSpec& spec, const Json& json,
                        const Json& targets) {
  const InputSpec* const target = spec.Target();
  if (!spec.unjudged.empty() || target == nullptr) return spec.unjudged;
  const auto inputs = json.find("inputs");
  if (inputs == json.end() || !inputs->is_object()) return "";
  const auto name = inputs->find(target->name);
  if (name == inputs->end() || !name->is_string()) return "";
  const auto& text = name->get_ref<const std::string&>();
  return targets.is_object() && targets.contains(text) ? ""
                                                       : UnknownTarget(text);
}

// Returns what this version lacks to judge the ops and types that the case
// names outside of functions, as Case::unjudged has it.
std::string WhyUnjudged(const Json& json, const Json& targets) {
  if (json.is_object()) {
    const auto op = json.find("op");
    const OpSpec* spec = op != json.end() && op->is_string()
                             ? FindOp(op->get_ref<const std::string&>())
                             : nullptr;
    std::string why;
    if (spec != nullptr) why = WhyUnjudged(*spec, json, targets);
    if (!why.empty()) return why;
    const auto type = json.find("type");
    if (type != json.end() && type->is_string() &&
        IsQuantizedType(type->get_ref<const std::string&>()))
      return kQuantizedTypes;
  }
  std::string why;
  if (json.is_structured()) {
    for (const Json& part : json) {
      why = WhyUnjudged(part, targets);
      if (!why.empty()) break;
    }
  }
  return why;
}

class CaseParser {
 public:
  CaseParser(const JsonView& json, std::string op, const std::string& file,
             const std::set<std::string>& notes, const ReadOptions& options)
      : json_(json), notes_(notes), options_(options) {
    case_.op = std::move(op);
    case_.file = file;
    case_.where = json.where();
  }

  Case Parse() {
    json_.RequireObject({"id", "flags", "covers", "source", "policy", "chunk",
                         "result_accuracy", "inputs", "outputs", "alias",
                         "functions", "targets", "program", "expect", "near",
                         "open_literals", "after", "processes"});
    case_.name = case_.op + "/" + ParseId();
    ParseLabels();
    if (case_.op == kBroadcastable) {
      ParseTraitCase(json_, &case_);
      return std::move(case_);
    }
    if (const auto expect = json_.Find("expect")) {
      if (expect->json().is_object() && expect->json().contains("violates"))
        ParseViolates(*expect);
    }
    case_.is_static = !HasDynamicType(json_.json());
    const Json targets = json_.json().value("targets", Json());
    case_.unjudged = WhyUnjudged(*FindOp(case_.op), json_.json(), targets);
    if (case_.unjudged.empty())
      case_.unjudged = WhyUnjudged(json_.json(), targets);
    if (const auto chunk = json_.Find("chunk"))
      case_.chunk = chunk->Integer(1, INT64_MAX);
    ParseProgram(json_, options_, &case_);
    for (const std::string& label : case_.violates) {
      if (FindOp(case_.op)->Constraint(label) == nullptr)
        json_.At("expect").Fail(
            fmt::format("{} has no constraint '{}'", case_.op, Cut(label)));
    }
    if (const auto alias = json_.Find("alias")) {
      if (case_.program.main().body.size() > 1 || !case_.is_static ||
          !case_.unjudged.empty())
        alias->Fail("only one call that runs has results in place");
      ParseAlias(*alias, &case_);
    }
    if (case_.violates.empty()) ParseExpectations();
    ParseNearness();
    if (case_.chunk > 0) RequireSweep();
    ParseAfter();
    return std::move(case_);
  }

 private:
  void ParseAfter() {
    const auto after = json_.Find("after");
    if (!after) return;
    if (case_.chunk > 0) after->Fail("a sweep is judged in many processes");
    if (after->RequireArray().empty()) after->Fail("no calls");
    for (const JsonView& element : after->Elements()) {
      element.RequireObject({"op", "result_accuracy", "inputs", "outputs",
                             "alias", "functions", "targets", "program",
                             "expect"});
      const std::string op = element.At("op").String();
      RequireOp(element.At("op"), op);
      Json json = element.json();
      json.erase("op");
      json["id"] = fmt::format("{}.after_{}", json_.At("id").String(),
                               case_.after.size());
      if (const auto expect = element.Find("expect"))
        expect->RequireObject({"violates"});
      Case c = ParseCase(element.WithJson(json), op, case_.file, {}, options_);
      if (!c.is_static) element.Fail("a call of dynamic types cannot run");
      case_.after.push_back(MadeEarlier(std::move(c)));
    }
  }

  std::string ParseId() {
    const JsonView id = json_.At("id");
    const std::string text = id.String();
    const auto allowed = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
             c == '-' || c == '.';
    };
    if (text.empty() || !std::ranges::all_of(text, allowed))
      id.Fail(fmt::format(
          "'{}' is not an id: letters, digits, '_', '-' and '.'", Cut(text)));
    return text;
  }

  void ParseLabels() {
    if (const auto flags = json_.Find("flags")) {
      case_.flags = flags->Strings();
      for (const std::string& flag : case_.flags) {
        if (!notes_.contains(flag))
          flags->Fail(
              fmt::format("the flag '{}' has no note in this file", Cut(flag)));
      }
    }
    if (const auto covers = json_.Find("covers")) {
      case_.covers = covers->Strings();
      for (const std::string& label : case_.covers) {
        if (FindOp(case_.op)->Clause(label) == nullptr)
          covers->Fail(
              fmt::format("{} has no clause '{}'", case_.op, Cut(label)));
      }
    }
    if (const auto source = json_.Find("source"))
      case_.source = source->String();
    if (const auto policy = json_.Find("policy")) {
      case_.policy = policy->String();
      const std::vector<std::string> names = Policy::Names();
      if (std::ranges::find(names, case_.policy) == names.end()) {
        policy->Fail(fmt::format("unknown policy '{}'; there are: {}",
                                 Cut(case_.policy), fmt::join(names, ", ")));
      }
    }
  }

  void ParseViolates(const JsonView& expect) {
    expect.RequireObject({"violates"});
    const JsonView violates = expect.At("violates");
    case_.violates = violates.json().is_array()
                         ? violates.Strings()
                         : std::vector<std::string>{violates.String()};
    if (case_.violates.empty()) violates.Fail("at least one constraint");
  }

  void ParseExpectations() {
    const auto expect = json_.Find("expect");
    if (!expect) return;
    const bool is_program = json_.Find("program").has_value();
    for (const auto& [name, value] : expect->Members()) {
      const auto variadic = [&, name = name] {
        const OpSpec& spec = *FindOp(case_.op);
        const auto it =
            std::ranges::find(spec.outputs, name, &OutputSpec::name);
        return it != spec.outputs.end() && it->variadic;
      };
      if (is_program || !variadic()) {
        ExpectValue(name, value);
        continue;
      }
      size_t i = 0;
      for (const JsonView& element : value.Elements())
        ExpectValue(fmt::format("{}.{}", name, i++), element);
      const size_t count = case_.UnderTest().Outputs(name).size();
      if (i != count)
        value.Fail(
            fmt::format("{} of the {} results of '{}'", i, count, Cut(name)));
    }
    if (case_.source.empty())
      json_.Fail("literal expectations need a 'source'");
  }

  // How the literals that others wrote are compared.
  void ParseNearness() {
    if (const auto open = json_.Find("open_literals")) {
      case_.is_of_text = open->Bool();
      if (case_.expect.empty()) open->Fail("there is no literal");
    }
    const auto near = json_.Find("near");
    if (!near) return;
    for (const auto& [name, limits] : near->Members()) {
      const auto literal = case_.expect.find(name);
      if (literal == case_.expect.end() ||
          IsBoolean(literal->second.element_type()) ||
          IsInteger(literal->second.element_type()))
        limits.Fail(fmt::format("'{}' has no literal of floats", Cut(name)));
      limits.RequireObject({"absolute", "ulps"});
      Nearness& nearness = case_.nearness[name];
      if (const auto absolute = limits.Find("absolute")) {
        nearness.absolute = absolute->Number();
        if (!(nearness.absolute >= 0) || std::isinf(nearness.absolute))
          absolute->Fail("expected a number of 0 or more");
      }
      if (const auto ulps = limits.Find("ulps"))
        nearness.ulps = ulps->Integer(0, INT64_MAX);
    }
  }

  void ExpectValue(const std::string& name, const JsonView& value) {
    const Op::Result* result = nullptr;
    for (const Op& op : case_.program.main().body) {
      const auto it = std::ranges::find(op.outputs, name, &Op::Result::value);
      if (it != op.outputs.end()) result = &*it;
    }
    if (result == nullptr)
      value.Fail(fmt::format("no op defines '{}'", Cut(name)));
    if (!result->type.IsStatic())
      value.Fail(fmt::format("no values of type {}", result->type.ToString()));
    ExpectTensors({name, result->type}, value);
  }

  // The literal of a tuple is the array of those of its members.
  void ExpectTensors(const TypedName& expected, const JsonView& value) {
    if (expected.type.IsTensor()) {
      case_.expect.emplace(expected.name, ParseElements(value, expected.type));
      return;
    }
    if (expected.type.AsTuple() == nullptr)
      value.Fail(fmt::format("'{}' is a token, which has no literal",
                             Cut(expected.name)));
    const std::vector<TypedName> members = MembersOf(expected);
    const size_t count = value.RequireArray().size();
    if (count != members.size())
      value.Fail(fmt::format("{} of the {} members of '{}'", count,
                             members.size(), Cut(expected.name)));
    size_t i = 0;
    for (const JsonView& element : value.Elements())
      ExpectTensors(members[i++], element);
  }

  // Chunks are slices of flat tensors, so element i of the result must rest on
  // elements i of the operands, and those must be there without the others.
  void RequireSweep() const {
    const JsonView chunk = json_.At("chunk");
    const Function& main = case_.program.main();
    if (json_.Find("program") || !case_.expect.empty() ||
        !case_.violates.empty() || !case_.is_static)
      chunk.Fail(
          "a case that is judged in chunks is one valid call of static "
          "types, without literal results");
    if (!FindOp(case_.op)->elementwise)
      chunk.Fail(
          fmt::format("{} is not elementwise, so chunks of its operands "
                      "do not give chunks of its result",
                      case_.op));
    const Shape& shape = main.body[0].outputs[0].type.tensor().shape;
    if (*ElementCount(shape) == 0) chunk.Fail("there are no elements to judge");
    for (size_t i = 0; i < case_.inputs.size(); ++i) {
      const CaseInput& input = case_.inputs[i];
      if (std::holds_alternative<Tensor>(input.data.source) ||
          input.data.type.shape != shape || !input.layout.IsRowMajor(shape) ||
          input.layout.offset != 0)
        chunk.Fail(fmt::format(
            "'{}' must be drawn, in row-major order and of the result's shape, "
            "to be judged in chunks",
            main.inputs[i].name));
      const auto* below = std::get_if<DrawBelow>(&input.data.source);
      if (below != nullptr && below->sorted)
        chunk.Fail(fmt::format(
            "'{}' is sorted as a whole, and chunks are drawn by themselves",
            main.inputs[i].name));
    }
  }

  const JsonView& json_;
  const std::set<std::string>& notes_;
  const ReadOptions& options_;
  Case case_;
};

}  // namespace

const OpSpec& RequireOp(const JsonView& at, const std::string& id) {
  const OpSpec* spec = FindOp(id);
  if (spec == nullptr) at.Fail(fmt::format("unknown op '{}'", Cut(id)));
  if (!spec->IsOfPrograms())
    at.Fail(
        fmt::format("{} is verified and never run: no op of a program", id));
  return *spec;
}

Case ParseCase(const JsonView& json, const std::string& op,
               const std::string& file, const std::set<std::string>& notes,
               const ReadOptions& options) {
  return CaseParser(json, op, file, notes, options).Parse();
}

}  // namespace assay
