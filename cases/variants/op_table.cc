#include "cases/variants/op_table.h"

#include <algorithm>
#include <optional>

#include "cases/search/call_search.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

// The simplest call is found without choices, and has this shape.
const Recording kNoChoices;
const Shape kTrial = {2};

bool CompleteSimplest(const OpSpec& spec, CallSearch* search, Op* call) {
  Choices choices(&kNoChoices);
  return search->Complete({kTrial}, &choices, call) &&
         SatisfiesAllBut(spec, *call, "");
}

bool IsDrawn(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kConstant &&
         input.type->shape.empty() && !IsBoolean(input.type->element_type);
}

void AddValue(const std::string& name, size_t count, ElementType type,
              bool variadic, auto* values) {
  for (size_t i = 0; i < (variadic ? count : 1); ++i)
    values->push_back({name,
                       variadic ? name + "." + std::to_string(i) : name,
                       {Shape{}, type}});
}

// Calls `use` with each type of the result that calls of these types have.
void ForResults(const OpEntry& entry, Signature signature, CallSearch* search,
                const std::function<void(const Signature&)>& use) {
  const OpSpec& spec = *entry.spec;
  std::optional<ElementType> inferred;
  if (!entry.operands.empty()) {
    Op trial = CallOfTypes(entry, signature);
    Choices choices(&kNoChoices);
    if (!search->Complete({kTrial}, &choices, &trial)) return;
    inferred = InferResultTypes(spec, trial).at(0).element_type;
  }
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (inferred && *inferred != info.type) continue;
    signature.results.assign(spec.outputs.size(), info.type);
    Op call = CallOfTypes(entry, signature);
    if (CompleteSimplest(spec, search, &call)) use(signature);
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

void AddSignatures(CallSearch* search, OpEntry* entry) {
  for (const std::vector<ElementType>& types :
       OperandTypes(entry->operands.size())) {
    for (const std::vector<Attribute>& attributes : entry->attributes)
      ForResults(*entry, {types, {}, attributes}, search,
                 [&](const Signature& signature) {
                   entry->signatures.push_back(signature);
                 });
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

void AddNumbers(CallSearch* search, OpEntry* entry) {
  if (!entry->spec->elementwise) return;
  Op first = CallOfTypes(*entry, entry->signatures.front());
  ASSAY_CHECK(CompleteSimplest(*entry->spec, search, &first));
  for (const InputSpec& input : entry->spec->inputs) {
    if (!IsDrawn(input)) continue;
    DrawnNumber number{input.name, *input.type, NumbersOf(*input.type)};
    std::erase_if(number.values, [&](int64_t value) {
      Op op = first;
      *std::ranges::find(op.attributes, input.name, &Attribute::name) = {
          input.name, IntegerTensor(*input.type, {value})};
      return !SatisfiesAllBut(*entry->spec, op, "");
    });
    ASSAY_CHECK(!number.values.empty());
    entry->numbers.push_back(std::move(number));
  }
}

// Makes the entry of an op that is not pointwise; it has no signature if the
// constraints accept no type.
OpEntry MakeEntry(const OpSpec& spec) {
  OpEntry entry{&spec, OperandsOf(spec)};
  entry.attributes = CombinationsOfValues(spec);
  CallSearch search(spec);
  AddSignatures(&search, &entry);
  if (!entry.signatures.empty()) AddNumbers(&search, &entry);
  return entry;
}

}  // namespace

bool IsFloatConstant(const InputSpec& input) {
  return input.kind == InputSpec::Kind::kConstant && input.type &&
         IsFloat(input.type->element_type);
}

std::vector<std::vector<Attribute>> CombinationsOfValues(const OpSpec& spec) {
  std::vector<std::vector<Attribute>> all = {{}};
  for (const InputSpec& input : spec.inputs) {
    std::vector<Attribute> values;
    for (const std::string& name : input.values)
      values.push_back({input.name, Symbol{name}});
    const bool is_truth = input.kind == InputSpec::Kind::kConstant &&
                          input.type && IsBoolean(input.type->element_type);
    for (const int64_t value : {0, 1}) {
      if (is_truth)
        values.push_back({input.name, IntegerTensor(*input.type, {value})});
    }
    // Another value is drawn in the place of this one.
    if (IsFloatConstant(input)) {
      Tensor zeros(*input.type);
      std::fill_n(zeros.data(), zeros.byte_size(), std::byte{0});
      values.push_back({input.name, std::move(zeros)});
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

Op CallOfTypes(const OpEntry& entry, const Signature& signature, size_t count) {
  Op op;
  op.op = entry.spec->id;
  for (size_t k = 0; k < entry.operands.size(); ++k)
    AddValue(entry.operands[k]->name, count, signature.operands[k],
             entry.operands[k]->variadic, &op.inputs);
  op.attributes = signature.attributes;
  for (size_t i = 0; i < signature.results.size(); ++i)
    AddValue(entry.spec->outputs[i].name, count, signature.results[i],
             entry.spec->outputs[i].variadic, &op.outputs);
  return op;
}

std::vector<const InputSpec*> OperandsOf(const OpSpec& spec) {
  std::vector<const InputSpec*> operands;
  for (const InputSpec& input : spec.inputs) {
    if (input.kind == InputSpec::Kind::kTensor) operands.push_back(&input);
  }
  return operands;
}

std::vector<OpEntry> MakeOpTable(
    const std::function<bool(const OpSpec&)>& is_wanted) {
  std::vector<OpEntry> table;
  for (const OpSpec& spec : Ops()) {
    if (!spec.executable || !is_wanted(spec)) continue;
    // Programs are drawn with ops of control.
    if (spec.family != kPointwise && (spec.control || !CanBeSearched(spec)))
      continue;
    OpEntry entry{&spec, OperandsOf(spec)};
    // The attributes of a pointwise op are those of the op that it is made of.
    if (spec.family == kPointwise) {
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
    if (entry.IsPointwise() && spec.family != kPointwise) continue;
    table.push_back(std::move(entry));
  }
  return table;
}

}  // namespace assay
