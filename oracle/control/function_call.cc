#include "oracle/control/function_call.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "oracle/program.h"

namespace assay {
namespace {

bool IsKnown(const Expectation& expectation) {
  const ElementType type = expectation.lo.element_type();
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    if (!expectation.IsExact(i) ||
        (!expectation.KeepsNan(i) && HasNan(type, expectation.lo.Bits(i))))
      return false;
  }
  return true;
}

// Lets an element be what is possible. Its other ranges are added to `others`.
void Allow(int64_t i, const Possible& possible, Expectation* expectation,
           std::vector<Expectation::Alternative>* others) {
  if (possible.kind != Possible::Kind::kRanges) {
    expectation->SetOpen(i);
    return;
  }
  for (size_t n = 1; n < possible.ranges.size(); ++n)
    others->push_back({i, possible.ranges[n].lo, possible.ranges[n].hi});
  expectation->lo.SetBits(i, possible.ranges[0].lo);
  expectation->hi.SetBits(i, possible.ranges[0].hi);
  if (!expectation->flags.empty())
    expectation->flags[static_cast<size_t>(i)] = 0;
  if (possible.any_nan && expectation->keeps_nans)
    expectation->Set(Expectation::kAnyNan, i);
}

Tensor CopyOf(const Tensor& tensor) {
  Tensor copy(tensor.type());
  std::memcpy(copy.data(), tensor.data(),
              static_cast<size_t>(tensor.byte_size()));
  return copy;
}

Expectation ExactlyThat(const Tensor& tensor, const Policy& policy) {
  Expectation expectation(tensor.type());
  expectation.lo = expectation.hi = tensor;
  expectation.keeps_nans = policy.Get("nan_payload_in_movement") == "keep";
  return expectation;
}

}  // namespace

bool FunctionResults::AreKnown() const {
  return undecided == 0 && std::ranges::all_of(outputs, IsKnown);
}

FunctionResults CallFunction(const Function& function,
                             const std::vector<Tensor>& arguments,
                             const OpCall& call,
                             const std::vector<bool>& unrounded) {
  FunctionResults results;
  ProgramEvaluator evaluator(call.policy);
  std::map<std::string, Expectation, std::less<>> values;
  const auto define = [&](const std::string& name, const Tensor& tensor,
                          bool is_unrounded = false) {
    evaluator.Define(name, tensor, is_unrounded);
    values.insert_or_assign(name, ExactlyThat(tensor, call.policy));
  };
  const std::vector<TypedName> captures = Captures(call.op);
  for (size_t i = 0; i < captures.size(); ++i)
    define(captures[i].name, call.inputs[call.op.inputs.size() + i]);
  for (size_t k = 0; k < arguments.size(); ++k)
    define(function.inputs[k].name, arguments[k],
           !unrounded.empty() && unrounded[k]);
  std::map<std::string, int64_t, std::less<>> undecided;
  for (const Op& op : function.body) {
    ProgramEvaluator::OpResults of_op = evaluator.Evaluate(op, call.marks);
    evaluator.Keep(op, of_op);
    AddMarks({FindOp(op.op), of_op.evaluation.marks}, &results.marks);
    for (const OpMarks& of_region : of_op.evaluation.region_marks)
      AddMarks(of_region, &results.marks);
    for (size_t k = 0; k < op.outputs.size(); ++k) {
      Expectation& expectation = of_op.evaluation.outputs[k];
      int64_t& count = undecided[op.outputs[k].value];
      count = of_op.evaluation.undecided;
      if (!of_op.HoldsEverywhere(k)) {
        expectation.lo = CopyOf(expectation.lo);
        expectation.hi = CopyOf(expectation.hi);
        // Errors are not measured from what one of an operand's values gives.
        expectation.follows_budget |= expectation.reals.has_value();
        expectation.reals.reset();
        for (const Op::Operand& operand : op.inputs) {
          const Expectation& of = values.at(operand.value);
          expectation.follows_budget |=
              of.follows_budget || of.reals.has_value();
        }
      }
      auto& alternatives = expectation.alternatives;
      std::erase_if(alternatives, [&](const Expectation::Alternative& a) {
        return !of_op.Holds(k, a.element);
      });
      for (int64_t i = 0; i < expectation.lo.size(); ++i) {
        if (of_op.Holds(k, i)) continue;
        const Possible possible = evaluator.At(op.outputs[k].value, i);
        Allow(i, possible, &expectation, &alternatives);
        count += possible.kind == Possible::Kind::kUndecided;
      }
      std::ranges::stable_sort(alternatives, {},
                               &Expectation::Alternative::element);
      values.insert_or_assign(op.outputs[k].value, std::move(expectation));
    }
  }
  for (const TypedName& result : function.results) {
    results.outputs.push_back(values.at(result.name));
    const auto count = undecided.find(result.name);
    if (count != undecided.end()) results.undecided += count->second;
  }
  return results;
}

Sources AllElements(const Op& op) {
  Sources sources;
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    const int64_t size = *ElementCount(op.inputs[k].type.tensor().shape);
    for (int64_t i = 0; i < size; ++i) sources.push_back({k, i});
  }
  return sources;
}

void Return(FunctionResults results, Evaluation* evaluation) {
  evaluation->outputs = std::move(results.outputs);
  evaluation->undecided = results.undecided;
  for (const OpMarks& marks : results.marks)
    AddMarks(marks, &evaluation->region_marks);
}

}  // namespace assay
