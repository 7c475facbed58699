// The values and ops of a case, from JSON: the short form (one op) and the long
// form (a program).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cases/read/case_attribute.h"
#include "cases/read/case_layout.h"
#include "cases/read/case_parse.h"
#include "cases/read/function_checks.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"
#include "spec/printable_text.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

// The limit holds for ops and for inputs of a program, because each is looked
// for among the others.
constexpr size_t kMostValues = 4096;

ProcessCounts ParseProcesses(const JsonView& json) {
  const auto processes = json.Find("processes");
  if (!processes) return {};
  processes->RequireObject({"replicas", "partitions"});
  const auto count = [&](const char* name) {
    return processes->At(name).Integer(1, int64_t{1} << 31);
  };
  return {count("replicas"), count("partitions")};
}

class ProgramParser {
 public:
  ProgramParser(const JsonView& json, const ReadOptions& options, Case* c)
      : json_(json), options_(options), case_(*c) {
    case_.program.functions.emplace_back().name = "main";
  }

  // All functions are read, those that are not called as well.
  void ParseFunctions() {
    if (!functions_) return;
    if (functions_->json().size() > kMostValues)
      functions_->Fail(fmt::format("more than {} functions", kMostValues));
    for (const auto& [name, text] : functions_->Members()) {
      const Callees::Found found = callees_.Find(name);
      if (!found.function) text.Fail(found.reason);
    }
  }

  void ParseShortForm() {
    const OpSpec& spec = RequireOp(json_, case_.op);
    Op op;
    op.op = case_.op;
    op.processes = processes_;
    ParseInputs(json_.At("inputs"), spec, /*in_program=*/false, &op);
    ParseOutputs(json_, spec, /*in_program=*/false, &op);
    ParseTarget(json_.At("inputs"), spec, &op);
    if (const auto accuracy = json_.Find("result_accuracy"))
      op.result_accuracy = ParseResultAccuracy(*accuracy, spec, op);
    for (const Op::Result& output : op.outputs)
      main().results.push_back({output.value, output.type});
    main().body.push_back(std::move(op));
  }

  void ParseLongForm() {
    if (const auto accuracy = json_.Find("result_accuracy"))
      accuracy->Fail("in a program it stands at an op");
    if (const auto inputs = json_.Find("inputs")) {
      for (const auto& [name, value] : inputs->Members()) AddInput(name, value);
    }
    if (const auto outputs = json_.Find("outputs"))
      outputs->Fail("the outputs of a program stand at its ops");
    const JsonView program = json_.At("program");
    if (program.Elements().size() > kMostValues)
      program.Fail(fmt::format("more than {} ops", kMostValues));
    for (const JsonView& element : program.Elements()) ParseOp(element);
    if (main().body.empty()) program.Fail("a program has at least one op");
    if (std::ranges::find(main().body, case_.op, &Op::op) == main().body.end())
      program.Fail(fmt::format("no op of the program is {}, the op under test",
                               case_.op));
    if (const auto expect = json_.Find("expect");
        expect && case_.violates.empty()) {
      for (const auto& [name, unused] : expect->Members())
        main().results.push_back({name, RequireResult(*expect, name).type});
    } else {
      for (const Op::Result& output : main().body.back().outputs)
        main().results.push_back({output.value, output.type});
    }
  }

  const Op::Result& RequireResult(const JsonView& at,
                                  const std::string& name) const {
    for (const Op& op : case_.program.main().body) {
      const auto it = std::ranges::find(op.outputs, name, &Op::Result::value);
      if (it != op.outputs.end()) return *it;
    }
    at.Fail(fmt::format("no op defines '{}'", Cut(name)));
  }

 private:
  Function& main() { return case_.program.functions[0]; }

  std::optional<Function> ReadCalled(const std::string& name) {
    const auto text = functions_ ? functions_->Find(name) : std::nullopt;
    if (!text) return std::nullopt;
    Function function =
        ReadCallee(text->where(), name, text->String(), Limits(), &callees_);
    Count(*text, function);
    return function;
  }

  text::Limits Limits() const {
    text::Limits limits;
    limits.max_elements_bytes =
        std::min(limits.max_elements_bytes, options_.memory_limit - memory_);
    return limits;
  }

  void Count(const JsonView& json, const Function& function) {
    if (case_.Runs() && !IsStatic(function))
      json.Fail("a function of a call that runs has no type with '?'");
    CountMemory(json, ConstantBytes(function));
  }

