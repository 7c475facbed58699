// Most values of a program are exact. If one has a range, the ops behind it are
// monotone in it (a product, a sum, a conversion to a narrower float), so that
// the range of the result lies between the results of its ends; but not for i1.
#include "oracle/pointwise/pointwise.h"

#include <algorithm>
#include <array>
#include <map>

#include "oracle/broken_clause.h"
#include "oracle/nan_bits.h"
#include "oracle/pointwise/contraction_and_precision.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

using Values = std::map<std::string, Expectation, std::less<>>;

bool IsExact(const Expectation& e) {
  return e.lo.data() == e.hi.data() && e.alternatives.empty() &&
         std::ranges::all_of(e.flags, [](ElementFlags f) {
           return f == 0 || f == Expectation::kAnyNan;
         });
}

bool IsConversion(const Op& op) {
  return op.op == "convert" || op.op == "broadcast_in_dim";
}

// Compares in the order of the type, with -0 below +0; NaNs are excluded.
template <class T>
bool IsBelow(T a, T b) {
  if (a.IsZero() && b.IsZero()) return a.SignBit() && !b.SignBit();
  return QuietLess(a, b);
}

// Widens `*result` to what `other`, the same op on the other ends, allows.
void JoinEnds(const Expectation& other, Expectation* result) {
  const ElementType type = result->lo.element_type();
  Tensor lo(result->lo.type()), hi(result->lo.type());
  for (int64_t i = 0; i < lo.size(); ++i) {
    const ElementBits a[] = {result->lo.Bits(i), result->hi.Bits(i),
                             other.lo.Bits(i), other.hi.Bits(i)};
    lo.SetBits(i, a[0]);
    hi.SetBits(i, a[1]);
    if (a[0] == a[2] && a[1] == a[3]) continue;
    result->Clear(Expectation::kEither, i);
    const bool is_ordered =
        IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
          const auto value = [](ElementBits bits) {
            return T::FromBits(static_cast<typename T::Bits>(bits));
          };
          if (std::ranges::any_of(
                  a, [&](ElementBits b) { return value(b).IsNan(); }))
            return false;
          for (const ElementBits bits : a) {
            if (IsBelow(value(bits), value(lo.Bits(i)))) lo.SetBits(i, bits);
            if (IsBelow(value(hi.Bits(i)), value(bits))) hi.SetBits(i, bits);
          }
          return true;
        });
    if (!is_ordered) result->SetOpen(i);
  }
  result->lo = lo;
  result->hi = hi;
}

// Returns the flags of a converted NaN, because a format need not have one.
ElementFlags FlagOfNan(Op convert, const Policy& policy) {
  TensorType& from = convert.inputs[0].type.tensor();
  TensorType& to = convert.outputs[0].type.tensor();
  if (!IsFloat(from.element_type) || !IsFloat(to.element_type) ||
      FormatOf(to.element_type).has_nan())
    return Expectation::kOrNan;
  from.shape = to.shape = {};
  Tensor nan(from);
  nan.SetBits(0, FormatOf(from.element_type).nan_code());
  const Expectation zero =
      Evaluate(convert, {nan}, policy, Marks::kNone).outputs[0];
  if (zero.IsOpen(0)) return Expectation::kOpen;
  const bool negative =
      (zero.lo.Bits(0) & FormatOf(to.element_type).sign_bit()) != 0;
  return negative ? Expectation::kOrMinusZero : Expectation::kOrPlusZero;
}

// Returns the flags of a converted operand.
ElementFlags FlagsOfConverted(const Op& convert, ElementFlags flags,
                              const Policy& policy) {
  if (convert.op != "convert") return flags;
  // If the operand is either of two values, the range has both, and everything
  // between.
  flags = static_cast<ElementFlags>(flags & ~Expectation::kEither);
  if ((flags & Expectation::kOrNan) == 0) return flags;
  return static_cast<ElementFlags>((flags & ~Expectation::kOrNan) |
                                   FlagOfNan(convert, policy));
}

