// These bugs are what a compiler's simplifier does wrongly to two ops that
// follow each other. Each op alone is right, so that only a program shows them.
#include <algorithm>
#include <iterator>
#include <vector>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/program/edit.h"

namespace assay::broken {
namespace {

using program::Function;
using program::NumbersIn;
using program::Op;
using program::ResultOf;
using program::TensorType;
using Numbers = std::vector<int64_t>;

template <program::Fold kFold>
void Everywhere(Function* function) {
  FoldEveryOp(kFold, function);
}

// Has the result of an op be a value that is there, if the types agree.
void Become(Function* function, const Op& op, int32_t number) {
  if (op.outputs[0].type == TypeOf(*function, number))
    ReplaceUses(function, op.outputs[0].number, number);
}

// FD01.
void LogOfExponential(Function* function, size_t position) {
  const Op& log = function->ops[position];
  if (log.name != "log") return;
  if (const Op* inner = ResultOf("exponential", *function, log.inputs[0]))
    Become(function, log, inner->inputs[0]);
}

// FD02.
void MagnitudeOfSquare(Function* function, size_t position) {
  const Op& abs = function->ops[position];
  if (abs.name != "abs") return;
  const Op* product = ResultOf("multiply", *function, abs.inputs[0]);
  if (product != nullptr && product->inputs[0] == product->inputs[1])
    Become(function, abs, abs.inputs[0]);
}

// FD03. f8E8M0FNU has no zero.
void DifferenceOfOneValue(Function* function, size_t position) {
  Op& op = function->ops[position];
  if (op.name != "subtract" || op.inputs[0] != op.inputs[1] ||
      op.outputs[0].type.element.code == ASSAY_DL_FLOAT8_E8M0FNU)
    return;
  op.name = "constant";
  op.inputs.clear();
  op.literal.emplace(op.outputs[0].type.Bytes());
}

// FD04. A zero is one whose bits are all 0.
void ProductWithZero(Function* function, size_t position) {
  const Op& op = function->ops[position];
  if (op.name != "multiply" ||
      op.outputs[0].type.element.code == ASSAY_DL_FLOAT8_E8M0FNU)
    return;
  for (const int32_t number : op.inputs) {
    const Op* const constant = ResultOf("constant", *function, number);
    if (constant != nullptr &&
        std::ranges::all_of(*constant->literal,
                            [](unsigned char byte) { return byte == 0; }))
      return Become(function, op, number);
  }
}

// FD05. The starts are added as if the inner slice had no strides.
void SliceOfSlice(Function* function, size_t position) {
  Op& outer = function->ops[position];
  if (outer.name != "slice") return;
  const Op* const inner = ResultOf("slice", *function, outer.inputs[0]);
  if (inner == nullptr) return;
  Numbers starts = NumbersIn(outer, "start_indices"), limits,
          strides = NumbersIn(outer, "strides");
  const Numbers inner_starts = NumbersIn(*inner, "start_indices"),
                inner_strides = NumbersIn(*inner, "strides");
  const Numbers& shape = outer.outputs[0].type.shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    starts[d] += inner_starts[d];
    strides[d] *= inner_strides[d];
    limits.push_back(starts[d] +
                     (shape[d] == 0 ? 0 : (shape[d] - 1) * strides[d] + 1));
  }
  outer.inputs = inner->inputs;
  SetNumbers(&outer, "start_indices", starts);
  SetNumbers(&outer, "limit_indices", limits);
  SetNumbers(&outer, "strides", strides);
}

// FD10. Dimensions of other sizes would give another type.
void ReduceOfTranspose(Function* function, size_t position) {
  Op& reduce = function->ops[position];
  if (reduce.name != "reduce" || reduce.NumOperands() != 2) return;
  const Op* const transpose =
      ResultOf("transpose", *function, reduce.inputs[0]);
  if (transpose == nullptr) return;
  const Numbers dimensions = NumbersIn(reduce, "dimensions");
  const int32_t operand = transpose->inputs[0];
  const Numbers shape = TypeOf(*function, operand).shape;
  Numbers kept;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (std::ranges::count(dimensions, static_cast<int64_t>(d)) == 0)
      kept.push_back(shape[d]);
  }
  if (kept == reduce.outputs[0].type.shape) reduce.inputs[0] = operand;
}

// FD11.
void ConversionThereAndBack(Function* function, size_t position) {
  const Op& back = function->ops[position];
  if (back.name != "convert") return;
  if (const Op* there = ResultOf("convert", *function, back.inputs[0]))
    Become(function, back, there->inputs[0]);
}

// FD12.
void ProductMinusOther(Function* function, size_t position) {
  Op& op = function->ops[position];
  if (op.name == "subtract" &&
      ResultOf("multiply", *function, op.inputs[1]) != nullptr)
    std::swap(op.inputs[0], op.inputs[1]);
}

constexpr auto kSimplify = &Hooks::simplify;
constexpr Bug kBugs[] = {
    {"FD01", Replace<kSimplify, Everywhere<LogOfExponential>>},
    {"FD02", Replace<kSimplify, Everywhere<MagnitudeOfSquare>>},
    {"FD03", Replace<kSimplify, Everywhere<DifferenceOfOneValue>>},
    {"FD04", Replace<kSimplify, Everywhere<ProductWithZero>>},
    {"FD05", Replace<kSimplify, Everywhere<SliceOfSlice>>},
    {"FD10", Replace<kSimplify, Everywhere<ReduceOfTranspose>>},
    {"FD11", Replace<kSimplify, Everywhere<ConversionThereAndBack>>},
    {"FD12", Replace<kSimplify, Everywhere<ProductMinusOther>>},
};

}  // namespace

std::span<const Bug> FoldBugs() { return kBugs; }

}  // namespace assay::broken
