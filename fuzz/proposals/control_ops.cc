#include "fuzz/proposals/control_ops.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spec/op_spec.h"
#include "spec/types/element.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, kControlKinds> kIds = {
    "if",
    "case",
    "while",
    "func.call",
    "composite",

    "optimization_barrier",
    "tuple",
    "after_all"};
constexpr std::string_view kConstant = "constant";

Op OpWith(std::string_view id, const char* operand_name,
          const TypedNames& operands, const char* result_name,
          const TypedNames& results) {
  Op op;
  op.op = id;
  for (const TypedName& operand : operands)
    op.inputs.push_back({operand_name, operand.name, operand.type});
  for (const TypedName& result : results)
    op.outputs.push_back({result_name, result.name, result.type});
  return op;
}

Op BinaryOp(std::string_view id, const TypedName& lhs, const TypedName& rhs,
            const TypedName& result) {
  Op op;
  op.op = id;
  op.inputs = {{"lhs", lhs.name, lhs.type}, {"rhs", rhs.name, rhs.type}};
  op.outputs = {{"result", result.name, result.type}};
  return op;
}

}  // namespace

std::string_view IdOf(ControlKind kind) {
  return kIds[static_cast<size_t>(kind)];
}

bool IsDrawnInPrograms(std::string_view op) {
  return op == "get_tuple_element" || std::ranges::find(kIds, op) != kIds.end();
}

Op BranchOp(ControlKind kind, const TypedName& selector,
            std::vector<Function> branches, const TypedNames& results) {
  const bool is_if = kind == ControlKind::kIf;
  Op op = OpWith(IdOf(kind), is_if ? "pred" : "index", {selector}, "results",
                 results);
  for (size_t b = 0; b < branches.size(); ++b) {
    branches[b].name = "branches";
    if (is_if) branches[b].name = b == 0 ? "true_branch" : "false_branch";
  }
  op.regions = std::move(branches);
  return op;
}

Op WhileOp(const TypedNames& operands, Function cond, Function body,
           const TypedNames& results) {
  Op op = OpWith(IdOf(ControlKind::kWhile), "operand", operands, "results",
                 results);
  cond.name = "cond";
  body.name = "body";
  op.regions.push_back(std::move(cond));
  op.regions.push_back(std::move(body));
  return op;
}

Op FunctionCallOp(ControlKind kind, std::shared_ptr<const Function> callee,
                  const TypedNames& operands, const TypedNames& results) {
  const bool is_call = kind == ControlKind::kCall;
  Op op = OpWith(IdOf(kind), is_call ? "operands" : "inputs", operands,
                 "results", results);
  if (is_call) {
    op.attributes.push_back({"callee", FunctionName{callee->name}});
  } else {
    op.attributes = {{"name", "assay." + callee->name},
                     {"decomposition", FunctionName{callee->name}}};
  }
  op.callee = std::move(callee);
  return op;
}

Op BarrierOp(const TypedNames& operands, const TypedNames& results) {
  return OpWith(IdOf(ControlKind::kBarrier), "operand", operands, "result",
                results);
}

Op TupleOp(const TypedNames& members, const TypedName& result) {
  return OpWith(IdOf(ControlKind::kTuple), "val", members, "result", {result});
}

Op MemberOp(const TypedName& tuple, size_t member, const TypedName& result) {
  Op op = OpWith("get_tuple_element", "operand", {tuple}, "result", {result});
  Tensor index(TensorType{{}, ElementType::kI32});
  index.SetBits(0, member);
  op.attributes.push_back({"index", std::move(index)});
  return op;
}

Op TokenOp(const std::string& result) {
  return OpWith(IdOf(ControlKind::kToken), "inputs", {}, "result",
                {{result, TokenType{}}});
}

Op AdditionOp(const TypedName& lhs, const TypedName& rhs,
              const TypedName& result) {
  return BinaryOp("add", lhs, rhs, result);
}

Op ComparisonOp(std::string_view direction, const TypedName& lhs,
                const TypedName& rhs, const TypedName& result) {
  Op op = BinaryOp("compare", lhs, rhs, result);
  op.attributes = {
      {"comparison_direction", Symbol{std::string(direction)}},
      {"compare_type",
       Symbol{IsSignedInteger(lhs.type.tensor().element_type) ? "SIGNED"
                                                              : "UNSIGNED"}}};
  return op;
}

bool IsConstant(std::string_view op) { return op == kConstant; }

Op ConstantOp(Tensor value, const TypedName& result) {
  Op op;
  op.op = kConstant;
  op.attributes.push_back({"value", std::move(value)});
  op.outputs = {{"output", result.name, result.type}};
  return op;
}

}  // namespace assay
