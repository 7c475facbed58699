// The tests of ops with a region write calls with these functions: the region
// is StableHLO text.
#ifndef ASSAY_ORACLE_REGION_TEST_SUPPORT_H_
#define ASSAY_ORACLE_REGION_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/oracle.h"
#include "spec/text/program_text.h"

namespace assay {

// Returns a call of an op with one region, or with two. `groups` has the
// tensors of each input, in the order of the specification; `captures` has the
// values that the region captures.
struct RegionCall {
  std::vector<std::vector<Tensor>> groups;
  std::string region;
  std::vector<Attribute> attributes = {};
  std::vector<TensorType> results;
  std::vector<Tensor> captures = {};
  std::string second_region = {};
};

inline FloatCall MakeRegionCall(const std::string& id, const RegionCall& of) {
  const OpSpec& spec = *FindOp(id);
  FloatCall call;
  call.op.op = id;
  size_t group = 0;
  for (const InputSpec& input : spec.inputs) {
    if (input.kind == InputSpec::Kind::kFunction)
      call.op.regions.push_back(
          ReadRegion("test", input.name,
                     call.op.regions.empty() ? of.region : of.second_region));
    if (!input.IsValue()) continue;
    for (const Tensor& tensor : of.groups.at(group)) {
      call.op.inputs.push_back({input.name,
                                input.name + std::to_string(call.inputs.size()),
                                tensor.type()});
      call.inputs.push_back(tensor);
    }
    ++group;
  }
  for (const Tensor& tensor : of.captures) call.inputs.push_back(tensor);
  call.op.attributes = of.attributes;
  for (size_t k = 0; k < of.results.size(); ++k)
    call.op.outputs.push_back(
        {spec.outputs[0].name, "result" + std::to_string(k), of.results[k]});
  for (const ConstraintResult& r : CheckConstraints(spec, call.op))
    EXPECT_EQ(r.truth, Truth::kTrue) << r.Text();
  return call;
}

inline Attribute ListAttribute(const std::string& name,
                               const std::vector<int64_t>& values) {
  Tensor tensor(
      TensorType({static_cast<int64_t>(values.size())}, ElementType::kI64));
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i),
                   static_cast<ElementBits>(static_cast<uint64_t>(values[i])));
  return {name, tensor};
}

// Returns the ids of the clauses that an evaluation executed: "map/S1 add/S2".
inline std::string IdsOf(const Op& op, const Evaluation& evaluation) {
  std::string text;
  for (const DecidingClause& clause : ClausesOf(op, evaluation))
    text += (text.empty() ? "" : " ") + clause.Id();
  return text;
}

inline Evaluation EvaluateRegionCall(const FloatCall& call,
                                     const std::string& policy = "assay") {
  return Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kCounted);
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REGION_TEST_SUPPORT_H_
