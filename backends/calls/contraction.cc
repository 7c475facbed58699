#include "backends/calls/contraction.h"

#include <string.h>

#include <algorithm>

#include "backends/calls/attributes.h"
#include "backends/calls/contraction_readers.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

struct Op {
  const char* name;
  const char* (*read)(const AssayCall& call, const ReadIntegers& read,
                      Contraction* contraction);
};

constexpr Op kOps[] = {{"dot_general", ReadDotGeneral},
                       {"convolution", ReadConvolution},
                       {"dynamic_conv", ReadDynamicConvolution}};

const Op* FindOp(const char* op) {
  for (const Op& known : kOps) {
    if (strcmp(known.name, op) == 0) return &known;
  }
  return nullptr;
}

bool IsInteger(const Type& type) {
  return type.kind == Kind::kSigned || type.kind == Kind::kUnsigned;
}

bool IsReal(const Type& type) {
  return type.kind == Kind::kFloat || type.kind == Kind::kFormat;
}

// A format without a zero has no sum of no products, and no padding.
bool HasZero(const Type& type) {
  return type.kind != Kind::kFormat || type.format != Format::kF8E8M0FNU;
}

// Returns whether sums of products of the operands' type have a result of this
// type: other pairs would need a conversion that no rule describes.
bool HasResult(const Type& operand, const Type& result) {
  if (!HasZero(operand) || !HasZero(result)) return false;
  if (IsInteger(operand)) return IsInteger(result);
  if (IsReal(operand)) return IsReal(result);
  return operand.kind == result.kind;
}

}  // namespace

int64_t Contraction::CountOf(const Dims& dims) {
  int64_t count = 1;
  for (const ContractionDim& dim : dims) count *= dim.size;
  return count;
}

bool Contraction::IsEmpty() const {
  return CountOf(batch) == 0 || CountOf(rows) == 0 || CountOf(columns) == 0;
}

SumKind SumKindOf(const Contraction& contraction) {
  const Type &operand = contraction.operand, &result = contraction.result;
  const int bits = std::max(operand.bits, result.bits);
  switch (operand.kind) {
    case Kind::kBool:
      return SumKind::kBool;
    case Kind::kSigned:
    case Kind::kUnsigned:
      return SumKind::kInteger;
    case Kind::kComplex:
      return bits > 64 || contraction.in_f64 ? SumKind::kComplexF64
                                             : SumKind::kComplexF32;
    default:
      return bits > 32 || contraction.in_f64 ? SumKind::kF64 : SumKind::kF32;
  }
}

bool IsContraction(const char* op) { return FindOp(op) != nullptr; }

const char* ReadContraction(const AssayCall& call, const ReadIntegers& read,
                            Contraction* contraction) {
  const Op* const op = FindOp(call.op);
  if (op == nullptr) return "this op";
  const bool is_dynamic = op->read == ReadDynamicConvolution;
  if (call.num_inputs != (is_dynamic ? 3 : 2) || call.num_outputs != 1)
    return kOperandCount;
  if (call.num_regions != 0) return "an attribute or region";
  Type rhs;
  if (!ParseType(call.inputs[0], &contraction->operand) ||
      !ParseType(call.inputs[1], &rhs) ||
      !ParseType(call.outputs[0], &contraction->result))
    return "element type";
  if (rhs != contraction->operand) return "mix of operand types";
  if (!HasResult(contraction->operand, contraction->result)) return kResultType;
  contraction->lhs_first = FirstElement(call.inputs[0].tensor);
  contraction->rhs_first = FirstElement(call.inputs[1].tensor);
  contraction->result_first = FirstElement(call.outputs[0].tensor);
  if (const char* failure = op->read(call, read, contraction)) return failure;
  // The numbers of terms and of rows are used as they are, so that they must be
  // numbers even where an operand repeats elements.
  for (const Contraction::Dims* dims :
       {&contraction->batch, &contraction->rows, &contraction->columns,
        &contraction->terms}) {
    int64_t count = 1;
    bool is_empty = false;
    for (const ContractionDim& dim : *dims) is_empty |= dim.size == 0;
    for (const ContractionDim& dim : *dims) {
      if (!is_empty && __builtin_mul_overflow(count, dim.size, &count))
        return "so many terms";
    }
  }
  return nullptr;
}

const char* CheckContractionAttributes(
    const AssayCall& call, std::initializer_list<const char*> known) {
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (std::ranges::none_of(known, [&](const char* name) {
          return strcmp(name, call.attributes[i].name) == 0;
        }))
      return "an attribute or region";
  }
  return nullptr;
}

DimsView ContractionView(const DLTensor& tensor) {
  DimsView view = DimsView::Of(tensor);
  if (CountElements(tensor) == 0) view.strides.assign(view.strides.size(), 0);
  return view;
}

bool AreContractionDims(const std::vector<int64_t>& numbers, size_t rank) {
  std::vector<bool> is_taken(rank);
  for (const int64_t d : numbers) {
    if (d < 0 || static_cast<size_t>(d) >= rank ||
        is_taken[static_cast<size_t>(d)])
      return false;
    is_taken[static_cast<size_t>(d)] = true;
  }
  return true;
}

}  // namespace assay::calls
