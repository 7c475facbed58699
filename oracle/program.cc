#include "oracle/program.h"

#include <algorithm>

#include "oracle/flush/flush.h"
#include "oracle/flush/possibly_flushed.h"
#include "oracle/nan_bits.h"
#include "oracle/scalar_op.h"

namespace assay {

void ProgramEvaluator::Define(const std::string& name, Tensor values,
                              bool are_unrounded) {
  const ElementType type = values.element_type();
  const auto size = static_cast<size_t>(values.size());
  Value value{std::move(values), {}};
  if (are_unrounded && (IsFloat(type) || IsComplex(type)))
    value.unrounded.assign(size, true);
  values_.insert_or_assign(name, std::move(value));
}

void ProgramEvaluator::Define(const std::string& name, const TensorType& type,
                              const Possible& possible) {
  Value value{Tensor(type), {}};
  value.tensor.SetBits(0, possible.ranges[0].lo);
  value.Set(0, possible);
  values_.insert_or_assign(name, std::move(value));
}

Possible ProgramEvaluator::Value::At(int64_t element) const {
  const Knowledge known = elements.empty()
                              ? Knowledge::kKnown
                              : elements[static_cast<size_t>(element)];
  if (known == Knowledge::kSeveral) {
    const auto at = several.find(element);
    return at == several.end() ? Possible::Undecided() : at->second;
  }
  Possible possible = Possible::Value(tensor.Bits(element));
  possible.any_nan = known == Knowledge::kNan;
  return possible;
}

void ProgramEvaluator::Value::Set(int64_t element, const Possible& possible) {
  Knowledge known = Knowledge::kSeveral;
  if (possible.IsFinite() && possible.ranges.size() == 1) {
    const ElementBits bits = possible.ranges[0].lo;
    tensor.Unshare();
    tensor.SetBits(element, bits);
    known = possible.any_nan && HasNan(tensor.element_type(), bits)
                ? Knowledge::kNan
                : Knowledge::kKnown;
  } else if (possible.kind != Possible::Kind::kUndecided) {
    several.insert_or_assign(element, possible);
  }
  if (elements.empty() && known == Knowledge::kKnown) return;
  elements.resize(static_cast<size_t>(tensor.size()));
  elements[static_cast<size_t>(element)] = known;
}

Possible ProgramEvaluator::At(const std::string& name, int64_t element) const {
  return values_.at(name).At(element);
}

bool ProgramEvaluator::RestsOnKnown(const Op& op, const OpResults& results,
                                    size_t output, int64_t element,
                                    bool takes_unrounded) const {
  const bool reads_bits = ReadsNanBits(op, results.evaluation.outputs[output]);
  return std::ranges::all_of(
      SourcesOf(op, results.operands, element, output),
      [&](const Source& source) {
        const Value& value = values_.at(op.inputs[source.operand].value);
        if (takes_unrounded && value.IsUnrounded(source.element)) return false;
        if (value.elements.empty()) return true;
        const Knowledge known =
            value.elements[static_cast<size_t>(source.element)];
        return known == Knowledge::kKnown ||
               (known == Knowledge::kNan && !reads_bits);
      });
}

// The first source is the element that is moved, and those behind it say which
// one that is: an index that is one of several values gives one of several
// elements.
Possible ProgramEvaluator::Moved(const Op& op, const OpResults& results,
                                 size_t output, int64_t element) const {
  constexpr size_t kMostElements = 64;
  const OpSpec& spec = *FindOp(op.op);
  const Sources sources = SourcesOf(op, results.operands, element, output);
  if (!spec.moves || sources.empty()) return Possible::Undecided();
  size_t count = 1;
  std::vector<Possible> indices;
  for (size_t n = 1; n < sources.size(); ++n) {
    const Op::Operand& operand = op.inputs[sources[n].operand];
    indices.push_back(values_.at(operand.value).At(sources[n].element));
    const Possible& index = indices.back();
    if (!index.IsFinite() ||
        (index.ranges.size() > 1 && !spec.Input(operand.name)->is_index))
      return Possible::Undecided();
    count *= index.ranges.size();
    if (count > kMostElements) return Possible::Undecided();
  }
  Possible possible;
  for (size_t n = 0; n < count; ++n) {
    std::vector<Tensor> operands = results.operands;
    size_t rest = n;
    for (size_t i = 0; i < indices.size(); ++i) {
      const std::vector<Possible::Range>& ranges = indices[i].ranges;
      if (ranges.size() == 1) continue;
      Tensor& operand = operands[sources[i + 1].operand];
      operand.Unshare();
      operand.SetBits(sources[i + 1].element, ranges[rest % ranges.size()].lo);
      rest /= ranges.size();
    }
    const Source moved = SourcesOf(op, operands, element, output)[0];
    possible.Add(op.outputs[output].type.tensor().element_type,
                 values_.at(op.inputs[moved.operand].value).At(moved.element));
  }
  possible.any_nan |= !results.evaluation.outputs[output].keeps_nans;
  return possible;
}

void ProgramEvaluator::SetFromSeveral(const Op& op, const OpResults& results,
                                      size_t output, Value* value) const {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < value->tensor.size(); ++i) {
    if (!results.Holds(output, i)) elements.push_back(i);
  }
  if (elements.empty()) return;
  if (!ScalarOp::Is(op)) {
    for (const int64_t i : elements)
      value->Set(i, Moved(op, results, output, i));
    return;
  }
  // The op is applied to all of them at once.
  const bool takes_unrounded = unrounded_.MayTake(op);
  std::vector<Scalars> columns;
  for (const Op::Operand& operand : op.inputs)
    columns.emplace_back(Tensor(TensorType{
        {std::ssize(elements)}, operand.type.tensor().element_type}));
  for (size_t n = 0; n < elements.size(); ++n) {
    for (const Source& source :
         SourcesOf(op, results.operands, elements[n], output)) {
      const Value& of = values_.at(op.inputs[source.operand].value);
      Possible possible = of.At(source.element);
      if (takes_unrounded && of.IsUnrounded(source.element))
        possible = Unrounded::Widened(of.tensor.element_type(), possible);
      columns[source.operand].Set(static_cast<int64_t>(n), possible);
    }
  }
  std::vector<const Scalars*> operands;
  for (const Scalars& column : columns) operands.push_back(&column);
  const Scalars applied = ScalarOp(op, policy_, Marks::kNone).Apply(operands);
  for (size_t n = 0; n < elements.size(); ++n)
    value->Set(elements[n], applied.At(static_cast<int64_t>(n)));
}

