#include "oracle/program.h"

#include <algorithm>

#include "oracle/allowed_range.h"
#include "oracle/flush/flush.h"
#include "oracle/nan_bits.h"

namespace assay {
namespace {

bool HasNan(ElementType type, ElementBits bits) {
  for (int part = 0; part < PartCount(type); ++part) {
    if (judging::IsNan(PartType(type), PartOf(type, bits, part))) return true;
  }
  return false;
}

}  // namespace

void ProgramEvaluator::Define(const std::string& name, Tensor values) {
  values_.insert_or_assign(name, Value{std::move(values), {}});
}

bool ProgramEvaluator::RestsOnKnown(const Op& op, const OpResults& results,
                                    size_t output, int64_t element) const {
  const bool reads_bits = ReadsNanBits(op, results.evaluation.outputs[output]);
  return std::ranges::all_of(
      SourcesOf(op, results.operands, element, output),
      [&](const Source& source) {
        const Value& value = values_.at(op.inputs[source.operand].value);
        if (value.elements.empty()) return true;
        const Knowledge known =
            value.elements[static_cast<size_t>(source.element)];
        return known == Knowledge::kKnown ||
               (known == Knowledge::kNan && !reads_bits);
      });
}

ProgramEvaluator::Value ProgramEvaluator::ValueOf(const Op& op,
                                                  const OpResults& results,
                                                  size_t output) const {
  const Expectation& expectation = results.evaluation.outputs[output];
  Value value{expectation.lo, {}};
  std::vector<uint8_t> may_be_flushed;
  if (MayBeFlushed(op, policy_))
    may_be_flushed =
        JudgeFlush(op, results.operands, policy_, expectation.lo, output)
            .affected;
  const ElementType type = expectation.lo.element_type();
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    const auto at = static_cast<size_t>(i);
    const bool is_known = results.Holds(output, i) && expectation.IsExact(i) &&
                          (may_be_flushed.empty() || may_be_flushed[at] == 0);
    const bool is_nan = is_known && !expectation.KeepsNan(i) &&
                        HasNan(type, expectation.lo.Bits(i));
    if (is_known && !is_nan) continue;
    value.elements.resize(static_cast<size_t>(expectation.lo.size()));
    value.elements[at] = is_nan ? Knowledge::kNan : Knowledge::kOpen;
  }
  return value;
}

ProgramEvaluator::OpResults ProgramEvaluator::Evaluate(const Op& op) const {
  OpResults results;
  bool all_known = true;
  for (const Op::Operand& operand : op.inputs) {
    const Value& value = values_.at(operand.value);
    results.operands.push_back(value.tensor);
    all_known &= value.elements.empty();
  }
  results.evaluation =
      assay::Evaluate(op, results.operands, policy_, Marks::kNone);
  results.holds.resize(op.outputs.size());
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    if (all_known) continue;
    const int64_t size = results.evaluation.outputs[k].lo.size();
    for (int64_t i = 0; i < size; ++i)
      results.holds[k].push_back(RestsOnKnown(op, results, k, i));
  }
  return results;
}

void ProgramEvaluator::Keep(const Op& op, const OpResults& results) {
  for (size_t k = 0; k < op.outputs.size(); ++k)
    values_.insert_or_assign(op.outputs[k].value, ValueOf(op, results, k));
}

}  // namespace assay
