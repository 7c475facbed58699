#include "oracle/flush/least_scale.h"

#include "oracle/elementwise/encoding.h"

namespace assay {
namespace {

using E8m0 = Float<ElementType::kF8E8M0FNU>;

bool IsScale(const TensorType& type) {
  return type.element_type == E8m0::kElementType;
}

// Returns the values of f8E8M0FNU as values of f32.
Tensor InF32(const Tensor& tensor) {
  Tensor wide({tensor.type().shape, ElementType::kF32});
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const double value = E8m0::FromBits(tensor.As<E8m0>()[i]).ToDouble();
    wide.SetBits(i, F32::Round(value).value.ToBits());
  }
  return wide;
}

// Returns an end in f32 as a result of f8E8M0FNU, by the policy's keys.
Allowed<E8m0> OfF32(const Tensor& wide, int64_t i, const Encoding& encoded) {
  const double value = F32::FromBits(wide.As<F32>()[i]).ToDouble();
  NoMarks clause;
  return encoded(clause, E8m0::Round(value));
}

// Returns the elements where that value is an operand, or the result.
std::vector<int64_t> ElementsWithLeast(const Op& op,
                                       const std::vector<Tensor>& inputs,
                                       const Expectation& result) {
  const bool is_scale = IsScale(op.outputs[0].type);
  const auto has_least = [&](int64_t i) {
    if (is_scale && (result.lo.Bits(i) == 0 || result.hi.Bits(i) == 0))
      return true;
    return std::ranges::any_of(
        SourcesOf(op, inputs, i), [&](const Source& source) {
          const Tensor& input = inputs[source.operand];
          return IsScale(input.type()) && input.Bits(source.element) == 0;
        });
  };
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < result.lo.size(); ++i) {
    if (has_least(i)) elements.push_back(i);
  }
  return elements;
}

}  // namespace

bool HasLeastScale(const TensorType& type, const Policy& policy) {
  return IsScale(type) && policy.Get("e8m0_least") == "subnormal";
}

void FlushLeastScales(const Op& op, const std::vector<Tensor>& inputs,
                      const Policy& policy, const FlushChoice& flush,
                      Evaluation* evaluation) {
  if (flush.inputs == FlushChoice::Inputs::kKept &&
      flush.results == FlushChoice::Results::kKept)
    return;
  Op wide = op;
  std::vector<Tensor> operands;
  bool counts = false;
  for (size_t k = 0; k < inputs.size(); ++k) {
    counts |= HasLeastScale(inputs[k].type(), policy);
    operands.push_back(IsScale(inputs[k].type()) ? InF32(inputs[k])
                                                 : inputs[k]);
    wide.inputs[k].type = operands.back().type();
  }
  if (!counts) return;
  Expectation& result = evaluation->outputs[0];
  const std::vector<int64_t> elements = ElementsWithLeast(op, inputs, result);
  if (elements.empty()) return;
  const bool is_scale = IsScale(op.outputs[0].type);
  if (is_scale) wide.outputs[0].type.tensor().element_type = ElementType::kF32;
  const Evaluation in_f32 =
      Evaluate(wide, operands, policy, Marks::kNone, &flush);
  const Expectation& flushed = in_f32.outputs[0];
  const Encoding encoded(policy);
  result.hi.Unshare();
  for (const int64_t i : elements) {
    if (!result.flags.empty()) result.flags[static_cast<size_t>(i)] = 0;
    if (!flushed.flags.empty())
      result.Set(flushed.flags[static_cast<size_t>(i)], i);
    if (!is_scale) {
      result.lo.SetBits(i, flushed.lo.Bits(i));
      result.hi.SetBits(i, flushed.hi.Bits(i));
      continue;
    }
    ElementFlags flags = 0;
    const E8m0 lo = EndOf(OfF32(flushed.lo, i, encoded), false, &flags);
    const E8m0 hi = EndOf(OfF32(flushed.hi, i, encoded), true, &flags);
    result.lo.SetBits(i, lo.ToBits());
    result.hi.SetBits(i, hi.ToBits());
    if (lo.IsNan() != hi.IsNan()) flags |= Expectation::kOpen;
    if (flags != 0) result.Set(flags, i);
  }
}

}  // namespace assay
