#include "backends/simd/pointwise.h"

#include <stdint.h>
#include <string.h>

#include <string_view>

#include "backends/simd/nest.h"
#include "backends/simd/pointwise_program.h"
#include "backends/simd/run_nest.h"

namespace assay::simd {
namespace {

int NumOutputs(std::string_view name) { return name == "polar" ? 2 : 1; }

// -------------------------------------------------------------------- Checks

bool PromoteOutput(const AssayCall& call, const Argument* arguments, int o,
                   const Promotion& promotion, PointwiseProgram* program,
                   Complaint* complaint) {
  Promoted& promoted = program->outputs[o];
  if (!Promote(promotion, arguments, &promoted)) {
    return complaint->Say(
        "promotion_methods: the operands of output %d have no type in common",
        o);
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    if (program->name == "select" && k == 0) continue;
    if (CategoryOf(program->inputs[k]) > CategoryOf(promoted.computation)) {
      return complaint->Say(
          "operand %d is of a higher category than output %d is computed in", k,
          o);
    }
  }
  Type type;
  if (!ParseType(call.outputs[o], &type) || type != promoted.result) {
    return complaint->Say("output %d has not the type that is promoted to", o);
  }
  return true;
}

// How values are compared follows from the type that they are compared in.
bool CheckCompareType(const AssayCall& call, const Type& computation,
                      Complaint* complaint) {
  const char* text = "";
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, "compare_type") == 0) {
      text = call.attributes[i].text;
    }
  }
  const std::string_view type = text;
  const Kind kind = computation.kind;
  const bool is_float = kind == Kind::kFloat || kind == Kind::kFormat;
  const std::string_view wanted =
      kind == Kind::kSigned                            ? "SIGNED"
      : kind == Kind::kUnsigned || kind == Kind::kBool ? "UNSIGNED"
                                                       : "FLOAT";
  const bool fits = type == wanted || (is_float && type == "TOTALORDER");
  return fits || complaint->Say(
                     "compare_type %s is not of the type that is "
                     "computed in",
                     text);
}

bool CheckTypes(const AssayCall& call, PointwiseProgram* program,
                Complaint* complaint) {
  const char* text = nullptr;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, "promotion_methods") == 0) {
      text = call.attributes[i].text;
    }
  }
  Promotion promotions[kMaxOutputs];
  const char* wrong =
      ParsePromotions(text, call.num_inputs, call.num_outputs, promotions);
  if (wrong != nullptr) return complaint->Say("promotion_methods %s", wrong);
  Argument arguments[kMaxInputs];
  for (int k = 0; k < call.num_inputs; ++k) {
    const bool is_scalar = (call.inputs[k].flags & ASSAY_SCALAR) != 0;
    arguments[k] = {program->inputs[k], call.inputs[k].tensor.ndim > 0,
                    is_scalar};
  }
  if (program->name == "select" && program->inputs[0].kind != Kind::kBool) {
    return complaint->Say("operand 0, the predicate, is not of type i1");
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    if (!PromoteOutput(call, arguments, o, promotions[o], program, complaint)) {
      return false;
    }
  }
  return program->name != "compare" ||
         CheckCompareType(call, program->outputs[0].computation, complaint);
}

// ---------------------------------------------------------------------
// Operands

// An operand of one element is converted once.
struct Single {
  DLTensor tensor;
  alignas(16) unsigned char bytes[16];
};

bool HasOneElement(const DLTensor& tensor) {
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] != 1) return false;
  }
  return true;
}

// Leaves the operand as it is if it need not or cannot be converted.
void ConvertSingle(const Type& to, const Options& options, Type* type,
                   NestTensor* operand, Single* single) {
  if (*type == to || !HasOneElement(*operand->tensor)) return;
  Signature signature = {};
  signature.op = "convert";
  signature.num_inputs = 1;
  signature.inputs[0] = *type;
  signature.output = to;
  const Making making = MakeFunction(signature, options);
  if (making.function == nullptr) return;
  single->tensor = {};
  single->tensor.data = single->bytes;
  const NestTensor result = {&single->tensor, to.bytes()};
  single->tensor.ndim = 0;
  NestTensor source = *operand;
  DLTensor element = *operand->tensor;
  element.ndim = 0;
  source.tensor = &element;
  Nest nest;
  MakeNest(&source, 1, &result, 1, &nest);
  RunNest(nest, *making.function, options.target, 1);
  *type = to;
  *operand = result;
}

