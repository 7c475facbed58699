#include "oracle/flush/flush.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "oracle/flush/least_scale.h"
#include "oracle/flush/possibly_flushed.h"
#include "oracle/pointwise/pointwise.h"

namespace assay {
namespace {

using Inputs = FlushChoice::Inputs;
using Results = FlushChoice::Results;

// Each way for operands has so many ways for results.
constexpr size_t kResultWays = 7;

constexpr std::array<FlushChoice, 3 * kResultWays + 2> kChoices = [] {
  std::array<FlushChoice, 3 * kResultWays + 2> choices;
  size_t n = 0;
  for (const Inputs inputs :
       {Inputs::kKept, Inputs::kSignedZero, Inputs::kPositiveZero}) {
    choices[n++] = {inputs, Results::kKept, true};
    for (const Results results :
         {Results::kBefore, Results::kAfter, Results::kDelivered}) {
      choices[n++] = {inputs, results, true};
      choices[n++] = {inputs, results, false};
    }
  }
  choices[n++] = {Inputs::kComparedFirst, Results::kKept, true};
  choices[n++] = {Inputs::kComparedSecond, Results::kKept, true};
  return choices;
}();

template <class T>
T FlushedOperand(T value, Inputs inputs) {
  if constexpr (IsComplexType<T>) {
    return T(FlushedOperand(value.real(), inputs),
             FlushedOperand(value.imag(), inputs));
  } else {
    if (!value.IsSubnormal()) return value;
    return T::Zero(inputs == Inputs::kSignedZero && value.SignBit());
  }
}

// Sets for each element whether it is subnormal, or, if a result may have been
// rounded to it, the smallest normal value (for f8E8M0FNU its least value).
// Operands of rank 0 are one element.
void MarkTiny(const Tensor& tensor, bool with_min_normal,
              std::vector<uint8_t>* marks) {
  const ElementType part = PartType(tensor.element_type());
  if (!IsFloat(part)) return;
  const int64_t parts = PartCount(tensor.element_type());
  VisitKinds<kFloats>(part, [&]<class T>() {
    for (int64_t i = 0; i < tensor.size() * parts; ++i) {
      const T x = T::FromBits(tensor.As<T>()[i]);
      if (!x.IsSubnormal() &&
          !(with_min_normal && x.magnitude() == T::kFormat.min_normal_code()))
        continue;
      if (tensor.type().shape.empty()) {
        std::ranges::fill(*marks, 1);
      } else {
        (*marks)[static_cast<size_t>(i / parts)] = 1;
      }
    }
  });
}

// Returns the elements of a tensor at these positions; for rank 0, its one
// element.
Tensor Slice(const Tensor& tensor, const std::vector<int64_t>& positions) {
  if (tensor.type().shape.empty()) return tensor;
  Tensor slice(
      {{static_cast<int64_t>(positions.size())}, tensor.element_type()});
  for (size_t i = 0; i < positions.size(); ++i)
    slice.SetBits(static_cast<int64_t>(i), tensor.Bits(positions[i]));
  return slice;
}

// Judges the elements at the positions alone.
Judgement JudgeAt(Expectation expectation, const Tensor& actual,
                  const std::vector<int64_t>& positions) {
  std::vector<uint8_t> is_judged(static_cast<size_t>(actual.size()));
  for (const int64_t i : positions) is_judged[static_cast<size_t>(i)] = 1;
  for (int64_t i = 0; i < actual.size(); ++i) {
    if (is_judged[static_cast<size_t>(i)] == 0) expectation.SetOpen(i);
  }
  return Judge(expectation, actual);
}

}  // namespace

std::span<const FlushChoice> FlushChoices() { return kChoices; }

namespace {

std::string OperandsText(const FlushChoice& choice) {
  constexpr std::array kTexts = {
      "operands kept", "operands to a zero of their sign", "operands to +0",
      "operands compared as zeros and the first of equals returned as it is",
      "operands compared as zeros and the second of equals returned as it is"};
  return kTexts[static_cast<size_t>(choice.inputs)];
}

std::string ResultsText(const FlushChoice& choice) {
  constexpr std::array kTexts = {"results kept",
                                 "results that are tiny before rounding",
                                 "results that are tiny after rounding",
                                 "results that are delivered subnormal"};
  std::string text = kTexts[static_cast<size_t>(choice.results)];
  if (choice.results != Results::kKept)
    text += choice.keeps_sign ? " to a zero of their sign" : " to +0";
  return text;
}

}  // namespace

std::string FlushChoice::Text() const {
  if (OnlyCompares()) return OperandsText(*this);
  return fmt::format("{}, {}", OperandsText(*this), ResultsText(*this));
}

std::string FlushSetText(FlushSet set) {
  // If keeping explains the results of an op without a comparison, so does
  // every way in which only comparisons flush.
  constexpr FlushSet kProducts = (FlushSet{1} << 3 * kResultWays) - 1;
  if ((set & 1) != 0) set &= kProducts;
  // Most sets are all combinations of some ways for operands and some for
  // results, which is clearer and shorter than a list of them.
  std::vector<std::string> all, operands, results;
  for (size_t n = 0; n < kChoices.size(); ++n) {
    if ((set >> n & 1) != 0) all.push_back(kChoices[n].Text());
  }
  if (all.empty()) return "none";
  if ((set & ~kProducts) != 0)
    return fmt::format("{}", fmt::join(all, "; or "));
  FlushSet results_set = 0;
  for (size_t inputs = 0; inputs < 3; ++inputs) {
    const FlushSet row =
        set >> (inputs * kResultWays) & ((1u << kResultWays) - 1);
    if (row == 0) continue;
    operands.push_back(OperandsText(kChoices[inputs * kResultWays]));
    if (results_set != 0 && row != results_set)
      return fmt::format("{}", fmt::join(all, "; or "));
    results_set = row;
  }
  if (results_set == (1u << kResultWays) - 1) {
    results = {"results in any way"};
  } else {
    for (size_t n = 0; n < kResultWays; ++n) {
      if ((results_set >> n & 1) != 0)
        results.push_back(ResultsText(kChoices[n]));
    }
  }
  return fmt::format("{}, {}", fmt::join(operands, " or "),
                     fmt::join(results, " or "));
}

Tensor FlushChoice::Operand(const Tensor& tensor) const {
  const ElementType type = tensor.element_type();
  if (inputs == Inputs::kKept || OnlyCompares() ||
      !(IsFloat(type) || IsComplex(type)))
    return tensor;
  return VisitKinds<kFloats | kComplexes>(type, [&]<class T>() {
    Tensor flushed(tensor.type());
    for (int64_t i = 0; i < tensor.size(); ++i) {
      flushed.As<T>()[i] =
          FlushedOperand(T::FromBits(tensor.As<T>()[i]), inputs).ToBits();
    }
    return flushed;
  });
}

bool CanFlush(const OpSpec& spec, const Op& op, const Policy& policy) {
  if (spec.rule == "bits") return false;
  // An op of several steps says itself what flushing makes of each.
  if (!spec.elementwise) return false;
  // The ops of a function flush, each on its own.
  if (op.callee != nullptr ||
      std::ranges::any_of(spec.inputs, [](const InputSpec& input) {
        return input.kind == InputSpec::Kind::kFunction;
      }))
    return false;
  const auto has_subnormals = [&](const TensorType& type) {
    if (HasLeastScale(type, policy)) return true;
    return VisitElementType(type.element_type,
                            []<class T>() { return kHasSubnormals<T>; });
  };
  return std::ranges::any_of(op.inputs, has_subnormals, &Op::Operand::type) ||
         std::ranges::any_of(op.outputs, has_subnormals, &Op::Result::type);
}

bool MayBeFlushed(const Op& op, const Policy& policy) {
  return CanFlush(*FindOp(op.op), op, policy) &&
         policy.Get("subnormals") == "flush_uniformly";
}

namespace {

// Judging is element by element: operands of another shape are broadcast. Those
// of rank 0 keep their rank, because promotion depends on it.
std::vector<Tensor> OperandsByElement(const std::vector<Tensor>& inputs,
                                      const Policy& policy,
                                      const Tensor& actual) {
  std::vector<Tensor> operands;
  for (const Tensor& input : inputs) {
    operands.push_back(input.type().shape.empty()
                           ? input
                           : BroadcastTo(input, actual.type().shape, policy));
  }
  return operands;
}

std::vector<uint8_t> MarksOf(const std::vector<Tensor>& operands,
                             const Policy& policy, const Tensor& actual) {
  std::vector<uint8_t> marks(static_cast<size_t>(actual.size()));
  MarkTiny(actual, /*with_min_normal=*/true, &marks);
  for (const Tensor& operand : operands)
    MarkTiny(operand, HasLeastScale(operand.type(), policy), &marks);
  return marks;
}

// The elements of a call at some positions, as a call of their own.
struct SlicedCall {
  // `operands` have the shape of the result, or rank 0.
  SlicedCall(const Op& whole, const std::vector<Tensor>& operands,
             const Shape& shape, const std::vector<int64_t>& positions)
      : op(whole) {
    for (size_t k = 0; k < operands.size(); ++k) {
      inputs.push_back(Slice(operands[k], positions));
      op.inputs[k].type = inputs.back().type();
    }
    for (Op::Result& output : op.outputs) {
      output.type.tensor().shape.clear();
      if (!shape.empty()) output.type.tensor().shape = {std::ssize(positions)};
    }
  }