// Carries the flags of an operand's elements to the result. A conversion keeps
// them; an op that gets more than one value may give anything.
void CarryFlags(const Op& op, const Expectation& operand, const Policy& policy,
                Expectation* result) {
  if (operand.flags.empty() && operand.alternatives.empty()) return;
  Tensor flags(TensorType{operand.lo.type().shape, ElementType::kUi16});
  for (int64_t i = 0; i < flags.size(); ++i)
    flags.SetBits(i, operand.flags.empty()
                         ? ElementFlags{0}
                         : operand.flags[static_cast<size_t>(i)]);
  for (const Expectation::Alternative& other : operand.alternatives)
    flags.SetBits(other.element, Expectation::kOpen);
  flags = BroadcastTo(flags, result->lo.type().shape, policy);
  for (int64_t i = 0; i < flags.size(); ++i) {
    const auto flag = static_cast<ElementFlags>(flags.Bits(i));
    if (flag == 0) continue;
    result->Set(IsConversion(op) ? FlagsOfConverted(op, flag, policy)
                                 : Expectation::kOpen,
                i);
  }
}

// Returns whether the range of a float, or of the real part of a complex
// number, lies on both sides of zero.
bool Straddles(const Expectation& value, int64_t i) {
  const ElementType type = value.lo.element_type();
  const ElementBits lo = PartOf(type, value.lo.Bits(i), 0);
  const ElementBits hi = PartOf(type, value.hi.Bits(i), 0);
  return VisitKinds<kFloats>(PartType(type), [&]<class T>() {
    const auto of = [](ElementBits bits) {
      return T::FromBits(static_cast<typename T::Bits>(bits));
    };
    return QuietLess(of(lo), T::Zero(false)) &&
           QuietLess(T::Zero(false), of(hi));
  });
}

// A range that holds zero and other numbers becomes false and true as i1,
// whatever its ends are.
void OpenBooleans(const Expectation& operand, Expectation* result) {
  if (!IsFloat(PartType(operand.lo.element_type())) ||
      !IsBoolean(result->lo.element_type()))
    return;
  for (int64_t i = 0; i < result->lo.size(); ++i) {
    if (Straddles(operand, i)) result->SetOpen(i);
  }
}

bool IsNan(const Tensor& tensor, int64_t i) {
  return VisitKinds<kFloats>(tensor.element_type(), [&]<class T>() {
    return T::FromBits(tensor.As<T>()[i]).IsNan();
  });
}

// The product of an infinity and of a range with zero inside may be NaN as
// well, although it is a number at both ends.
void AddNansOfZeros(const OpCall& call, const Op& step, const Values& values,
                    Expectation* result) {
  if (!IsFloat(result->lo.element_type())) return;
  std::vector<Tensor> operands;
  bool has_zeros = false;
  for (const Op::Operand& operand : step.inputs) {
    const Expectation& value = values.at(operand.value);
    Tensor zeros = value.lo;
    if (IsFloat(zeros.element_type())) {
      for (int64_t i = 0; i < zeros.size(); ++i) {
        if (!Straddles(value, i)) continue;
        zeros.SetBits(i, 0);
        has_zeros = true;
      }
    }
    operands.push_back(std::move(zeros));
  }
  if (!has_zeros) return;
  const Evaluation at_zeros =
      Evaluate(step, operands, call.policy, Marks::kNone);
  for (int64_t i = 0; i < result->lo.size(); ++i) {
    if (IsNan(at_zeros.outputs[0].lo, i) && !IsNan(result->lo, i) &&
        !IsNan(result->hi, i))
      result->Set(Expectation::kOrNan, i);
  }
}

// A conversion gives any NaN for a NaN. An op that moves it moves those bits,
// and the total order depends on them.
void FreeNans(const Op& step, const Expectation& operand, const Policy& policy,
              Expectation* result) {
  const ElementType type = operand.lo.element_type();
  const ElementType part = PartType(type);
  if (operand.keeps_nans || !IsFloat(part)) return;
  if (step.op == "broadcast_in_dim") {
    result->keeps_nans = false;
    return;
  }
  if (!ReadsNanBits(step, *result)) return;
  const Tensor seen = BroadcastTo(operand.lo, result->lo.type().shape, policy);
  for (int64_t i = 0; i < seen.size(); ++i) {
    bool is_nan = false;
    for (int p = 0; p < PartCount(type); ++p)
      is_nan |= VisitKinds<kFloats>(part, [&]<class T>() {
        return T::FromBits(
                   static_cast<typename T::Bits>(PartOf(type, seen.Bits(i), p)))
            .IsNan();
      });
    if (is_nan)
      result->Set(
          IsTotalOrder(step) ? Expectation::kOpen : Expectation::kAnyNan, i);
  }
}