AssayStatus RunProgram(const AssayCall& call, const Options& options,
                       PointwiseProgram* program, Complaint* complaint) {
  NestTensor inputs[kMaxInputs];
  NestTensor outputs[kMaxOutputs];
  Single singles[kMaxInputs];
  size_t bytes[kMaxInputs];
  const bool is_empty = CountElements(call.outputs[0].tensor) == 0;
  const bool has_one_type =
      program->num_outputs == 1 ||
      program->outputs[0].computation == program->outputs[1].computation;
  for (int k = 0; k < call.num_inputs; ++k) {
    inputs[k] = {&call.inputs[k].tensor, program->inputs[k].bytes()};
    if (has_one_type && !(program->name == "select" && k == 0)) {
      ConvertSingle(program->outputs[0].computation, options,
                    &program->inputs[k], &inputs[k], &singles[k]);
    }
    bytes[k] = inputs[k].bytes;
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    outputs[o] = {&call.outputs[o].tensor, program->outputs[o].result.bytes()};
  }
  const Making making = MakePointwise(*program, options, bytes);
  const char* failure = making.failure;
  if (making.function != nullptr && !is_empty) {
    Nest nest;
    MakeNest(inputs, call.num_inputs, outputs, call.num_outputs, &nest);
    failure = RunNest(nest, *making.function, options.target, options.threads);
  }
  if (failure == nullptr) return ASSAY_OK;
  complaint->Say("%s: %s not implemented", call.op, failure);
  return ASSAY_UNSUPPORTED;
}

}  // namespace

const char* PointwiseName(const char* op) {
  constexpr std::string_view kPrefix = "pointwise.";
  return strncmp(op, kPrefix.data(), kPrefix.size()) == 0 ? op + kPrefix.size()
                                                          : nullptr;
}

AssayStatus RunPointwise(const AssayCall& call, const Options& options,
                         Complaint* complaint) {
  PointwiseProgram program = {};
  program.name = PointwiseName(call.op);
  program.num_inputs = call.num_inputs;
  program.num_outputs = call.num_outputs;
  program.attributes = call.attributes;
  program.num_attributes = call.num_attributes;
  if (call.num_inputs < 1 || call.num_inputs > kMaxInputs ||
      call.num_outputs != NumOutputs(program.name)) {
    complaint->Say("%s: number of operands not implemented", call.op);
    return ASSAY_UNSUPPORTED;
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    if (ParseType(call.inputs[k], &program.inputs[k])) continue;
    complaint->Say("%s: element type not implemented", call.op);
    return ASSAY_UNSUPPORTED;
  }
  if (!CheckBroadcast(call, complaint) ||
      !CheckTypes(call, &program, complaint)) {
    return ASSAY_INVALID;
  }
  return RunProgram(call, options, &program, complaint);
}

bool IsBroadcastShift(const char* op) {
  return strcmp(op, "paddle.bitwise_left_shift") == 0 ||
         strcmp(op, "paddle.bitwise_right_shift") == 0;
}

AssayStatus RunBroadcastShift(const AssayCall& call, const Options& options,
                              Complaint* complaint) {
  if (call.num_inputs == 2 && call.num_outputs == 1 &&
      !CheckBroadcast(call, complaint)) {
    return ASSAY_INVALID;
  }
  const char* failure = RunElementwise(call, options, true);
  if (failure == nullptr) return ASSAY_OK;
  complaint->Say("%s: %s not implemented", call.op, failure);
  return ASSAY_UNSUPPORTED;
}

}  // namespace assay::simd
