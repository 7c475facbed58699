#include "cases/variants/op_table.h"

#include <algorithm>

#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

const Shape kTrial = {2};

bool IsValid(const OpSpec& spec, const Op& call) {
  return std::ranges::all_of(
      CheckConstraints(spec, call),
      [](const ConstraintResult& r) { return r.truth == Truth::kTrue; });
}

Tensor Number(const TensorType& type, int64_t value) {
  Tensor tensor(type);
  tensor.SetBits(0, BitsOf(type.element_type, value));
  return tensor;
}

bool IsDrawn(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kConstant &&
         input.type->shape.empty() && !IsBoolean(input.type->element_type);
}

// Returns every combination of the values of enums and of truth values. A
// constant that may be absent adds the combination without it.
std::vector<std::vector<Attribute>> Combinations(const OpSpec& spec) {
  std::vector<std::vector<Attribute>> all = {{}};
  for (const InputSpec& input : spec.inputs) {
    std::vector<Attribute> values;
    for (const std::string& name : input.values)
      values.push_back({input.name, Symbol{name}});
    const bool is_truth = input.kind == InputSpec::Kind::kConstant &&
                          IsBoolean(input.type->element_type);
    for (const int64_t value : {0, 1}) {
      if (is_truth) values.push_back({input.name, Number(*input.type, value)});
    }
    if (values.empty()) continue;
    std::vector<std::vector<Attribute>> longer;
    for (const std::vector<Attribute>& combination : all) {
      if (input.absent) longer.push_back(combination);
      for (const Attribute& value : values) {
        longer.push_back(combination);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// Returns a call on the smallest shapes, without results.
Op Trial(const OpSpec& spec, const std::vector<ElementType>& types,
         const std::vector<Attribute>& attributes) {
  Op op;
  op.op = spec.id;
  const std::vector<const InputSpec*> operands = OperandsOf(spec);
  for (size_t k = 0; k < operands.size(); ++k)
    op.inputs.push_back(
        {operands[k]->name, operands[k]->name, {kTrial, types[k]}});
  op.attributes = attributes;
  for (const InputSpec& input : spec.inputs) {
    if (IsDrawn(input))
      op.attributes.push_back({input.name, Number(*input.type, 1)});
  }
  if (spec.shapes == "broadcast")
    op.attributes.push_back(
        {"broadcast_dimensions", Number({{1}, ElementType::kI64}, 0)});
  return op;
}

// Sets shapes of operand and result between which bits can be cast: if the
// types have different widths, the narrower one has a dimension for the parts.
void ShapeBitcast(Op* op) {
  Op::Operand& operand = op->inputs[0];
  Op::Result& result = op->outputs[0];
  const int from = Info(operand.type.tensor().element_type).bits;
  const int to = Info(result.type.tensor().element_type).bits;
  operand.type.tensor().shape = result.type.tensor().shape = kTrial;
  if (from < to) operand.type.tensor().shape.push_back(to / from);
  if (from > to) result.type.tensor().shape.push_back(from / to);
}

// Gives the call results of the types that are inferred, or of every type if
// none is, and calls `use` with those that are valid.
void ForResults(const OpSpec& spec, Op op,
                const std::function<void(const Op&)>& use) {
  const InferredType inferred = InferResultTypes(spec, op).at(0);
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (inferred.element_type && *inferred.element_type != info.type) continue;
    op.outputs = {
        {spec.outputs[0].name, spec.outputs[0].name, {kTrial, info.type}}};
    if (spec.shapes == "bitcast") ShapeBitcast(&op);
    if (IsValid(spec, op)) use(op);
  }
}

// Returns operands of one type, or with predicates among them.
std::vector<std::vector<ElementType>> OperandTypes(size_t count) {
  std::vector<std::vector<ElementType>> all;
  for (const ElementTypeInfo& info : ElementTypes()) {
    // The row of i1 has the operands that are all predicates.
    const uint32_t masks = IsBoolean(info.type) ? 1 : (1u << count) - 1;
    for (uint32_t mask = 0; mask < masks; ++mask) {
      std::vector<ElementType>& types = all.emplace_back(count, info.type);
      for (size_t k = 0; k < count; ++k)
        if (mask >> k & 1) types[k] = ElementType::kI1;
    }
  }
  return all;
}

void AddSignatures(OpEntry* entry) {
  const OpSpec& spec = *entry->spec;
  for (const std::vector<ElementType>& types :
       OperandTypes(entry->operands.size())) {
    for (const std::vector<Attribute>& attributes : entry->attributes) {
      ForResults(spec, Trial(spec, types, attributes), [&](const Op& op) {
        std::vector<ElementType> results;
        for (const Op::Result& result : op.outputs)
          results.push_back(result.type.tensor().element_type);
        entry->signatures.push_back({types, results, attributes});
      });
    }
  }
}

Op FirstCall(const OpEntry& entry) {
  const Signature& first = entry.signatures.front();
  Op op = Trial(*entry.spec, first.operands, first.attributes);
  op.outputs = {{entry.spec->outputs[0].name,
                 entry.spec->outputs[0].name,
                 {kTrial, first.results[0]}}};
  return op;
}

void FindShapeRules(OpEntry* entry) {
  const OpSpec& spec = *entry->spec;
  if (spec.shapes == "bitcast") entry->rule = ShapeRule::kBitcast;
  if (spec.shapes == "broadcast") entry->rule = ShapeRule::kBroadcastInDim;
  if (!spec.shapes.empty()) return;
  Op op = FirstCall(*entry);
  op.outputs[0].type.tensor().shape = {2, 3};
  for (Op::Operand& input : op.inputs) input.type.tensor().shape = {2, 1};
  op.inputs.back().type.tensor().shape = {3};
  if (IsValid(spec, op)) {
    entry->rule = ShapeRule::kBroadcast;
    return;
  }
  for (size_t k = 0; k < op.inputs.size() && op.inputs.size() > 1; ++k) {
    op = FirstCall(*entry);
    op.inputs[k].type.tensor().shape = {};
    if (IsValid(spec, op)) entry->may_be_zero_d |= 1u << k;
  }
}

// Returns numbers around 0, the widths of formats and their parts, and the ends
// of the type.
std::vector<int64_t> NumbersOf(const TensorType& type) {
  std::vector<int64_t> numbers = {0,  1,  2,  3,  4,  5,  6,  7,  8,
                                  9,  10, 11, 12, 15, 16, 22, 23, 24,
                                  31, 32, 51, 52, 53, 63, 64, -1};
  numbers.push_back(static_cast<int64_t>(MaxValue(type.element_type)));
  numbers.push_back(static_cast<int64_t>(MinValue(type.element_type)));
  return numbers;
}

void AddNumbers(OpEntry* entry) {
  for (const InputSpec& input : entry->spec->inputs) {
    if (!IsDrawn(input)) continue;
    DrawnNumber number{input.name, *input.type, NumbersOf(*input.type)};
    std::erase_if(number.values, [&](int64_t value) {
      Op op = FirstCall(*entry);
      *std::ranges::find(op.attributes, input.name, &Attribute::name) = {
          input.name, Number(*input.type, value)};
      return !IsValid(*entry->spec, op);
    });
    ASSAY_CHECK(!number.values.empty());
    entry->numbers.push_back(std::move(number));
  }
}

// Makes the entry of an op that is not pointwise.
OpEntry MakeEntry(const OpSpec& spec) {
  OpEntry entry{&spec, OperandsOf(spec)};
  entry.attributes = Combinations(spec);
  AddSignatures(&entry);
  ASSAY_CHECK(!entry.signatures.empty());
  FindShapeRules(&entry);
  AddNumbers(&entry);
  return entry;
}

}  // namespace

std::vector<const InputSpec*> OperandsOf(const OpSpec& spec) {
  std::vector<const InputSpec*> operands;
  for (const InputSpec& input : spec.inputs) {
    if (input.kind == InputSpec::Kind::kTensor) operands.push_back(&input);
  }
  return operands;
}

bool IsChosenByParts(const OpSpec& spec) {
  if (!spec.executable || spec.family == kPointwise) return spec.executable;
  const auto is_chosen = [&](const InputSpec& input) {
    switch (input.kind) {
      case InputSpec::Kind::kTensor:
        return !input.variadic;
      case InputSpec::Kind::kEnum:
        return true;
      case InputSpec::Kind::kConstant:
        return !spec.shapes.empty() ||
               (input.type.has_value() && input.type->shape.empty());
      default:
        return false;
    }
  };
  return !OperandsOf(spec).empty() &&
         std::ranges::all_of(spec.inputs, is_chosen) &&
         std::ranges::none_of(spec.outputs, &OutputSpec::variadic);
}

std::vector<OpEntry> MakeOpTable(
    const std::function<bool(const OpSpec&)>& is_wanted) {
  std::vector<OpEntry> table;
  for (const OpSpec& spec : Ops()) {
    if (!IsChosenByParts(spec) || !is_wanted(spec)) continue;
    OpEntry entry{&spec, OperandsOf(spec)};
    // The attributes of a pointwise op are those of the op that it is made of.
    if (spec.family == kPointwise) {
      entry.rule = ShapeRule::kBroadcast;
      const OpSpec* base =
          spec.steps.size() == 1 ? FindOp(spec.steps[0].op) : nullptr;
      entry.attributes = {{}};
      if (base != nullptr) {
        const OpEntry of_base = MakeEntry(*base);
        entry.attributes = of_base.attributes;
        entry.numbers = of_base.numbers;
      }
    } else {
      entry = MakeEntry(spec);
    }
    table.push_back(std::move(entry));
  }
  return table;
}

}  // namespace assay
