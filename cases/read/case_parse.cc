// A case has a short form (one op) and a long form (a program).
#include "cases/read/case_parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/read/case_layout.h"
#include "spec/error.h"
#include "spec/pointwise/broadcast.h"
#include "spec/pointwise/pointwise.h"
#include "spec/policy.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// A program has at most so many ops and inputs, which are searched for by name.
constexpr size_t kMostValues = 4096;

TensorType ParseType(const JsonView& text) {
  std::string reason;
  const std::optional<TensorType> type =
      ParseTensorType(text.String(), &reason);
  if (!type) text.Fail(reason);
  return *type;
}

// Returns whether a "type" anywhere in the case has a `?` dimension.
bool HasDynamicType(const Json& json) {
  if (const auto type = json.find("type");
      json.is_object() && type != json.end() && type->is_string() &&
      type->get_ref<const std::string&>().find('?') != std::string::npos)
    return true;
  return json.is_structured() && std::ranges::any_of(json, HasDynamicType);
}

Attribute ParseAttribute(const JsonView& value, const InputSpec& input) {
  if (input.kind == InputSpec::Kind::kEnum)
    return {input.name, Symbol{value.String()}};
  if (input.kind == InputSpec::Kind::kText)
    return {input.name,
            value.json().is_string() ? value.String() : TextOf(value.json())};
  TensorType type = *input.type;
  if (type.shape.empty()) return {input.name, ParseScalar(value, type)};
  // A list may have any length: the constraints say which is right.
  if (type.shape == Shape{kDynamic})
    type.shape = {static_cast<int64_t>(value.RequireArray().size())};
  return {input.name, ParseElements(value, type)};
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
                         "program", "expect", "after"});
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
    if (const auto chunk = json_.Find("chunk"))
      case_.chunk = chunk->Integer(1, INT64_MAX);
    case_.program.functions.emplace_back().name = "main";
    if (json_.Find("program")) {
      if (const auto accuracy = json_.Find("result_accuracy"))
        accuracy->Fail("a program has no one op that it would hold for");
      ParseProgram();
    } else {
      ParseShortForm();
    }
    for (const std::string& label : case_.violates) {
      if (FindOp(case_.op)->Constraint(label) == nullptr)
        json_.At("expect").Fail(
            fmt::format("{} has no constraint '{}'", case_.op, Cut(label)));
    }
    if (const auto alias = json_.Find("alias")) {
      if (case_.program.main().body.size() > 1 || !case_.is_static)
        alias->Fail("only one call that runs has results in place");
      ParseAlias(*alias, &case_);
    }
    if (case_.violates.empty()) ParseExpectations();
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
                             "alias", "program", "expect"});
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

  // Adds an input of the program. Its values are needed only if the program
  // runs.
  void AddInput(const std::string& name, const JsonView& object) {
    object.RequireObject(
        {"type", "scalar", "data", "draw", "strides", "offset", "storage"});
    const TensorType type = ParseType(object.At("type"));
    if (std::ranges::find(case_.program.main().inputs, name,
                          &TypedName::name) !=
        case_.program.main().inputs.end())
      object.Fail(fmt::format("'{}' is defined twice", Cut(name)));
    if (case_.program.main().inputs.size() == kMostValues)
      object.Fail(fmt::format("more than {} inputs", kMostValues));
    case_.program.functions[0].inputs.push_back({name, type});
    if (!case_.violates.empty() || !case_.is_static) {
      for (const char* field :
           {"data", "draw", "strides", "offset", "storage"}) {
        if (object.Find(field))
          object.Fail(
              fmt::format("'{}' without use: the call is dynamic or violates a "
                          "constraint, so nothing runs",
                          field));
      }
      return;
    }
    RequireMemory(object, type);
    const Layout layout = ParseLayout(object, type, options_.memory_limit);
    RequirePlaced(object, type, layout);
    case_.inputs.push_back({ParseInputData(object, type), layout});
    RequireOneValueAPlace(object, case_.inputs.back());
  }

  // Returns the operand that was just added.
  Op::Operand OperandOf(const InputSpec& input, const JsonView& object) const {
    const TypedName& added = case_.program.main().inputs.back();
    const auto scalar = object.Find("scalar");
    const bool is_scalar = scalar && scalar->Bool();
    if (is_scalar && !added.type.tensor().shape.empty())
      scalar->Fail(fmt::format("'{}' is {}, and a scalar has rank 0",
                               Cut(added.name), added.type.ToString()));
    return {input.name, added.name, added.type, is_scalar};
  }

  // Large tensors are refused before memory is allocated for them.
  void RequireMemory(const JsonView& object, const TensorType& type) {
    int64_t bytes = type.ByteSize();
    if (case_.chunk > 0)
      bytes = std::min(*ElementCount(type.shape), case_.chunk) *
              Info(type.element_type).bytes;
    CountMemory(object, bytes);
  }

  // The buffer that a tensor is placed in counts beside its elements.
  void RequirePlaced(const JsonView& object, const TensorType& type,
                     const Layout& layout) {
    if (layout.offset != 0 || !layout.IsRowMajor(type.shape))
      CountMemory(object, LayoutBytes(type, layout));
  }

  void CountMemory(const JsonView& object, int64_t bytes) {
    if (__builtin_add_overflow(memory_, bytes, &memory_)) memory_ = INT64_MAX;
    if (memory_ > options_.memory_limit) {
      object.Fail(fmt::format(
          "the tensors of {} take {} bytes or more; --memory allows {}",
          case_.chunk > 0 ? "a chunk" : "the case", memory_,
          options_.memory_limit));
    }
  }

  const OpSpec& RequireOp(const JsonView& at, const std::string& id) {
    const OpSpec* spec = FindOp(id);
    if (spec == nullptr) at.Fail(fmt::format("unknown op '{}'", Cut(id)));
    if (!spec->executable)
      at.Fail(
          fmt::format("{} is verified and never run: no op of a program", id));
    return *spec;
  }

  void ParseShortForm() {
    const OpSpec& spec = RequireOp(json_, case_.op);
    Op op;
    op.op = case_.op;
    const JsonView inputs = json_.At("inputs");
    RequireNames(inputs, spec);
    for (const InputSpec& input : spec.inputs) {
      const auto value = inputs.Find(input.name);
      if (!value) {
        RequireAbsent(inputs, input);
      } else if (input.kind == InputSpec::Kind::kTensor) {
        AddInput(input.name, *value);
        op.inputs.push_back(OperandOf(input, *value));
      } else {
        op.attributes.push_back(ParseAttribute(*value, input));
      }
    }
    ParseOutputs(json_, spec, &op);
    if (const auto accuracy = json_.Find("result_accuracy"))
      op.result_accuracy = ParseResultAccuracy(*accuracy, spec, op);
    for (const Op::Result& output : op.outputs)
      case_.program.functions[0].results.push_back({output.value, output.type});
    case_.program.functions[0].body.push_back(std::move(op));
  }

  static ResultAccuracy ParseResultAccuracy(const JsonView& object,
                                            const OpSpec& spec, const Op& op) {
    object.RequireObject({"atol", "rtol", "ulps"});
    if (spec.family == kPointwise)
      object.Fail(
          "an attribute of StableHLO's ops, which a pointwise call "
          "does not pass on");
    const bool is_float =
        !op.inputs.empty() && IsFloat(op.inputs[0].type.tensor().element_type);
    if (spec.rule != "ulp" || !is_float)
      object.Fail(fmt::format(
          "only an op with an accuracy budget has one, on floats: not {}",
          spec.id));
    const auto number = [&](const char* name) {
      const JsonView value = object.At(name);
      const double number = value.Number();
      if (!(number >= 0) || std::isinf(number))
        value.Fail("expected a number of 0 or more");
      return number;
    };
    return {number("atol"), number("rtol"),
            object.At("ulps").Integer(0, int64_t{1} << 52)};
  }

  static void RequireNames(const JsonView& inputs, const OpSpec& spec) {
    for (const auto& [name, value] : inputs.Members()) {
      if (spec.Input(name) == nullptr)
        inputs.Fail(fmt::format("{} has no input '{}'", spec.id, Cut(name)));
    }
  }

  static void RequireAbsent(const JsonView& inputs, const InputSpec& input) {
    if (!input.absent)
      inputs.Fail(fmt::format("the input '{}' is missing", input.name));
  }

  // An output has the given type, else the one that the specification infers.
  void ParseOutputs(const JsonView& object, const OpSpec& spec, Op* op) {
    const std::vector<InferredType> inferred = InferResultTypes(spec, *op);
    const auto outputs = object.Find("outputs");
    if (outputs) {
      for (const auto& [name, value] : outputs->Members()) {
        if (std::ranges::find(spec.outputs, name, &OutputSpec::name) ==
            spec.outputs.end())
          outputs->Fail(
              fmt::format("{} has no output '{}'", spec.id, Cut(name)));
        value.RequireObject({"name", "type", "strides", "offset", "storage"});
      }
    }
    for (size_t i = 0; i < spec.outputs.size(); ++i) {
      const std::string& name = spec.outputs[i].name;
      Op::Result result{name, name, {}};
      const auto given = outputs ? outputs->Find(name) : std::nullopt;
      if (given && given->Find("name"))
        result.value = given->At("name").String();
      if (given && given->Find("type")) {
        result.type = ParseType(given->At("type"));
      } else if (inferred[i].shape && inferred[i].element_type) {
        result.type = {*inferred[i].shape, *inferred[i].element_type};
      } else {
        object.Fail(fmt::format(
            "the type of output '{}' is not inferred for {} and must be given",
            name, spec.id));
      }
      if (case_.violates.empty() && case_.is_static) {
        RequireMemory(object, result.type);
        if (given) AddOutputLayout(*given, result);
      }
      op->outputs.push_back(std::move(result));
    }
  }

  void AddOutputLayout(const JsonView& object, const Op::Result& result) {
    if (!object.Find("strides") && !object.Find("offset") &&
        !object.Find("storage"))
      return;
    const Layout layout =
        ParseLayout(object, result.type, options_.memory_limit);
    RequirePlaced(object, result.type, layout);
    RequireOneElementAPlace(object, result.type, layout);
    case_.output_layouts[result.value] = layout;
  }

  void ParseProgram() {
    std::map<std::string, TensorType> values;
    if (const auto inputs = json_.Find("inputs")) {
      for (const auto& [name, value] : inputs->Members()) {
        AddInput(name, value);
        values[name] = case_.program.main().inputs.back().type;
      }
    }
    if (const auto outputs = json_.Find("outputs"))
      outputs->Fail("the outputs of a program stand at its ops");
    if (json_.At("program").Elements().size() > kMostValues)
      json_.At("program").Fail(fmt::format("more than {} ops", kMostValues));
    for (const JsonView& element : json_.At("program").Elements())
      ParseProgramOp(element, &values);
    if (case_.program.main().body.empty())
      json_.At("program").Fail("a program has at least one op");
    if (std::ranges::find(case_.program.main().body, case_.op, &Op::op) ==
        case_.program.main().body.end())
      json_.At("program").Fail(fmt::format(
          "no op of the program is {}, the op under test", case_.op));
    if (const auto expect = json_.Find("expect");
        expect && case_.violates.empty()) {
      for (const auto& [name, unused] : expect->Members())
        case_.program.functions[0].results.push_back(
            {name, RequireResult(*expect, name).type});
    } else {
      for (const Op::Result& output : case_.program.main().body.back().outputs)
        case_.program.functions[0].results.push_back(
            {output.value, output.type});
    }
  }

  void ParseProgramOp(const JsonView& element,
                      std::map<std::string, TensorType>* values) {
    element.RequireObject({"op", "inputs", "outputs"});
    Op op;
    op.op = element.At("op").String();
    const OpSpec& spec = RequireOp(element.At("op"), op.op);
    const JsonView inputs = element.At("inputs");
    RequireNames(inputs, spec);
    for (const InputSpec& input : spec.inputs) {
      const auto value = inputs.Find(input.name);
      if (!value) {
        RequireAbsent(inputs, input);
      } else if (input.kind != InputSpec::Kind::kTensor) {
        op.attributes.push_back(ParseAttribute(*value, input));
      } else if (value->json().is_object()) {  // a constant, inline
        const std::string name =
            fmt::format("{}.{}", case_.program.main().body.size(), input.name);
        AddInput(name, *value);
        op.inputs.push_back(OperandOf(input, *value));
      } else {
        const std::string name = value->String();
        const auto defined = values->find(name);
        if (defined == values->end())
          value->Fail(fmt::format(
              "'{}' is neither an input nor an earlier output", Cut(name)));
        op.inputs.push_back({input.name, name, defined->second});
      }
    }
    ParseOutputs(element, spec, &op);
    for (const Op::Result& output : op.outputs) {
      if (!values->emplace(output.value, output.type).second)
        element.Fail(fmt::format("'{}' is defined twice", Cut(output.value)));
    }
    case_.program.functions[0].body.push_back(std::move(op));
  }

  const Op::Result& RequireResult(const JsonView& at,
                                  const std::string& name) const {
    for (const Op& op : case_.program.main().body) {
      const auto it = std::ranges::find(op.outputs, name, &Op::Result::value);
      if (it != op.outputs.end()) return *it;
    }
    at.Fail(fmt::format("no op defines '{}'", Cut(name)));
  }

  void ParseExpectations() {
    const auto expect = json_.Find("expect");
    if (!expect) return;
    for (const auto& [name, value] : expect->Members()) {
      const Op::Result& result = RequireResult(value, name);
      if (!result.type.IsStatic())
        value.Fail(fmt::format("no values of type {}", result.type.ToString()));
      case_.expect.emplace(name, ParseElements(value, result.type));
    }
    if (case_.source.empty())
      json_.Fail("literal expectations need a 'source'");
  }

  // Chunks are slices of flat tensors, so element i of the result must depend
  // only on elements i of the operands, and it must be possible to make those
  // without the others.
  void RequireSweep() const {
    const JsonView chunk = json_.At("chunk");
    const Function& main = case_.program.main();
    if (json_.Find("program") || !case_.expect.empty() ||
        !case_.violates.empty() || !case_.is_static)
      chunk.Fail(
          "a case that is judged in chunks is one valid call of static "
          "types, without literal results");
    const Shape& shape = main.body[0].outputs[0].type.tensor().shape;
    if (!FindOp(case_.op)->elementwise)
      chunk.Fail(
          fmt::format("{} is not elementwise, so chunks of its operands "
                      "do not give chunks of its result",
                      case_.op));
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
    }
  }

  const JsonView& json_;
  const std::set<std::string>& notes_;
  const ReadOptions& options_;
  Case case_;
  int64_t memory_ = 0;
};

}  // namespace

Case ParseCase(const JsonView& json, const std::string& op,
               const std::string& file, const std::set<std::string>& notes,
               const ReadOptions& options) {
  return CaseParser(json, op, file, notes, options).Parse();
}

}  // namespace assay
