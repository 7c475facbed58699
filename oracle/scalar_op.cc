#include "oracle/scalar_op.h"

#include <algorithm>
#include <cmath>

#include "oracle/allowed_range.h"
#include "oracle/combinations.h"
#include "oracle/flush/flush.h"
#include "oracle/flush/possibly_flushed.h"
#include "oracle/nan_bits.h"
#include "spec/error.h"

namespace assay {
namespace {

using judging::BitsOfKey;
using judging::OrderedKey;

Scalars OneScalar(ElementType type, const Possible& value) {
  Scalars scalars(Tensor(TensorType{{1}, type}));
  scalars.Set(0, value);
  return scalars;
}

Tensor ColumnOfBits(ElementType type, const std::vector<ElementBits>& values) {
  Tensor tensor(TensorType{{std::ssize(values)}, type});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), values[i]);
  return tensor;
}

bool IsOneValue(const Possible& operand) { return operand.IsFinite(); }

// Returns whether a range has an order by which results can be monotone. In
// formats without a zero, a sign or a NaN, results that they lack lie anywhere.
bool IsOrdered(ElementType type) {
  if (!IsFloat(type)) return !IsComplex(type);
  const FloatFormat format = FormatOf(type);
  return format.has_zero && format.has_sign && format.has_nan();
}

// Returns whether hardware that flushes may treat a value of the range as zero.
// A result may be tiny before it is rounded to the least normal number, or to
// zero.
bool HasTiny(ElementType type, const Possible::Range& range, bool is_result) {
  if (!IsFloat(type) || HasNan(type, range.lo)) return false;
  const ElementBits normal = ElementBits{1} << FormatOf(type).mantissa_bits;
  const __int128 least = is_result ? 0 : 1;
  const __int128 greatest = static_cast<__int128>(normal) - (is_result ? 0 : 1);
  const __int128 lo = OrderedKey(type, range.lo);
  const __int128 hi = OrderedKey(type, range.hi);
  return (lo <= greatest && hi >= least) ||
         (lo <= -least - 1 && hi >= -greatest - 1);
}

// Returns the ends of a range, and those of its parts below zero, at zero and
// above zero.
std::vector<ElementBits> EndsOfRange(ElementType type,
                                     const Possible::Range& range,
                                     bool by_sign) {
  if (!by_sign) return {range.lo, range.hi};
  const __int128 lo = OrderedKey(type, range.lo);
  const __int128 hi = OrderedKey(type, range.hi);
  // The keys of floats are -1 at -0, and 0 at +0; in a format without -0 the
  // value below zero has the key -2.
  std::vector<ElementBits> ends = {range.lo};
  for (const int key : {-2, -1, 0, 1}) {
    if (lo < key && key < hi && judging::HasKey(type, key))
      ends.push_back(BitsOfKey(type, key));
  }
  ends.push_back(range.hi);
  return ends;
}

// Returns the zeros that values of a range may be flushed to: -0 is that of
// negative ones alone.
std::vector<ElementBits> ZerosOf(ElementType type,
                                 const Possible::Range& range) {
  std::vector<ElementBits> zeros = {BitsOfKey(type, 0)};
  if (OrderedKey(type, range.lo) < 0 && judging::HasKey(type, -1))
    zeros.push_back(BitsOfKey(type, -1));
  return zeros;
}

// Returns columns with all combinations of values of the operands.
std::vector<Tensor> Combined(const std::vector<ElementType>& types,
                             const std::vector<std::vector<ElementBits>>& of) {
  size_t count = 1;
  for (const auto& values : of) count *= values.size();
  std::vector<std::vector<ElementBits>> columns(of.size());
  for (size_t n = 0; n < count; ++n) {
    size_t rest = n;
    for (size_t k = 0; k < of.size(); ++k) {
      columns[k].push_back(of[k][rest % of[k].size()]);
      rest /= of[k].size();
    }
  }
  std::vector<Tensor> tensors;
  for (size_t k = 0; k < of.size(); ++k)
    tensors.push_back(ColumnOfBits(types[k], columns[k]));
  return tensors;
}

}  // namespace