Expectation EvaluateStep(const OpCall& call, const Op& step,
                         const Values& values, Evaluation* whole) {
  std::vector<Tensor> lo, hi;
  bool is_exact = true;
  for (const Op::Operand& operand : step.inputs) {
    const Expectation& value = values.at(operand.value);
    lo.push_back(value.lo);
    hi.push_back(value.hi);
    is_exact = is_exact && IsExact(value);
  }
  // Hardware that flushes does so where it computes.
  const FlushChoice* const flush = IsConversion(step) ? nullptr : call.flush;
  Evaluation evaluation = Evaluate(step, lo, call.policy, Marks::kNone, flush);
  for (size_t tier = 0; tier < evaluation.tiers.size(); ++tier)
    whole->tiers[tier] += evaluation.tiers[tier];
  whole->undecided += evaluation.undecided;
  Expectation result = std::move(evaluation.outputs[0]);
  for (const Op::Operand& operand : step.inputs) {
    const Expectation& value = values.at(operand.value);
    result.follows_budget |= value.follows_budget || value.reals.has_value();
  }
  for (const Op::Operand& operand : step.inputs)
    FreeNans(step, values.at(operand.value), call.policy, &result);
  if (is_exact) return result;
  result.reals.reset();
  const Evaluation other = Evaluate(step, hi, call.policy, Marks::kNone, flush);
  JoinEnds(other.outputs[0], &result);
  for (int64_t i = 0; i < result.lo.size(); ++i) {
    constexpr auto kNotOfRange =
        static_cast<ElementFlags>(~Expectation::kEither);
    if (other.outputs[0].Has(kNotOfRange, i))
      result.Set(other.outputs[0].flags[static_cast<size_t>(i)] & kNotOfRange,
                 i);
  }
  for (const Expectation::Alternative& of_end : other.outputs[0].alternatives)
    result.SetOpen(of_end.element);
  AddNansOfZeros(call, step, values, &result);
  for (const Op::Operand& operand : step.inputs)
    CarryFlags(step, values.at(operand.value), call.policy, &result);
  if (step.op == "convert")
    OpenBooleans(values.at(step.inputs[0].value), &result);
  return result;
}

bool HasFreeRounding(const Op& call) { return call.op == "pointwise.add_func"; }

void AddFreelyRounded(const OpCall& call, const std::vector<Op>& steps,
                      const Values& values, Expectation* result) {
  const auto operand = [&](const char* op, size_t number) -> const Tensor& {
    const Op& step = *std::ranges::find(steps, op, &Op::op);
    return values.at(step.inputs[number].value).lo;
  };
  AddFreelyRounded(operand("add", 0), operand("multiply", 0),
                   operand("multiply", 1), call.policy, result);
}

Values OperandsOf(const OpCall& call) {
  Values values;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    Expectation value(TensorType{{}, call.inputs[i].element_type()});
    value.lo = value.hi = call.inputs[i];
    value.keeps_nans = true;
    values.emplace(call.op.inputs[i].value, std::move(value));
  }
  return values;
}

// Returns the clauses that a call depends on, by number.
std::vector<int> ClausesOfCall(const Op& call, const PointwiseCall& analysed) {
  std::vector<int> clauses = {8};
  const auto add = [&](int number, bool applies) {
    if (applies) clauses.push_back(number);
  };
  const auto any = [&](auto predicate) {
    return std::ranges::any_of(call.inputs, predicate);
  };
  using Operand = Op::Operand;
  const Shape& shape = *analysed.shape;
  const Promotion& promotion = analysed.promotions[0];
  const auto other_shape = [&](const Operand& o) {
    return o.type.tensor().shape != shape;
  };
  add(2, any([&](const Operand& o) {
        return o.type.tensor().shape.size() != shape.size();
      }));
  add(4, any(&Operand::is_scalar) &&
             any([](const Operand& o) { return !o.is_scalar; }));
  add(7, any(other_shape));
  add(10, any(other_shape));
  add(12, any([&](const Operand& o) {
        return o.type.tensor().element_type != promotion.result;
      }));
  add(20, any([&](const Operand& o) {
        return o.is_scalar &&
               o.type.tensor().element_type != promotion.computation;
      }));
  add(29, call.outputs.size() > 1);
  add(40, HasFreeRounding(call));
  add(41, HasFreeRounding(call));
  for (const PromotionRule& rule : analysed.rules)
    add(22 + static_cast<int>(rule.method), true);
  return clauses;
}

}  // namespace

