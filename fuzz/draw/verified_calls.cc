#include "fuzz/draw/verified_calls.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "fuzz/draw/open_types.h"
#include "fuzz/proposals/fitting_functions.h"

namespace assay {
namespace {

constexpr int kMostChanges = 60;
constexpr uint32_t kMostOfVariadic = 3;

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

// A call without shapes, numbers and functions, which is changed until it is as
// wanted.
class Sketch {
 public:
  // If a constraint is violated, the program may say no number of processes.
  Sketch(const OpSpec& spec, bool violates, bool is_quantized, Choices* choices)
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
        AddInputs(input, input.variadic ? count : 1);
      else
        DrawAttribute(input, Presence());
    }
    for (const OutputSpec& output : spec.outputs)
      AddOutputs(output, output.variadic ? count : 1);
  }

  const Op& op() const { return op_; }
  const std::vector<std::string_view>& absent() const { return absent_; }

  // Makes one change; the former sketch is kept.
  void Change() {
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
  void TakeBack() { std::tie(op_, absent_) = before_; }

 private:
  uint32_t Below(uint32_t n) { return choices_.Below(Topic::kTypes, n); }
  uint32_t DrawCount() {
    return Below(8) == 0 ? 0 : 1 + Below(kMostOfVariadic);
  }

  // Attributes that may be absent are so together, mostly.
  bool Presence() {
    if (!presence_) presence_ = Below(4);
    return *presence_ > 2 ? Below(2) == 0 : *presence_ == 2;
  }

  static std::string Numbered(const std::string& name, bool variadic,
                              uint32_t k) {
    return variadic ? name + "." + std::to_string(k) : name;
  }

  void AddInputs(const InputSpec& input, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
      op_.inputs.push_back({input.name,
                            Numbered(input.name, input.variadic, k),
                            types_.Draw(input, op_)});
  }

  void AddOutputs(const OutputSpec& output, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
      op_.outputs.push_back({output.name,
                             Numbered(output.name, output.variadic, k),
                             types_.Draw(output, op_)});
  }

  void ChangeType() {
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
          *std::ranges::find(spec_.outputs, result.name, &OutputSpec::name),
          op_);
    }
  }

  // All variadic members get as many values, or one of them another number.
  void ChangeCounts() {
    const uint32_t count = DrawCount();
    const bool is_one = Below(4) == 0;
    std::vector<std::string> names;
    for (const InputSpec& input : spec_.inputs) {
      if (input.IsValue() && input.variadic) names.push_back(input.name);
    }
    for (const OutputSpec& output : spec_.outputs) {
      if (output.variadic) names.push_back(output.name);
    }
    if (names.empty()) return ChangeType();
    const std::string only =
        names[Below(static_cast<uint32_t>(names.size()))];
    const Op old = std::exchange(op_, WithoutValues(op_));
    const auto count_of = [&](const auto& member, size_t before) {
      if (!member.variadic || (is_one && member.name != only)) return before;
      return static_cast<size_t>(count);
    };
    for (const InputSpec& input : spec_.inputs) {
      if (!input.IsValue()) continue;
      const auto values = old.Inputs(input.name);
      Keep(values, count_of(input, values.size()), &op_.inputs);
      const size_t kept = std::min(values.size(), count_of(input, values.size()));
      for (size_t k = kept; k < count_of(input, values.size()); ++k)
        op_.inputs.push_back(
            {input.name, Numbered(input.name, true, static_cast<uint32_t>(k)),
             values.empty() ? types_.Draw(input, op_) : values.back().type});
    }
    for (const OutputSpec& output : spec_.outputs) {
      const auto values = old.Outputs(output.name);
      Keep(values, count_of(output, values.size()), &op_.outputs);
      const size_t kept =
          std::min(values.size(), count_of(output, values.size()));
      for (size_t k = kept; k < count_of(output, values.size()); ++k)
        op_.outputs.push_back(
            {output.name, Numbered(output.name, true, static_cast<uint32_t>(k)),
             values.empty() ? types_.Draw(output, op_) : values.back().type});
    }
  }

  static Op WithoutValues(Op op) {
    op.inputs.clear();
    op.outputs.clear();
    return op;
  }

  static void Keep(const auto& values, size_t count, auto* kept) {
    for (size_t k = 0; k < std::min(values.size(), count); ++k)
      kept->push_back(values[k]);
  }

  void ChangeAttribute() {
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
    const InputSpec& input =
        *inputs[Below(static_cast<uint32_t>(inputs.size()))];
    DrawAttribute(input, Below(2) == 0);
  }

  // Gives the attribute a value, or none if it may be absent and is not
  // `present`. Numbers are searched.
  void DrawAttribute(const InputSpec& input, bool present) {
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

  std::optional<AttributeValue> DrawValue(const InputSpec& input) {
    const auto symbol = [&] {
      const auto count = static_cast<uint32_t>(input.values.size());
      // The first value is most usual, and few are none of an enum.
      if (Below(24) == 0) return Symbol{"SPACESHIP"};
      return Symbol{input.values[Below(3) == 0 ? 0 : Below(count)]};
    };
    if (input.variadic) {
      AttributeList list;
      if (input.values.empty()) return list;  // no function is named
      const uint32_t count = Below(4) == 0 ? Below(4) : 2;
      const Symbol first = symbol();
      for (uint32_t k = 0; k < count; ++k)
        list.elements.push_back({Below(2) == 0 ? first : symbol()});
      return list;
    }
    switch (input.kind) {
      case InputSpec::Kind::kEnum:
      case InputSpec::Kind::kType:
        return symbol();
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

  const OpSpec& spec_;
  Choices& choices_;
  DrawnElement theme_;
  OpenTypes types_;
  std::optional<uint32_t> presence_;
  Op op_;
  std::vector<std::string_view> absent_;
  std::pair<Op, std::vector<std::string_view>> before_;
};

int CountTrue(const OpSpec& spec, const Op& call) {
  return static_cast<int>(std::ranges::count(
      CheckConstraints(spec, call), Truth::kTrue, &ConstraintResult::truth));
}

// Shapes of tensors in tuples are not searched: results are made a tuple of the
// operands or a member of one, where a constraint holds then.
void FitTuples(const OpSpec& spec, Op* call) {
  const auto is_tuple = [](const auto& member) {
    return member.kind == InputSpec::Kind::kTuple;
  };
  if (std::ranges::none_of(spec.inputs, is_tuple) &&
      std::ranges::none_of(spec.outputs, is_tuple))
    return;
  std::vector<ValueType> types(1);
  TupleType all;
  for (const Op::Operand& operand : call->inputs) {
    all.types.push_back(operand.type);
    if (const TupleType* tuple = operand.type.AsTuple())
      types.insert(types.end(), tuple->types.begin(), tuple->types.end());
  }
  types[0] = std::move(all);
  for (Op::Result& result : call->outputs) {
    int most = CountTrue(spec, *call);
    for (const ValueType& type : types) {
      const ValueType before = std::exchange(result.type, type);
      if (const int holds = CountTrue(spec, *call); holds > most)
        most = holds;
      else
        result.type = before;
    }
  }
}

}  // namespace

std::optional<Op> VerifiedCalls::Draw(const OpSpec& spec,
                                      std::string_view violated,
                                      bool is_quantized, const SearchGoal& goal,
                                      Choices* choices) {
  CallSearch& search = searches_.try_emplace(&spec, spec).first->second;
  Sketch sketch(spec, !violated.empty(), is_quantized, choices);
  SearchGoal of_sketch = goal;
  of_sketch.violated = violated;
  of_sketch.finish = [&](Op* found) {
    if (TakesFunctions(spec)) FitFunctions(spec, violated, choices, found);
    if (violated.empty() || choices->OneIn(Topic::kForm, 2))
      FitTuples(spec, found);
  };
  // How far the sketch is from one of which shapes may be found.
  const auto distance = [&] {
    of_sketch.absent = sketch.absent();
    const CallSearch::ByTypes judged = search.Judge(sketch.op(), of_sketch);
    int others = 0;
    for (const std::string_view label : judged.false_labels)
      others += label != violated;
    return 2 * others + (judged.is_feasible ? 0 : 1);
  };
  int least = distance();
  constexpr int kTries = 6;
  int tries = 0;
  for (int changes = 0; changes < kMostChanges; ++changes) {
    if (least == 0) {
      Op call = sketch.op();
      if (search.Complete(of_sketch, choices, &call)) return call;
      if (++tries == kTries) return std::nullopt;
    }
    sketch.Change();
    if (const int now = distance(); now > least) {
      sketch.TakeBack();
      of_sketch.absent = sketch.absent();
    } else {
      least = now;
    }
  }
  return std::nullopt;
}

}  // namespace assay
