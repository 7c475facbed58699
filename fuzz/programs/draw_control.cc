// Control flow is drawn around ops that are drawn as all others: the functions
// of an if, a case, a while or a call are evaluated on the values that they get
// first, and the op with them once it is there.
#include <algorithm>
#include <memory>
#include <utility>

#include "fuzz/programs/program_drawer.h"
#include "fuzz/programs/small_values.h"
#include "spec/types/element.h"

namespace assay {
namespace {

constexpr uint32_t kMostIterations = 4;
constexpr uint32_t kMostBranches = 4;
constexpr uint32_t kMostCarried = 3;

}  // namespace

bool ProgramDrawer::DrawControl(Scope* scope) {
  const ControlKind kind = choices_.Of(Topic::kForm, ops_.control());
  const int left = left_;
  const size_t ops = scope->function->body.size();
  bool is_added = false;
  ++depth_;
  switch (kind) {
    case ControlKind::kIf:
    case ControlKind::kCase:
      is_added = DrawBranches(kind, scope);
      break;
    case ControlKind::kWhile:
      is_added = DrawLoop(scope);
      break;
    case ControlKind::kCall:
    case ControlKind::kComposite:
      is_added = DrawFunctionCall(kind, scope);
      break;
    case ControlKind::kBarrier:
      is_added = DrawBarrier(scope);
      break;
    case ControlKind::kTuple:
    case ControlKind::kToken:
      // Their values are no tensors, which only the program itself may have.
      if (depth_ > 1) break;
      if (kind == ControlKind::kTuple) {
        is_added = DrawTuple(scope);
      } else {
        scope->function->body.push_back(TokenOp(NewName('t')));
        --left_;
        is_added = true;
      }
  }
  --depth_;
  if (!is_added) {
    TakeBack(ops, scope);
    left_ = left;
  }
  return is_added;
}

TypedName ProgramDrawer::DrawPredicate(Scope* scope) {
  const TensorType boolean = ScalarType(ElementType::kI1);
  if (choices_.OneIn(Topic::kOp, 2)) return PickOrInput(scope, boolean);
  const TensorType integer = ScalarType(ElementType::kI32);
  const TypedName lhs = PickOrInput(scope, integer);
  const TypedName rhs = PickOrInput(scope, integer);
  const TypedName result{NewName('t'), boolean};
  constexpr const char* kDirections[] = {"LT", "EQ", "GE", "NE"};
  if (Add(ComparisonOp(choices_.Of(Topic::kOp, kDirections), lhs, rhs, result),
          scope))
    return result;
  return PickOrInput(scope, boolean);
}

bool ProgramDrawer::DrawBranches(ControlKind kind, Scope* scope) {
  uint32_t count = 2;
  TypedName selector;
  if (kind == ControlKind::kIf) {
    selector = DrawPredicate(scope);
  } else {
    count = 1 + choices_.Below(Topic::kForm, kMostBranches);
    // An index that no branch has is that of the last one.
    const auto index =
        static_cast<int64_t>(choices_.Below(Topic::kValues, count + 2)) - 1;
    selector = NewValue(scope, ScalarNumber(ElementType::kI32, index));
  }
  std::vector<Function> branches;
  TypedNames results;
  for (uint32_t b = 0; b < count; ++b) {
    Function branch;
    Scope inner{&branch, scope};
    DrawOps(&inner, 1 + choices_.Below(Topic::kForm, 3));
    if (b == 0) {
      const uint32_t most = 1 + choices_.Below(Topic::kForm, 2);
      for (size_t i = inner.values.size();
           i-- > 0 && branch.results.size() < most;)
        branch.results.push_back(inner.values[i]);
      if (branch.results.empty()) {
        const TypedName* value = Pick(scope, nullptr, true);
        if (value == nullptr) return false;
        branch.results.push_back(*value);
      }
      results = NewNames('t', branch.results);
    } else {
      for (const TypedName& result : results)
        branch.results.push_back(ResultOf(&inner, result.type.tensor()));
    }
    branches.push_back(std::move(branch));
  }
  return Add(BranchOp(kind, selector, std::move(branches), results), scope);
}

// A loop counts up to a limit, and carries values. What it counts with is given
// around it, or constants of its functions.
bool ProgramDrawer::DrawLoop(Scope* scope) {
  const ElementType type =
      choices_.OneIn(Topic::kTypes, 3) ? ElementType::kUi8 : ElementType::kI32;
  const auto number = [&](uint32_t least, uint32_t count) {
    return ScalarNumber(type, least + choices_.Below(Topic::kValues, count));
  };
  const uint32_t stride = choices_.OneIn(Topic::kValues, 2) ? 2 : 1;
  TypedNames operands = {NewValue(scope, number(0, 2))};
  const Tensor limit = number(0, kMostIterations * stride + 1);
  const Tensor step = number(stride, stride);
  for (uint32_t left = 1 + choices_.Below(Topic::kForm, kMostCarried); left > 0;
       --left) {
    const TypedName* value = Pick(scope, nullptr, false);
    if (value == nullptr) return false;
    operands.push_back(*value);
  }
  Function cond;
  cond.inputs = NewNames('c', operands);
  const TypedName goes_on{NewName('t'), ScalarType(ElementType::kI1)};
  Scope of_cond{&cond, scope};
  const TypedName bound = choices_.OneIn(Topic::kForm, 2)
                              ? NewConstant(&of_cond, limit)
                              : NewValue(scope, limit);
  cond.body.push_back(ComparisonOp("LT", cond.inputs[0], bound, goes_on));
  cond.results = {goes_on};

  Function body;
  Scope inner{&body, scope};
  body.inputs = NewNames('a', operands);
  for (size_t k = 0; k < operands.size(); ++k) {
    Define(body.inputs[k].name, known_.at(operands[k].name));
  }
  inner.values = body.inputs;
  left_ -= 3;
  DrawOps(&inner, 1 + choices_.Below(Topic::kForm, 3));
  const TypedName by = choices_.OneIn(Topic::kForm, 2)
                           ? NewConstant(&inner, step)
                           : NewValue(scope, step);
  const TypedName next{NewName('t'), step.type()};
  TypedNames results = {next};
  for (size_t k = 1; k < operands.size(); ++k)
    results.push_back(ResultOf(&inner, operands[k].type.tensor()));
  body.body.push_back(AdditionOp(body.inputs[0], by, next));
  body.results = results;
  return Add(WhileOp(operands, std::move(cond), std::move(body),
                     NewNames('t', operands)),
             scope);
}

bool ProgramDrawer::DrawFunctionCall(ControlKind kind, Scope* scope) {
  auto callee = std::make_shared<Function>();
  callee->name = NewName('f');
  Scope inner{callee.get(), scope, /*is_callee=*/true};
  for (uint32_t left = 1 + choices_.Below(Topic::kForm, 3); left > 0; --left) {
    const TypedName* value = Pick(scope, nullptr, false);
    if (value == nullptr) return false;
    inner.arguments.push_back(*value);
    callee->inputs.push_back({NewName('a'), value->type});
    Define(callee->inputs.back().name, known_.at(value->name));
  }
  inner.values = callee->inputs;
  DrawOps(&inner, 1 + choices_.Below(Topic::kForm, 4));
  if (callee->body.empty()) return false;
  const uint32_t most = 1 + choices_.Below(Topic::kForm, 2);
  for (size_t i = inner.values.size();
       i-- > 0 && callee->results.size() < most;)
    callee->results.push_back(inner.values[i]);
  const TypedNames results = NewNames('t', callee->results);
  return Add(FunctionCallOp(kind, std::move(callee), inner.arguments, results),
             scope);
}

bool ProgramDrawer::DrawBarrier(Scope* scope) {
  TypedNames operands;
  for (uint32_t left = 1 + choices_.Below(Topic::kForm, 3); left > 0; --left) {
    if (const TypedName* value = Pick(scope, nullptr, true))
      operands.push_back(*value);
  }
  return !operands.empty() &&
         Add(BarrierOp(operands, NewNames('t', operands)), scope);
}

bool ProgramDrawer::DrawTuple(Scope* scope) {
  TypedNames members;
  TupleType type;
  for (uint32_t left = 1 + choices_.Below(Topic::kForm, 3); left > 0; --left) {
    const TypedName* value = Pick(scope, nullptr, false);
    if (value == nullptr) return false;
    members.push_back(*value);
    type.types.push_back(value->type);
  }
  const TypedName tuple{NewName('t'), type};
  scope->function->body.push_back(TupleOp(members, tuple));
  const uint32_t member =
      choices_.Below(Topic::kForm, static_cast<uint32_t>(members.size()));
  const TypedName result{NewName('t'), members[member].type};
  Define(result.name, known_.at(members[member].name));
  scope->function->body.push_back(MemberOp(tuple, member, result));
  scope->values.push_back(result);
  left_ -= 2;
  return true;
}

}  // namespace assay