bool ScalarOp::Is(const Op& op) {
  const OpSpec& spec = *FindOp(op.op);
  return spec.elementwise && spec.family.empty();
}

ScalarOp::ScalarOp(const Op& op, const Policy& policy, Marks wanted)
    : op_(op),
      spec_(*FindOp(op.op)),
      policy_(policy),
      wanted_(wanted),
      may_be_flushed_(MayBeFlushed(op, policy)),
      monotone_(FindMonotone(spec_, op)),
      result_type_(op.outputs[0].type.tensor().element_type) {
  ASSAY_CHECK(Is(op) && op.outputs.size() == 1);
  for (const Op::Operand& operand : op.inputs)
    operand_types_.push_back(operand.type.tensor().element_type);
}

// Points are columns that have, for each of some elements, all combinations of
// the values that its operands may have.
class ScalarOp::Points {
 public:
  explicit Points(const std::vector<ElementType>& types)
      : types_(types), values_(types.size()) {}

  // Returns false if a range is no value, or there are too many of them.
  bool Add(int64_t element, const std::vector<Possible>& operands) {
    size_t count = 1;
    for (const Possible& operand : operands) {
      if (operand.ranges.empty() || !operand.IsFinite()) return false;
      count *= operand.ranges.size();
      if (count > kMostCombinations) return false;
    }
    for (size_t n = 0; n < count; ++n) {
      size_t rest = n;
      for (size_t k = 0; k < operands.size(); ++k) {
        const auto& ranges = operands[k].ranges;
        Possible value = Possible::Value(ranges[rest % ranges.size()].lo);
        value.any_nan =
            operands[k].any_nan && HasNan(types_[k], value.ranges[0].lo);
        values_[k].push_back(std::move(value));
        rest /= ranges.size();
      }
      elements_.push_back(element);
    }
    return true;
  }
  const std::vector<int64_t>& elements() const { return elements_; }
  std::vector<Scalars> Columns() const {
    std::vector<Scalars> columns;
    for (size_t k = 0; k < types_.size(); ++k) {
      const auto size = std::ssize(elements_);
      Scalars& column =
          columns.emplace_back(Tensor(TensorType{{size}, types_[k]}));
      for (int64_t i = 0; i < size; ++i)
        column.Set(i, values_[k][static_cast<size_t>(i)]);
    }
    return columns;
  }

 private:
  std::vector<ElementType> types_;
  std::vector<std::vector<Possible>> values_;  // by operand and point
  std::vector<int64_t> elements_;              // by point
};

Scalars ScalarOp::Apply(const std::vector<const Scalars*>& operands) {
  // What is applied at a time takes little memory.
  constexpr size_t kMostPoints = size_t{1} << 14;
  Scalars result = ApplyToValues(operands);
  const bool all_known = std::ranges::all_of(
      operands, [](const Scalars* operand) { return operand->AllKnown(); });
  Points points(operand_types_);
  for (int64_t i = 0; i < result.size() && !all_known; ++i) {
    const bool is_several =
        std::ranges::any_of(operands, [&](const Scalars* operand) {
          return operand->StateAt(i) == Scalars::State::kSeveral;
        });
    if (!is_several) continue;
    std::vector<Possible> several;
    for (const Scalars* operand : operands) several.push_back(operand->At(i));
    if (!points.Add(i, several)) result.Set(i, Apply(several));
    if (points.elements().size() < kMostPoints) continue;
    SetFromPoints(points, &result);
    points = Points(operand_types_);
  }
  SetFromPoints(points, &result);
  return result;
}

void ScalarOp::SetFromPoints(const Points& points, Scalars* result) {
  const std::vector<int64_t>& elements = points.elements();
  if (elements.empty()) return;
  const std::vector<Scalars> columns = points.Columns();
  std::vector<const Scalars*> operands;
  for (const Scalars& column : columns) operands.push_back(&column);
  const Scalars of_points = ApplyToValues(operands);
  for (size_t begin = 0, end = 0; begin < elements.size(); begin = end) {
    Possible possible;
    for (; end < elements.size() && elements[end] == elements[begin]; ++end)
      possible.Add(result_type_, of_points.At(static_cast<int64_t>(end)));
    result->Set(elements[begin], possible);
  }
}

