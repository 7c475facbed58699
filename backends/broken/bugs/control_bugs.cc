// These bugs are what a compiler's simplifier does wrongly to control flow: the
// ops that run are right, but not those that should.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/program/edit.h"

namespace assay::broken {
namespace {

using program::Function;
using program::IntegerOf;
using program::Op;
using program::ResultOf;
using program::TensorType;
using program::Value;

template <program::Fold kFold>
void InEveryFunction(Function* function) {
  FoldEveryOp(kFold, function);
}

bool IsArgument(const Function& function, int32_t number) {
  return std::ranges::find(function.arguments, number, &Value::number) !=
         function.arguments.end();
}

// Returns the position of an argument, which it is.
size_t PositionOfArgument(const Function& function, int32_t number) {
  return static_cast<size_t>(
      std::ranges::find(function.arguments, number, &Value::number) -
      function.arguments.begin());
}

// ---------------------------------------------------------------------- Choice

// FD06. An index that is too great chooses the last branch, as it should.
void NegativeIndexIsTheFirst(Function* function, size_t position) {
  Op& op = function->ops[position];
  if (op.name != "case") return;
  const std::optional<int64_t> index = IntegerOf(*function, op.inputs[0]);
  if (!index) return;
  const auto last = static_cast<int64_t>(op.functions.size()) - 1;
  const auto chosen = static_cast<size_t>(std::clamp<int64_t>(*index, 0, last));
  op.name = "func.call";
  op.inputs.erase(op.inputs.begin());
  op.num_captures = 0;
  op.functions = {Function(op.functions[chosen])};
}

// FD08. Where the types differ, the function could not run.
void LastCaptureIsTheFirst(Function* function, size_t position) {
  Op& op = function->ops[position];
  if (op.functions.empty() || op.num_captures < 2) return;
  const int32_t first = op.inputs[op.NumOperands()];
  if (TypeOf(*function, first) == TypeOf(*function, op.inputs.back()))
    op.inputs.back() = first;
}

// ----------------------------------------------------------------------- Loops

// A loop counts if its condition is that an operand is less than a constant,
// and its body adds a constant to this operand, which begins as a constant.
// Returns how often such a loop goes round, but for what FD07 gets wrong.
std::optional<int64_t> RoundsOf(const Function& function, const Op& loop) {
  const Function &cond = loop.functions[0], &body = loop.functions[1];
  const Op* const compare = ResultOf("compare", cond, cond.results[0]);
  if (compare == nullptr || !IsArgument(cond, compare->inputs[0]))
    return std::nullopt;
  const bool is_less = std::ranges::any_of(
      compare->attributes, [](const program::Attribute& attribute) {
        return attribute.name == "comparison_direction" &&
               attribute.text == "LT";
      });
  const size_t counter = PositionOfArgument(cond, compare->inputs[0]);
  if (!is_less || counter >= loop.NumOperands()) return std::nullopt;
  const Op* const add = ResultOf("add", body, body.results[counter]);
  if (add == nullptr || add->inputs[0] != body.arguments[counter].number)
    return std::nullopt;
  const auto limit = IntegerOf(cond, compare->inputs[1]),
             step = IntegerOf(body, add->inputs[1]),
             start = IntegerOf(function, loop.inputs[counter]);
  if (!limit || !step || !start || *step <= 0) return std::nullopt;
  return std::max<int64_t>(*limit - *start, 0) / *step;
}

// FD07. The last round of a loop is lost where the steps do not end at the
// limit. A loop of many rounds is left as it is.
void UnrolledOnceTooSeldom(Function* function, size_t position) {
  constexpr int64_t kMostRounds = 64;
  if (function->ops[position].name != "while") return;
  Op loop = function->ops[position];
  const std::optional<int64_t> rounds = RoundsOf(*function, loop);
  if (!rounds || *rounds > kMostRounds) return;
  std::vector<int32_t> state = loop.inputs;
  std::vector<Op> calls;
  for (int64_t i = 0; i < *rounds; ++i) {
    Op& call = calls.emplace_back();
    call.name = "func.call";
    call.inputs = state;
    call.functions = {loop.functions[1]};
    for (size_t k = 0; k < loop.outputs.size(); ++k) {
      state[k] = function->NewNumber();
      call.outputs.push_back({state[k], loop.outputs[k].type});
    }
  }
  Op& end = function->ops[position];
  end.name = "optimization_barrier";
  end.inputs.assign(state.begin(), state.begin() + std::ssize(loop.outputs));
  end.num_captures = 0;
  end.functions.clear();
  function->ops.insert(
      function->ops.begin() + static_cast<std::ptrdiff_t>(position),
      std::make_move_iterator(calls.begin()),
      std::make_move_iterator(calls.end()));
}

// Returns whether the op computes one tensor from operands of the loop that its
// condition does not use, and constants.
bool LooksInvariant(const Op& op, const Function& cond, const Function& body) {
  if (op.outputs.size() != 1 || !op.functions.empty() || op.body != nullptr ||
      op.literal)
    return false;
  const auto is_used = [](const Function& function, int32_t number) {
    return std::ranges::count(function.results, number) > 0 ||
           std::ranges::any_of(function.ops, [&](const Op& each) {
             return std::ranges::count(each.inputs, number) > 0;
           });
  };
  return std::ranges::all_of(op.inputs, [&](int32_t number) {
    if (!IsArgument(body, number))
      return ResultOf("constant", body, number) != nullptr;
    const size_t k = PositionOfArgument(body, number);
    return !is_used(cond, cond.arguments[k].number);
  });
}

// FD09. What the condition does not use is taken for the same in every round.
void HoistedFromTheLoop(Function* function, size_t position) {
  if (function->ops[position].name != "while") return;
  Op loop = function->ops[position];
  Function &cond = loop.functions[0], &body = loop.functions[1];
  const auto found = std::ranges::find_if(
      body.ops, [&](const Op& op) { return LooksInvariant(op, cond, body); });
  if (found == body.ops.end()) return;
  const Value inside = found->outputs[0];
  Op hoisted = *found;
  std::vector<Op> in_front;
  for (int32_t& number : hoisted.inputs) {
    if (IsArgument(body, number)) {
      number = loop.inputs[PositionOfArgument(body, number)];
      continue;
    }
    Op& constant = in_front.emplace_back(*ResultOf("constant", body, number));
    number = constant.outputs[0].number = function->NewNumber();
  }
  hoisted.outputs[0].number = function->NewNumber();
  loop.inputs.push_back(hoisted.outputs[0].number);
  ++loop.num_captures;
  in_front.push_back(std::move(hoisted));
  for (Function* const each : {&cond, &body})
    each->arguments.push_back({each->NewNumber(), inside.type});
  ReplaceUses(&body, inside.number, body.arguments.back().number);
  function->ops[position] = std::move(loop);
  function->ops.insert(
      function->ops.begin() + static_cast<std::ptrdiff_t>(position),
      std::make_move_iterator(in_front.begin()),
      std::make_move_iterator(in_front.end()));
}

constexpr auto kSimplify = &Hooks::simplify;
constexpr Bug kBugs[] = {
    {"FD06", Replace<kSimplify, InEveryFunction<NegativeIndexIsTheFirst>>},
    {"FD07", Replace<kSimplify, InEveryFunction<UnrolledOnceTooSeldom>>},
    {"FD08", Replace<kSimplify, InEveryFunction<LastCaptureIsTheFirst>>},
    {"FD09", Replace<kSimplify, InEveryFunction<HoistedFromTheLoop>>},
};

}  // namespace

std::span<const Bug> ControlBugs() { return kBugs; }

}  // namespace assay::broken