  void ParseOp(const JsonView& element) {
    element.RequireObject({"op", "result_accuracy", "inputs", "outputs"});
    Op op;
    op.op = element.At("op").String();
    op.processes = processes_;
    const OpSpec& spec = RequireOp(element.At("op"), op.op);
    ParseInputs(element.At("inputs"), spec, /*in_program=*/true, &op);
    ParseOutputs(element, spec, /*in_program=*/true, &op);
    ParseTarget(element.At("inputs"), spec, &op);
    if (const auto accuracy = element.Find("result_accuracy"))
      op.result_accuracy = ParseResultAccuracy(*accuracy, spec, op);
    for (const Op::Result& output : op.outputs)
      Define(element, output.value, output.type);
    main().body.push_back(std::move(op));
  }

  void ParseInputs(const JsonView& inputs, const OpSpec& spec, bool in_program,
                   Op* op) {
    for (const auto& [name, value] : inputs.Members()) {
      if (spec.Input(name) == nullptr)
        inputs.Fail(fmt::format("{} has no input '{}'", spec.id, Cut(name)));
    }
    for (const InputSpec& input : spec.inputs) {
      const auto given = inputs.Find(input.name);
      if (!given) {
        if (!input.absent)
          inputs.Fail(fmt::format("the input '{}' is missing", input.name));
        continue;
      }
      const bool is_function = input.kind == InputSpec::Kind::kFunction;
      if (!input.IsValue() && !is_function) {
        op->attributes.push_back(ParseAttribute(*given, input));
        const AttributeValue& value = op->attributes.back().value;
        if (const auto* constant = std::get_if<Tensor>(&value))
          CountMemory(*given, constant->byte_size());
        if (const auto* name = std::get_if<FunctionName>(&value)) {
          Callees::Found found = callees_.Find(name->name);
          if (!found.function) {
            if (input.may_be_undefined && !found.is_defined) continue;
            given->Fail(found.reason);
          }
          op->callee = std::move(found.function);
        }
        continue;
      }
      const std::string value_name =
          in_program ? fmt::format("{}.{}", main().body.size(), input.name)
                     : input.name;
      const auto add = [&](const JsonView& json, const std::string& name) {
        if (is_function) {
          op->regions.push_back(ParseRegion(json, input.name));
          const std::string why = spec.control || !spec.unjudged.empty()
                                      ? ""
                                      : WhyNotGiven(op->regions.back());
          if (!why.empty())
            json.Fail(fmt::format("'{}' of {} is given to backends, and {}",
                                  input.name, spec.id, why));
        } else {
          op->inputs.push_back(ParseOperand(json, input, in_program, name));
        }
      };
      if (!input.variadic) {
        add(*given, value_name);
        continue;
      }
      size_t count = 0;
      for (const JsonView& element : given->Elements()) {
        if (count == kMostValues)
          given->Fail(
              fmt::format("more than {} of '{}'", kMostValues, input.name));
        add(element, fmt::format("{}.{}", value_name, count++));
      }
    }
  }

  // The case may say which function an op calls whose target no specification
  // describes.
  void ParseTarget(const JsonView& inputs, const OpSpec& spec, Op* op) {
    const InputSpec* const target = spec.Target();
    if (target == nullptr || !targets_) return;
    const JsonView name = inputs.At(target->name);
    const auto function = targets_->Find(name.String());
    if (!function) return;
    Callees::Found found = callees_.Find(function->String());
    if (!found.function) function->Fail(found.reason);
    const auto type_of = [](const auto& value) { return value.type; };
    if (!std::ranges::equal(op->inputs, found.function->inputs, {}, type_of,
                            type_of) ||
        !std::ranges::equal(op->outputs, found.function->results, {}, type_of,
                            type_of))
      name.Fail(fmt::format("{} has other types than its target, @{}", spec.id,
                            Cut(found.function->name)));
    op->callee = std::move(found.function);
  }

  // A value that an op takes: in a program by its name, or as a constant in its
  // place, which is an input of the program that is called `name`.
  Op::Operand ParseOperand(const JsonView& json, const InputSpec& input,
                           bool in_program, const std::string& name) {
    if (!in_program || json.json().is_object()) {
      AddInput(name, json, input.has_known_value);
      if (main().inputs.back().type.IsQuantized() &&
          FindOp(case_.op)->source != "stablehlo")
        json.Fail(fmt::format("{} takes no quantized types", case_.op));
      RequireKind(json, input, main().inputs.back().type);
      Op::Operand operand = OperandOf(input, json);
      const auto data = json.json().is_object() && input.has_known_value
                            ? json.Find("data")
                            : std::nullopt;
      if (data) {
        if (!operand.type.IsTensor() || !operand.type.IsStatic())
          data->Fail("only a tensor without '?' has elements");
        RequireMemory(json, operand.type);
        operand.known = ParseElements(*data, operand.type);
      }
      return operand;
    }
    const std::string value = json.String();
    const auto defined = values_.find(value);
    if (defined == values_.end())
      json.Fail(fmt::format("'{}' is neither an input nor an earlier output",
                            Cut(value)));
    RequireKind(json, input, defined->second);
    return {input.name, value, defined->second};
  }