Possible ScalarOp::Apply(const std::vector<Possible>& operands) {
  return ForEachCombination(
      operands, operand_types_, {result_type_},
      [&](const std::vector<Possible>& single) -> std::vector<Possible> {
        if (!std::ranges::all_of(single, IsOneValue))
          return {ApplyToRanges(single)};
        std::vector<Scalars> columns;
        for (size_t k = 0; k < single.size(); ++k)
          columns.push_back(OneScalar(operand_types_[k], single[k]));
        std::vector<const Scalars*> pointers;
        for (const Scalars& column : columns) pointers.push_back(&column);
        return {ApplyToValues(pointers).At(0)};
      })[0];
}

Evaluation ScalarOp::Evaluate(const std::vector<Tensor>& values,
                              const Policy& policy) {
  const int64_t size = values[0].size();
  for (Op::Operand& operand : op_.inputs) operand.type.tensor().shape = {size};
  op_.outputs[0].type.tensor().shape = {size};
  Evaluation evaluation = EvaluateScalars(op_, values, policy, wanted_);
  marks_ |= evaluation.marks;
  return evaluation;
}

Scalars ScalarOp::ApplyToValues(const std::vector<const Scalars*>& operands) {
  std::vector<Tensor> values;
  for (const Scalars* operand : operands) values.push_back(operand->values());
  const Evaluation evaluation = Evaluate(values, policy_);
  const Expectation& expectation = evaluation.outputs[0];
  Scalars result = Scalars::Of(expectation);
  if (may_be_flushed_) {
    for (const auto& [i, possible] :
         PossiblyFlushed(op_, values, policy_, expectation))
      result.Set(i, possible);
  }
  for (const Scalars* operand : operands) {
    if (operand->AllKnown() || !ReadsNanBits(op_, expectation)) continue;
    for (int64_t i = 0; i < result.size(); ++i) {
      if (operand->StateAt(i) != Scalars::State::kAnyNan) continue;
      Possible possible = result.At(i);
      possible.any_nan = true;
      // A NaN that is moved remains one. Whatever else reads its bits may give
      // anything.
      const bool is_moved = !IsTotalOrder(op_) &&
                            PartType(operand->type()) == PartType(result_type_);
      result.Set(i, is_moved ? possible : Possible::Undecided());
    }
  }
  return result;
}

ScalarOp::Ends ScalarOp::EndsOf(const std::vector<Possible>& operands) const {
  if (monotone_ == nullptr || !IsOrdered(result_type_)) return {};
  Ends ends;
  for (size_t k = 0; k < operands.size(); ++k) {
    const ElementType type = operand_types_[k];
    const Possible::Range& range = operands[k].ranges[0];
    if (IsOneValue(operands[k])) {
      // A NaN of any bits has many places in the total order.
      if (IsTotalOrder(op_) && HasNan(type, range.lo)) return {};
      ends.push_back({range.lo});
    } else {
      const auto direction = monotone_->operands.find(op_.inputs[k].name);
      if (direction == monotone_->operands.end() || !IsOrdered(type)) return {};
      ends.push_back(EndsOfRange(
          type, range, direction->second == OpSpec::Direction::kBySign));
    }
    if (!may_be_flushed_ || !HasTiny(type, range, false)) continue;
    // An op that compares may take tiny values as equal, and return any.
    if (spec_.algebra == "order" || !IsOrdered(type)) return {};
    const std::vector<ElementBits> zeros = ZerosOf(type, range);
    ends.back().insert(ends.back().end(), zeros.begin(), zeros.end());
  }
  return ends;
}