Tensor BroadcastTo(const Tensor& tensor, const Shape& shape,
                   const Policy& policy) {
  if (tensor.type().shape == shape) return tensor;
  const Op op = BroadcastOp({"operand", tensor.type()}, shape, "result");
  return Evaluate(op, {tensor}, policy, Marks::kNone).outputs[0].lo;
}

void DecideAll(const OpCall& call, std::string_view family,
               const std::vector<int>& clauses, Evaluation* evaluation) {
  if (call.marks == Marks::kNone) return;
  for (const int clause : clauses) evaluation->marks |= uint64_t{1} << clause;
#ifdef ASSAY_BREAK_CLAUSES
  if (std::ranges::find(clauses, BrokenClauseOf(family)) == clauses.end())
    return;
  for (Expectation& output : evaluation->outputs) {
    Tensor other(output.lo.type());
    for (int64_t i = 0; i < other.size(); ++i)
      other.SetBits(i, VisitElementType(other.element_type(), [&]<class T>() {
                      return static_cast<ElementBits>(
                          Broken(T::FromBits(static_cast<typename T::Bits>(
                                     output.lo.Bits(i))))
                              .ToBits());
                    }));
    output.lo = output.hi = other;
    output.alternatives.clear();
  }
#else
  static_cast<void>(family);
#endif
}

Evaluation EvaluatePointwise(const OpCall& call) {
  const OpSpec& spec = *FindOp(call.op.op);
  const PointwiseCall analysed = AnalyseOperands(spec, call.op);
  Evaluation evaluation;
  for (size_t k = 0; k < call.op.outputs.size(); ++k) {
    Values values = OperandsOf(call);
    const std::vector<Op> steps = Desugar(spec, call.op, analysed, k);
    for (const Op& step : steps)
      values.insert_or_assign(step.outputs[0].value,
                              EvaluateStep(call, step, values, &evaluation));
    Expectation& result = evaluation.outputs.emplace_back(
        std::move(values.at(call.op.outputs[k].value)));
    if (HasFreeRounding(call.op))
      AddFreelyRounded(call, steps, values, &result);
  }
  DecideAll(call, kPointwise, ClausesOfCall(call.op, analysed), &evaluation);
  return evaluation;
}

std::vector<DecidingClause> PointwiseClausesOf(const OpCall& call,
                                               int64_t index, size_t output) {
  const OpSpec& spec = *FindOp(call.op.op);
  const PointwiseCall analysed = AnalyseOperands(spec, call.op);
  std::vector<DecidingClause> clauses;
  Values values = OperandsOf(call);
  Evaluation evaluation;
  for (const Op& step : Desugar(spec, call.op, analysed, output)) {
    std::vector<Tensor> inputs;
    for (const Op::Operand& operand : step.inputs)
      inputs.push_back(values.at(operand.value).lo);
    // An operand that is converted before it is broadcast is at another index.
    const bool is_here = step.op != "broadcast_in_dim" &&
                         step.outputs[0].type.tensor().shape ==
                             call.op.outputs[output].type.tensor().shape;
    if (is_here) {
      for (const DecidingClause& clause :
           ClausesOf(step, inputs, call.policy, index))
        clauses.push_back(clause);
    }
    values.insert_or_assign(step.outputs[0].value,
                            EvaluateStep(call, step, values, &evaluation));
  }
  for (const int number : ClausesOfCall(call.op, analysed)) {
    // These clauses are about shapes and arguments in general; any other that
    // applies says more.
    constexpr std::array kGeneral = {2, 4, 8, 10, 29};
    const ClauseSpec* clause = spec.Clause(number);
    ASSAY_CHECK(clause != nullptr);
    if (std::ranges::find(kGeneral, number) == kGeneral.end())
      clauses.push_back({kPointwise, clause});
  }
  return clauses;
}

}  // namespace assay