  static void RequireKind(const JsonView& json, const InputSpec& input,
                          const ValueType& type) {
    if (!input.Takes(type))
      json.Fail(
          fmt::format("'{}' cannot be {}", input.name, Cut(type.ToString())));
  }

  Function ParseRegion(const JsonView& json, const std::string& name) {
    Function region =
        ReadRegion(json.where(), name, json.String(), Limits(), &callees_);
    Count(json, region);
    for (const TypedName& capture : Captures(region)) {
      const auto defined = values_.find(capture.name);
      if (defined == values_.end())
        json.Fail(fmt::format("'{}' is neither an input nor an earlier output",
                              Cut(capture.name)));
      if (defined->second != capture.type)
        json.Fail(fmt::format("'{}' is {}, not {}", Cut(capture.name),
                              defined->second.ToString(),
                              capture.type.ToString()));
    }
    return region;
  }

  // Adds an input of the program. Values are needed only where it runs.
  void AddInput(const std::string& name, const JsonView& object,
                bool has_known_value = false) {
    object.RequireObject(
        {"type", "scalar", "data", "draw", "strides", "offset", "storage"});
    const ValueType type = ParseType(object.At("type"));
    Define(object, name, type);
    if (main().inputs.size() == kMostValues)
      object.Fail(fmt::format("more than {} inputs", kMostValues));
    main().inputs.push_back({name, type});
    if (!case_.Runs()) {
      for (const char* field :
           {"data", "draw", "strides", "offset", "storage"}) {
        if (object.Find(field) &&
            !((has_known_value || !case_.unjudged.empty()) &&
              std::string_view(field) == "data"))
          object.Fail(
              fmt::format("'{}' without use: the call is dynamic, not judged "
                          "or violates a constraint, so nothing runs",
                          field));
      }
      return;
    }
    if (!type.IsTensor())
      object.At("type").Fail(
          "an input of a case that runs is a tensor; ops of a program make "
          "tuples and tokens");
    RequireMemory(object, type);
    const Layout layout = ParseLayout(object, type, options_.memory_limit);
    RequirePlaced(object, type, layout);
    case_.inputs.push_back({ParseInputData(object, type), layout});
    RequireOneValueAPlace(object, case_.inputs.back());
  }

  // A name with '[' is that of a tensor in a tuple.
  void Define(const JsonView& json, const std::string& name,
              const ValueType& type) {
    if (name.find('[') != std::string::npos)
      json.Fail(fmt::format("the name '{}' has a '['", Cut(name)));
    if (!values_.emplace(name, type).second)
      json.Fail(fmt::format("'{}' is defined twice", Cut(name)));
  }

  // The operand is the input that was added last.
  Op::Operand OperandOf(const InputSpec& input, const JsonView& object) {
    const TypedName& added = main().inputs.back();
    const auto scalar = object.Find("scalar");
    const bool is_scalar = scalar && scalar->Bool();
    if (is_scalar &&
        (!added.type.IsTensor() || !added.type.tensor().shape.empty()))
      scalar->Fail(fmt::format("'{}' is {}, and a scalar has rank 0",
                               Cut(added.name), added.type.ToString()));
    return {input.name, added.name, added.type, is_scalar};
  }

  // A case that is too large is refused before anything of its size is
  // allocated.
  void RequireMemory(const JsonView& object, const TensorType& type) {
    int64_t bytes = type.ByteSize();
    if (case_.chunk > 0)
      bytes = std::min(*ElementCount(type.shape), case_.chunk) *
              Info(type.element_type).bytes;
    CountMemory(object, bytes);
  }

  // Counts the buffer that a tensor is placed in, beside its elements.
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

