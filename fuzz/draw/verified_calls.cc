#include "fuzz/draw/verified_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fuzz/draw/call_sketch.h"
#include "fuzz/proposals/fitting_functions.h"

namespace assay {
namespace {

constexpr int kMostChanges = 60;

int CountTrue(const OpSpec& spec, const Op& call) {
  return static_cast<int>(std::ranges::count(
      CheckConstraints(spec, call), Truth::kTrue, &ConstraintResult::truth));
}

// Constraints of some ops leave shapes of quantized results open that are
// inferred.
bool IsAsInferred(const OpSpec& spec, const Op& call) {
  const std::vector<InferredType> inferred = InferResultTypes(spec, call);
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    const TensorType* type = call.outputs[i].type.AsTensor();
    const InferredType* of = FindInferred(inferred, call, i);
    if (type == nullptr || of == nullptr) continue;
    if (of->shape && *of->shape != type->shape) return false;
    if (of->element_type && *of->element_type != type->element_type)
      return false;
  }
  return true;
}

// Shapes of tensors in tuples are not searched: results are made a tuple of the
// operands or a member of one, where a constraint holds then.
void FitTuples(const OpSpec& spec, Op* call) {
  const auto is_tuple = [](const auto& member) {
    return member.kind == InputSpec::Kind::kTuple;
  };
  if (std::ranges::none_of(spec.inputs, is_tuple) &&
      std::ranges::none_of(spec.outputs, is_tuple))
    return;
  std::vector<ValueType> types(1);
  TupleType all;
  for (const Op::Operand& operand : call->inputs) {
    all.types.push_back(operand.type);
    if (const TupleType* tuple = operand.type.AsTuple())
      types.insert(types.end(), tuple->types.begin(), tuple->types.end());
  }
  types[0] = std::move(all);
  for (Op::Result& result : call->outputs) {
    int most = CountTrue(spec, *call);
    for (const ValueType& type : types) {
      const ValueType before = std::exchange(result.type, type);
      if (const int holds = CountTrue(spec, *call); holds > most)
        most = holds;
      else
        result.type = before;
    }
  }
}

}  // namespace

std::optional<Op> VerifiedCalls::Draw(const OpSpec& spec,
                                      std::string_view violated,
                                      bool is_quantized, const SearchGoal& goal,
                                      Choices* choices) {
  CallSearch& search = searches_.try_emplace(&spec, spec).first->second;
  CallSketch sketch(spec, !violated.empty(), is_quantized, choices);
  SearchGoal of_sketch = goal;
  of_sketch.violated = violated;
  of_sketch.finish = [&](Op* found) {
    if (TakesFunctions(spec)) FitFunctions(spec, violated, choices, found);
    if (violated.empty() || choices->OneIn(Topic::kForm, 2))
      FitTuples(spec, found);
  };
  // How far the sketch is from one of which shapes may be found.
  const auto distance = [&] {
    of_sketch.absent = sketch.absent();
    const CallSearch::ByTypes judged = search.Judge(sketch.op(), of_sketch);
    int others = 0;
    for (const std::string_view label : judged.false_labels)
      others += label != violated;
    return 2 * others + (judged.is_feasible ? 0 : 1);
  };
  int least = distance();
  constexpr int kTries = 6;
  int tries = 0;
  for (int changes = 0; changes < kMostChanges; ++changes) {
    if (least == 0) {
      Op call = sketch.op();
      if (search.Complete(of_sketch, choices, &call) &&
          (!violated.empty() || IsAsInferred(spec, call)))
        return call;
      if (++tries == kTries) return std::nullopt;
    }
    sketch.Change();
    if (const int now = distance(); now > least) {
      sketch.TakeBack();
      of_sketch.absent = sketch.absent();
    } else {
      least = now;
    }
  }
  return std::nullopt;
}

}  // namespace assay
