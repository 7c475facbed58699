#include "oracle/reduction/converted.h"

namespace assay {

Scalars Converted(Scalars column, ElementType type, const OpCall& op,
                  std::vector<OpMarks>* marks) {
  if (column.type() == type) return column;
  const Shape shape = {column.size()};
  Op convert;
  convert.op = "convert";
  convert.inputs = {{"operand", "operand", TensorType(shape, column.type())}};
  convert.outputs = {{"result", "result", TensorType(shape, type)}};
  const Evaluation evaluation =
      EvaluateScalars(convert, {column.values()}, op.policy, op.marks);
  AddMarks({FindOp(convert.op), evaluation.marks}, marks);
  return Scalars::Of(evaluation.outputs[0]);
}

}  // namespace assay