ProgramEvaluator::Value ProgramEvaluator::ValueOf(const Op& op,
                                                  const OpResults& results,
                                                  size_t output) const {
  const Expectation& expectation = results.evaluation.outputs[output];
  Value value{expectation.lo, {}};
  const ElementType type = expectation.lo.element_type();
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    if (results.Holds(output, i) &&
        (!expectation.IsExact(i) ||
         (!expectation.KeepsNan(i) && HasNan(type, expectation.lo.Bits(i))))) {
      const bool is_undecided =
          results.evaluation.undecided > 0 && expectation.IsOpen(i);
      value.Set(
          i, is_undecided ? Possible::Undecided() : PossibleAt(expectation, i));
    }
  }
  SetFromSeveral(op, results, output, &value);
  return value;
}

ProgramEvaluator::OpResults ProgramEvaluator::Evaluate(const Op& op,
                                                       Marks marks) const {
  OpResults results;
  bool all_known = true;
  const bool takes_unrounded = TakesUnrounded(op);
  const auto add = [&](const std::string& name) {
    const Value& value = values_.at(name);
    results.operands.push_back(value.tensor);
    all_known &= value.elements.empty() &&
                 !(takes_unrounded && !value.unrounded.empty());
  };
  for (const Op::Operand& operand : op.inputs) add(operand.value);
  const std::vector<TypedName> captures = Captures(op);
  for (const TypedName& capture : captures) add(capture.name);
  // A function may read all elements of what it captures.
  const bool captures_are_known =
      std::ranges::all_of(captures, [&](const TypedName& capture) {
        const Value& value = values_.at(capture.name);
        return value.elements.empty() && value.unrounded.empty();
      });
  results.evaluation = assay::Evaluate(op, results.operands, policy_, marks);
  results.are_known.resize(op.outputs.size());
  results.are_flushed.resize(op.outputs.size());
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    const Expectation& result = results.evaluation.outputs[k];
    if (MayBeFlushed(op, policy_)) {
      const std::vector<uint8_t> affected =
          AffectedByFlushing(results.operands, policy_, result);
      if (std::ranges::count(affected, 1) > 0)
        results.are_flushed[k].assign(affected.begin(), affected.end());
    }
    if (all_known) continue;
    for (int64_t i = 0; i < result.lo.size(); ++i)
      results.are_known[k].push_back(
          captures_are_known &&
          RestsOnKnown(op, results, k, i, takes_unrounded));
  }
  return results;
}

// An op with functions may use an operand in any of their ops.
bool ProgramEvaluator::TakesUnrounded(const Op& op) const {
  return unrounded_.Any() && (unrounded_.MayTake(op) || !op.regions.empty() ||
                              op.callee != nullptr);
}

void ProgramEvaluator::MarkUnrounded(const Op& op, const OpResults& results,
                                     size_t output, Value* value) const {
  const bool gives = unrounded_.MayGive(op, output);
  const bool passes =
      unrounded_.PassesOn(op, output) &&
      std::ranges::any_of(op.inputs, [&](const Op::Operand& operand) {
        return !values_.at(operand.value).unrounded.empty();
      });
  if (!gives && !passes) return;
  std::vector<bool> marks(static_cast<size_t>(value->tensor.size()));
  bool has_any = false;
  for (int64_t i = 0; i < value->tensor.size(); ++i) {
    bool is_unrounded = false, all_known = true;
    std::vector<ElementBits> operands;
    for (const Source& source : SourcesOf(op, results.operands, i, output)) {
      const Value& of = values_.at(op.inputs[source.operand].value);
      is_unrounded |= passes && of.IsUnrounded(source.element);
      all_known &=
          of.elements.empty() ||
          of.elements[static_cast<size_t>(source.element)] == Knowledge::kKnown;
      operands.push_back(of.tensor.Bits(source.element));
    }
    if (gives)
      is_unrounded = !all_known || !results.Holds(output, i) ||
                     Unrounded::IsRounded(op, operands, value->tensor.Bits(i));
    marks[static_cast<size_t>(i)] = is_unrounded;
    has_any |= is_unrounded;
  }
  if (has_any) value->unrounded = std::move(marks);
}

void ProgramEvaluator::Keep(const Op& op, const OpResults& results) {
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    Value value = ValueOf(op, results, k);
    MarkUnrounded(op, results, k, &value);
    values_.insert_or_assign(op.outputs[k].value, std::move(value));
  }
}

}  // namespace assay