  static ResultAccuracy ParseResultAccuracy(const JsonView& object,
                                            const OpSpec& spec, const Op& op) {
    object.RequireObject({"atol", "rtol", "ulps"});
    if (spec.family == kPointwise)
      object.Fail(
          "an attribute of StableHLO's ops, which a pointwise call "
          "does not pass on");
    const bool is_float = !op.inputs.empty() && op.inputs[0].type.IsTensor() &&
                          IsFloat(op.inputs[0].type.tensor().element_type);
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

  // Output types are those given, else those that the specification infers.
  void ParseOutputs(const JsonView& object, const OpSpec& spec, bool in_program,
                    Op* op) {
    const std::vector<InferredType> inferred = InferResultTypes(spec, *op);
    const auto outputs = object.Find("outputs");
    if (outputs) {
      for (const auto& [name, value] : outputs->Members()) {
        if (std::ranges::find(spec.outputs, name, &OutputSpec::name) ==
            spec.outputs.end())
          outputs->Fail(
              fmt::format("{} has no output '{}'", spec.id, Cut(name)));
      }
    }
    for (const OutputSpec& output : spec.outputs) {
      const auto given = outputs ? outputs->Find(output.name) : std::nullopt;
      if (!output.variadic) {
        AddOutput(object, spec, output.name, output.name, given,
                  FindInferred(inferred, output.name, 0), op);
        continue;
      }
      const auto follow = static_cast<size_t>(
          std::ranges::count(inferred, output.name, &InferredType::output));
      std::vector<JsonView> elements;
      if (given) {
        for (const JsonView& element : given->Elements())
          elements.push_back(element);
      }
      const size_t count = given ? elements.size() : follow;
      if (count > kMostValues)
        object.Fail(
            fmt::format("more than {} of '{}'", kMostValues, output.name));
      if (!given && follow == 0)
        object.Fail(
            fmt::format("the types of output '{}' are not inferred for "
                        "{} and must be given",
                        output.name, spec.id));
      for (size_t i = 0; i < count; ++i) {
        const std::string name =
            in_program
                ? fmt::format("{}.{}.{}", main().body.size(), output.name, i)
                : fmt::format("{}.{}", output.name, i);
        AddOutput(object, spec, output.name, name,
                  given ? std::optional(elements[i]) : std::nullopt,
                  FindInferred(inferred, output.name, i), op);
      }
    }
  }

  void AddOutput(const JsonView& object, const OpSpec& spec,
                 const std::string& output, const std::string& value,
                 const std::optional<JsonView>& given,
                 const InferredType* inferred, Op* op) {
    Op::Result result{output, value, {}};
    if (given)
      given->RequireObject({"name", "type", "strides", "offset", "storage"});
    if (given && given->Find("name")) result.value = given->At("name").String();
    if (given && given->Find("type")) {
      result.type = ParseType(given->At("type"));
    } else if (inferred && inferred->IsWhole()) {
      result.type = inferred->Type();
    } else {
      const bool is_large = inferred && inferred->is_too_large;
      object.Fail(fmt::format(
          "the type of output '{}' is not inferred for {}{}", output, spec.id,
          is_large ? ": it overflows 63 bits" : " and must be given"));
    }
    const auto defined =
        std::ranges::find(spec.outputs, output, &OutputSpec::name);
    if (!defined->Gives(result.type))
      object.Fail(fmt::format("'{}' of {} cannot be {}", output, spec.id,
                              Cut(result.type.ToString())));
    if (case_.Runs()) {
      for (const TypedName& tensor : TensorsOf({result.value, result.type}))
        RequireMemory(object, tensor.type);
      if (given) AddOutputLayout(*given, result);
    }
    op->outputs.push_back(std::move(result));
  }

  void AddOutputLayout(const JsonView& object, const Op::Result& result) {
    if (!object.Find("strides") && !object.Find("offset") &&
        !object.Find("storage"))
      return;
    if (!result.type.IsTensor()) object.Fail("only a tensor has a layout");
    const Layout layout =
        ParseLayout(object, result.type, options_.memory_limit);
    RequirePlaced(object, result.type, layout);
    RequireOneElementAPlace(object, result.type, layout);
    case_.output_layouts[result.value] = layout;
  }

  const JsonView& json_;
  const ReadOptions& options_;
  Case& case_;
  const ProcessCounts processes_ = ParseProcesses(json_);
  const std::optional<JsonView> functions_ = json_.Find("functions");
  const std::optional<JsonView> targets_ = json_.Find("targets");
  Callees callees_{
      [this](const std::string& name) { return ReadCalled(name); }};
  std::map<std::string, ValueType> values_;
  int64_t memory_ = 0;
};

}  // namespace

void ParseProgram(const JsonView& json, const ReadOptions& options, Case* c) {
  ProgramParser parser(json, options, c);
  parser.ParseFunctions();
  if (json.Find("program")) {
    parser.ParseLongForm();
  } else {
    parser.ParseShortForm();
  }
  // Functions of ops may have ops that are not judged.
  if (c->unjudged.empty()) c->unjudged = UnjudgedBecause(c->program.main());
}

}  // namespace assay