  Op op;
  std::vector<Tensor> inputs;
};

}  // namespace

std::vector<uint8_t> AffectedByFlushing(const std::vector<Tensor>& inputs,
                                        const Policy& policy,
                                        const Expectation& kept) {
  std::vector<uint8_t> marks =
      MarksOf(OperandsByElement(inputs, policy, kept.lo), policy, kept.lo);
  MarkTiny(kept.hi, /*with_min_normal=*/true, &marks);
  return marks;
}

std::map<int64_t, Possible> PossiblyFlushed(const Op& op,
                                            const std::vector<Tensor>& inputs,
                                            const Policy& policy,
                                            const Expectation& kept) {
  const std::vector<uint8_t> affected =
      AffectedByFlushing(inputs, policy, kept);
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < kept.lo.size(); ++i) {
    if (affected[static_cast<size_t>(i)] != 0) positions.push_back(i);
  }
  std::map<int64_t, Possible> possible;
  if (positions.empty()) return possible;
  const SlicedCall sliced(op, OperandsByElement(inputs, policy, kept.lo),
                          kept.lo.type().shape, positions);
  for (const FlushChoice& choice : kChoices) {
    const Evaluation evaluation =
        Evaluate(sliced.op, sliced.inputs, policy, Marks::kNone, &choice);
    const Expectation& result = evaluation.outputs[0];
    for (size_t i = 0; i < positions.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const bool is_undecided = evaluation.undecided > 0 && result.IsOpen(at);
      possible[positions[i]].Add(
          result.lo.element_type(),
          is_undecided ? Possible::Undecided() : PossibleAt(result, at));
    }
  }
  return possible;
}