Possible ScalarOp::ApplyToRanges(const std::vector<Possible>& operands) {
  const Ends ends = EndsOf(operands);
  if (ends.empty()) return Possible::Undecided();
  const std::vector<Tensor> values = Combined(operand_types_, ends);
  const Evaluation evaluation = Evaluate(values, policy_);
  if (evaluation.undecided > 0) return Possible::Undecided();
  const Expectation& expectation = evaluation.outputs[0];
  bool all_nan = true;
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    if (expectation.IsPartlyOpen(i)) return Possible::Open();
    all_nan &=
        expectation.IsExact(i) && HasNan(result_type_, expectation.lo.Bits(i));
  }
  for (size_t k = 0; k < ends.size() && all_nan; ++k) {
    // A NaN beside ranges makes the result NaN, or is not looked at.
    if (!HasNan(operand_types_[k], ends[k][0])) continue;
    Possible nan = Possible::Value(expectation.lo.Bits(0));
    nan.any_nan = true;
    return nan;
  }
  // Integers that wrap are not monotone. Where they overflow is open here.
  if (policy_.Get("integer_overflow") != "any") {
    const Evaluation strict =
        Evaluate(values, policy_.With("integer_overflow", "any"));
    for (int64_t i = 0; i < expectation.lo.size(); ++i) {
      if (strict.outputs[0].IsPartlyOpen(i)) return Possible::Undecided();
    }
  }
  return Between(evaluation);
}

std::optional<int64_t> ScalarOp::Slack(const Expectation& at_ends) const {
  if (!at_ends.reals) return 0;
  // At r, results may be (ulp - 1/2) units of r off, and are rounded. From r
  // on, r minus that falls below its value at r by no more than as much again,
  // at the next power of two, where the unit doubles; and units of values below
  // a power of two are half as large. So 4 ulp values are enough, with two for
  // roundings, if all of this happens within a binade of r. A special value,
  // which is exact, is covered as well.
  const double ulp = at_ends.reals->budget;
  const int precision = FormatOf(result_type_).precision();
  if (ulp == 0 || ulp > std::ldexp(1.0, precision - 3)) return std::nullopt;
  return static_cast<int64_t>(std::ceil(4 * ulp)) + 2;
}

Possible ScalarOp::Between(const Evaluation& at_ends) const {
  const Expectation& expectation = at_ends.outputs[0];
  const std::optional<int64_t> slack = Slack(expectation);
  if (!slack) return Possible::Undecided();
  std::optional<__int128> lo, hi;
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    for (const Possible::Range& range : PossibleAt(expectation, i).ranges) {
      if (HasNan(result_type_, range.lo)) return Possible::Undecided();
      const __int128 low = OrderedKey(result_type_, range.lo);
      const __int128 high = OrderedKey(result_type_, range.hi);
      lo = lo ? std::min(*lo, low) : low;
      hi = hi ? std::max(*hi, high) : high;
    }
  }
  if (*slack > 0) {
    // No error changes the sign, or goes beyond the range of the function.
    const FloatFormat format = FormatOf(result_type_);
    const auto greatest = static_cast<__int128>(
        format.has_infinity() ? format.infinity_code() : format.max_code());
    __int128 least_key = -greatest - 1, greatest_key = greatest;
    VisitKinds<kFloats>(result_type_, [&]<class T>() {
      const auto key = [&](double end) {
        return OrderedKey(result_type_, T::Round(end).value.ToBits());
      };
      if (spec_.least) least_key = key(*spec_.least);
      if (spec_.greatest) greatest_key = key(*spec_.greatest);
    });
    if (*lo > 0) lo = std::max<__int128>(*lo - *slack, 0);
    if (*lo < -1) lo = std::max(*lo - *slack, std::min(*lo, least_key));
    if (*hi < -1) hi = std::min<__int128>(*hi + *slack, -1);
    if (*hi > 0) hi = std::min(*hi + *slack, std::max(*hi, greatest_key));
  }
  if (!judging::HasKey(result_type_, *hi)) hi = 0;
  const Possible::Range range = {BitsOfKey(result_type_, *lo),
                                 BitsOfKey(result_type_, *hi)};
  Possible possible;
  possible.AddBetween(result_type_, range);
  if (may_be_flushed_ && HasTiny(result_type_, range, true)) {
    for (const ElementBits zero : ZerosOf(result_type_, range))
      possible.Add(result_type_, Possible::Value(zero));
  }
  return possible;
}

}  // namespace assay
