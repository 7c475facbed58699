#include "oracle/region.h"

#include <algorithm>

#include "oracle/flush/flush.h"
#include "oracle/nan_bits.h"
#include "spec/error.h"

namespace assay {
namespace {

// An op whose operands have several values each is evaluated on so many
// combinations of them, and no more.
constexpr size_t kMostCombinations = 256;

bool IsScalar(const ValueType& type) {
  return type.IsTensor() && type.tensor().shape.empty();
}

ElementType ElementTypeOf(const ValueType& type) {
  return type.tensor().element_type;
}

Scalars Repeated(ElementType type, const Possible& value, int64_t size) {
  Tensor values(TensorType{{size}, type});
  const ElementBits bits = value.ranges.empty() ? 0 : value.ranges[0].lo;
  for (int64_t i = 0; i < size; ++i) values.SetBits(i, bits);
  Scalars scalars(std::move(values));
  const bool is_known = value.IsFinite() && value.ranges.size() == 1 &&
                        !(value.any_nan && HasNan(type, bits));
  for (int64_t i = 0; i < size && !is_known; ++i) scalars.Set(i, value);
  return scalars;
}

// Calls `f` with single values of the operands, in all combinations of what
// they may be, and returns what the results may be together.
template <class F>
std::vector<Possible> ForEachCombination(
    const std::vector<Possible>& operands,
    const std::vector<ElementType>& result_types, F f) {
  size_t count = 1;
  std::optional<Possible> whole;
  for (const Possible& operand : operands) {
    if (!operand.IsFinite()) {
      const bool is_open = operand.kind == Possible::Kind::kOpen &&
                           (!whole || whole->kind == Possible::Kind::kOpen);
      whole = is_open ? Possible::Open() : Possible::Undecided();
    } else {
      count = std::min(count * operand.ranges.size(), kMostCombinations + 1);
    }
  }
  if (count > kMostCombinations) whole = Possible::Undecided();
  if (whole) return std::vector<Possible>(result_types.size(), *whole);
  std::vector<Possible> results(result_types.size());
  for (size_t n = 0; n < count; ++n) {
    std::vector<Possible> values;
    size_t rest = n;
    for (const Possible& operand : operands) {
      const size_t number = rest % operand.ranges.size();
      rest /= operand.ranges.size();
      values.push_back(Possible::Value(operand.ranges[number].lo));
      values.back().any_nan = operand.any_nan;
    }
    const std::vector<Possible> of_values = f(values);
    for (size_t k = 0; k < results.size(); ++k)
      results[k].Add(result_types[k], of_values[k]);
  }
  return results;
}

}  // namespace

Region::Region(const Function& function, const OpCall& call)
    : function_(function),
      policy_(call.policy),
      wanted_(call.marks),
      constants_(call.policy) {
  const std::vector<TypedName> captures = Captures(call.op);
  for (size_t i = 0; i < captures.size(); ++i)
    constants_.Define(captures[i].name, call.inputs[call.op.inputs.size() + i]);
  for (const TypedName& argument : function.inputs) {
    slot_of_.insert_or_assign(argument.name, slots_.size());
    slots_.push_back({ElementTypeOf(argument.type), {}});
  }
  for (const Op& op : function.body) {
    if (RestsOnArguments(op)) {
      AddStep(op);
      continue;
    }
    const ProgramEvaluator::OpResults results =
        constants_.Evaluate(op, wanted_);
    AddMarksOf(*FindOp(op.op), results.evaluation);
    constants_.Keep(op, results);
  }
  constant_marks_.swap(marks_);
  if (is_on_columns_) {
    for (const TypedName& result : function.results)
      results_.push_back(SlotOf(result));
  }
}

bool Region::RestsOnArguments(const Op& op) const {
  const auto rests = [&](const std::string& name) {
    const auto at = slot_of_.find(name);
    return at != slot_of_.end() && !slots_[at->second].constant;
  };
  return std::ranges::any_of(op.inputs, rests, &Op::Operand::value) ||
         std::ranges::any_of(Captures(op), rests, &TypedName::name);
}

bool Region::IsOnColumns(const Op& op) const {
  const OpSpec& spec = *FindOp(op.op);
  return spec.elementwise && spec.family.empty() &&
         std::ranges::all_of(op.inputs, IsScalar, &Op::Operand::type) &&
         std::ranges::all_of(op.outputs, IsScalar, &Op::Result::type);
}

size_t Region::SlotOf(const TypedName& value) {
  const auto [at, is_new] = slot_of_.emplace(value.name, slots_.size());
  if (is_new)
    slots_.push_back(
        {ElementTypeOf(value.type), {}, constants_.At(value.name)});
  return at->second;
}

void Region::AddStep(const Op& op) {
  later_.push_back(&op);
  is_on_columns_ = is_on_columns_ && IsOnColumns(op);
  Step step{op, FindOp(op.op), {}, {}};
  if (is_on_columns_) {
    for (const Op::Operand& operand : op.inputs)
      step.operands.push_back(SlotOf({operand.value, operand.type}));
  }
  for (const Op::Result& result : op.outputs) {
    step.results.push_back(slots_.size());
    slot_of_.insert_or_assign(result.value, slots_.size());
    slots_.push_back(
        {is_on_columns_ ? ElementTypeOf(result.type) : ElementType::kI1, {}});
  }
  steps_.push_back(std::move(step));
}

void Region::AddMarksOf(const OpSpec& spec, const Evaluation& evaluation) {
  AddMarks({&spec, evaluation.marks}, &marks_);
  for (const OpMarks& of_region : evaluation.region_marks)
    AddMarks(of_region, &marks_);
}

std::vector<std::pair<ElementType, Possible>> Region::Constants() const {
  std::vector<std::pair<ElementType, Possible>> constants;
  for (const Slot& slot : slots_) {
    if (slot.constant) constants.emplace_back(slot.type, *slot.constant);
  }
  return constants;
}

const Scalars& Region::ColumnOf(size_t slot, int64_t size) {
  Slot& of = slots_[slot];
  if (of.constant && of.column.size() != size)
    of.column = Repeated(of.type, *of.constant, size);
  return of.column;
}

std::vector<Scalars> Region::Apply(const std::vector<Scalars>& arguments) {
  ASSAY_CHECK(arguments.size() == function_.inputs.size());
  if (arguments[0].size() > 0) {
    for (const OpMarks& of : constant_marks_) AddMarks(of, &marks_);
  }
  return is_on_columns_ ? ApplyToColumns(arguments) : ApplyOneByOne(arguments);
}

std::vector<Scalars> Region::Evaluate(
    const Step& step, const std::vector<const Scalars*>& operands) {
  const int64_t size = operands[0]->size();
  Op op = step.op;
  std::vector<Tensor> values;
  for (size_t k = 0; k < operands.size(); ++k) {
    op.inputs[k].type.tensor().shape = {size};
    values.push_back(operands[k]->values());
  }
  for (Op::Result& output : op.outputs) output.type.tensor().shape = {size};
  const Evaluation evaluation = EvaluateScalars(op, values, policy_, wanted_);
  AddMarksOf(*step.spec, evaluation);
  std::vector<Scalars> results;
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    const Expectation& expectation = evaluation.outputs[k];
    Scalars result = Scalars::Of(expectation);
    if (MayBeFlushed(op, policy_)) {
      const std::vector<uint8_t> affected =
          JudgeFlush(op, values, policy_, expectation.lo, k).affected;
      for (int64_t i = 0; i < size; ++i) {
        if (affected[static_cast<size_t>(i)] != 0)
          result.Set(i, Possible::Undecided());
      }
    }
    for (const Scalars* operand : operands) {
      if (operand->AllKnown() || !ReadsNanBits(op, expectation)) continue;
      for (int64_t i = 0; i < size; ++i) {
        if (operand->StateAt(i) != Scalars::State::kAnyNan) continue;
        Possible possible = result.At(i);
        possible.any_nan = true;
        // A NaN that is moved remains one. Whatever else reads its bits may
        // give anything.
        const bool is_moved = !IsTotalOrder(op) && PartType(operand->type()) ==
                                                       PartType(result.type());
        result.Set(i, is_moved ? possible : Possible::Undecided());
      }
    }
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<Scalars> Region::ApplyToColumns(
    const std::vector<Scalars>& arguments) {
  const int64_t size = arguments[0].size();
  for (size_t k = 0; k < arguments.size(); ++k) slots_[k].column = arguments[k];
  for (const Step& step : steps_) {
    std::vector<const Scalars*> operands;
    bool all_known = true;
    for (const size_t slot : step.operands) {
      operands.push_back(&ColumnOf(slot, size));
      all_known = all_known && operands.back()->AllKnown();
    }
    std::vector<Scalars> results = Evaluate(step, operands);
    std::vector<ElementType> types;
    for (const Scalars& result : results) types.push_back(result.type());
    for (int64_t i = 0; i < size && !all_known; ++i) {
      std::vector<Possible> several;
      for (const Scalars* operand : operands) {
        if (operand->StateAt(i) == Scalars::State::kSeveral)
          several.resize(operands.size());
      }
      if (several.empty()) continue;
      for (size_t k = 0; k < operands.size(); ++k)
        several[k] = operands[k]->At(i);
      const std::vector<Possible> possible = ForEachCombination(
          several, types, [&](const std::vector<Possible>& values) {
            std::vector<Scalars> one;
            std::vector<const Scalars*> columns;
            one.reserve(values.size());
            for (size_t k = 0; k < values.size(); ++k) {
              one.push_back(Repeated(operands[k]->type(), values[k], 1));
              columns.push_back(&one.back());
            }
            std::vector<Possible> of_values;
            for (const Scalars& result : Evaluate(step, columns))
              of_values.push_back(result.At(0));
            return of_values;
          });
      for (size_t k = 0; k < results.size(); ++k)
        results[k].Set(i, possible[k]);
    }
    for (size_t k = 0; k < results.size(); ++k)
      slots_[step.results[k]].column = std::move(results[k]);
  }
  std::vector<Scalars> results;
  for (const size_t slot : results_) results.push_back(ColumnOf(slot, size));
  return results;
}

std::vector<Possible> Region::ApplyOnce(
    const std::vector<Possible>& arguments) {
  ProgramEvaluator evaluator = constants_;
  for (size_t k = 0; k < arguments.size(); ++k)
    evaluator.Define(function_.inputs[k].name, function_.inputs[k].type,
                     arguments[k].ranges[0].lo, arguments[k].any_nan);
  std::map<std::string, Possible, std::less<>> several;
  for (const Op* op : later_) {
    const ProgramEvaluator::OpResults results =
        evaluator.Evaluate(*op, wanted_);
    AddMarksOf(*FindOp(op->op), results.evaluation);
    evaluator.Keep(*op, results);
    for (size_t k = 0; k < op->outputs.size(); ++k) {
      if (IsScalar(op->outputs[k].type) && results.Holds(k, 0) &&
          !MayBeFlushed(*op, policy_))
        several.insert_or_assign(op->outputs[k].value,
                                 PossibleAt(results.evaluation.outputs[k], 0));
    }
  }
  std::vector<Possible> results;
  for (const TypedName& result : function_.results) {
    const auto at = several.find(result.name);
    results.push_back(at == several.end() ? evaluator.At(result.name)
                                          : at->second);
  }
  return results;
}

std::vector<Scalars> Region::ApplyOneByOne(
    const std::vector<Scalars>& arguments) {
  const int64_t size = arguments[0].size();
  std::vector<ElementType> types;
  std::vector<Scalars> results;
  for (const TypedName& result : function_.results) {
    types.push_back(ElementTypeOf(result.type));
    results.emplace_back(Tensor(TensorType{{size}, types.back()}));
  }
  for (int64_t i = 0; i < size; ++i) {
    std::vector<Possible> values;
    for (const Scalars& argument : arguments) values.push_back(argument.At(i));
    const std::vector<Possible> possible = ForEachCombination(
        values, types,
        [&](const std::vector<Possible>& single) { return ApplyOnce(single); });
    for (size_t k = 0; k < results.size(); ++k) results[k].Set(i, possible[k]);
  }
  return results;
}

}  // namespace assay
