#include "fuzz/draw/call_sketch.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "cases/search/plan.h"

namespace assay {
namespace {

constexpr uint32_t kMostOfMember = 3;

// Whether formulas of the op ask how many processes there are.
bool AsksForProcesses(const OpSpec& spec) {
  const auto asks = [](const Formula& formula) {
    return formula.text().find("num_") != std::string::npos;
  };
  return std::ranges::any_of(spec.constraints, asks,
                             &ConstraintSpec::formula) ||
         std::ranges::any_of(spec.where, [&](const auto& definition) {
           return asks(definition.second);
         });
}

std::string NumberedName(const auto& member, size_t k) {
  return member.variadic ? member.name + "." + std::to_string(k) : member.name;
}

size_t CountOf(const auto& values, const std::string& name) {
  return static_cast<size_t>(std::ranges::count(
      values, name, [](const auto& value) { return value.name; }));
}

}  // namespace

CallSketch::CallSketch(const OpSpec& spec, bool violates, bool is_quantized,
                       Choices* choices)
    : spec_(spec),
      choices_(*choices),
      theme_(DrawTheme(is_quantized, choices)),
      types_(spec, theme_, choices) {
  op_.op = spec.id;
  if (AsksForProcesses(spec) && !(violates && Below(4) == 0))
    op_.processes = {1 + Below(4), 1 + Below(3)};
  const uint32_t count = DrawCount();
  for (const InputSpec& input : spec.inputs) {
    if (input.IsValue())
      AddValues(input, input.variadic ? count : 1, nullptr);
    else
      DrawAttribute(input, DrawPresence());
  }
  for (const OutputSpec& output : spec.outputs)
    AddValues(output, output.variadic ? count : 1, nullptr);
}

void CallSketch::Change() {
  before_ = {op_, absent_};
  switch (Below(6)) {
    case 0:
      return ChangeCounts();
    case 1:
    case 2:
      return ChangeAttribute();
    default:
      return ChangeType();
  }
}

uint32_t CallSketch::DrawCount() {
  return Below(8) == 0 ? 0 : 1 + Below(kMostOfMember);
}

// Attributes that may be absent are so together, mostly.
bool CallSketch::DrawPresence() {
  if (!presence_) presence_ = Below(4);
  return *presence_ > 2 ? Below(2) == 0 : *presence_ == 2;
}

// Adds values of a type, or of types that are drawn, up to that count.
void CallSketch::AddValues(const InputSpec& input, size_t count,
                           const ValueType* type) {
  for (size_t k = CountOf(op_.inputs, input.name); k < count; ++k)
    op_.inputs.push_back({input.name, NumberedName(input, k),
                          type ? *type : types_.Draw(input, op_)});
}

void CallSketch::AddValues(const OutputSpec& output, size_t count,
                           const ValueType* type) {
  for (size_t k = CountOf(op_.outputs, output.name); k < count; ++k)
    op_.outputs.push_back({output.name, NumberedName(output, k),
                           type ? *type : types_.Draw(output, op_)});
}

void CallSketch::ChangeType() {
  const auto inputs = static_cast<uint32_t>(op_.inputs.size());
  const auto outputs = static_cast<uint32_t>(op_.outputs.size());
  if (inputs + outputs == 0) return;
  const uint32_t k = Below(inputs + outputs);
  if (k < inputs) {
    Op::Operand& operand = op_.inputs[k];
    operand.type = types_.Draw(*spec_.Input(operand.name), op_);
  } else {
    Op::Result& result = op_.outputs[k - inputs];
    result.type = types_.Draw(
        *std::ranges::find(spec_.outputs, result.name, &OutputSpec::name), op_);
  }
}

// All variadic members get as many values, or one of them another number.
void CallSketch::ChangeCounts() {
  std::vector<std::string> names;
  const auto add_name = [&](const auto& member) {
    if (member.variadic) names.push_back(member.name);
  };
  for (const InputSpec& input : spec_.inputs) {
    if (input.IsValue()) add_name(input);
  }
  std::ranges::for_each(spec_.outputs, add_name);
  if (names.empty()) return ChangeType();
  const uint32_t count = DrawCount();
  if (Below(4) == 0)
    names = {names[Below(static_cast<uint32_t>(names.size()))]};
  const Op old = op_;
  op_.inputs.clear();
  op_.outputs.clear();
  const auto count_of = [&](const auto& member, size_t before) {
    return std::ranges::find(names, member.name) == names.end() ? before
                                                                : count;
  };
  for (const InputSpec& input : spec_.inputs) {
    if (!input.IsValue()) continue;
    const auto values = old.Inputs(input.name);
    const size_t wanted = count_of(input, values.size());
    const auto kept = values.first(std::min(wanted, values.size()));
    op_.inputs.insert(op_.inputs.end(), kept.begin(), kept.end());
    AddValues(input, wanted, values.empty() ? nullptr : &values.back().type);
  }
  for (const OutputSpec& output : spec_.outputs) {
    const auto values = old.Outputs(output.name);
    const size_t wanted = count_of(output, values.size());
    const auto kept = values.first(std::min(wanted, values.size()));
    op_.outputs.insert(op_.outputs.end(), kept.begin(), kept.end());
    AddValues(output, wanted, values.empty() ? nullptr : &values.back().type);
  }
}

void CallSketch::ChangeAttribute() {
  std::vector<const InputSpec*> inputs;
  for (const InputSpec& input : spec_.inputs) {
    const bool is_drawn = !input.IsValue() &&
                          input.kind != InputSpec::Kind::kFunction &&
                          (!IsSearched(input) || input.absent);
    if (is_drawn) inputs.push_back(&input);
  }
  if (inputs.empty()) return ChangeType();
  // Those that may be absent are all given, or none, or one is changed.
  if (Below(3) == 0) {
    presence_ = 1 + Below(2);
    for (const InputSpec* input : inputs) {
      if (input->absent) DrawAttribute(*input, *presence_ == 2);
    }
    return;
  }
  const InputSpec& input = *inputs[Below(static_cast<uint32_t>(inputs.size()))];
  DrawAttribute(input, Below(2) == 0);
}

// Gives the attribute a value, or none if it may be absent and is not
// `present`. Numbers are searched.
void CallSketch::DrawAttribute(const InputSpec& input, bool present) {
  std::erase_if(op_.attributes, [&](const Attribute& attribute) {
    return attribute.name == input.name;
  });
  std::erase(absent_, input.name);
  if (input.kind == InputSpec::Kind::kFunction) return;
  if (input.absent && !present) {
    absent_.push_back(input.name);
    return;
  }
  std::optional<AttributeValue> value = DrawValue(input);
  if (value) op_.attributes.push_back({input.name, *std::move(value)});
}

// The first value is most usual, and few are none of an enum.
Symbol CallSketch::DrawSymbol(const InputSpec& input) {
  if (Below(24) == 0) return {"SPACESHIP"};
  return {Below(3) == 0 ? input.values.front()
                        : choices_.Of(Topic::kTypes, input.values)};
}

std::optional<AttributeValue> CallSketch::DrawValue(const InputSpec& input) {
  if (input.variadic) {
    AttributeList list;
    if (input.values.empty()) return list;  // no function is named
    const uint32_t count = Below(4) == 0 ? Below(4) : 2;
    const Symbol first = DrawSymbol(input);
    for (uint32_t k = 0; k < count; ++k)
      list.elements.push_back({Below(2) == 0 ? first : DrawSymbol(input)});
    return list;
  }
  switch (input.kind) {
    case InputSpec::Kind::kEnum:
    case InputSpec::Kind::kType:
      return DrawSymbol(input);
    case InputSpec::Kind::kText:
      return std::string(Below(4) == 0 ? "text" : "name.space");
    case InputSpec::Kind::kMetadata:
      return std::string("text");
    case InputSpec::Kind::kDictionary:
      return Dictionary{{{"key", std::string("text")}}};
    case InputSpec::Kind::kConstant: {
      if (!input.type || IsSearched(input)) return std::nullopt;
      if (IsBoolean(input.type->element_type))
        return IntegerTensor(*input.type, {Below(2)});
      Tensor zeros(*input.type);
      std::memset(zeros.data(), 0, static_cast<size_t>(zeros.byte_size()));
      return zeros;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace assay
