#include "oracle/region.h"

#include <algorithm>
#include <cstddef>
#include <list>

#include "oracle/combinations.h"
#include "spec/error.h"

namespace assay {
namespace {

bool IsScalar(const ValueType& type) {
  return type.IsTensor() && type.tensor().shape.empty();
}

ElementType ElementTypeOf(const ValueType& type) {
  return type.tensor().element_type;
}

}  // namespace

Region::Region(const Function& function, const OpCall& call)
    : function_(function),
      policy_(call.policy),
      wanted_(call.marks),
      unrounded_(call.policy),
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
  return ScalarOp::Is(op) &&
         std::ranges::all_of(op.inputs, IsScalar, &Op::Operand::type) &&
         std::ranges::all_of(op.outputs, IsScalar, &Op::Result::type);
}

size_t Region::SlotOf(const TypedName& value) {
  const auto [at, is_new] = slot_of_.emplace(value.name, slots_.size());
  if (is_new)
    slots_.push_back({ElementTypeOf(value.type),
                      {},
                      constants_.At(value.name),
                      constants_.IsUnrounded(value.name)});
  return at->second;
}

void Region::AddStep(const Op& op) {
  later_.push_back(&op);
  is_on_columns_ = is_on_columns_ && IsOnColumns(op);
  if (is_on_columns_) {
    Step step{{op, policy_, wanted_}, &op, {}, 0};
    for (const Op::Operand& operand : op.inputs)
      step.operands.push_back(SlotOf({operand.value, operand.type}));
    step.result = slots_.size();
    steps_.push_back(std::move(step));
  }
  for (const Op::Result& result : op.outputs) {
    slot_of_.insert_or_assign(result.value, slots_.size());
    slots_.push_back(
        {is_on_columns_ ? ElementTypeOf(result.type) : ElementType::kI1, {}});
  }
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
  if (of.constant && of.column.size() != size) {
    of.column = Scalars::Repeated(of.type, *of.constant, size);
    of.unrounded.assign(
        of.constant_is_unrounded ? static_cast<size_t>(size) : 0, true);
  }
  return of.column;
}

std::vector<Scalars> Region::Apply(const std::vector<Scalars>& arguments) {
  ASSAY_CHECK(arguments.size() == function_.inputs.size());
  if (arguments[0].size() > 0) {
    for (const OpMarks& of : constant_marks_) AddMarks(of, &marks_);
  }
  return is_on_columns_ ? ApplyToColumns(arguments) : ApplyOneByOne(arguments);
}

void Region::MarkUnrounded(const Step& step, int64_t size) {
  std::vector<bool>& marks = slots_[step.result].unrounded;
  marks.clear();
  const bool gives = unrounded_.MayGive(*step.call, 0),
             passes = unrounded_.PassesOn(*step.call, 0),
             takes = unrounded_.MayTake(*step.call);
  if (!gives && !passes) return;
  const Scalars& result = slots_[step.result].column;
  bool has_any = false;
  marks.resize(static_cast<size_t>(size));
  std::vector<ElementBits> operands;
  for (int64_t i = 0; i < size; ++i) {
    bool is_unrounded = false, all_known = true;
    operands.clear();
    for (const size_t slot : step.operands) {
      const Scalars& column = ColumnOf(slot, size);
      const bool may_be_unrounded =
          !slots_[slot].unrounded.empty() &&
          slots_[slot].unrounded[static_cast<size_t>(i)];
      is_unrounded |= passes && may_be_unrounded;
      all_known &= column.StateAt(i) == Scalars::State::kKnown &&
                   !(takes && may_be_unrounded);
      operands.push_back(column.values().Bits(i));
    }
    if (gives)
      is_unrounded =
          !all_known ||
          Unrounded::IsRounded(*step.call, operands, result.values().Bits(i));
    marks[static_cast<size_t>(i)] = is_unrounded;
    has_any |= is_unrounded;
  }
  if (!has_any) marks.clear();
}

std::vector<Scalars> Region::ApplyToColumns(
    const std::vector<Scalars>& arguments) {
  const int64_t size = arguments[0].size();
  for (size_t k = 0; k < arguments.size(); ++k) slots_[k].column = arguments[k];
  for (Step& step : steps_) {
    std::vector<const Scalars*> operands;
    std::list<Scalars> widened;
    for (const size_t slot : step.operands) {
      operands.push_back(&ColumnOf(slot, size));
      if (slots_[slot].unrounded.empty() || !unrounded_.MayTake(*step.call))
        continue;
      Scalars& column = widened.emplace_back(*operands.back());
      for (int64_t i = 0; i < size; ++i) {
        if (slots_[slot].unrounded[static_cast<size_t>(i)])
          column.Set(i, Unrounded::Widened(column.type(), column.At(i)));
      }
      operands.back() = &column;
    }
    slots_[step.result].column = step.op.Apply(operands);
    MarkUnrounded(step, size);
    AddMarks({&step.op.spec(), step.op.marks()}, &marks_);
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
                     arguments[k]);
  for (const Op* op : later_) {
    const ProgramEvaluator::OpResults results =
        evaluator.Evaluate(*op, wanted_);
    AddMarksOf(*FindOp(op->op), results.evaluation);
    evaluator.Keep(*op, results);
  }
  std::vector<Possible> results;
  for (const TypedName& result : function_.results)
    results.push_back(evaluator.At(result.name));
  return results;
}

std::vector<Scalars> Region::ApplyOneByOne(
    const std::vector<Scalars>& arguments) {
  const int64_t size = arguments[0].size();
  std::vector<ElementType> argument_types, types;
  std::vector<Scalars> results;
  for (const TypedName& argument : function_.inputs)
    argument_types.push_back(ElementTypeOf(argument.type));
  for (const TypedName& result : function_.results) {
    types.push_back(ElementTypeOf(result.type));
    // Where nothing is known of a result, it has a value nevertheless.
    Tensor values(TensorType{{size}, types.back()});
    std::fill_n(values.data(), values.byte_size(), std::byte{0});
    results.emplace_back(std::move(values));
  }
  for (int64_t i = 0; i < size; ++i) {
    std::vector<Possible> values;
    for (const Scalars& argument : arguments) values.push_back(argument.At(i));
    const std::vector<Possible> possible = ForEachCombination(
        values, argument_types, types,
        [&](const std::vector<Possible>& single) { return ApplyOnce(single); });
    for (size_t k = 0; k < results.size(); ++k) results[k].Set(i, possible[k]);
  }
  return results;
}

}  // namespace assay
