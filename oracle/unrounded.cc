#include "oracle/unrounded.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/allowed_range.h"
#include "oracle/scalar_op.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

using judging::BitsOfKey;
using judging::OrderedKey;

bool IsOfFloats(const ValueType& type) {
  const TensorType* const tensor = type.AsTensor();
  return tensor != nullptr &&
         (IsFloat(tensor->element_type) || IsComplex(tensor->element_type));
}

bool HasFunctions(const Op& op) {
  return !op.regions.empty() || op.callee != nullptr;
}

bool IsProduct(const OpSpec& spec) { return spec.algebra == "ring_product"; }
bool IsSum(const OpSpec& spec) { return spec.algebra == "ring_sum"; }

// Returns whether a product of floats is an op of the function.
bool HasProduct(const Function& function) {
  return std::ranges::any_of(function.body, [](const Op& op) {
    return (IsProduct(*FindOp(op.op)) && IsOfFloats(op.outputs[0].type)) ||
           std::ranges::any_of(op.regions, HasProduct) ||
           (op.callee != nullptr && HasProduct(*op.callee));
  });
}

// Returns NaN for an integer that a double may not have.
double AsDouble(ElementType type, ElementBits bits) {
  if (IsInteger(type)) {
    return VisitKinds<kIntegers>(type, [&]<class T>() {
      const auto value = static_cast<double>(
          T::FromBits(static_cast<typename T::Bits>(bits)).value());
      return std::abs(value) > 0x1p53 ? std::numeric_limits<double>::quiet_NaN()
                                      : value;
    });
  }
  return VisitKinds<kFloats>(type, [&]<class T>() {
    return T::FromBits(static_cast<typename T::Bits>(bits)).ToDouble();
  });
}

// Returns whether a sum of doubles is exact (Knuth's TwoSum).
bool IsExactSum(double a, double b, double sum) {
  const double of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b) == 0;
}

}  // namespace

ExcessPrecision::ExcessPrecision(const Policy& policy)
    : below_f32_(policy.Get("excess_precision") != "no"),
      f32_(policy.Get("excess_precision") == "allowed") {}

bool ExcessPrecision::Allows(ElementType type) const {
  if (!IsFloat(type)) return false;
  return Info(type).bits < 32 ? below_f32_ : f32_ && type == ElementType::kF32;
}

Unrounded::Unrounded(const Policy& policy)
    : contracts_(policy.Get("contraction") == "allowed"), excess_(policy) {}

bool Unrounded::HasExcess(const ValueType& type) const {
  return IsOfFloats(type) &&
         excess_.Allows(PartType(type.tensor().element_type));
}

bool Unrounded::MayTake(const Op& op) const {
  const bool takes_narrow = std::ranges::any_of(
      op.inputs,
      [&](const Op::Operand& operand) { return HasExcess(operand.type); });
  if (takes_narrow && ScalarOp::Is(op) && FindOp(op.op)->rule != "bits")
    return true;
  return contracts_ && IsSum(*FindOp(op.op)) && op.inputs.size() == 2;
}

bool Unrounded::MayGive(const Op& op, size_t output) const {
  const ValueType& type = op.outputs[output].type;
  if (!IsOfFloats(type)) return false;
  // An op of a function may have given it.
  if (HasFunctions(op))
    return HasExcess(type) ||
           (contracts_ && (std::ranges::any_of(op.regions, HasProduct) ||
                           (op.callee != nullptr && HasProduct(*op.callee))));
  if (!ScalarOp::Is(op)) return false;
  const OpSpec& spec = *FindOp(op.op);
  return HasExcess(type) ? spec.rule != "bits" : contracts_ && IsProduct(spec);
}