FlushJudgement JudgeFlush(const Op& op, const std::vector<Tensor>& inputs,
                          const Policy& policy, const Tensor& actual,
                          size_t n) {
  FlushJudgement judgement;
  const std::vector<Tensor> operands =
      OperandsByElement(inputs, policy, actual);
  const Evaluation kept = Evaluate(op, inputs, policy, Marks::kNone);
  judgement.best = Judge(kept.outputs[n], actual);
  // Every choice agrees on the elements that have nothing tiny and are as
  // without flushing. Most are such.
  std::vector<uint8_t>& affected = judgement.affected;
  affected = MarksOf(operands, policy, actual);
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < actual.size(); ++i) {
    if (affected[static_cast<size_t>(i)] != 0 ||
        (!judgement.best.ok() && !Accepts(kept.outputs[n], actual, i)))
      positions.push_back(i);
  }
  if (positions.empty()) return judgement;
  const SlicedCall sliced(op, operands, actual.type().shape, positions);
  const Tensor results = Slice(actual, positions);

  const auto position = [&](int64_t failed) {
    return failed < 0 ? failed : positions[static_cast<size_t>(failed)];
  };
  std::vector<FlushSet> rejected(positions.size(), 0);
  for (size_t choice = 0; choice < kChoices.size(); ++choice) {
    const Evaluation evaluation = Evaluate(sliced.op, sliced.inputs, policy,
                                           Marks::kNone, &kChoices[choice]);
    const Judgement one = Judge(evaluation.outputs[n], results);
    if (one.failed < judgement.best.failed) {
      judgement.best.failed = one.failed;
      judgement.best.worst_error = one.worst_error;
      judgement.best.first_failed = position(one.first_failed);
      judgement.best.worst_failed = position(one.worst_failed);
    }
    if (one.ok()) continue;
    judgement.survivors &= ~(FlushSet{1} << choice);
    for (int64_t i = one.first_failed; i < results.size(); ++i) {
      if (!Accepts(evaluation.outputs[n], results, i))
        rejected[static_cast<size_t>(i)] |= FlushSet{1} << choice;
    }
  }
  // Witnesses are chosen greedily: the element that rejects most of the
  // remaining choices comes next.
  FlushSet left = kAllFlushChoices & ~judgement.survivors;
  while (left != 0) {
    const auto most = std::ranges::max_element(
        rejected, {}, [&](FlushSet set) { return std::popcount(set & left); });
    judgement.witnesses.push_back(
        {positions[static_cast<size_t>(most - rejected.begin())],
         kAllFlushChoices & ~*most});
    left &= ~*most;
  }
  std::vector<int64_t> unexplained;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (rejected[i] == kAllFlushChoices) unexplained.push_back(positions[i]);
  }
  if (!unexplained.empty())
    judgement.unexplained = JudgeAt(kept.outputs[n], actual, unexplained);
  return judgement;
}

}  // namespace assay