bool Unrounded::PassesOn(const Op& op, size_t output) const {
  if (!Any() || !IsOfFloats(op.outputs[output].type)) return false;
  const OpSpec& spec = *FindOp(op.op);
  const bool passes_as_it_is = spec.control && !HasFunctions(op);
  // Bits that are taken for another type were rounded before.
  const bool is_of_bits =
      spec.rule == "bits" &&
      std::ranges::all_of(op.inputs, [&](const auto& in) {
        return !IsOfFloats(in.type) ||
               PartType(in.type.tensor().element_type) ==
                   PartType(op.outputs[output].type.tensor().element_type);
      });
  return spec.moves || is_of_bits || passes_as_it_is ||
         (!MayTake(op) && IsSum(spec) && op.inputs.size() == 1);
}

bool Unrounded::IsRounded(const Op& op,
                          const std::vector<ElementBits>& operands,
                          ElementBits result) {
  if (HasFunctions(op)) return true;
  const ElementType type = op.outputs[0].type.tensor().element_type;
  const ElementType from = op.inputs[0].type.tensor().element_type;
  const OpSpec& spec = *FindOp(op.op);
  if (spec.algebra == "order") return false;  // it is one of the operands
  if (!IsFloat(type) || (!IsFloat(from) && !IsInteger(from))) return true;
  const double a = AsDouble(from, operands[0]), r = AsDouble(type, result);
  // A NaN is what it is in any precision, unless it stands for a number that is
  // too large for a format without infinity.
  if (std::isnan(r)) {
    bool is_of_nan = false;
    for (size_t k = 0; k < operands.size(); ++k)
      is_of_nan |= HasNan(op.inputs[k].type.tensor().element_type, operands[k]);
    return !FormatOf(type).has_infinity() && !is_of_nan;
  }
  if (operands.size() == 1) {
    // The sine of a number is not exact where it rounds to this number. Of the
    // ops that are exactly rounded, those that keep the type round nothing but
    // what their clauses say.
    const bool is_exact_op = spec.rule == "exact" && !spec.may_have_budget;
    if (is_exact_op && from == type) return false;
    return std::abs(r) != std::abs(a) || (r != 0 && !is_exact_op);
  }
  if (operands.size() != 2 || from != type) return true;
  const double b = AsDouble(type, operands[1]);
  if (!std::isfinite(r))
    return std::isfinite(a) && std::isfinite(b) && (b != 0 || IsSum(spec));
  if (IsProduct(spec)) {
    // The error of a product of doubles is a double unless it is tiny.
    const bool is_safe = r == 0 ? a == 0 || b == 0 : std::abs(r) > 0x1p-900;
    return !is_safe || std::fma(a, b, -r) != 0;
  }
  if (IsSum(spec)) {
    const double addend = spec.commutative ? b : -b;
    return a + addend != r || !IsExactSum(a, addend, r);
  }
  return true;
}

Possible Unrounded::Widened(ElementType type, const Possible& rounded) {
  if (rounded.kind != Possible::Kind::kRanges) return rounded;
  if (!IsFloat(type)) return Possible::Undecided();
  // Beyond the ends of a format without infinity there are numbers that have
  // no code, and these or NaN stand for them.
  const FloatFormat format = FormatOf(type);
  const auto greatest = static_cast<__int128>(
      format.has_infinity() ? format.infinity_code() : format.max_code());
  Possible widened = rounded;
  const __int128 least = format.has_sign ? -greatest - 1 : 0;
  for (Possible::Range& range : widened.ranges) {
    const bool is_nan = HasNan(type, range.lo) || HasNan(type, range.hi);
    if (!format.has_infinity() &&
        (is_nan || OrderedKey(type, range.lo) <= least ||
         OrderedKey(type, range.hi) >= greatest))
      return Possible::Undecided();
    if (is_nan) continue;
    __int128 lo = std::max(OrderedKey(type, range.lo) - 1, least);
    __int128 hi = std::min(OrderedKey(type, range.hi) + 1, greatest);
    if (!judging::HasKey(type, lo)) --lo;
    if (!judging::HasKey(type, hi)) ++hi;
    range = {BitsOfKey(type, lo), BitsOfKey(type, hi)};
  }
  return widened;
}

}  // namespace assay
